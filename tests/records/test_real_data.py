"""Games that people have played, from databases of others."""

import csv
import itertools
import lzma
import re
import tarfile

import pytest

import hansu
from hansu.games.state import Outcome
from hansu.records.ggf import read_ggf, write_ggf
from hansu.records.jsonl import read_jsonl, write_jsonl
from hansu.records.sgf import read_sgf, write_sgf
from hansu.records.transcript import read_transcript
from hansu.records.wthor import Entry, Header, format_wtb, parse_wtb, read_wthor, write_wthor


def rows(path, every, count):
    with lzma.open(path, "rt") as file:
        table = csv.DictReader(file, delimiter="\t")
        yield from itertools.islice(itertools.islice(table, 0, None, every), count)


def wthor_round_trip(path, every, count):
    sample = list(rows(path, every, count))
    entries = []
    for number, row in enumerate(sample):
        pairs = zip(row["moves"][::2], row["moves"][1::2], strict=True)
        codes = bytes(10 * int(rank) + "abcdefgh".index(file) + 1 for file, rank in pairs)
        best = int(row["theoretical_black_score"] or 0)
        entry = Entry(
            1, number % 7, number % 5, int(row["black_score"]), best, codes.ljust(60, b"\0")
        )
        entries.append(entry)
    content = format_wtb(Header(count=len(entries), year=1999, depth=22), entries)
    header, back = parse_wtb(content)
    assert (header.year, header.depth, back) == (1999, 22, entries)
    records = read_wthor(content)
    for row, record in zip(sample, records, strict=True):
        assert "".join(move for move in record.moves if move != "pass") == row["moves"]
        black_score = int(row["black_score"])
        if row["status"] == "full":
            assert record.outcome.reason in ("board_full", "no_moves")
            state = hansu.game("othello").parse(record.final)
            assert state.tournament_score(hansu.BLACK) == black_score
        else:
            assert record.outcome == told(2 * black_score - 64)
    again = read_wthor(write_wthor(records))
    assert [record.moves for record in again] == [record.moves for record in records]
    assert [record.outcome for record in again] == [record.outcome for record in records]
    assert read_ggf(write_ggf(records)) == records
    assert read_jsonl(write_jsonl(records)) == records


def told(lead):
    winner = None if lead == 0 else hansu.BLACK if lead > 0 else hansu.WHITE
    return Outcome(winner, "unknown", abs(lead))


def test_wthor_games(shared_data):
    wthor_round_trip(shared_data("othello/wthor_1977-2023.tsv.xz"), 1300, 100)


@pytest.mark.slow
def test_many_wthor_games(shared_data):
    wthor_round_trip(shared_data("othello/wthor_1977-2023.tsv.xz"), 60, 2200)


def test_othello_openings(shared_data):
    lines = shared_data("othello/xot_openings_large.txt").read_text().splitlines()[:300]
    games = read_transcript("\n".join(lines))
    assert ["".join(record.moves) for record in games] == lines


def test_connect4_lines(shared_data):
    lines = shared_data("connect4/Test_L2_R1").read_text().splitlines()[:300]
    games = read_transcript("\n".join(lines))
    assert [record.final for record in games] == [line.split()[0] for line in lines]


def ogs_round_trip(path, every, count):
    texts, sample = [], list(rows(path, every, count))
    for row in sample:
        points = [row["moves"][at : at + 2] for at in range(0, len(row["moves"]), 2)]
        moves = "".join(f";{'BW'[turn % 2]}[{point}]" for turn, point in enumerate(points))
        komi = round(2 * float(row["komi"] or 0)) / 2
        texts.append(f"(;GM[1]SZ[9]KM[{komi}]PB[b]PW[w]RE[{row['result']}]{moves})")
    bad = []
    records = read_sgf("\n".join(texts), bad)
    assert len(records) == len(sample)
    for error in bad:  # situational superko forbids it, it comes after two passes, or is suicide
        assert re.search("superko|is over|self-capture|passes? after the end", str(error))
    assert read_sgf(write_sgf(records)) == records
    assert read_jsonl(write_jsonl(records)) == records
    cut = {error.game for error in bad if "after the end" not in str(error)}
    for number, (row, record) in enumerate(zip(sample, records, strict=True), 1):
        played = [move for move in record.moves if move != "resign"]
        assert number in cut or 2 * len(played) >= len(row["moves"].rstrip("t"))
    return len(records) - len(cut)


def test_ogs_games(shared_data):
    read = ogs_round_trip(shared_data("go/ogs_9x9_games.tsv.xz"), 3400, 40)
    assert read > 36


@pytest.mark.slow
def test_many_ogs_games(shared_data):
    read = ogs_round_trip(shared_data("go/ogs_9x9_games.tsv.xz"), 100, 1600)
    assert read > 1500


def test_sgf_of_a_go_program_for_phones(shared_data):
    folder = shared_data("go/littlego")
    for file in sorted(folder.glob("*.sgf")):
        (record,) = read_sgf(file)
        assert record.game.startswith("go:size=7")
        assert read_sgf(write_sgf([record])) == [record]
    (record,) = read_sgf(folder / "play-b-b7-for-superko.sgf")
    assert hansu.game("go").parse(record.final).violates_superko("B7")


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.slow)])
def test_sgf_of_the_gnugo_tests(shared_data, every):
    """Problems, games, handicaps: all are read but those on boards that are too small."""
    read, refused, told = 0, [], 0
    with tarfile.open(shared_data("go/gnugo_regression_shared.tar.xz")) as archive:
        members = [member for member in archive if member.name.endswith(".sgf")]
        for member in members[::every]:
            problems = []
            try:
                records = read_sgf(archive.extractfile(member).read(), problems)
            except hansu.HansuError as error:
                refused.append(str(error))
            else:
                assert read_sgf(write_sgf(records)) == records
                read += 1
                told += bool(problems)
    assert all("is not a board: 2 to 19 is expected" in error for error in refused), refused
    assert len(refused) <= 4
    assert read + len(refused) == len(members[::every])
    assert 0 < told < read / 10
