"""Nothing is compiled on an agent's clock: its ``prepare`` has loaded all that a move may need."""

import json
import os
import subprocess
import sys

import pytest

from hansu.games.game import GAMES
from hansu.kernel import JIT

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")

# A process of its own for each case: others would have loaded what this agent forgets.
PLAYED = """
import json, random, sys
import hansu
from hansu.arena.precompile import precompile_rules
from hansu.kernel.compile import KernelCache

def positions(game, seed):
    rng, state, found = random.Random(seed), game.start(), []
    while not state.is_game_over():
        found.append(state.copy())
        state.push(rng.choice(list(state.legal_moves)))
    return [*found[:: max(1, len(found) // 8)], *found[-4:]]

game = hansu.game(sys.argv[1])
agent = hansu.agent(game, sys.argv[2], seed=1)
precompile_rules(game)  # as the arena does
agent.prepare(game.start())
loaded, load = set(), KernelCache.load_overload

def noted(self, sig, target_context):
    loaded.add(self._name)
    return load(self, sig, target_context)

KernelCache.load_overload = noted
for seed in range(3):
    agent.reset()
    for state in positions(game, seed):
        agent.search(state, hansu.Limits(seconds=0.05))
print(json.dumps(sorted(loaded)))
"""

SEARCHERS = ("engine", "engine:level=3", "mcts", "abp_negamax", "self_learning")
NAMES = [*sorted(set(GAMES) - {"hex", "go"}), "hex:size=4", "go:size=3"]
QUICK = {("othello", "engine"), ("othello", "perfect"), ("go:size=3", "perfect")}
QUICK |= {("microchess", "engine"), ("microchess", "abp_negamax")}
WITHOUT_A_NETWORK = {("go:size=3", "self_learning"), ("hex:size=4", "self_learning")}
CASES = [(name, agent) for name in NAMES for agent in (*SEARCHERS, "perfect")]
CASES += [(name, agent) for name in ("go", "hex") for agent in SEARCHERS]


@pytest.mark.parametrize(
    ("name", "agent"),
    [
        case if case in QUICK else pytest.param(*case, marks=pytest.mark.slow)
        for case in CASES
        if case not in {*WITHOUT_A_NETWORK, ("hex", "self_learning")}
    ],
)
def test_nothing_is_compiled_on_the_clock(built_tablebases, name, agent):
    ran = subprocess.run(
        [sys.executable, "-c", PLAYED, name, agent],
        env={**os.environ, "HANSU_TABLEBASES": str(built_tablebases)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == []
