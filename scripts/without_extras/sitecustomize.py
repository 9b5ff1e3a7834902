"""Python as if no extra were installed, for the tests of ``make test`` and what they start.

Python imports this at its start when the folder and the project are on ``PYTHONPATH``.
"""

import sys
from importlib.machinery import PathFinder
from typing import Any

from tests.extras import EXTRAS


class WithoutExtras(PathFinder):
    """Finds what is installed, but for the extras."""

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> Any:
        """Nothing for a package that only an extra brings."""
        if fullname.partition(".")[0] in EXTRAS.values():
            return None
        return super().find_spec(fullname, path, target)


sys.meta_path[sys.meta_path.index(PathFinder)] = WithoutExtras
