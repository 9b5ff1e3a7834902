"""The other programs that we measure ourselves against; each is None where it is not installed."""

import os
import random
import shutil
import statistics
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hansu.protocols.uci_agents import VARIANT


def open_spiel_search(name: str, simulations: int, rollouts: int) -> Callable[[], object] | None:
    """OpenSpiel's C++ MCTS bot, from the start position."""
    if find_spec("pyspiel") is None:
        return None
    import pyspiel

    game = pyspiel.load_game(name)
    state = game.new_initial_state()

    def work() -> object:
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, random.getrandbits(30))
        bot = pyspiel.MCTSBot(
            game,
            evaluator,
            uct_c=1.0,
            max_simulations=simulations,
            max_memory_mb=1000,
            solve=False,
            seed=1,
            verbose=False,
        )
        return bot.mcts_search(state)

    return work


def open_spiel_games(name: str, games: int) -> Callable[[], float] | None:
    """Its random roll-outs: there is no call for them, so two simulations do many each."""
    work = open_spiel_search(name, 2, games // 2)
    return work and (lambda: (work(), games // 2 * 2)[1])


def open_spiel_simulations(name: str, simulations: int) -> Callable[[], float] | None:
    """Its search with one roll-out a simulation."""
    work = open_spiel_search(name, simulations, 1)
    return work and (lambda: (work(), simulations)[1])


def open_spiel_plies(name: str, games: int) -> Callable[[], float] | None:
    """The same counted in plies: games times the mean length of its uniformly random games."""
    work = open_spiel_games(name, games)
    if work is None:
        return None
    import pyspiel

    game, rng = pyspiel.load_game(name), random.Random(1)

    def length() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        return int(state.move_number())

    mean = statistics.mean(length() for _ in range(50))
    return lambda: work() * mean


def fairy_stockfish_perft(depth: int) -> Callable[[], float] | None:
    """Fairy-Stockfish counting microchess nodes."""
    binary = shutil.which("fairy-stockfish") or shutil.which(
        "fairy-stockfish", path="/usr/games:/usr/local/games"
    )
    if binary is None:
        return None
    engine: Any = subprocess.Popen(
        [binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )

    def ask(command: str, until: str) -> str:
        engine.stdin.write(command + "\n")
        for line in engine.stdout:
            if line.startswith(until):
                return str(line)
        raise RuntimeError("fairy-stockfish ended")

    engine.stdin.write(f"setoption name VariantPath value {VARIANT}\n")
    engine.stdin.write("setoption name UCI_Variant value microchess\nposition startpos\n")

    def work() -> float:
        return float(ask(f"go perft {depth}", "Nodes searched").split()[-1])

    work.clock = lambda: _cpu_seconds(engine.pid)  # type: ignore[attr-defined]
    return work


def _cpu_seconds(pid: int) -> float:
    """The CPU time that another process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
