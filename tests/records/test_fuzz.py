"""Whatever a file holds, a reader answers with records or with one clear sentence."""

import csv
import io
import itertools
import random
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import hansu
from hansu.records.formats import FORMATS, detect, read_games
from hansu.records.reading import text_of
from hansu.records.record import GameRecord
from tests.records.random_games import random_record

GAMES = {"pgn": "microchess", "sgf": "go:size=5", "ggf": "othello", "wthor": "othello"}
PIECES = [
    *("(;", ";)", "[", "]", "{", "}", "(", ")", '"', "\\", "\n", "\r\n", "\0", "\ufeff", ",", "$9"),
    *("[%clk 99999999999:0:0]", "[%eval 1e999]", "[%eval #0]", "1. d4", "*", "1-0", "GM[Othello]"),
    *('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]', '[Variant "Chess960"]', "B[aa]", "W[tt]", "SZ[19:5]"),
    *("KM[nan]", "RE[B+1e9]", "AB[aa:ss]", "HG[os:system:x=1]", "BO[8 * *]", "f5d6", "4453", "9"),
    *('{"format": 1}', "null", "[[[[", "NaN", "1e400", "-", "game,moves", "é", "한"),
]


def readable(name: str, source: str | bytes) -> list[GameRecord]:
    """What a reader makes of it; only its own kind of error may come out."""
    bad: list = []
    try:
        records = FORMATS[name].read(source, bad)
    except hansu.HansuError as error:
        assert_one_sentence(error)
        return []
    for error in bad:
        assert_one_sentence(error)
    for record in records:
        assert hansu.game(record.game).parse(record.final).text() == record.final
    return records


def assert_one_sentence(error: Exception) -> None:
    assert 5 < len(str(error)) < 600


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=30)
@given(source=st.one_of(st.binary(max_size=300), st.text(max_size=300)))
def test_anything(name, source):
    readable(name, source)


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=30)
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=12))
def test_pieces_that_mean_something(name, pieces):
    text = "".join(pieces)
    readable(name, text)
    detect(text.encode(errors="replace"))


GAMES_IN_FILE = 4


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=20)
@example(seed=0, change=3236536)  # a second bracket before the first game of a GGF file
@example(seed=3, change=78)  # moves of a game whose beginning is lost, after a resigned one
@given(seed=st.integers(0, 3), change=st.integers(0, 2**32))
def test_damage_is_said_and_spares_what_stands_before_it(name, seed, change):
    content, begins = several(name, seed)
    whole = kept(FORMATS[name].read(content, []))
    assert len(whole) == GAMES_IN_FILE
    rng = random.Random(change)
    at = rng.randrange(begins[0], len(content))
    damaged = damage(content, at, rng)
    problems: list = []
    try:
        games = kept(FORMATS[name].read(damaged, problems))
    except hansu.HansuError as error:
        assert_one_sentence(error)
        assert at < begins[1]  # there was no game before it
        return
    before = sum(begin <= at for begin in begins[1:])
    assert games[:before] == whole[:before]
    assert problems or len(games) >= games_in(name, damaged)


def games_in(name: str, content: bytes) -> int:
    """How many games somebody would count who only looks at a file."""
    if name == "wthor":
        return (len(content) - 16) // 68
    text = text_of(content)
    if name == "csv":  # a line may end within a quoted field
        return sum(any(row) for row in csv.reader(io.StringIO(text))) - 1
    if name in ("jsonl", "transcript"):
        return sum(line.strip() != "" and line.strip()[0] != "#" for line in text.split("\n"))
    begins = {
        "sgf": r"\(;FF\[4\]",
        "ggf": r"\(;GM\[Othello\]",
        "pgn": r"(?m)^\[Event \"[^\"\n]*\"\]",
    }
    return len(re.findall(begins.get(name, begins["pgn"]), text))


def damage(content: bytes, at: int, rng: random.Random) -> bytes:
    """A file that was cut off, or in which something was doubled, put in or overwritten."""
    end = at + rng.choice([1, 2, 10, 100])
    noise = bytes(rng.randrange(256) for _ in range(end - at))
    return rng.choice(
        [
            content[:at],
            content[:end] + content[at:],
            content[:at] + rng.choice(PIECES).encode() + content[at:],
            content[:at] + noise + content[at:],
            content[:at] + noise + content[end:],
            content[:at] + content[end:],
        ]
    )


