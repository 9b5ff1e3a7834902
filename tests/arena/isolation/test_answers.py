"""What goes into an isolated agent and what comes out: limits in, findings out, none trusted."""

from contextlib import contextmanager

import pytest

import hansu
from hansu.agents.asking import ask
from hansu.arena.isolation.finding import pack_finding, read_finding
from hansu.arena.isolation.framing import FramingError
from hansu.arena.seat import load_agent
from hansu.search.info import Line, SearchInfo
from hansu.search.limits import Limits, SearchHandle
from hansu.search.mcts import Mcts
from tests.arena.isolation.test_programs import SHELL

STUDENT = """
import hansu

class Student(hansu.Agent):
    def act(self, state):
        if state.increment_sec != 1.5 or state.max_move_sec != 2.0 or state.remain_sec > 60:
            raise ValueError(f"{state.timing}, {state.remain_sec}")
        if not 0 < hansu.move_seconds(state) < 2.0:
            raise ValueError(hansu.move_seconds(state))
        return next(iter(state.legal_moves))
"""
FIRST_MOVE = """
import hansu

class First(hansu.Agent):
    def act(self, state):
        return next(iter(state.legal_moves))
"""
SEARCHER = """
from hansu.agents.mcts import MctsAgent

class Searcher(MctsAgent):
    pass
"""


def played(tmp_path, code, options="", **control):
    file = tmp_path / "my_agent.py"
    file.write_text(code)
    return hansu.play_game("tictactoe", f"{file}{options}", "random", seed=1, **control)


def test_an_isolated_agent_hears_all_limits(tmp_path):
    record = played(tmp_path, STUDENT, seconds=50, increment=1.5, move_seconds=2.0)
    assert record.evidence == ""


def test_what_an_isolated_agent_finds_is_recorded(tmp_path):
    record = played(tmp_path, SEARCHER, ":n_simulations=200")
    assert record.evidence == ""
    assert all(0 <= turn.value <= 1 and turn.nodes == 200 for turn in record.turns[::2])


class StoppedTooLate(SearchHandle):
    """A search that is stopped when its answer has come, and before its caller knows."""

    @contextmanager
    def on_stop(self, callback):
        with super().on_stop(callback):
            yield
            self.stop()


@pytest.mark.parametrize("code", [FIRST_MOVE, SHELL], ids=["agent", "program"])
def test_one_stopped_too_late_is_asked_again(isolation, nothing_left, tmp_path, code):
    file = tmp_path / ("player" if code is SHELL else "my_agent.py")
    file.write_text(code)
    state = hansu.game("tictactoe").start()
    who = load_agent(str(file), state.game)
    try:
        for handle in (StoppedTooLate(), StoppedTooLate(), SearchHandle(), SearchHandle()):
            state.push(ask(who, state.copy(), Limits(20.0), handle).move)
    finally:
        who.release()


@pytest.mark.parametrize(
    "found",
    [
        *([float("nan"), 1, 1], [1.01, 1, 1], [-0.1, 1, 1], ["0.5", 1, 1], [True, 1, 1]),
        *([0.5, -1, 1], [0.5, 1.5, 1], [0.5, 1, 2**60], [0.5, 1, "9" * 9], [0.5, 1, True]),
        *([0.5], [0.5, 1, 1, 1], {"value": 0.5}, "0.5", 7, [[], [], []], [None, None, None]),
    ],
)
def test_what_is_no_finding_is_refused(found):
    with pytest.raises(FramingError, match="sent garbage"):
        read_finding(found, 0, "a1")


def test_a_finding_is_the_same_on_the_other_side():
    info = SearchInfo((Line(4, "b2", 0.625, 3),), 900, 0.1, 5)
    seen = read_finding(pack_finding(info), 4, "b2")
    assert (seen.value, seen.nodes, seen.depth, seen.move) == (0.625, 900, 5, 4)
    for odd in (None, SearchInfo((), 0, 0.0), "anything", SearchInfo((Line(4, "b2", 7.0),), 1, 0)):
        assert pack_finding(odd) is None


def test_in_this_process_nonsense_is_not_recorded_either():
    class Boaster(hansu.Agent):
        def act(self, state):
            self.info = SearchInfo((Line(0, "a1", float("nan")),), -5, 0.0)
            return state.legal_moves[0]

    record = hansu.play_game("tictactoe", Boaster, Boaster)
    assert all((turn.value, turn.nodes) == (None, None) for turn in record.turns)


def test_a_handle_calls_whoever_waits_once_and_only_while_he_waits():
    handle, calls = SearchHandle(), []
    with handle.on_stop(lambda: calls.append("early")):
        pass
    handle.stop()
    assert calls == []
    with handle.on_stop(lambda: calls.append("late")):  # stopped already
        assert calls == ["late"]


def test_a_tree_is_printed_as_text():
    state = hansu.game("tictactoe").parse("XX. OO. ...")
    search = Mcts(state, seed=1)
    search.run(300)
    text = hansu.SearchView(state, search.info(), search).text(2)
    lines = text.splitlines()
    assert lines[0] == "white to move, 300 nodes"
    assert lines[1].startswith("├─ c1  100.0%")
    assert any(line.startswith(("│  ├─", "│  └─")) for line in lines)
    for who in ("self_learning:n_simulations=60", "abp_negamax:depth=3"):
        agent = hansu.agent("tictactoe", who, seed=1)
        agent.act(state)
        shown = hansu.SearchView(state, agent.info, agent.tree).text()
        assert "c1" in shown.splitlines()[1]
        assert ("prior" in shown) == who.startswith("self")
