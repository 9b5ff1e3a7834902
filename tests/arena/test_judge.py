"""The judge of a turn: one rule for everybody who asks."""

import pytest

import hansu
from hansu.agents.agent import Answer
from hansu.arena.clock import Clock
from hansu.arena.judge import attempt, judge
from hansu.arena.player import Fault, LocalPlayer
from hansu.arena.referee import play
from hansu.records.evidence import evidence_facts
from hansu.records.record import TimeControl

ANSWERS = [hansu.RESIGN, None, "b2", 9, -1, True, 4.0, [], 4]


class Says(hansu.Agent):
    """Gives one answer to everything."""

    answer = None

    def act(self, state):
        return self.answer


@pytest.mark.parametrize("answer", ANSWERS, ids=repr)
def test_referee_and_environment_come_to_the_same(answer):
    agent = Says("odd")
    agent.answer = answer
    state = hansu.game("tictactoe").start()
    verdict = judge(state, Answer(answer), "odd")
    assert state == hansu.game("tictactoe").start()  # judging changes nothing
    env = hansu.Environment("tictactoe")
    env.reset()
    _, _, done, info = env.step(answer)
    assert info["outcome"] == verdict.outcome
    assert done == (verdict.outcome is not None)
    record = play(state, LocalPlayer(agent), LocalPlayer(hansu.agent("tictactoe", "random")))
    if verdict.outcome is None:
        assert record.moves[0] == verdict.text == "b2"
    else:
        assert record.outcome == verdict.outcome
        assert record.evidence == verdict.evidence
        assert record.moves == ([] if verdict.text is None else [verdict.text])
        known = {"timeout", "illegal_move", "text_answer"}  # the page can translate these
        assert not verdict.evidence or evidence_facts(verdict.evidence)["kind"] in known


@pytest.mark.parametrize(
    "answer", [Answer(hansu.RESIGN), Answer(4), Answer("z9"), Fault("crash", "on purpose")]
)
@pytest.mark.parametrize("late", [0.0, 0.001])
def test_who_is_late_has_lost_whatever_the_answer(answer, late):
    ticks = iter([0.0, 2.0 + late])
    clock = Clock(TimeControl(seconds=2.0), timer=lambda: next(ticks))
    clock.start(hansu.WHITE)
    clock.stop()
    verdict = judge(hansu.game("tictactoe").start(), answer, "slow", clock)
    is_timeout = verdict.outcome is not None and verdict.outcome.reason == "timeout"
    assert is_timeout == (late > 0)
    if late:
        assert verdict.text is None
        assert verdict.evidence == "slow: took 2.001 s and had 2.000 s"


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(3), MemoryError(), GeneratorExit()])
def test_whatever_a_player_raises_is_a_fault(error):
    def fail():
        raise error

    fault = attempt(fail)
    assert isinstance(fault, Fault)
    assert fault.reason == "crash"
    assert type(error).__name__ in fault.evidence


def test_only_the_person_at_the_keyboard_ends_the_arena():
    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        attempt(interrupted)
    assert attempt(int, "7") == 7
