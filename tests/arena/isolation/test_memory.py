"""All memory counts, wherever it is kept; and what honest agents have does not cost them a game."""

import pytest

import hansu
from hansu.arena.isolation.limits import MIB, SandboxLimits
from hansu.arena.player import Fault, LocalPlayer
from hansu.arena.referee import play
from tests.arena.isolation.conftest import BOTH, HOSTILE

LIMITS = SandboxLimits(memory_bytes=512 * MIB)


WAYS = ["dropped", "printing"]
OTHERS = ["shared", "locked_away", "private_locked_away", "zero_device"]


@pytest.mark.parametrize(
    "way", [*WAYS, *(pytest.param(way, marks=pytest.mark.slow) for way in OTHERS)]
)
def test_memory_cannot_be_hidden(seated, way):
    player = seated(f"{HOSTILE / 'hoard.py'}:way={way}", limits=LIMITS)
    state = hansu.game("tictactoe").start()
    player.reset(True, state, 0)
    with pytest.raises(Fault, match="memory") as caught:
        player.act(state, 60.0)
    assert caught.value.reason == "disqualified"


@BOTH
def test_a_process_without_its_first_thread_is_ended(seated):
    player = seated(f"{HOSTILE / 'hoard.py'}:way=without_leader", limits=LIMITS)
    state = hansu.game("tictactoe").start()
    player.reset(True, state, 0)
    with pytest.raises(Fault, match="main thread") as caught:
        player.act(state, 60.0)
    assert caught.value.reason == "disqualified"
    assert player.process is None


def test_memory_within_the_limit_is_nobodys_business(seated, tmp_path):
    file = tmp_path / "big.py"
    file.write_text(
        "import mmap\nimport hansu\n"
        "class Big(hansu.Agent):\n"
        "    def reset(self):\n"
        "        self.shared = mmap.mmap(-1, 150 << 20)\n"
        "        self.shared.write(bytes(150 << 20))\n"
        "        self.own = bytes(100 << 20)\n"
        "        self.room = mmap.mmap(-1, 1 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 1)\n"
        "    def act(self, state):\n"
        "        return next(iter(state.legal_moves))\n"
    )
    game = hansu.game("tictactoe")
    player = seated(file, limits=LIMITS)
    record = play(game.start(), player, LocalPlayer(hansu.agent(game, "random")))
    assert record.evidence == ""
