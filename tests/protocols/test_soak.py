"""Hundreds of games in a row against every engine: no hang, no leak, no wrong move.

``HANSU_SOAK_GAMES`` sets another number of games.
"""

import os
import threading
from pathlib import Path

import pytest

import hansu
from tests.protocols.engines import needs

pytestmark = pytest.mark.slow

GAMES = int(os.environ.get("HANSU_SOAK_GAMES", "500"))


def open_files() -> int:
    """How many files this process has open, where that can be known."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


def memory(pid: int) -> int:
    """The kilobytes that a process and its children hold, where that can be known."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status = dict(
                line.split(":", 1) for line in (folder / "status").read_text().splitlines()
            )
        except (OSError, ValueError):
            continue
        if int(folder.name) == pid or int(status["PPid"]) == pid:
            total += int(status.get("VmRSS", "0 kB").split()[0])
    return total


@pytest.mark.parametrize(
    ("game", "who"),
    [
        pytest.param("microchess", "stockfish:move_time=0.002", marks=needs("stockfish")),
        pytest.param(
            "microchess", "fairy_stockfish:move_time=0.002", marks=needs("fairy-stockfish")
        ),
        pytest.param("go:size=5,komi=0.5", "gnugo:level=1", marks=needs("gnugo")),
        pytest.param("othello", "grhino:level=1", marks=needs("gtp-rhino")),
    ],
)
def test_hundreds_of_games_in_a_row(game, who):
    agent, seen, started = hansu.agent(game, who), [], set()

    class Witness(hansu.Agent):
        """Plays at random, and looks at the engine's process."""

        def act(self, state):
            engine = agent.engine
            pid = getattr(engine, "_process", None) or engine._transport
            started.add(pid.pid if hasattr(pid, "pid") else pid.get_pid())
            return self.rng.choice(list(state.legal_moves))

        def close(self):
            seen.append((open_files(), threading.active_count(), memory(max(started))))

    result = hansu.match(game, agent, Witness, games=GAMES, openings="random:2")
    assert len(result.played) == GAMES
    assert result.disqualified == []
    assert result.distinct_games > 0.9 * GAMES
    assert result.score > 0.8
    assert len(started) == 1  # never restarted
    early, late = seen[min(20, GAMES // 2)], seen[-1]
    assert late[0] <= early[0] + 2
    assert late[1] <= early[1] + 1
    assert late[2] <= 1.5 * early[2] + 20_000
