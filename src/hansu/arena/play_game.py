"""``hansu.play_game``: one game between two contestants, seated and refereed."""

import time
from contextlib import ExitStack, closing

from hansu.arena.clock import Timer
from hansu.arena.player import Player
from hansu.arena.referee import Watcher, play, with_turn_limit
from hansu.arena.seat import Contestant, Isolation, check_player, seat
from hansu.arena.seeds import event_seed
from hansu.games.game import Game, game
from hansu.options import check_callables
from hansu.records.record import GameRecord, TimeControl


def play_game(
    which: str | Game,
    first: Contestant,
    second: Contestant,
    *,
    position: str | None = None,
    max_turns: int | None = None,
    seconds: float | None = 400.0,
    move_seconds: float | None = None,
    increment: float = 0.0,
    seed: int | None = None,
    isolation: Isolation = "required",
    untrusted: bool = False,
    watch: Watcher | None = None,
    timer: Timer = time.monotonic,
) -> GameRecord:
    """Play one game; ``first`` has the colour that begins in this game.

    The same seed plays the same game. Without one it is secret until the record tells it.
    ``isolation`` says how agents of files run, and ``untrusted`` isolates engines by command too,
    as for ``hansu.match``.

    >>> import hansu
    >>> record = hansu.play_game("tictactoe", "minimax", "first_move", seed=1)
    >>> record.winner
    'minimax'
    """
    check_callables(watch=print if watch is None else watch, timer=timer)
    chosen = game(which)
    if max_turns is not None:
        chosen = with_turn_limit(chosen, max_turns)
    start = chosen.start_from(position)
    control = TimeControl(seconds, move_seconds, increment)
    control.show_on(start, control.full())
    seed = event_seed(seed)
    players: list[Player] = []
    color = chosen.first_color
    with ExitStack() as life:
        for who, side in ((first, color), (second, not color)):
            players.append(life.enter_context(closing(seat(who, chosen, untrusted, isolation))))
            check_player(players[-1], who, start, side)
        return play(start, players[0], players[1], control, seed, watch, timer)
