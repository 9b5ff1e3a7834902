"""``hansu memory``: inspect, merge and prune memories of ``mcts_memory``."""

import json
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from hansu.agents.memory import Memory
from hansu.cli.arguments import JsonOption, PositionOption, start_state
from hansu.cli.terminal import Console, say
from hansu.errors import HansuError, OptionError
from hansu.games.game import COLOR_NAMES
from hansu.games.state import State

memory = typer.Typer(help="Inspect, merge and prune memories of mcts_memory.", no_args_is_help=True)
FileArgument = Annotated[Path, typer.Argument(help="Memory that mcts_memory:memory=FILE wrote.")]


@memory.command("inspect")
def inspect(
    file: FileArgument,
    which: Annotated[
        str | None, typer.Option("--game", "-g", help="Game (default: the only one)")
    ] = None,
    position: PositionOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the size of a memory and its counts for the moves of a position."""
    opened = _existing(file)
    entries = opened.entries()
    facts: dict[str, Any] = {
        "file": str(file),
        "bytes": file.stat().st_size,
        "entries": len(entries),
        "limit": opened.limit,
        "games": [
            _game_facts(game, entries[entries["game"] == number])
            for number, game in enumerate(opened.games)
        ],
    }
    if state := _asked(opened, which, position):
        facts["position"] = _position_facts(opened, state)
    if as_json:
        typer.echo(json.dumps(facts))
    else:
        _print(facts)


@memory.command("merge")
def merge(
    out: Annotated[Path, typer.Argument(help="Memory to add to; created if missing.")],
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Memories to add.")],
    as_json: JsonOption = False,
) -> None:
    """Add memories to another, all or nothing.

    A copy, or a memory merged before, is refused: its games would count twice.
    """
    for number, file in enumerate(files):
        for other in [out, *files[:number]]:
            if file.exists() and other.exists() and file.samefile(other):
                raise HansuError(
                    f"{file} cannot be merged with itself: its games would count twice"
                )
    others = [_existing(file) for file in files]
    into = Memory(out)
    dropped = into.merge(others)
    if as_json:
        facts = {"file": str(out), "entries": len(into), "games": list(into.games)}
        typer.echo(json.dumps({**facts, "dropped": dropped}))
        return
    say(f"{out}: {len(into):,} sequences of {', '.join(into.games) or 'no game'}")
    if dropped:
        say(f"the {dropped:,} least visited found no room")


@memory.command("prune")
def prune(
    file: FileArgument,
    keep: Annotated[
        int | None, typer.Option(min=0, help="Keep the N most visited sequences.", metavar="N")
    ] = None,
    min_visits: Annotated[
        int | None, typer.Option(min=1, help="Keep sequences with at least K games.", metavar="K")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Drop the least visited sequences; the file keeps its size."""
    if (keep is None) == (min_visits is None):
        raise OptionError("say what to keep: either --keep N or --min-visits K")
    _existing(file).close()
    opened = Memory(file)
    forgotten = opened.prune(keep, min_visits or 0)
    if as_json:
        facts = {"file": str(file), "entries": len(opened), "forgotten": forgotten}
        typer.echo(json.dumps(facts))
        return
    say(f"{file}: {forgotten:,} sequences forgotten, {len(opened):,} kept")


def _existing(file: Path) -> Memory:
    return Memory(file, read_only=True)


def _asked(opened: Memory, which: str | None, position: str | None) -> State | None:
    """Return the position to show: that of the only game, unless another is named."""
    if which is None and len(opened.games) != 1:
        if position is not None:
            raise OptionError(f"name the game of the position: --game {' or '.join(opened.games)}")
        return None
    state = start_state(which or opened.games[0], position)
    if str(state.game) not in opened.games:
        known = ", ".join(opened.games) or "no game"
        raise HansuError(f"this memory knows nothing of {state.game}: it knows {known}")
    return state


def _game_facts(game: str, entries: Any) -> dict[str, Any]:
    firsts = entries[entries["ply"] == 1]
    simulated = sum(int(firsts[name].sum(dtype=np.int64)) for name in ("wins", "draws", "losses"))
    return {
        "game": game,
        "entries": len(entries),
        "simulated_games": simulated,
        "entries_per_ply": np.bincount(entries["ply"])[1:].tolist() if len(entries) else [],
    }


def _position_facts(opened: Memory, state: State) -> dict[str, Any]:
    return {
        "game": str(state.game),
        "position": state.text(),
        "view": COLOR_NAMES[state.turn],
        "moves": [
            {"move": state.move_text(move), **tally.facts()} for move, tally in opened.moves(state)
        ],
    }


def _print(facts: dict[str, Any]) -> None:
    screen = Console(highlight=False, markup=False)
    size = facts["bytes"] / 1e6
    screen.print(
        f"{facts['file']}: {facts['entries']:,} of {facts['limit']:,} sequences, {size:.1f} MB"
    )
    for game in facts["games"]:
        screen.print(
            f"\n{game['game']}: {game['entries']:,} sequences, "
            f"{game['simulated_games']:,} simulated games",
            style="bold",
        )
        plies = [f"{ply}: {n:,}" for ply, n in enumerate(game["entries_per_ply"], 1) if n]
        screen.print("by length  " + "  ".join(plies))
    if shown := facts.get("position"):
        moves = Table(
            *("move", "won", "drawn", "lost", "rate"),
            title=f"{shown['game']} {shown['position']}, for {shown['view']} to move",
        )
        for row in shown["moves"]:
            counts = [f"{row[name]:,}" for name in ("wins", "draws", "losses")]
            known = any(row[name] for name in ("wins", "draws", "losses"))
            moves.add_row(row["move"], *counts, f"{row['rate']:.1%}" if known else "–")
        screen.print(moves)