def several(name: str, seed: int) -> tuple[bytes, list[int]]:
    """A file of some games with moves, and where each of them begins in it."""
    game = GAMES.get(name, "connect4" if name == "transcript" else "tictactoe")
    usual = hansu.game(game).start().text()
    found = (random_record(game, number) for number in itertools.count(100 * seed))
    good = (record for record in found if record.start == usual and len(record.turns) > 3)
    records = list(itertools.islice(good, GAMES_IN_FILE))
    for record in records:
        record.first, record.second = "ann", "한 수"
    files = [FORMATS[name].write(records[:count]) for count in range(1, GAMES_IN_FILE + 1)]
    contents = [file.encode() if isinstance(file, str) else file for file in files]
    header = 16 if name == "wthor" else contents[0].find(b"\n") + 1 if name == "csv" else 0
    return contents[-1], [header, *map(len, contents[:-1])]


def kept(records: list[GameRecord]) -> list[tuple[str, list[str]]]:
    return [(record.first, record.moves) for record in records]


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=30)
@given(seed=st.integers(0, 5), changes=st.lists(st.integers(0, 2**32), min_size=1, max_size=5))
def test_valid_files_with_a_few_changes(name, seed, changes):
    content = valid(name, seed)
    for change in changes:
        content = mutated(content, random.Random(change))
    readable(name, content)


def valid(name: str, seed: int) -> bytes:
    game = GAMES.get(name, "connect4" if name == "transcript" else "tictactoe")
    records = [random_record(game, number) for number in range(100 * seed, 100 * seed + 20)]
    usual = hansu.game(game).start().text()
    content = FORMATS[name].write([r for r in records if r.start == usual][:2])
    return content.encode() if isinstance(content, str) else content


def mutated(content: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    size = rng.choice([1, 1, 1, 2, 10, 100])
    new = rng.choice(
        [
            b"",
            bytes([rng.randrange(256)]),
            content[at : at + size] * 2,
            rng.choice(PIECES).encode(),
            bytes(rng.randrange(32, 127) for _ in range(size)),
        ]
    )
    return content[:at] + new + content[at + rng.choice([0, size]) :]


LONG = 2**17
HOSTILE = {
    "braces": "(" * LONG,
    "games": "(;" * LONG,
    "values": "(;" + "A[" * LONG,
    "comments": '[Variant "Microchess"]\n\n1. d4 ' + "{a}" * LONG,
    "comment lines": '[Variant "Microchess"]\n\n1. d4 ' + "{a}\n" * (LONG // 4),
    "variations": '[Variant "Microchess"]\n\n1. d4 ' + "(\n" * (LONG // 4),
    "moves": '[Variant "Microchess"]\n[Rules "microchess:max_turns=none,no_progress=none,'
    'repetitions=none"]\n\n' + "Nb3 Nc3 Nc1 Nb5\n" * 4000,
    "digits": "$" + "9" * 5000,
    "annotation": '[Variant "Microchess"]\n\n1. d4 $' + "9" * 5000,
    "nesting": "[" * LONG,
    "objects": '{"a":' * LONG,
    "tags": '[A "b"]\n' * (LONG // 8),
    "passes": "(;GM[1]SZ[5]" + ";B[];W[]" * (LONG // 8) + ")",
    "stones": "(;GM[1]SZ[19]" + "AB[aa:ss]" * (LONG // 8) + ")",
    "columns": "4" * LONG,
    "squares": "f5" * LONG,
    "cells": "game,moves\n" + "," * LONG,
    "quote": 'game,moves\n"' + "a" * LONG,
    "zeros": "\0" * LONG,
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_end_soon(name, content):
    readable(name, content)


def test_a_file_names_only_known_games(tmp_path):
    record = random_record("tictactoe", 1)
    file = tmp_path / "evil.jsonl"
    for name in ("subprocess:Popen:args=touch", "os:system", "builtins:exec", "antigravity:x"):
        record.game = name
        file.write_text(FORMATS["jsonl"].write([record]))
        with pytest.raises(hansu.HansuError, match="not a game that can be read from a file"):
            read_games(file)
