"""``hansu puzzles``: make puzzles from recorded games."""

import json
from pathlib import Path
from typing import Annotated

import typer

from hansu.arena.puzzles import find_puzzles, read_puzzles, write_line
from hansu.atomic_write import atomic_write
from hansu.cli.arguments import GameArgument, JsonOption
from hansu.cli.export import tell_problems
from hansu.cli.progress import games_bar
from hansu.cli.serve import data_folder
from hansu.cli.terminal import Console, say
from hansu.errors import HansuError, RecordError
from hansu.games.game import game
from hansu.learning.stopping import Stop
from hansu.records.formats import read_games
from hansu.records.replay import game_of
from hansu.search.limits import Limits


def puzzles(
    which: GameArgument,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Files or folders of games.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="File to add to (default: where the page finds them)."),
    ] = None,
    most: Annotated[int, typer.Option("--most", "-n", min=1, help="Puzzles to find.")] = 30,
    seconds: Annotated[float, typer.Option(min=0.001, help="Seconds per position.")] = 2.0,
    as_json: JsonOption = False,
) -> None:
    """Make puzzles: positions of games in which one move alone keeps the win or the draw.

    The exact solver proves every move, and each puzzle is solved a second time before it is kept.
    Ctrl+C keeps what has been found. Microchess needs tables: see hansu solve.
    """
    name = game(which).name
    problems: list[RecordError] = []
    records = [r for r in read_games(files, problems) if game_of(r).name == name]
    tell_problems(problems)
    if not records:
        raise HansuError(f"there are no games of {name} in {', '.join(map(str, files))}")
    if out is None:
        folder = data_folder(None) / "puzzles"
        folder.mkdir(exist_ok=True)
        out = folder / f"{name}.jsonl"
    kept = {(each.game, each.position): each for each in read_puzzles(out)}
    before, stop = len(kept), Stop()
    with stop.on_interrupt(), games_bar(Console(stderr=True)) as bar:
        task = bar.add_task("games", total=len(records))
        for found in find_puzzles(records, Limits(seconds, exact=True)):
            bar.update(task, advance=1, refresh=True)
            for puzzle in found[: most - len(kept) + before]:
                kept.setdefault((puzzle.game, puzzle.position), puzzle)
            if stop.asked or len(kept) - before >= most:
                break
    atomic_write(out, "".join(f"{write_line(each)}\n" for each in kept.values()).encode())
    if as_json:
        facts = {"file": str(out), "found": len(kept) - before, "puzzles": len(kept)}
        typer.echo(json.dumps(facts))
    else:
        say(f"{len(kept) - before} new puzzles, {len(kept)} in {out}")
