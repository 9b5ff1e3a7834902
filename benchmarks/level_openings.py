"""Level openings of microchess: ``python -m benchmarks.level_openings 50``.

On so small a board a few random moves mostly decide the game, and a match from such openings says
nothing. Fairy-Stockfish looks at each, as deep as ``DEPTH``; those within ``LEVEL`` are printed.
"""

import sys
from dataclasses import replace
from typing import cast

import chess.engine

import hansu
from hansu.arena.openings import Openings
from hansu.games.microchess.state import MicrochessState
from hansu.protocols.uci_agents import VARIANT, CompactBoard

DEPTH = 18
LEVEL = 40  # hundredths of a pawn
PLIES = 4
TRIED = 3000


def level_openings(count: int) -> list[str]:
    """So many different positions after four random plies, as FENs."""
    game = hansu.game("microchess")
    candidates, found = Openings(game, f"random:{PLIES}", seed=0), dict[str, int]()
    with chess.engine.SimpleEngine.popen_uci("fairy-stockfish") as engine:
        engine.configure({"VariantPath": str(VARIANT)})
        known = engine.options["UCI_Variant"]
        engine.protocol.options["UCI_Variant"] = replace(
            known, var=[*(known.var or []), "microchess"]
        )
        for number in range(TRIED):
            state = cast(MicrochessState, candidates[number])
            text = state.text()
            if text not in found:
                told = engine.analyse(CompactBoard.of(state), chess.engine.Limit(depth=DEPTH))
                found[text] = told["score"].relative.score(mate_score=100_000)
            level = [text for text, score in found.items() if abs(score) <= LEVEL]
            if len(level) == count:
                return level
    raise SystemExit(f"only {len(level)} of {len(found)} positions are level")


if __name__ == "__main__":
    print(*level_openings(int(sys.argv[1])), sep="\n")
