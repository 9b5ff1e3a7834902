"""A machine that plays otherwise than the others is named, and its games are played again."""

import random

import pytest

from hansu.arena.competition.machines import Played, is_doubtful, machines, play_again, played
from hansu.arena.competition.register import Register
from hansu.arena.competition.service import CompetitionService
from hansu.arena.competition.settings import read_competition
from hansu.arena.isolation.requirements import missing
from hansu.arena.tournament.claim import claimed_file
from hansu.arena.tournament.ledger import Ledger
from hansu.errors import HansuError
from hansu.games.state import Outcome
from hansu.records.provenance import Provenance
from hansu.records.record import GameRecord

STRENGTH = {"a": 300.0, "b": 150.0, "c": 50.0, "d": 0.0}


def record(first, second, score, machine, **more):
    winner = {1.0: True, 0.5: None, 0.0: False}[score]
    made = Provenance(first, second, machine, "CPU", 500.0, more.pop("load", 0.5), 1, 1)
    return GameRecord(
        *("tictactoe", first, second, "start", True, 1),
        outcome=Outcome(winner, more.pop("reason", "line")),
        provenance=made,
        **more,
    )


def season(rng, encounters, strange=None):
    """Games on three machines; on a strange one ``a`` thinks too late to be any good."""
    games = []
    for number in range(encounters):
        first, second = rng.sample(sorted(STRENGTH), 2)
        machine = rng.choice(["m1", "m2", "m3"])
        for i, (one, other) in enumerate(((first, second), (second, first))):
            elo = {**STRENGTH, **({"a": -400.0} if machine == strange else {})}
            expected = 1 / (1 + 10 ** ((elo[other] - elo[one]) / 400))
            score = float(rng.random() < expected)
            games.append(Played("cup", 2 * number + i, record(one, other, score, machine)))
    return games


def test_a_machine_that_slows_a_player_down_is_named():
    found = machines(season(random.Random(1), 150, strange="m2"))
    assert [each.name for each in found if not each.fits] == ["m2"]
    assert found[0].name == "m2"
    assert sum(each.games for each in found) == 300


def test_machines_that_play_alike_are_not_accused(monkeypatch):
    monkeypatch.setattr("hansu.arena.competition.machines.DEALS", 299)
    accused = 0
    for seed in range(40):
        accused += any(not each.fits for each in machines(season(random.Random(seed), 40)))
    assert accused <= 3  # of 40, at a chance of 1 % each


def test_one_machine_has_nothing_to_be_compared_with():
    [only] = machines([Played("cup", 0, record("a", "b", 1.0, "m1"))])
    assert only.fits
    assert machines([]) == []


@pytest.mark.parametrize(
    ("cpu", "load", "doubtful"),
    [("0.400", 3.0, True), ("0.900", 3.0, False), ("0.400", 0.9, False)],
)
def test_a_time_out_is_judged_with_the_machines_own_record(cpu, load, doubtful):
    said = f"a: took 1.001 s, {cpu} s of it CPU time, and had 1.000 s"
    game = record("a", "b", 0.0, "m1", load=load, reason="timeout", evidence=said)
    assert is_doubtful(game) is doubtful
    assert machines([Played("cup", 0, game)])[0].doubtful == doubtful


@pytest.mark.skipif(bool(missing()), reason="this machine cannot isolate agents")
def test_the_games_of_a_machine_are_played_again_with_the_same_seeds(make):
    folder = make(staff=True)
    CompetitionService(folder, seed=4).run(until_idle=True)
    register = Register(folder, read_competition(folder))
    ledger = Ledger(register.database)
    before = ledger.records()
    [name] = {each.record.provenance.machine for each in played(register)}
    with claimed_file(folder / "lock"), pytest.raises(HansuError, match="another process"):
        play_again(register, name)
    with pytest.raises(HansuError, match="there is no machine 'nowhere'"):
        play_again(register, "nowhere")
    assert play_again(register, name) == len(before)
    assert ledger.records() == {}
    [kept] = (folder / "replaced").iterdir()
    assert len(kept.read_text().splitlines()) == len(before)
    CompetitionService(folder).run(until_idle=True)
    after = ledger.records()
    assert {n: (r.first, r.seed, r.moves) for n, r in after.items()} == {
        n: (r.first, r.seed, r.moves) for n, r in before.items()
    }
