"""Which options of learning pay? ``python -m benchmarks.ablation connect4 --seconds 100``

Trains a network from nothing with each variant of the settings, for the same time on the same
machine, and measures it against truth: published positions of Connect Four (``--truth``; made from
``--data`` where it is missing), the positions that the game's solver knows, and a match against the
model that comes with the package; at the end all play against the first variant's network.
``--together`` so many variants run side by side and share the card; each process compiles once and
then trains one variant after another.

A variant is a name of the table below, or ``NAME:SETTING=VALUE,...``, as ``hansu train --set``.
Results are written as they come: ``OUT/NAME.jsonl``, with the model and the log of the last
measurement beside; ``--table`` prints those of an earlier run again.

    python -m benchmarks.ablation connect4 --seconds 100 --truth truth.json --out ablation
    python -m benchmarks.ablation tictactoe --seconds 3 --variants plain gumbel    # a smoke test
"""

import argparse
import gc
import json
import signal
import subprocess
import sys
import time
import traceback
from dataclasses import asdict, replace
from importlib import resources
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.table import Table

import hansu
from benchmarks.network_strength import (
    MATCH_SIMULATIONS,
    Against,
    Strength,
    solved_positions,
)
from hansu.games.game import Game
from hansu.learning.card_trouble import card_trouble
from hansu.learning.evaluator import pick_device
from hansu.learning.first_weights import read_network
from hansu.learning.known_positions import known_positions
from hansu.learning.settings import write_control
from hansu.learning.training import Training

VARIANTS = {
    "plain": "",
    "no-proofs": "proofs=false",
    "no-reuse": "reuse=false",
    "search-value": "search_share=0.5",
    "caps": "full_share=0.25",
    "gumbel": "gumbel_moves=16",
    "gumbel-32": "gumbel_moves=16,simulations=32",
    "forced": "forced_playouts=2",
    "moves-left": "moves_left=0.1",
    "ownership": "ownership=0.3",
}
NEVER = 10**9  # rounds between two gating matches: they would take a part of the time
COLUMNS = ("kept", "best", "accuracy", "score")
TOLD = ("trained", "round", *COLUMNS, "error", "against_first")


def settings_of(text: str) -> tuple[str, list[str]]:
    """Return the name of a variant and its settings."""
    name, colon, given = text.partition(":")
    texts = given if colon else VARIANTS[name]
    return name, [each for each in texts.split(",") if each]


def train(game: Game, text: str, options: argparse.Namespace, strength: Strength) -> None:
    """Train one variant and measure it several times."""
    name, given = settings_of(text)
    folder = options.out / "runs" / name
    how = {"device": str(options.card), "seed": options.seed}
    run = Training(game, folder, **how, changes={"gate_every": NEVER}, settings=given)
    if options.start and run.is_new:
        run.start_from(read_network(options.start, game))
    run.prepare()
    trained, rate = 0.0, run.control.learning_rate
    marks = [options.seconds * (at + 1) / options.points for at in range(options.points)]
    drops = [(float(at), float(to)) for at, to in (each.split(":") for each in options.drop)]
    while marks:
        for at, to in drops:
            if trained >= at * options.seconds and run.control.learning_rate > to * rate:
                write_control(folder, replace(run.control, learning_rate=to * rate))
        begin = time.perf_counter()
        report = run.run_round()
        trained += time.perf_counter() - begin
        assert report is not None
        if trained >= marks[0]:
            last = trained >= marks[-1]
            marks = [mark for mark in marks if mark > trained]
            found = strength(run.player, last)
            write(options.out, name, {"trained": trained, **asdict(report), **found})
            for kept in ("model.onnx", "log.csv"):
                content = (folder / kept).read_bytes()
                (options.out / f"{name}.{kept.partition('.')[2]}").write_bytes(content)
    run.close()


