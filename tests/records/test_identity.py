"""Export, then import: the same record, as far as the format carries it."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hansu
from hansu.games.state import Outcome
from hansu.records import ggf, headers, pgn, sgf, transcript, wthor
from hansu.records.csv import read_csv, write_csv
from hansu.records.formats import FORMATS, detect
from hansu.records.jsonl import read_jsonl, write_jsonl
from hansu.records.record import UNTIMED, GameRecord, TimeControl, Turn
from tests.records.random_games import random_record
from tests.small_games import SMALL_GAMES

MICROCHESS = ["microchess", "microchess:max_turns=12,no_progress=none"]
GO = ["go:size=5", "go:size=5x7,komi=0.5", "go:size=6,max_turns=20"]
HEX = ["hex:size=5", "hex:size=3,swap=on"]
ALL = list(dict.fromkeys([*MICROCHESS, *GO, *HEX, "connect4:no_center_opening=on", *SMALL_GAMES]))
IN_TRANSCRIPTS = [name for name in ALL if "transcript" in hansu.game(name).formats]

seeds = st.integers(0, 10**6)


@pytest.mark.parametrize("game", ALL)
@settings(max_examples=8)
@given(seed=seeds)
def test_json_lines_and_csv_keep_everything(game, seed):
    records = [random_record(game, seed), random_record(game, seed + 1)]
    assert read_jsonl(write_jsonl(records)) == records
    assert read_csv(write_csv(records)) == records


@pytest.mark.parametrize("game", MICROCHESS)
@settings(max_examples=15)
@given(seed=seeds)
def test_pgn(game, seed):
    records = [random_record(game, seed), random_record(game, seed + 1)]
    back = pgn.read_pgn(pgn.write_pgn(records))
    for told, record in zip(back, records, strict=True):
        for mine, theirs in zip(told.turns, record.turns, strict=True):
            assert (mine.value is None) == (theirs.value is None)
            assert mine.value is None or mine.value == pytest.approx(theirs.value, abs=0.001)
        assert without_values(told) == without_values(record)


@pytest.mark.parametrize("game", [*GO, *HEX])
@settings(max_examples=10)
@given(seed=seeds)
def test_sgf(game, seed):
    records = [random_record(game, seed), random_record(game, seed + 1)]
    back = sgf.read_sgf(sgf.write_sgf(records))
    for told, record in zip(back, records, strict=True):
        if record.control.seconds is not None:
            used = [turn.seconds for turn in record.turns]
            assert [turn.seconds for turn in told.turns] == pytest.approx(used, abs=0.0011)
        assert without_times(told) == without_times(record)


@settings(max_examples=25)
@given(seed=seeds)
def test_ggf(seed):
    record = random_record("othello", seed)
    (told,) = ggf.read_ggf(ggf.write_ggf([record]))
    kept = replace(without_values(record), seed=0, evidence="", isolation=None)
    seconds = record.control.seconds
    kept.control = TimeControl(seconds, None, record.control.increment) if seconds else UNTIMED
    if record.outcome.reason == "crash":
        kept.outcome = Outcome(record.outcome.winner, "unknown", 64.0)
    assert told == kept


@settings(max_examples=25)
@given(seed=seeds)
def test_wthor(seed, tmp_path_factory):
    record = random_record("othello", seed)
    if record.start != hansu.game("othello").start().text():
        with pytest.raises(hansu.HansuError, match="game 1 starts from a set-up position"):
            wthor.write_wthor([record])
        return
    folder = tmp_path_factory.mktemp("wthor")
    (folder / "games.wtb").write_bytes(wthor.write_wthor([record]))
    (folder / "games.jou").write_bytes(wthor.write_players([record]))
    (told,) = wthor.read_wthor(folder / "games.wtb")
    assert told.first == record.first.encode("latin-1", "replace").decode("latin-1")[:19]
    assert told.moves == [move for move in record.moves if move != "resign"]
    assert told.outcome.winner == record.outcome.winner
    if told.outcome.reason in ("board_full", "no_moves"):
        assert told.outcome == record.outcome
    assert (
        wthor.format_wtb(*wthor.parse_wtb((folder / "games.wtb").read_bytes()))
        == (folder / "games.wtb").read_bytes()
    )


@pytest.mark.parametrize("game", IN_TRANSCRIPTS)
@settings(max_examples=15)
@given(seed=seeds)
def test_transcript(game, seed):
    record = random_record(game, seed)
    start = hansu.game(game).parse(record.start)
    if record.start != hansu.game(game).start().text() and not start.move_stack:
        with pytest.raises(hansu.HansuError, match="game 1 starts from a set-up position"):
            transcript.write_transcript([record])
        return
    (told,) = transcript.read_transcript(transcript.write_transcript([record]))
    if told.moves:  # a line without moves does not say which game it is
        assert told.final == record.final
    played = [move for move in record.moves if move != "resign"]
    assert told.moves[len(start.move_stack) :] == played


@pytest.mark.parametrize("game", ALL)
@settings(max_examples=5)
@given(seed=seeds)
def test_headers_keep_players_and_result(game, seed):
    record = random_record(game, seed)
    (told,) = headers.read_headers(headers.write_headers([record]))
    assert (told.game, told.first, told.second) == (record.game, record.first, record.second)
    assert told.outcome == record.outcome
    assert (told.control, told.seed) == (record.control, record.seed)
    assert told.isolation == record.isolation


@pytest.mark.parametrize("game", [*SMALL_GAMES, "hex:size=5,swap=on"])
def test_a_file_tells_its_format_and_other_games_are_refused(game):
    record = hansu.play_game(game, "random", "random", seed=4)
    names = {"jsonl", "csv", "headers", *hansu.game(game).formats}
    if game == "othello":
        names.add("wthor")  # a format of its archives, for no other game
    for name, kind in FORMATS.items():
        if name in names:
            content = kind.write([record])
            raw = content.encode() if isinstance(content, str) else content
            assert detect(raw, kind.suffix) is kind
            assert kind.read(raw)[0].game == record.game
        else:
            with pytest.raises(hansu.HansuError, match="game 1 is a game of"):
                kind.write([record])


def without_values(record: GameRecord) -> GameRecord:
    return replace(record, turns=[Turn(turn.move, turn.seconds) for turn in record.turns])


def without_times(record: GameRecord) -> GameRecord:
    return replace(record, turns=[Turn(turn.move) for turn in record.turns])
