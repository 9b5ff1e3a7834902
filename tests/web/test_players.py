"""Agents of files at a table: told anew when the game goes back, stopped, and let go at the end."""

import contextlib
import os
import time
from importlib import resources
from pathlib import Path

import pytest

from tests.web.driving import begin, click, wait_for_moves
from tests.web.talking import hear, join, open_table, post, say

FIRST = "        return next(iter(state.legal_moves))\n"
ASLEEP = "        time.sleep(10**6)\n"


@pytest.fixture
def seated(other_server, tmp_path):
    """A game against an agent whose ``act`` is given; whoever asks plays first."""

    def sit_down(act, **wanted):
        head = "import time\nimport hansu\n\n\nclass Mine(hansu.Agent):\n"
        (tmp_path / "mine.py").write_text(f"{head}    def act(self, state):\n{act}")
        server = other_server(agents=tmp_path, longest_think=3600.0)
        return join(server, open_table(server, black={"agent": "mine.py"}, **wanted))

    return sit_down


def play(line, move, played):
    say(line, "move", move=move)
    until(line, lambda state: state["played"] == played)


def until(line, right):
    """The first state that is right."""
    while not right(state := hear(line, "state")):
        assert not (state["outcome"] and state["evidence"]), state["evidence"]
    return state


def children():
    """The processes that this one has started."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            found |= {int(folder.name)} if int(parent) == os.getpid() else set()
    return found


def test_after_a_move_is_taken_back_the_agent_sees_the_new_game(seated):
    with seated(FIRST) as line:
        play(line, "a1", ["a1", "b1"])
        say(line, "undo")
        until(line, lambda state: not state["played"])
        play(line, "b1", ["b1", "a1"])  # its old game would make it answer b1


def test_an_agent_that_failed_plays_again_when_the_move_is_taken_back(seated):
    with seated("        assert state.text() != 'X........'\n" + FIRST) as line:
        say(line, "move", move="a1")
        assert until(line, lambda state: state["outcome"])["outcome"]["reason"] == "crash"
        say(line, "undo")
        until(line, lambda state: not state["outcome"])
        play(line, "b1", ["b1", "a1"])


@pytest.mark.parametrize("wish", ["resign", "undo"])
def test_nobody_waits_for_an_agent_that_never_answers(seated, wish):
    with seated(ASLEEP) as line:
        say(line, "move", move="a1")
        until(line, lambda state: state["thinking"])
        say(line, wish)
        found = until(line, lambda state: state["outcome"] or not state["played"])
        assert bool(found["outcome"]) == (wish == "resign")


def test_no_process_is_left_when_the_game_is_over(seated):
    before = children()
    with seated(FIRST) as line:
        until(line, lambda state: not state["thinking"])
        assert children() - before
        say(line, "resign")
        until(line, lambda state: state["outcome"])
        deadline = time.monotonic() + 60.0
        while children() - before and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not children() - before


def test_an_analysis_that_is_stopped_at_once_ends_at_once(server):
    with join(server, open_table(server, game="connect4")) as line:
        say(line, "analyze", agent={"agent": "mcts"}, seconds=60)
        say(line, "stop")
        while not (found := hear(line, "search"))["done"]:
            pass
        assert found["info"]["seconds"] < 30


def test_who_starts_the_server_may_name_a_model_and_visitors_may_not(page, other_server):
    with resources.as_file(resources.files("hansu.learning") / "models" / "tictactoe.onnx") as path:
        mine = f"self_learning:model={path},n_simulations=20"
        server = other_server(named=(mine,))
        begin(page, server, "tictactoe", agent=mine)
        click(page, "b2")
        wait_for_moves(page, 2)
        shown = page.locator(".player.black b").inner_text()  # without the way to the file
        assert shown == "Self-taught network (model=tictactoe.onnx, n_simulations=20)"
        other = {"agent": f"{mine},resign=on"}
        refused = post(server, "/api/tables", {"game": "tictactoe", "black": other})
        assert refused.status_code == 400
        assert "there is no agent" in refused.json()["detail"]
