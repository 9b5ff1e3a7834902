"""The compiled rules and the same code run as plain Python give the same games."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import hansu
from hansu.kernel import JIT, seeded
from hansu.search.playout import playouts, random_move, random_move_id
from tests.small_games import SMALL_GAMES

GAMES_PLAYED = {"tictactoe": 10, "connect4": 5, "microchess": 3, "go": 1}

PLAIN = """
import json, sys
from tests.games.test_compiled_equals_plain import trace
print(json.dumps(trace(sys.argv[1], int(sys.argv[2]))))
"""


def trace(name: str, games: int) -> list[object]:
    """All that the rules say in some random games, and some playouts."""
    game = hansu.game(name)
    found: list[object] = []
    for seed in range(games):
        state = game.start()
        while not state.is_game_over():
            planes = game.features.planes(state).sum().item()
            judged = round(game.evaluator.eval(state, hansu.WHITE), 9)
            found.append([sorted(state.move_ids()), state.key, judged, planes])
            state.push(random_move(state, 1000 * seed + len(state.move_stack)))
        outcome = state.outcome()
        found.append([outcome.winner, outcome.reason, outcome.margin])
    found.append(playouts(game.start(), 3, seed=5))
    heavy = game.start()
    rng = seeded(7)
    while (move_id := random_move_id(heavy, rng, "heavy")) >= 0:
        found.append(move_id)
        heavy.push(heavy.move_from_id(move_id))
    found.append(playouts(game.start(), 3, seed=5, policy="heavy"))
    return found


def plain_trace(name: str, games: int) -> list[object]:
    """The same from a process that compiles nothing."""
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, name, str(games)],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=500,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
@pytest.mark.parametrize("game", [*SMALL_GAMES, "go"])
def test_compiled_and_plain_rules_give_the_same_games(game):
    games = GAMES_PLAYED.get(game, 2)
    compiled = json.loads(json.dumps(trace(game, games)))  # tuples and lists are the same there
    assert len(compiled) > games
    assert compiled == plain_trace(game, games)
