"""Leave out the doctests of modules that need an extra which is not installed, and no others."""

import importlib
from pathlib import Path

from tests.extras import EXTRAS

SOURCE = Path(__file__).parent / "src"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Import a module as its doctests would; what is broken is left to fail there."""
    if collection_path.suffix != ".py" or not collection_path.is_relative_to(SOURCE):
        return None
    parts = collection_path.relative_to(SOURCE).with_suffix("").parts
    try:
        importlib.import_module(".".join(part for part in parts if part != "__init__"))
    except ImportError as error:
        return (error.name or "").partition(".")[0] in EXTRAS.values() or None
    except Exception:
        return None
    return None
