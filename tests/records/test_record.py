"""Game records as lines of JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hansu
from hansu.records.record import FORMAT, GameRecord, Turn

texts = st.text(max_size=20)
turns = st.builds(
    *(Turn, texts, st.floats(0, 1e6), st.none() | st.floats(0, 1)),
    *(st.none() | st.integers(0, 10**6), st.none() | st.integers(0, 2**53)),
    st.none() | st.floats(0, 1e6),
)
outcomes = st.builds(
    hansu.Outcome, st.sampled_from([True, False, None]), texts, st.none() | st.floats(0, 400)
)
records = st.builds(
    GameRecord, texts, texts, texts, texts, st.booleans(), st.integers(), st.lists(turns),
    outcomes, texts, texts,
)  # fmt: skip


@given(records)
def test_reading_what_was_written_is_the_identity(record):
    line = record.as_json()
    assert "\n" not in line
    assert GameRecord.from_json(line) == record


def test_a_played_game_survives():
    record = hansu.play_game("othello", "random", "malfunction:p=0.1", seed=3)
    assert GameRecord.from_json(record.as_json()) == record


@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_garbage_is_refused_in_one_sentence(line):
    with pytest.raises(hansu.HansuError, match="no game record"):
        GameRecord.from_json(line)


@given(
    st.sampled_from(sorted(json.loads(GameRecord(*"abcd", True, 1).as_json()))),
    st.none() | st.integers() | st.text() | st.lists(st.integers()),
)
def test_a_wrong_value_is_refused_or_kept(key, value):
    facts = json.loads(GameRecord("tictactoe", "a", "b", "", True, 1).as_json())
    facts[key] = value
    try:
        record = GameRecord.from_json(json.dumps(facts))
    except hansu.HansuError:
        return
    assert GameRecord.from_json(record.as_json()) == record


def test_a_newer_format_is_refused():
    facts = json.loads(GameRecord("tictactoe", "a", "b", "", True, 1).as_json())
    facts["format"] = FORMAT + 1
    with pytest.raises(hansu.HansuError, match="a newer hansu is needed"):
        GameRecord.from_json(json.dumps(facts))
