"""Figures measured by learning: remembered playouts, expert games, self-play."""

import functools
import shutil
import tempfile
from pathlib import Path

from docs.figures.words import Figure, Score, Word, score_chart

import hansu

MEMORY_GAMES = (0, 500, 1000, 2000, 4000)
MEASURED_GAMES = 400
GRHINO_LEVELS = (1, 2, 3)
GRHINO_GAMES = 100


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
            result = hansu.match(
                *("connect4", f"mcts_memory:memory={copy},n_simulations=250"),
                *("mcts_memory:scope=game", MEASURED_GAMES),
                seed=77,
            )
            found.append((games / 1000, result.score, result.stats.score_interval))
            copy.unlink()
    return found


def memory(word: Word) -> str:
    """Points with error bars: a trained memory against none."""
    return score_chart(
        word("Does it learn?", "배우는 것이 있을까요?"),
        word(
            "score against its forgetting self, 400 games each",
            "잊어버리는 자신을 상대로 한 득점률, 점마다 400판",
        ),
        {"": memory_scores()},
        word("thousand games remembered", "천 판 기억"),
    )


@functools.cache
def record_scores() -> dict[str, list[Score]]:
    """Return the scores of both networks learnt from records against GRhino, by its level."""
    return {
        net: [
            (level, result.score, result.stats.score_interval)
            for level in GRHINO_LEVELS
            for result in [
                hansu.match(
                    *("othello", f"record_learning:net={net}", f"grhino:level={level}"),
                    games=GRHINO_GAMES,
                    openings="random:6",
                    seed=1,
                )
            ]
        ]
        for net in ("strong", "historic")
    }


def records(word: Word) -> str:
    """Points with error bars: what was learnt from records, against GRhino."""
    names = {
        "historic": word("network of 57,857 weights", "가중치 57,857개 신경망"),
        "strong": word("patterns", "패턴"),
    }
    return score_chart(
        word("Learnt from 131,212 games", "131,212판에서 배운 것"),
        word("score against GRhino, 100 games each", "GRhino 상대 득점률, 점마다 100판"),
        {names[net]: scores for net, scores in record_scores().items()},
        word("GRhino's level", "GRhino 레벨"),
    )


FIGURES: dict[str, Figure] = {"memory": memory, "records": records}
