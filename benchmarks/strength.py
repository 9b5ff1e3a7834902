"""How strong are our players? ``python -m benchmarks.strength`` plays them against known programs.

The results go to ``benchmarks/strength.md``; rows that were not played this time stay as they are.
With ``--save FOLDER`` every game is kept there as soon as its pair is played, and ``--read FOLDER``
writes the rows of all games in it, from as many runs and machines as there were.
"""

import argparse
import math
import os
import platform
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hansu
from hansu.agents.budget import MOVE_LAG
from hansu.arena.match_result import MatchGame, MatchResult
from hansu.protocols.engine_agent import EngineAgent
from hansu.records.formats import read_games
from hansu.records.game_file import GameFile
from hansu.records.record import TimeControl

PAGE = Path(__file__).with_name("strength.md")
LEVEL_OPENINGS = Path(__file__).with_name("level_openings.fen")
HEAD = """# How strong are our players?

Written by `python -m benchmarks.strength`. Each player has the same time for every move where the
opponent keeps to one (GNU Go's level decides how long it thinks); half of the games with colours
swapped, from the usual start (othello: each pair of games after six random plies, because its
players always answer the same; learnt_fairy and all rows of engine in microchess: after four that a
deep search calls level, `level_openings.fen`; engine in other games, tree reuse, and heavy against
light playouts: after four random plies, in othello six, in tictactoe and hex two). The error is
that of a 95 % interval, computed from pairs of games. Openings are drawn anew in every run, so two
runs of a row differ by as much: records_1 to 3 gave 0.717, 0.417 and 0.108 in 60 games of the
tutorial's page on records. A game has one core, however many games are played at the same time, and
engine one thread. rave_gnugo, learnt_gnugo, learnt_grhino and engine_grhino were played on a
machine with 16 cores, 12 or 13 games side by side, the last three beside training; engine_fairy two
at a time on two cores, partly beside other work. learnt_gnugo is the network before the one of
today. abp_negamax searches as deep as a limit of each move allows. The full run is 40 games at 1 s
a move (the defaults); each row says what was played.

"""
COLUMNS = "name | game | player | against | s a move | games | score | as first / second | Elo"


@dataclass(frozen=True)
class Duel:
    """One row of the table; ``{t}`` stands for the seconds a move."""

    name: str
    game: str
    player: str
    opponent: str
    openings: str | None = None
    limited: bool = False  # by the clock: for players without an option of seconds


