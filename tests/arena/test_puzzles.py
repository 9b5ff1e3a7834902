"""Puzzles: one move alone keeps the value, proved twice."""

import json

import pytest
from typer.testing import CliRunner

import hansu
from hansu.arena.puzzles import (
    find_puzzles,
    only_move,
    puzzle_of,
    read_puzzles,
    shipped_puzzles,
    write_line,
)
from hansu.cli.main import app
from hansu.games.game import GAMES
from hansu.kernel import JIT
from hansu.records.jsonl import write_jsonl
from hansu.search.limits import Limits
from hansu.search.solve import make_solver, solve

WITHIN = Limits(nodes=200_000, exact=True)
SOLVED_AT_ONCE = ("tictactoe", "connect4", "hex", "othello", "go")  # microchess needs tables


def puzzle_at(text):
    state = hansu.game("tictactoe").parse(text)
    return puzzle_of(state, solve(state, WITHIN), WITHIN)


def test_a_position_is_a_puzzle_where_one_move_alone_keeps_the_value():
    assert puzzle_at("X...O...X") is None  # four sides hold the draw
    corner = puzzle_at("X........")
    assert (corner.solution, corner.value) == ("b2", 0.5)
    assert corner.values["a2"] == 0.0
    assert corner.lines["a2"][0] == "a2"
    assert len(corner.lines) == 8


def test_what_anybody_sees_is_no_puzzle():
    assert puzzle_at("XX. OO. ...") is None  # wins at once
    assert puzzle_at("XX. .O. ...") is None  # all others lose at once


def test_puzzles_are_found_in_games_and_lead_to_the_result_they_promise():
    records = [hansu.play_game("tictactoe", "random", "random", seed=seed) for seed in range(12)]
    found = list(find_puzzles(records, WITHIN))
    assert len(found) == len(records)
    puzzles = [puzzle for each in found for puzzle in each]
    assert len(puzzles) >= 3
    assert len({puzzle.position for puzzle in puzzles}) == len(puzzles)
    for puzzle in puzzles:
        for text, line in puzzle.lines.items():
            state = hansu.game("tictactoe").parse(puzzle.position)
            mover = state.turn
            for move in line:
                state.push(state.parse_move(move))
            if (outcome := state.outcome()) is not None:
                won = 0.5 if outcome.winner is None else float(outcome.winner == mover)
                assert won == puzzle.values[text]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_puzzles(name):
    found = shipped_puzzles(name)
    assert len(found) >= 10
    assert all(puzzle.game.partition(":")[0] == name for puzzle in found)
    for puzzle in found:
        best = [text for text, value in puzzle.values.items() if value == puzzle.value]
        assert best == [puzzle.solution]
        assert max(puzzle.values.values()) == puzzle.value > 0


@pytest.mark.skipif(not JIT, reason="far too slow in plain Python")
@pytest.mark.parametrize("name", SOLVED_AT_ONCE)
def test_shipped_puzzles_are_right(name):
    solvers = {}
    for puzzle in shipped_puzzles(name)[::10]:
        game = hansu.game(puzzle.game)
        solver = solvers.setdefault(game, make_solver(game, 16))
        truth = solve(game.parse(puzzle.position), Limits(exact=True), solver=solver)
        assert only_move(truth) == puzzle.solution
        assert {move.text: move.value for move in truth.moves} == puzzle.values


def test_a_damaged_file_is_read_as_far_as_it_makes_sense(tmp_path):
    puzzle, other = shipped_puzzles("tictactoe")[:2]
    facts = json.loads(write_line(puzzle))
    bad = [
        "{",
        "[]",
        "7",
        json.dumps({**facts, "game": "os:system"}),
        json.dumps({**facts, "position": "nonsense"}),
        json.dumps({**facts, "solution": "z9"}),
        json.dumps({**facts, "lines": {}}),
        json.dumps({**facts, "more": 1}),
    ]
    file = tmp_path / "puzzles.jsonl"
    file.write_text("\n".join([write_line(puzzle), *bad, write_line(other)]))
    assert read_puzzles(file) == [puzzle, other]
    assert read_puzzles(tmp_path / "none") == []


def test_the_command_adds_to_a_file(tmp_path):
    games = [hansu.play_game("tictactoe", "random", "random", seed=seed) for seed in range(20)]
    (tmp_path / "games.jsonl").write_text(write_jsonl(games))
    out = tmp_path / "puzzles.jsonl"

    def run(*options):
        command = ["puzzles", "tictactoe", str(tmp_path / "games.jsonl"), "--out", str(out)]
        done = CliRunner().invoke(app, [*command, "--json", *options])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout.splitlines()[-1])

    assert run("--most", "2") == {"file": str(out), "found": 2, "puzzles": 2}
    all_of_them = run()
    assert all_of_them["puzzles"] == 2 + all_of_them["found"] == len(read_puzzles(out))
    assert run()["found"] == 0
    wrong = ["puzzles", "othello", str(tmp_path / "games.jsonl")]
    assert "no games of othello" in str(CliRunner().invoke(app, wrong).exception)
