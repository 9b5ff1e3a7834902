"""The exercises of the tutorial: solutions pass, and what the page before taught does not."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import hansu
from hansu.arena.exercises.exercise import Match, Proof
from hansu.arena.exercises.table import EXERCISES, find_exercise
from hansu.arena.player import LocalPlayer
from hansu.arena.seat import seat
from tests.command_line import hansu as command

SOLUTIONS = Path(__file__).parent.parent / "docs" / "solutions"
TUTORIAL = Path(__file__).parent.parent.parent / "docs" / "tutorial"
SOLVED_BY = {
    1: "win_or_block.py",
    2: "win_or_block.py",
    3: "corners.py",
    4: "two_steps.py",
    5: "full_search.py",
    6: "alphabeta.py",
    7: "alphabeta.py",
    8: "few_replies.py",
    9: "six_plies.py",
    10: "upper_confidence.py",
    11: "flat.py",
    12: "uct.py",
    13: "kept_tree.py",
    14: "learnt_squares.py",
    15: "puct.py",
    16: "win_or_block.py",
    17: "most_captures.py",
    18: "seven_plies.py",
    19: "upper_confidence.py",
    20: "to_the_end.py",
}
TOO_WEAK = {
    1: "random",
    2: "random",
    3: "random",
    4: "one_step_search",
    5: "winning_moves",
    6: "one_step_search",
    7: "negamax:depth=2",
    8: "one_step_search",
    9: "one_step_search",
    10: "pure_mc:batches=1,batch=20",
    11: "one_step_search",
    12: "pure_mc:batches=1,batch=40",
    13: "pure_mc:batches=1,batch=7",
    14: "one_step_search",
    15: "pure_mc:batches=1,batch=40",
    16: str(SOLUTIONS / "mate_only.py"),
    17: str(SOLUTIONS / "any_capture.py"),
    18: str(SOLUTIONS / "alphabeta.py"),
    19: "pure_mc:batches=1,batch=20",
    20: "abp_negamax:depth=4",
}


def test_every_exercise_has_a_solution_here():
    assert set(SOLVED_BY) == set(TOO_WEAK) == set(EXERCISES) == set(range(1, len(EXERCISES) + 1))


LONG = (7, 9, 10, 12, 13, 14, 15, 18, 19, 20)  # their solutions search in plain Python
MATCHES = [number for number, each in EXERCISES.items() if type(each) is Match]


@pytest.mark.parametrize(
    "number",
    [pytest.param(n, marks=[pytest.mark.slow] if n in LONG else []) for n in EXERCISES],
)
def test_a_solution_passes(number):
    exercise = EXERCISES[number]
    player = seat(str(SOLUTIONS / SOLVED_BY[number]), exercise.game, isolation="trusted")
    verdict = exercise.check(player)
    assert verdict.passed, verdict.sentence


@pytest.mark.parametrize("number", EXERCISES)
def test_an_agent_of_the_page_before_does_not_pass(number):
    exercise = EXERCISES[number]
    player = seat(TOO_WEAK[number], exercise.game, isolation="trusted")
    verdict = exercise.check(player)
    assert not verdict.passed, verdict.sentence


@pytest.mark.slow
@pytest.mark.parametrize("number", [n for n in MATCHES if n not in LONG])
def test_luck_decides_no_match(number):
    exercise = EXERCISES[number]
    for seed in range(100_000, 110_000, 1000):  # each game has the next seed
        solution = seat(str(SOLUTIONS / SOLVED_BY[number]), exercise.game, isolation="trusted")
        verdict = exercise.check(solution, seed)
        assert verdict.passed, f"seed {seed}: {verdict.sentence}"
        verdict = exercise.check(seat(TOO_WEAK[number], exercise.game), seed)
        assert not verdict.passed, f"seed {seed}: {verdict.sentence}"


@pytest.mark.parametrize("number", MATCHES)
def test_task_and_pages_name_the_points_that_are_needed(number):
    exercise = EXERCISES[number]
    english = min(TUTORIAL.glob(f"{number:02}_*.md"), key=lambda page: len(page.name))
    points = f"Score {exercise.points:g} points in {exercise.games} games"
    assert points in exercise.task
    assert points in english.read_text(encoding="utf-8")
    korean = english.with_suffix(".ko.md").read_text(encoding="utf-8")
    assert f"{exercise.games}판에 {exercise.points:g}점" in korean


@pytest.mark.parametrize("number", [1, 2, 19])
def test_what_breaks_the_rules_is_told(number):
    class Broken(hansu.Agent):
        def act(self, state):
            return "four"

    verdict = EXERCISES[number].check(LocalPlayer(Broken()))
    assert not verdict.passed
    assert "a text where a move is expected" in verdict.sentence


def test_the_same_seed_sets_the_same_task():
    exercise = find_exercise(5)
    answers = [exercise.check(seat("first_move", exercise.game), seed) for seed in (0, 0, 1, 2)]
    assert answers[0] == answers[1]
    assert len(set(answers)) > 1


def test_a_match_can_be_lost_and_won():
    beaten = Match(0, "", "tictactoe", "", (), "random", 4, 3.0)
    assert beaten.check(seat("perfect", beaten.game)).passed
    assert (
        not Match(0, "", "tictactoe", "", (), "perfect", 4, 2.5)
        .check(seat("random", beaten.game))
        .passed
    )


def test_a_proof_needs_strength_and_enough_games():
    proof = Proof(0, "", "tictactoe", "", (), "random", games=100)
    found = [proof.check(seat(agent, proof.game)) for agent in ("perfect", "first_move")]
    assert [verdict.passed for verdict in found] == [True, False]
    assert "the test finds it stronger than random" in found[0].sentence
    short = replace(proof, games=4).check(seat("perfect", proof.game))
    assert not short.passed
    assert "undecided after 4 games" in short.sentence


def test_the_command_lists_shows_and_checks():
    assert len(command("exercise").stdout.splitlines()) == len(EXERCISES)
    assert [each["exercise"] for each in json.loads(command("exercise", "--json").stdout)] == list(
        EXERCISES
    )
    shown = command("exercise", "1").stdout
    assert EXERCISES[1].task in shown
    assert "time: 10 seconds a position\n" in shown
    assert "time: 30 seconds a game\n" in command("exercise", "7").stdout
    assert shown.count("hint:") == len(EXERCISES[1].hints)
    solution = str(SOLUTIONS / "win_or_block.py")
    passed = command("exercise", "1", solution)  # in the sandbox
    assert passed.stdout.startswith("Exercise 1 is solved: ")
    failed = command("exercise", "3", solution, "--trust", "--json", code=1)
    assert json.loads(failed.stdout)["passed"] is False


def test_the_position_that_was_not_solved_is_shown():
    any_capture = str(SOLUTIONS / "any_capture.py")
    told = command("exercise", "17", any_capture, "--trust", code=1).stdout
    facts = command("exercise", "17", any_capture, "--trust", "--json", code=1).stdout
    state = hansu.game("go:size=7").parse(json.loads(facts)["position"])
    assert told.startswith(f"{state}\n")
    assert f"position {state.text()}" in told
    assert "not solved yet: in position 1 of 20 it played " in told
    assert json.loads(command("exercise", "1", "random", "--json", code=1).stdout)["position"]


def test_mistakes_are_told_in_a_sentence():
    assert "they are 1 to" in command("exercise", "99", code=2).stderr
    missing = command("exercise", "1", "./nowhere.py", code=2).stderr
    assert len(missing.splitlines()) == 1
