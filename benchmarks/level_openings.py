"""Level openings of microchess: ``python -m benchmarks.level_openings 150`` prints so many.

On so small a board a few random moves mostly decide the game, and a match from such openings says
nothing. Fairy-Stockfish looks at each, as deep as ``DEPTH``; those within ``LEVEL`` are printed.
``level_openings.fen`` keeps 150 for ``benchmarks.strength``.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import cast

import chess.engine

import hansu
from hansu.arena.openings import Openings
from hansu.games.microchess.state import MicrochessState
from hansu.protocols.program import find_program
from hansu.protocols.uci_agents import VARIANT, CompactBoard

DEPTH = 18
LEVEL = 40  # hundredths of a pawn
PLIES = 4
TRIED = 3000


def level_openings() -> Iterator[str]:
    """Different positions after four random plies, as FENs."""
    candidates, seen = Openings(hansu.game("microchess"), f"random:{PLIES}", seed=0), set[str]()
    program = find_program("fairy-stockfish")
    with chess.engine.SimpleEngine.popen_uci(program) as engine:
        engine.configure({"VariantPath": str(VARIANT)})
        known = engine.options["UCI_Variant"]
        engine.protocol.options["UCI_Variant"] = replace(
            known, var=[*(known.var or []), "microchess"]
        )
        for number in range(TRIED):
            state = cast(MicrochessState, candidates[number])
            if (text := state.text()) in seen:
                continue
            seen.add(text)
            told = engine.analyse(CompactBoard.of(state), chess.engine.Limit(depth=DEPTH))
            score = told["score"].relative.score(mate_score=100_000)
            if abs(score) <= LEVEL:
                yield text


if __name__ == "__main__":
    for text in islice(level_openings(), int(sys.argv[1])):
        print(text, flush=True)