def write(out: Path, name: str, facts: dict[str, Any]) -> None:
    """Add a measurement to a variant's file, and print it."""
    with (out / f"{name}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(facts) + "\n")
    told = {key: facts[key] for key in TOLD if key in facts}
    print(name, json.dumps(told), flush=True)


def train_all(game: Game, options: argparse.Namespace) -> None:
    """Train this process's share of the variants, one after another."""
    options.card = pick_device(options.device)
    shipped = resources.files("hansu.learning") / "models" / f"{game.name}.onnx"
    is_usual = str(game) == game.name  # the model is for the usual board
    against = options.against or (Path(str(shipped)) if shipped.is_file() and is_usual else None)
    solved = None
    if game.name == "connect4" and (options.truth.exists() or options.data.exists()):
        solved = lambda: solved_positions(options.truth, options.data)[:: options.thin]  # noqa: E731
    strength = Strength(game, solved, against, options)
    known_positions(game.features)  # found once, and not in the time of the first variant
    first, step = options.share
    for text in options.variants[first::step]:
        try:
            with card_trouble():
                train(game, text, options, strength)
        except Exception as error:  # the others shall be measured all the same
            traceback.print_exc()
            write(options.out, text.partition(":")[0], {"error": str(error)[:300]})
        gc.collect()
        if options.card.type == "cuda":
            torch.cuda.empty_cache()
    compare(game, options)


def compare(game: Game, options: argparse.Namespace) -> None:
    """Let the last networks of this process's variants play against that of the first variant."""
    first, step = options.share
    models = [options.out / f"{text.partition(':')[0]}.onnx" for text in options.variants]
    if not options.match or not models[0].exists():
        return
    match = Against(game, models[0], options.match, MATCH_SIMULATIONS, options.card)
    for path in models[first::step]:
        if path.exists() and path != models[0]:
            found = match(read_network(path, game))
            facts = {"against_first": found["score"], "against_error": found["score_error"]}
            write(options.out, path.stem, facts)


def print_table(options: argparse.Namespace) -> None:
    """Print the last measurements of all variants."""
    title = f"{options.game}, {options.seconds:g} s each, {options.together} at a time"
    table = Table(title=title, title_justify="left")
    for column in ("variant", "seconds", "rounds", "games", "simulations/s", *COLUMNS):
        table.add_column(column, justify="left" if column == "variant" else "right")
    for text in options.variants:
        name = text.partition(":")[0]
        path = options.out / f"{name}.jsonl"
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            facts = json.loads(line)
            if "against_first" in facts:
                text = f"against the first: {facts['against_first']:.3f}"
                table.add_row(name, f"{text} ± {facts['against_error']:.3f}")
                continue
            if "error" in facts:
                table.add_row(name, facts["error"][:40])
                continue
            row = [f"{facts['trained']:.0f}", f"{facts['round']}", f"{facts['games']:,}"]
            row.append(f"{facts['simulations_per_second']:,.0f}")
            table.add_row(name, *row, *(_cell(facts, column) for column in COLUMNS))
    Console(width=120).print(table)


def _cell(facts: dict[str, Any], column: str) -> str:
    number = facts.get(column)
    if number is None:
        return ""
    error = f" ± {facts['score_error']:.3f}" if column == "score" else ""
    return f"{number:.4f}{error}"


def main() -> None:
    """Train all variants and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--variants", nargs="+", help="names of the table, or NAME:SETTING=VALUE")
    parser.add_argument("--seconds", type=float, default=100.0, help="of training, each")
    parser.add_argument("--points", type=int, default=3, help="measurements of each variant")
    parser.add_argument("--drop", nargs="*", default=["0.75:0.25"], help="SHARE_OF_TIME:LR_FACTOR")
    parser.add_argument("--together", type=int, default=1, help="variants at a time")
    parser.add_argument("--truth", type=Path, default=Path("truth.json"))
    parser.add_argument("--data", type=Path, default=Path("../shared/data/connect4"))
    parser.add_argument("--thin", type=int, default=1, help="take every so many'th position")
    parser.add_argument("--simulations", type=int, default=400, help="in solved positions")
    parser.add_argument("--match", type=int, default=200, help="games against the model; 0: none")
    parser.add_argument("--matches", action="store_true", help="a match at every measurement")
    parser.add_argument("--against", type=Path, help="a model; by default the one of the package")
    parser.add_argument("--start", type=Path, help="a model whose weights all start from")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("ablation"))
    parser.add_argument("--table", action="store_true", help="print earlier results only")
    parser.add_argument("--share", type=int, nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    game = hansu.game(options.game)
    if options.variants is None:
        options.variants = [
            each for each in VARIANTS if each != "ownership" or game.features.has_owners
        ]
    for text in options.variants:
        if ":" not in text and text not in VARIANTS:
            raise SystemExit(f"there is no variant {text!r}: one of {', '.join(VARIANTS)}")
    options.out.mkdir(parents=True, exist_ok=True)
    if options.share:
        train_all(game, options)
        return
    if not options.table:
        command = [sys.executable, "-m", "benchmarks.ablation", *sys.argv[1:]]
        command += ["--variants", *options.variants]
        shares = [[str(at), str(options.together)] for at in range(options.together)]
        running = [subprocess.Popen([*command, "--share", *share]) for share in shares]
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended before its time"))
        try:
            for process in running:
                process.wait()
        finally:
            for process in running:
                process.terminate()
    print_table(options)


if __name__ == "__main__":
    main()
