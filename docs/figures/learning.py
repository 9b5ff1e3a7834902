"""Figures measured by learning: remembered playouts, expert games, self-play."""

import functools
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from docs.figures.words import COLORS, Figure, Score, Word, chart, score_at, score_chart

import hansu
from hansu.display.chart import Curve

MEMORY_GAMES = (0, 500, 1000, 2000, 4000)
MEASURED_GAMES = 400
ALPHAZERO = Path(__file__).parent.parent / "tutorial" / "15_alphazero.md"
GRHINO_LEVELS = (1, 2, 3)
GRHINO_GAMES = 60


@functools.cache
def memory_scores() -> list[Score]:
    """Return by games of training how ``mcts_memory`` scores against one that forgets.

    Each score is that of a copy of the memory, which then learns from the match as well.
    """
    found: list[Score] = []
    with tempfile.TemporaryDirectory() as folder:
        file, copy = Path(folder, "trained"), Path(folder, "copy")
        agent, played = f"mcts_memory:memory={file}", 0
        for games in MEMORY_GAMES:
            if games > played:
                hansu.match("connect4", agent, agent, games - played, seed=games)
                shutil.copy(file, copy)
                played = games
            players = f"mcts_memory:memory={copy},n_simulations=250", "mcts_memory:scope=game"
            found.append(score_at(games, "connect4", *players, MEASURED_GAMES, seed=77))
            copy.unlink()
    return found


def memory(word: Word) -> str:
    """Points with error bars: a trained memory against none."""
    return score_chart(
        word("Does it learn?", "배우는 것이 있을까요?"),
        word(
            "score against its forgetting self, by games remembered",
            "잊어버리는 자신을 상대로 한 득점률, 기억한 판 수에 따라",
        ),
        {"": memory_scores()},
        word("games", "판"),
    )


@functools.cache
def record_scores() -> list[Score]:
    """Return the scores of what was learnt from records against GRhino, by its level."""
    who = ("othello", "record_learning")
    return [
        score_at(level, *who, f"grhino:level={level}", GRHINO_GAMES, openings="random:6")
        for level in GRHINO_LEVELS
    ]


def records(word: Word) -> str:
    """Points with error bars: what was learnt from records, against GRhino."""
    return score_chart(
        word("Learnt from 131,212 games", "131,212판에서 배운 것"),
        word("score against GRhino, 60 games each", "GRhino 상대 득점률, 점마다 60판"),
        {"": record_scores()},
        word("level", "레벨"),
    )


@functools.cache
def self_taught() -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Return by games of self-play how often a dictionary and a network are right.

    What the dictionary comes to is what the page prints, which the tests check.
    """
    printed = re.findall(r"(\d+) games: (\d+) % right", ALPHAZERO.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        train = ("train", "tictactoe", "--rounds", "8", "--minutes", "30", "--seed", "1")
        subprocess.run([sys.executable, "-m", "hansu", *train, "--out", folder], check=True)
        reports = hansu.training_log(folder).reports
    network = [(float(r.games), r.accuracy) for r in reports]
    return [(float(games), int(percent) / 100) for games, percent in printed], network


def alphazero(word: Word) -> str:
    """Curves: what is learnt by self-play, by a dictionary and by a network."""
    names = (word("dictionary", "사전"), word("network", "신경망"))
    curves = [
        Curve(name, points, color, filled=[True] * len(points))
        for name, points, color in zip(names, self_taught(), COLORS[1::-1], strict=False)
    ]
    return chart(
        word("Self-taught tic-tac-toe", "스스로 배운 틱택토"),
        word(
            "right moves without search, 200 positions", "탐색 없이 옳은 수를 고른 비율, 국면 200개"
        ),
        curves,
        x_name=word("games", "판"),
        y_text=lambda y: f"{100 * y:.0f} %",
    )


FIGURES: dict[str, Figure] = {"memory": memory, "records": records, "alphazero": alphazero}
