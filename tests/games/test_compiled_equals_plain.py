"""The compiled rules and the same code run as plain Python give the same games."""

import json
import os
import subprocess
import sys

import pytest

from tests.small_games import SMALL_GAMES

GAMES_PLAYED = {"tictactoe": 10, "connect4": 5, "microchess": 3, "go": 1}

TRACE = """
import json, sys
import hansu
from hansu.kernel import seeded
from hansu.search.playout import playouts, random_move_id, random_move

game = hansu.game(sys.argv[1])
trace = []
for seed in range(int(sys.argv[2])):
    state = game.start()
    while not state.is_game_over():
        planes = game.features.planes(state).sum().item()
        judged = round(game.evaluator.eval(state, hansu.WHITE), 9)
        trace.append([sorted(state.move_ids()), state.key, judged, planes])
        state.push(random_move(state, 1000 * seed + len(state.move_stack)))
    outcome = state.outcome()
    trace.append([outcome.winner, outcome.reason, outcome.margin])
trace.append(playouts(game.start(), 3, seed=5))
heavy = game.start()
rng = seeded(7)
while (move_id := random_move_id(heavy, rng, "heavy")) >= 0:
    trace.append(move_id)
    heavy.push(heavy.move_from_id(move_id))
trace.append(playouts(game.start(), 3, seed=5, policy="heavy"))
print(json.dumps(trace))
"""


def trace(game: str, games: int, **environment: str) -> list[object]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-c", TRACE, game, str(games)],
        env=clean | environment,
        capture_output=True,
        text=True,
        timeout=500,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("game", [*SMALL_GAMES, "go"])
def test_compiled_and_plain_rules_give_the_same_games(game):
    games = GAMES_PLAYED.get(game, 2)
    compiled = trace(game, games)
    plain = trace(game, games, NUMBA_DISABLE_JIT="1")
    assert len(compiled) > games
    assert compiled == plain
