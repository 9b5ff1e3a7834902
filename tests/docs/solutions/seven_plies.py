"""Solves exercise 18: the compiled alpha–beta of the examples, seven plies deep."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[3] / "examples"))

from compiled_alphabeta import CompiledAlphaBeta


class SevenPlies(CompiledAlphaBeta):
    """Alpha–beta to depth 7."""

    depth = 7
