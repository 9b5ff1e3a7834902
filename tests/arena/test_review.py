"""Reviewing recorded games: values, mistakes, accuracy."""

import json

import pytest

import hansu
from hansu.arena.accuracy import accuracies
from hansu.arena.review import review
from hansu.errors import RecordError
from hansu.games.state import Outcome
from hansu.records.record import RESIGNED, GameRecord, Turn
from hansu.search.limits import Limits, SearchHandle
from tests.command_line import hansu as command


def record_of(game, *moves, outcome=None, start=""):
    played = hansu.game(game)
    start = start or played.start().text()
    ended = outcome or Outcome(None, "unfinished")
    turns = [Turn(move) for move in moves]
    return GameRecord(game, "Ann", "Bea", start, played.first_color, 0, turns, ended)


def reviewed(record, agent="perfect", **more):
    return review(record, hansu.agent(record.game, agent), Limits(2.0), **more)


@pytest.mark.parametrize("seed", range(3))
def test_exact_reviews_count_as_tournaments_do(seed):
    record = hansu.play_game("tictactoe", "random", "first_move", seed=seed)
    found, counted = reviewed(record), accuracies([record])
    for color in (True, False):
        mine, known = found.accuracy(color), counted[record.player(color)]
        assert (mine.moves, mine.judged, mine.blunders) == (
            *(known.moves, known.judged, known.blunders),
        )


def test_a_mistake_is_found_with_the_better_move_and_its_continuation():
    record = record_of("connect4", *"44444415156")  # White could have won at move 7
    worst = reviewed(record, "engine").mistakes()[0]
    assert (worst.number, worst.color, worst.size, worst.lost) == (7, True, "blunder", 1.0)
    state = hansu.game("connect4").parse("444444")
    assert worst.better[0] in hansu.solve(state).best
    assert len(worst.better) > 1
    for text in worst.better:
        state.push(state.parse_move(text))  # a line that can be played


def test_values_are_those_of_white_whoever_moves():
    record = record_of("tictactoe", "b2", "b1", "a1", "c3", "a3", "c1", "a2")
    assert reviewed(record).values() == [0.5, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    othello = record_of("othello", "f5", "d6")
    first = reviewed(othello, "mcts:n_simulations=200").values()[0]
    assert first is not None
    assert 0.2 < first < 0.8


def test_who_resigns_a_won_game_gives_it_away():
    record = record_of(*("tictactoe", "b2", "b1", RESIGNED), outcome=Outcome(False, "resignation"))
    turn = reviewed(record).turns()[-1]
    assert (turn.move, turn.before, turn.after, turn.size) == (RESIGNED, 1.0, 0.0, "blunder")
    assert turn.better


def test_dead_stones_that_were_agreed_on_decide():
    won = Outcome(False, "agreement", 24.5)
    record = record_of("go:size=3", "B2", "pass", "pass", outcome=won)
    found = reviewed(record, "mcts:n_simulations=50")
    assert found.values()[-1] == 0.0  # White's


def test_a_review_is_stopped_with_what_it_has_found():
    handle, told = SearchHandle(), []

    def tell(found):
        told.append(found.done)
        if found.done == 3:
            handle.stop()

    found = reviewed(record_of("tictactoe", "b2", "a1", "c3", "a3"), handle=handle, tell=tell)
    assert told == [1, 2, 3]
    assert found.done == 3
    assert found.values()[:2] == [None, None]
    assert [turn.number for turn in found.turns()] == [3, 4]


def test_a_game_without_moves_is_refused():
    with pytest.raises(RecordError, match="nothing to review"):
        reviewed(record_of("tictactoe"))


def test_the_command_prints_the_same_numbers(tmp_path):
    file = tmp_path / "game.jsonl"
    record = record_of("tictactoe", "b2", "b1", "a1", "c3", "a3")
    file.write_text(record.as_json() + "\n")
    told = json.loads(command("review", str(file), "--agent", "perfect", "--json").stdout)
    assert {**told, **reviewed(record).facts()} == told
    text = command("review", str(file), "--agent", "perfect").stdout
    assert "white (Ann)" in text
    assert "b1" in text
    assert "blunder" in text
