"""What all tests share."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# Compiling happens inside the first example: a deadline would measure the compiler.
settings.register_profile("hansu", deadline=None)
settings.load_profile("hansu")

ROOT = Path(__file__).parent.parent


@pytest.fixture
def shared_data() -> Callable[[str], Path]:
    """Records, positions and oracles that are not part of the project; tests skip without them."""
    folder = Path(os.environ.get("HANSU_DATA", ROOT.parent / "shared" / "data"))

    def find(name: str) -> Path:
        if not (folder / name).exists():
            pytest.skip(f"no test data {name} in {folder}; set HANSU_DATA to its folder")
        return folder / name

    return find
