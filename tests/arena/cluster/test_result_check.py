"""What a machine answers is believed only if it can be true."""

import dataclasses
import hashlib
import json

import pytest

import hansu
from hansu.arena.cluster.assignment import Assignment, Nonsense, Reply, Side, Terms, read_reply
from hansu.arena.cluster.result_check import read_result
from hansu.arena.isolation.limits import SandboxLimits
from hansu.arena.openings import Openings
from hansu.arena.seat import seat
from hansu.arena.tournament.plan import make_plan
from hansu.arena.tournament.schedule import games_of
from hansu.games.state import Outcome
from hansu.records.provenance import provenance
from hansu.records.record import TimeControl, Turn

CONTROL = TimeControl(10.0, increment=0.5)
NAMES = ("random", "first_move")


class Crashes(hansu.Agent):
    """Fails in its second turn."""

    def act(self, state):
        if len(state.move_stack) > 1:
            raise RuntimeError("no")
        return next(iter(state.legal_moves))


class Resigns(hansu.Agent):
    """Gives up in its second turn."""

    def act(self, state):
        return hansu.RESIGN if len(state.move_stack) > 1 else next(iter(state.legal_moves))


def digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def asked_and_played(game="tictactoe", first="random", second="first_move", openings=None):
    board = hansu.game(game)
    plan = make_plan(board, NAMES, 1, "round-robin", openings, CONTROL, 1, False)
    scheduled = next(games_of(plan, {}))
    start = Openings(board, openings, 1)[0]
    sides = [Side(name, name, digest(name)) for name in NAMES]
    asked = Assignment(
        Terms("job", board, plan, SandboxLimits()), scheduled, start, sides[0], sides[1]
    )
    players = [seat(each, board) for each in (first, second)]
    for player, name in zip(players, NAMES, strict=True):
        player.name = name
    from hansu.arena.referee import play

    record = play(start, players[0], players[1], CONTROL, scheduled.seed)
    record.provenance = provenance(sides[0].digest, sides[1].digest)
    return asked, record


@pytest.mark.parametrize("game", ["tictactoe", "othello", "go:size=5", "microchess", "connect4"])
@pytest.mark.parametrize("openings", [None, "random:3"])
def test_an_honest_result_is_believed(game, openings):
    asked, record = asked_and_played(game, openings=openings)
    assert read_result(asked, record.as_json()) == record


@pytest.mark.parametrize("kind", [Crashes, Resigns])
@pytest.mark.parametrize("is_first", [True, False])
def test_faults_and_resignations_are_believed(kind, is_first):
    players = {"first": kind} if is_first else {"second": kind}
    asked, record = asked_and_played("connect4", **players)
    assert record.outcome.reason in ("crash", "resignation")
    assert read_result(asked, record.as_json()) == record


def changed(record, **facts):
    return dataclasses.replace(record, **facts).as_json()


def turns_with(record, place, **facts):
    turns = list(record.turns)
    turns[place] = turns[place]._replace(**facts)
    return turns


LIES = {
    "no record": lambda r: "{}",
    "no JSON": lambda r: "hello",
    "another game": lambda r: changed(r, game="connect4"),
    "another player": lambda r: changed(r, first="somebody"),
    "colours swapped": lambda r: changed(r, first=r.second, second=r.first),
    "another seed": lambda r: changed(r, seed=r.seed + 1),
    "another start": lambda r: changed(r, start="X........"),
    "another clock": lambda r: changed(r, control=TimeControl(1000.0)),
    "other agents": lambda r: changed(r, provenance=provenance(digest("x"), digest("y"))),
    "unknown agents": lambda r: changed(r, provenance=None),
    "unknown isolation": lambda r: changed(r, isolation=None),
    "an illegal move": lambda r: changed(r, turns=turns_with(r, 2, move=r.turns[0].move)),
    "no move at all": lambda r: changed(r, turns=turns_with(r, 0, move="z9")),
    "a move too few": lambda r: changed(r, turns=r.turns[:-1]),
    "a move too many": lambda r: changed(r, turns=[*r.turns, Turn("a1", 0.1)]),
    "negative time": lambda r: changed(r, turns=turns_with(r, 0, seconds=-1.0)),
    "too much time": lambda r: changed(r, turns=turns_with(r, 0, seconds=10.2)),
    "a resignation": lambda r: changed(r, turns=[*r.turns, Turn("resign", 0.1)]),
    "the other winner": lambda r: changed(r, outcome=_swapped(r.outcome)),
    "a draw": lambda r: changed(r, outcome=Outcome(None, "agreement")),
    "another reason": lambda r: changed(r, outcome=Outcome(r.outcome.winner, "resignation")),
    "another end": lambda r: changed(r, final="........."),
    "a fault of nobody": lambda r: changed(r, outcome=Outcome(None, "crash"), evidence="oh"),
    "a fault without evidence": lambda r: changed(r, outcome=Outcome(True, "timeout")),
    "the winner's fault": lambda r: changed(
        r, outcome=Outcome(r.first_color, "crash"), evidence=f"{r.first}: crashed"
    ),
}


def _swapped(outcome):
    winner = True if outcome.winner is None else not outcome.winner
    return Outcome(winner, outcome.reason, outcome.margin)


@pytest.mark.parametrize("lie", LIES)
def test_nonsense_is_refused(lie):
    asked, record = asked_and_played()
    with pytest.raises(Nonsense):
        read_result(asked, LIES[lie](record))


def test_an_agent_of_a_file_must_have_been_isolated():
    asked, record = asked_and_played()
    own = dataclasses.replace(asked.first, bundle="0" * 64)
    with pytest.raises(Nonsense, match="random ran trusted instead of isolated"):
        read_result(dataclasses.replace(asked, first=own), record.as_json())


@pytest.mark.parametrize(
    "answer",
    [
        None,
        3,
        b"{}",
        "",
        "[]",
        "{}",
        "[" * 100_000,
        json.dumps({"key": "k", "record": "", "player": 0}),
        json.dumps({"key": "k", "record": 3, "player": 0, "trouble": ""}),
        json.dumps({"key": "k", "record": "", "player": True, "trouble": ""}),
        Reply("another").as_json(),
    ],
)
def test_an_answer_that_is_none_is_refused(answer):
    with pytest.raises(Nonsense):
        read_reply(answer, "k")
    assert read_reply(Reply("k", "line").as_json(), "k").record == "line"
