"""Import a user's own code; an error in it becomes one sentence."""

import importlib
import importlib.util
import os
import sys
import traceback
from pathlib import Path
from types import ModuleType

from hansu.errors import HansuError


def import_named(name: str) -> ModuleType:
    """Return a module by its dotted path, also from the current folder; raises HansuError."""
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.append(os.getcwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            raise HansuError(f"there is no module {error.name}") from None
        raise HansuError(_failed(name, error)) from error
    except Exception as error:
        raise HansuError(_failed(name, error)) from error


def import_file(path: Path) -> ModuleType:
    """Return a module by its file, which can import its neighbours; raises HansuError."""
    if not path.is_file():
        raise HansuError(f"there is no file {path}")
    path = path.resolve()
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(path.stem)
    sys.modules[path.stem] = module  # dataclasses look their module up there
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise HansuError(_failed(str(path), error)) from error
    finally:
        if before is not None:  # a file named like a module that is in use must not replace it
            sys.modules[path.stem] = before
    return module


def _failed(what: str, error: Exception) -> str:
    """Return one sentence on why an import failed, with the line."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if "importlib" not in f.filename and f.filename != __file__]
    line = error.lineno if isinstance(error, SyntaxError) else own[-1].lineno if own else None
    file = error.filename if isinstance(error, SyntaxError) else own[-1].filename if own else what
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    at = f" at {file}:{line}" if line else ""
    return f"{what} cannot be imported: {type(error).__name__}: {text}{at}"
