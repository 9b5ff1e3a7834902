"""How strong are our players? ``python -m benchmarks.strength`` plays them against known programs.

The results go to ``benchmarks/strength.md``; rows that were not played this time stay as they are.
"""

import argparse
import os
import platform
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hansu
from benchmarks.level_openings import level_openings
from hansu.arena.match_result import MatchResult
from hansu.protocols.engine_agent import EngineAgent
from hansu.records.record import TimeControl

PAGE = Path(__file__).with_name("strength.md")
HEAD = """# How strong are our players?

Written by `python -m benchmarks.strength`. Each player has the same time for every move where the
opponent keeps to one (GNU Go's level decides how long it thinks); half of the games with colours
swapped, from the usual start (othello: each pair of games after six random plies, because its
players always answer the same; learnt_fairy: after four that a deep search calls level; the rows
of heavy against light playouts: after four random plies, in othello six). The error is that of a
95 % interval, computed from pairs of games. A game has one core; learnt_fairy was played with
`--concurrency 2`, two games at a time. The full run is 40 games at 1 s a move (the defaults); each
row says what was played.

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


MCTS = "mcts:search_time={t},n_simulations=1000000000"  # the time decides, not the count
RECORDS, STRONG = "record_learning", "record_learning:net=strong,depth=60,late_depth=60"
ENGINE = "engine:search_time={t}"
LEARNT = "self_learning:search_time={t},n_simulations=1000000000"
FULL = MCTS + ",max_depth=none,reward_amplify=off"  # playouts to the end, nothing judged
HEAVY = ",playout=heavy"
RAVE = HEAVY + ",rave=1000,exploration_coef=0.05"
PLIES = "random:6"
LEVEL = "level"  # those of ``benchmarks.level_openings``
DUELS = (
    Duel("stockfish", "microchess", MCTS, "stockfish:level=20,move_time={t}"),
    Duel("fairy_stockfish", "microchess", MCTS, "fairy_stockfish:move_time={t}"),
    Duel("perfect", "connect4", MCTS + ",max_depth=none", "perfect"),
    Duel("gnugo", "go", MCTS + ",max_depth=none", "gnugo:level=10"),
    Duel("rave_gnugo", "go", MCTS + RAVE, "gnugo:level=10"),
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
    Duel("engine_learnt", "othello", ENGINE, LEARNT, PLIES),
    Duel("learnt_gnugo", "go", LEARNT, "gnugo:level=10"),
    Duel("records_1", "othello", RECORDS, "grhino:level=1", PLIES),
    Duel("records_2", "othello", RECORDS, "grhino:level=2", PLIES),
    Duel("records_3", "othello", RECORDS, "grhino:level=3", PLIES),
    Duel("records_strong_depth", "othello", f"{RECORDS}:net=strong", RECORDS, PLIES),
    Duel("records_strong_time", "othello", STRONG + ",search_time={t}", RECORDS, PLIES),
    Duel("records_strong_3", "othello", STRONG + ",search_time={t}", "grhino:level=3", PLIES),
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


def play(duel: Duel, games: int, seconds: float, concurrency: int) -> tuple[MatchResult, str]:
    """The match, and who the opponent was."""
    opponent = duel.opponent.format(t=f"{seconds:g}")
    title = title_of(duel, opponent)
    openings = duel.openings
    if openings == LEVEL:
        openings = tempfile.mkstemp(suffix=".fen")[1]
        Path(openings).write_text("\n".join(level_openings((games + 1) // 2)), encoding="utf-8")
    result = hansu.match(
        duel.game,
        duel.player.format(t=f"{seconds:g}"),
        Perfect if opponent == "perfect" else opponent,
        games,
        openings=openings,
        control=TimeControl(seconds=None),
        concurrency=concurrency,
        progress=lambda so_far: print(
            f"  {len(so_far.played)} of {games}: {so_far.score:.3f}", flush=True
        ),
    )
    return result, title


def row(duel: Duel, result: MatchResult, title: str, seconds: float) -> str:
    """One line of the table."""
    faults = f", {len(result.disqualified)} disqualified" if result.disqualified else ""
    cells = [
        duel.name,
        result.game,
        f"`{result.a}`",
        title,
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
    parser.add_argument("--only", choices=[duel.name for duel in DUELS])
    parser.add_argument("--concurrency", type=int, default=1)
    chosen = parser.parse_args()
    rows = {}
    for duel in DUELS:
        if chosen.only in (None, duel.name):
            print(f"{duel.name}: {duel.game}", flush=True)
            result, title = play(duel, chosen.games, chosen.move_time, chosen.concurrency)
            rows[duel.name] = row(duel, result, title, chosen.move_time)
            print(result)
    write(rows)


if __name__ == "__main__":
    main()
