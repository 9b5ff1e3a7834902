"""Setting a position up by hand: what stands where, and why that cannot be played."""

from typing import Any

from hansu.arena.precompile import precompile_rules
from hansu.errors import PositionError
from hansu.games.game import BLACK, COLOR_NAMES, WHITE, Game
from hansu.games.state import State
from hansu.web.catalogue import chosen_game
from hansu.web.messages import SetUp


def set_up_facts(wanted: SetUp) -> dict[str, Any]:
    """Return the position that is wanted, as text and as a picture; raises HansuError."""
    chosen = chosen_game(wanted.game, wanted.rules)
    precompile_rules(chosen)
    state = _state(chosen, wanted)
    return {
        "svg": state.svg(cells=True),
        "turn": COLOR_NAMES[state.turn],
        "position": state.text(),
        "over": state.is_game_over(),
        "counts": chosen.drawn(["."], WHITE) == chosen.drawn(["."], BLACK),  # tell whose turn it is
    }


def _state(chosen: Game, wanted: SetUp) -> State:
    if wanted.rows is None:
        return chosen.parse(wanted.position) if wanted.position.strip() else chosen.start()
    names = {"": ".", **dict(chosen.pieces)}
    for name in {name for row in wanted.rows for name in row} - set(names):
        raise PositionError(f"{name[:20]!r} is no piece of {chosen.name}")
    rows = ["".join(names[name] for name in row) for row in wanted.rows]
    turn = {"white": WHITE, "black": BLACK, None: chosen.first_color}[wanted.turn]
    return chosen.parse(chosen.drawn(rows, turn))