MCTS = "mcts:search_time={t},n_simulations=1000000000"  # the time decides, not the count
RECORDS, SAME_DEPTH = "record_learning", "record_learning:net=strong"
STRONG = SAME_DEPTH + ",depth=60,late_depth=60"
ENGINE = "engine:search_time={t},threads=1"
ABP = "abp_negamax:depth=60"
LEARNT = "self_learning:search_time={t},n_simulations=1000000000,threads=1"
FULL = MCTS + ",max_depth=none,reward_amplify=off"  # playouts to the end, nothing judged
HEAVY = ",playout=heavy"
RAVE = HEAVY + ",rave=1000,exploration_coef=0.05"
PLIES = "random:6"
LEVEL = "level"  # those of ``benchmarks.level_openings``
VARIED = {
    **{"othello": PLIES, "microchess": LEVEL, "tictactoe": "random:2", "hex": "random:2"},
    **{"connect4": "random:4", "go": "random:4"},
}
DUELS = (
    Duel("stockfish", "microchess", MCTS, "stockfish:level=20,move_time={t}"),
    Duel("fairy_stockfish", "microchess", MCTS, "fairy_stockfish:move_time={t}"),
    Duel("perfect", "connect4", MCTS + ",max_depth=none", "perfect"),
    Duel("gnugo", "go", MCTS + ",max_depth=none", "gnugo:level=10"),
    Duel("rave_gnugo", "go", MCTS + RAVE, "gnugo:level=10"),
    Duel("reuse_go", "go", MCTS + RAVE + ",tree_reuse=on", MCTS + RAVE, "random:4"),
    Duel("reuse_hex", "hex", MCTS + RAVE + ",tree_reuse=on", MCTS + RAVE, "random:2"),
    Duel("heavy_go", "go", FULL + HEAVY, FULL, "random:4"),
    Duel("heavy_othello", "othello", FULL + HEAVY, FULL, PLIES),
    Duel("heavy_connect4", "connect4", FULL + HEAVY, FULL, "random:4"),
    Duel("heavy_microchess", "microchess", MCTS + HEAVY, MCTS, "random:4"),
    Duel("learnt_stockfish", "microchess", LEARNT, "stockfish:level=20,move_time={t}"),
    Duel("learnt_fairy", "microchess", LEARNT, "fairy_stockfish:move_time={t}", LEVEL),
    Duel("learnt_mcts", "microchess", LEARNT, MCTS),
    Duel("learnt_perfect", "connect4", LEARNT, "perfect"),
    Duel("learnt_grhino", "othello", LEARNT, "grhino:level=4", PLIES),
    Duel("engine_grhino", "othello", ENGINE, "grhino:level=4", PLIES),
    Duel("engine_fairy", "microchess", ENGINE, "fairy_stockfish:move_time={t}", LEVEL),
    *(
        Duel(f"engine_learnt_{game}", game, ENGINE, LEARNT, openings)
        for game, openings in VARIED.items()
    ),
    *(
        Duel(f"engine_abp_{game}", game, ENGINE, ABP, openings, limited=True)
        for game, openings in VARIED.items()
    ),
    Duel("learnt_gnugo", "go", LEARNT, "gnugo:level=10"),
    *(
        Duel(f"records_{level}", "othello", RECORDS, f"grhino:level={level}", PLIES)
        for level in (1, 2, 3)
    ),
    *(
        Duel(f"records_strong_{level}", "othello", SAME_DEPTH, f"grhino:level={level}", PLIES)
        for level in (1, 2, 3)
    ),
    Duel("records_strong_depth", "othello", SAME_DEPTH, RECORDS, PLIES),
    Duel("records_strong_time", "othello", STRONG + ",search_time={t}", RECORDS, PLIES),
    Duel("records_strong_4", "othello", STRONG + ",search_time={t}", "grhino:level=4", PLIES),
)


class Perfect(hansu.Agent):
    """BitBully with its book: plays Connect Four perfectly, at random among the best moves."""

    solver: Any = None

    def prepare(self, start: hansu.State) -> None:
        """Load the opening book."""
        from bitbully import BitBully

        self.solver = BitBully(opening_book="12-ply-dist")

    def act(self, state: hansu.State) -> Any:
        """One of the moves with the best score."""
        from bitbully import Board

        board = Board()
        for column in state.move_stack:
            board.play(column - 1)
        scores = self.solver.score_all_moves(board)
        legal = [column for column in state.legal_moves if column - 1 in scores]
        best = max(scores[column - 1] for column in legal)
        return self.rng.choice([column for column in legal if scores[column - 1] == best])


def title_of(duel: Duel, text: str) -> str:
    """What an opponent calls itself."""
    if text == "perfect":
        return "BitBully, perfect play"
    made = hansu.agent(duel.game, text)
    if not isinstance(made, EngineAgent):
        return f"`{text}`"
    made.reset()
    title = f"{made.engine.title}, `{text}`"
    made.release()
    return title


@dataclass(frozen=True)
class Terms:
    """How long and where rows are played."""

    games: int
    seconds: float  # a move
    concurrency: int
    end: float  # when no game is started any more, by ``time.monotonic``
    folder: Path | None  # for the games


def play(duel: Duel, terms: Terms) -> MatchResult:
    """The match; after each pair its games are saved."""
    opponent = duel.opponent.format(t=f"{terms.seconds:g}")
    file = None
    if terms.folder is not None:
        terms.folder.mkdir(parents=True, exist_ok=True)
        file = GameFile(terms.folder / f"{duel.name}.{time.time_ns():x}.jsonl")

    def report(so_far: MatchResult) -> None:
        print(f"  {duel.name} {len(so_far.played)}: {so_far.score:.3f}", flush=True)
        if file and so_far.played:
            file.write(so_far.games)

    limit = terms.seconds + MOVE_LAG if duel.limited else None
    result = hansu.match(
        duel.game,
        duel.player.format(t=f"{terms.seconds:g}"),
        Perfect if opponent == "perfect" else opponent,
        terms.games,
        openings=_openings(duel),
        control=TimeControl(seconds=None, move_seconds=limit),
        concurrency=terms.concurrency,
        progress=report,
        stop=lambda: time.monotonic() > terms.end,
    )
    report(result)
    return result


