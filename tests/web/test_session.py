"""The game of a session, without a browser: it is judged as in the arena."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

import hansu
from hansu.agents.agent import Answer
from hansu.arena.player import LocalPlayer
from hansu.arena.referee import play
from hansu.records.record import UNTIMED, TimeControl
from hansu.web.audience import Crowd
from hansu.web.fair_share import Account
from hansu.web.live_game import Terms
from hansu.web.session import Session
from hansu.web.session_clock import SessionClock
from hansu.web.session_seat import Seat
from hansu.web.thread_pools import ThreadPools
from tests.web.talking import hear, join, open_table, say

GAME = hansu.game("tictactoe")


class Says(hansu.Agent):
    """Gives one answer to everything, or fails."""

    answer = None

    def act(self, state):
        if self.answer is ZeroDivisionError:
            raise self.answer("on purpose")
        return self.answer


class Listener:
    """A player that notes how many seconds it is given."""

    name = "listener"
    isolation = "trusted"

    def __init__(self):
        self.given, self.seen = [], []

    def reset(self, color, start, seed):
        pass

    def act(self, state, seconds, handle=None):
        self.given.append(seconds)
        self.seen.append(state)
        return Answer(hansu.RESIGN)

    def close(self):
        pass


def record_of(player, control=UNTIMED, requests=(), start=None, **terms):
    """The game of a player against a person, who does some things after the player's turn."""

    async def run():
        pools = ThreadPools(1)
        seats = {hansu.WHITE: Seat(player.name, player), hansu.BLACK: Seat()}
        session = Session(
            *(start or GAME.start(), seats, Terms(control, 1.0, 60.0, **terms)),
            *(pools, Crowd(100), Account()),
        )
        await session.begin()
        await session._game.thought._task
        for name, *arguments in requests:
            await getattr(session, name)(*arguments)
        record = session.record()
        await session.close()
        return record

    # In a thread of its own: a browser that other tests have opened keeps a loop in this one.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, run()).result()


@pytest.mark.parametrize("answer", [hansu.RESIGN, None, "b2", 9, ZeroDivisionError], ids=repr)
def test_the_page_judges_as_the_referee_does(answer):
    agents = [Says("odd"), Says("odd")]
    for agent in agents:
        agent.answer = answer
    refereed = play(GAME.start(), LocalPlayer(agents[0]), LocalPlayer(Says("other")))
    shown = record_of(LocalPlayer(agents[1]))
    assert shown.outcome == refereed.outcome
    assert shown.evidence == refereed.evidence
    assert shown.moves == refereed.moves


@pytest.mark.parametrize(("seconds", "given"), [(0.0, 0.0), (7.0, 7.0), (None, 60.0)])
def test_a_player_is_given_what_the_clock_leaves(seconds, given):
    listener = Listener()
    record_of(listener, TimeControl(seconds))
    assert listener.given == [given]


@pytest.mark.parametrize(("agreement", "black"), [(True, 25), (False, 15)])
def test_a_player_sees_the_end_as_it_will_be_counted(agreement, black):
    listener, go = Listener(), hansu.game("go", size=5, komi=0.5)
    start = go.parse("..x../o.x../..x../..x../..x.. white to move")
    record_of(listener, start=start, agreement=agreement)
    (seen,) = listener.seen
    assert seen.area().black == black
    assert start.area().black == 15


def test_a_person_moves_resigns_and_takes_back():
    agent = Says("odd")
    agent.answer = 4
    record = record_of(LocalPlayer(agent), requests=[("move", "a1"), ("undo",), ("resign",)])
    assert record.moves == ["b2", "resign"]
    assert record.outcome == hansu.Outcome(hansu.WHITE, "resignation")


def test_a_clock_that_stands_still_makes_nobody_late():
    clock = SessionClock(TimeControl(0.0))
    clock.start(hansu.WHITE)
    clock.stop()
    assert clock.is_late
    clock.stop()
    assert not clock.is_late


@pytest.mark.parametrize(
    ("game", "position"),
    [("connect4", "2252576253462244111563365343671351441"), ("tictactoe", "XX.OO....")],
)
def test_a_hint_in_a_solved_game_is_proved_with_the_exact_score_of_every_move(
    server, game, position
):
    truth = hansu.solve(hansu.game(game).parse(position), hansu.Limits(exact=True))
    with join(server, open_table(server, game=game, position=position)) as line:
        hear(line, "state")
        say(line, "hint")
        while not (found := hear(line, "search"))["done"]:
            pass
    lines = found["info"]["lines"]
    assert all(one["proved"] for one in lines)
    assert {one["text"]: one["score"] for one in lines} == {
        move.text: move.score for move in truth.moves
    }
    assert lines[0]["score"] == truth.score
