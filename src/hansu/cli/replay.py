"""``hansu replay``: step through a recorded game, or debug an agent at one of its turns."""

import json
import pdb
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from hansu.agents.agent import Answer
from hansu.agents.loading import reference
from hansu.arena.player import LocalPlayer
from hansu.arena.restore_agent import move_shown, restore_agent
from hansu.arena.seat import seat
from hansu.cli.arguments import JsonOption, TrustOption
from hansu.cli.export import tell_problems
from hansu.cli.show import facts
from hansu.cli.terminal import Console, say
from hansu.cli.watch import finite, result_facts, turn_facts
from hansu.errors import HansuError, RecordError
from hansu.games.game import COLOR_NAMES
from hansu.games.state import RESIGN, State
from hansu.records.formats import read_games
from hansu.records.record import RESIGNED, GameRecord
from hansu.records.replay import game_of, state_at, states

HELP = "Enter or n: next, p: previous, a number: go there, l: last, q: quit"


def replay(
    file: Annotated[Path, typer.Argument(help="File of games in any format.")],
    number: Annotated[int, typer.Option("--game", "-g", min=1, help="Number of the game.")] = 1,
    at: Annotated[
        int | None, typer.Option("--at", help="Show the position after this many turns.")
    ] = None,
    debug: Annotated[
        str | None,
        typer.Option("--debug", metavar="AGENT", help="Debug AGENT's move at --at."),
    ] = None,
    fresh: Annotated[
        bool,
        typer.Option("--fresh", help="With --debug: skip the agent's earlier turns."),
    ] = False,
    trust: TrustOption = False,
    as_json: JsonOption = False,
) -> None:
    """Replay a recorded game turn by turn, or show one position of it.

    With --debug the agent gets the state, seed and clock of that turn; the debugger stops at the
    first line of its act().
    """
    problems: list[RecordError] = []
    record = chosen_game(read_games(file, problems), number)
    tell_problems(problems)
    if debug is not None:
        _debug(record, at, debug, fresh, trust)
    elif at is not None:
        _show(record, at, as_json)
    elif as_json:
        _tell_json(record)
    else:
        _step_through(record)


def chosen_game(records: list[GameRecord], number: int) -> GameRecord:
    """Return a game by its number, from 1."""
    if number > len(records):
        raise HansuError(f"there is no game {number}: the file has {len(records)}")
    return records[number - 1]


# One position ------------------------------------------------------------------------------------


def position_facts(record: GameRecord, turns: int) -> dict[str, Any]:
    """Return a position of a recorded game as JSON facts."""
    state = state_at(record, turns)
    return facts(state) | {
        "at": turns,
        "turns": len(record.turns),
        "last_move": record.moves[turns - 1] if turns else None,
        "next_move": record.moves[turns] if turns < len(record.turns) else None,
        "white_remain_sec": finite(state.white_remain_sec),
        "black_remain_sec": finite(state.black_remain_sec),
        "white": record.player(True),
        "black": record.player(False),
        "seed": record.seed,
    }


def _show(record: GameRecord, turns: int, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(position_facts(record, turns)))
    else:
        _print(Console(highlight=False, markup=False), record, turns, state_at(record, turns))


def _print(screen: Console, record: GameRecord, turns: int, state: State) -> None:
    screen.print(f"\n{state}\n")
    who = f"white {record.player(True)}, black {record.player(False)}"
    screen.print(f"after {turns} of {len(record.turns)} turns; {who}", style="bold")
    screen.print(f"position  {state.text()}")
    screen.print(
        f"seconds   white {state.white_remain_sec:.1f}, black {state.black_remain_sec:.1f}"
    )
    if turns:
        screen.print(f"last      {record.moves[turns - 1]}")
    if turns < len(record.turns):
        screen.print(f"next      {COLOR_NAMES[state.turn]} {record.moves[turns]}", style="cyan")
    else:
        screen.print(f"the end   {record.outcome}", style="cyan")


# A whole game ------------------------------------------------------------------------------------


def _tell_json(record: GameRecord) -> None:
    """Print the lines of ``hansu watch --json``: one per turn, then the result."""
    for state, turn in zip(states(record), record.turns, strict=False):
        move = RESIGN if turn.move == RESIGNED else state.parse_move(turn.move)
        typer.echo(json.dumps(turn_facts(state, Answer(move), turn.seconds)))
    typer.echo(json.dumps(result_facts(record)))


def _step_through(record: GameRecord) -> None:
    screen = Console(highlight=False, markup=False)
    positions = list(states(record))
    turns, last = 0, len(record.turns)
    screen.print(HELP)
    while True:
        _print(screen, record, turns, positions[turns])
        try:
            word = input("> ").strip().lower()
        except EOFError:
            return
        if word in ("q", "quit"):
            return
        if word.isdecimal() and len(word) < 9:
            turns = int(word)
        else:
            turns = {"": turns + 1, "n": turns + 1, "p": turns - 1, "l": last}.get(word, turns)
        if not 0 <= turns <= last:
            screen.print(f"Turns go from 0 to {last}. {HELP}")
        turns = max(0, min(turns, last))


# The debugger ------------------------------------------------------------------------------------


class _Debugger(pdb.Pdb):
    """A debugger that knows whether the user quit, which ``runcall`` does not return."""

    left = False

    def set_quit(self) -> None:
        self.left = True
        super().set_quit()


def _debug(record: GameRecord, at: int | None, who: str, fresh: bool, trust: bool) -> None:
    if at is None:
        raise HansuError("--debug needs the turn, such as --at 12")
    own = reference(who)
    if own is not None and own.is_program:
        raise HansuError(f"{who} is a program: Python's debugger sees nothing of it")
    if own is not None and not trust:
        raise HansuError(
            f"the debugger runs {who} in this process, with all your rights: if you know its code, "
            "add --trust"
        )
    with closing(seat(who, game_of(record), isolation="trusted")) as player:
        assert isinstance(player, LocalPlayer)
        _debug_turn(player, record, at, fresh)


def _debug_turn(player: LocalPlayer, record: GameRecord, at: int, fresh: bool) -> None:
    moment = restore_agent(player, record, at, rethink=not fresh)
    for departure in moment.departures:
        say(f"differs from the game at {departure}", err=True)
    side = COLOR_NAMES[moment.state.turn]
    say(f"{player.name} is {side} after {at} turns; c continues, q quits.")
    debugger = _Debugger()
    try:
        move = debugger.runcall(player.agent.act, moment.state.copy())
    except Exception as error:
        say(f"act raised {type(error).__name__}: {error}")
        pdb.post_mortem(error.__traceback__)
        return
    if debugger.left:
        return
    answer = move_shown(moment.state, move)
    say(f"{player.name} answers {answer}; in the game: {moment.played or 'nothing'}")