def _openings(duel: Duel) -> str | None:
    """Level openings in an order of their own each time, so that several runs differ."""
    if duel.openings != LEVEL:
        return duel.openings
    lines = LEVEL_OPENINGS.read_text(encoding="utf-8").splitlines()
    file = tempfile.mkstemp(suffix=".fen")[1]
    Path(file).write_text("\n".join(random.sample(lines, len(lines))), encoding="utf-8")
    return file


def read_rows(folder: Path, seconds: float) -> dict[str, str]:
    """Rows of all games in a folder."""
    rows = {}
    for duel in DUELS:
        records = [
            record
            for file in sorted(folder.glob(f"{duel.name}.*.jsonl"))
            for record in read_games(file)
        ]
        if records:
            player, opponent = (
                each.format(t=f"{seconds:g}") for each in (duel.player, duel.opponent)
            )
            found = MatchResult(records[0].game, player, opponent)
            for number, record in enumerate(records):
                if {record.first, record.second} != {player, opponent}:
                    raise SystemExit(
                        f"{duel.name}: a game of {record.first} and {record.second} is not of this "
                        f"row at {seconds:g} s a move: give the --move-time that was played"
                    )
                found.played.append(MatchGame(number, record.first == player, record))
            rows[duel.name] = row(duel, found, seconds)
            print(rows[duel.name], flush=True)
    return rows


def row(duel: Duel, result: MatchResult, seconds: float) -> str:
    """One line of the table."""
    faults = f", {len(result.disqualified)} disqualified" if result.disqualified else ""
    cells = [
        duel.name,
        result.game,
        f"`{result.a}`",
        title_of(duel, duel.opponent.format(t=f"{seconds:g}")),
        f"{seconds:g}",
        f"{len(result.played)} ({result.distinct_games} distinct{faults})",
        f"**{result.score:.3f}** (+{result.wins} ={result.draws} −{result.losses})",
        f"{result.as_first:.3f} / {result.as_second:.3f}",
        f"{result.elo:+.0f} ± {result.elo_error:.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def write(rows: dict[str, str]) -> None:
    """Put new rows into the page, each with the command that plays it again."""
    old = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []
    found = {cells_of(line)[0]: line for line in old if line.startswith("| ")} | rows
    kept = [found[duel.name] for duel in DUELS if duel.name in found]
    commands = []
    for name, *_, seconds, games, _, _, _ in map(cells_of, kept):
        words = f"--only {name} --games {games.split()[0]} --move-time {seconds}"
        commands.append(f"- `python -m benchmarks.strength {words}`")
    lines = [
        *(f"| {COLUMNS} |", "|---" * len(COLUMNS.split("|")) + "|", *kept, ""),
        *("How each row was played:", "", *commands, ""),
        f"Last run on {platform.system()}, {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}.",
    ]
    PAGE.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def cells_of(line: str) -> list[str]:
    """The cells of a line of the table."""
    return [cell.strip() for cell in line.strip("|").split("|")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--move-time", type=float, default=1.0, help="seconds a move")
    parser.add_argument("--only", nargs="+", choices=[duel.name for duel in DUELS])
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=math.inf, help="then start no game")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="for the games")
    parser.add_argument("--read", type=Path, metavar="FOLDER", help="play nothing, read games")
    chosen = parser.parse_args()
    if chosen.read:
        write(read_rows(chosen.read, chosen.move_time))
        return
    end = time.monotonic() + chosen.seconds
    terms = Terms(chosen.games, chosen.move_time, chosen.concurrency, end, chosen.save)
    rows = {}
    for duel in DUELS:
        if chosen.only is None or duel.name in chosen.only:
            print(f"{duel.name}: {duel.game}", flush=True)
            result = play(duel, terms)
            rows[duel.name] = row(duel, result, chosen.move_time)
            print(result)
    write(rows)


if __name__ == "__main__":
    main()
