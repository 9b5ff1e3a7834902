"""Expert games read and their positions counted."""

from collections import Counter

import numpy as np
import pytest

import hansu
from hansu.games.othello.rules import PASS
from hansu.learning.experts.games import read_expert_games
from hansu.learning.experts.positions import Positions
from hansu.records.ggf import write_ggf
from hansu.records.transcript import read_transcript
from hansu.records.wthor import Header, format_wtb
from tests.learning.expert_games import entry, random_games, transcripts, wthor_files


def counted(places, bad, **options):
    positions = Positions(**options)
    for games in read_expert_games(places, bad):
        positions.add(games)
    return positions


def slow_count(games, draws):
    """The same with dictionaries: the cells of every position -> (n, Black's wins)."""
    n, wins = Counter(), Counter()
    for game in games:
        black, white = (discs.bit_count() for discs in game.discs())
        if black == white and draws == "drop":
            continue
        state = hansu.game("othello").start()
        cells = [state.discs()]
        for move in game.move_stack:
            state.push(move)
            if move != PASS:  # the cells are the same: it is the same position
                cells.append(state.discs())
        n.update(cells)
        wins.update(cells if black > white else [])
    return n, wins


@pytest.mark.parametrize("draws", ["drop", "count"])
def test_positions_are_counted_as_dictionaries_do(draws, tmp_path):
    games = random_games(120)
    assert any(PASS in game.move_stack for game in games)
    assert any(game.outcome().winner is None for game in games)
    (tmp_path / "games.txt").write_text(transcripts(games))
    table = counted([tmp_path], [], draws=draws).table()
    n, wins = slow_count(games, draws)
    pairs = list(zip(map(int, table.one), map(int, table.other), strict=True))
    assert dict(zip(pairs, map(int, table.n), strict=True)) == n
    assert Counter(dict(zip(pairs, map(int, table.wins), strict=True))) == wins


def test_all_formats_give_the_same_games(tmp_path):
    games = random_games(30)
    text = transcripts(games)
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "b.ggf").write_text(write_ggf(read_transcript(text)))
    entries = [entry(g.transcript(), g.tournament_score(hansu.BLACK)) for g in games]
    (tmp_path / "c.wtb").write_bytes(format_wtb(Header(count=len(entries)), entries))
    bad = []
    found = list(read_expert_games([tmp_path], bad))
    assert not bad
    assert len(found) == 3
    for other in found[1:]:
        assert np.array_equal(found[0].moves, other.moves)
        assert np.array_equal(found[0].lead, other.lead)


def test_seen_by_the_side_to_move_wins_and_leads_are_its_own(tmp_path):
    games = random_games(1, seed=3)
    (tmp_path / "game.txt").write_text(transcripts(games))
    lead = 2 * games[0].tournament_score(hansu.BLACK) - 64
    assert lead != 0
    table = counted([tmp_path], [], by_mover=True).table()
    for one, other, wins, own in zip(table.one, table.other, table.wins, table.lead, strict=True):
        state = hansu.game("othello").start()
        for move in games[0].move_stack:
            if tuple(state.words[2:]) == (one, other):
                sign = 1 if state.turn == hansu.BLACK else -1
                assert (own, wins) == (sign * lead, sign * lead > 0)
            state.push(move)


def test_what_a_position_was_worth_counts_before_the_result(tmp_path):
    """WTHOR tells the score after best play from so many empty squares on."""
    game = random_games(1, seed=5)[0]
    score = game.tournament_score(hansu.BLACK)
    content = format_wtb(Header(count=1, depth=20), [entry(game.transcript(), score, best=40)])
    (tmp_path / "a.wtb").write_bytes(content)
    table = counted([tmp_path], [], draws="count", by_mover=True).table()
    empties = 64 - np.bitwise_count(table.one | table.other)
    assert set(np.abs(table.lead[empties >= 20])) == {2 * 40 - 64}
    assert set(np.abs(table.lead[empties < 20])) == {abs(2 * score - 64)}


def test_games_that_cannot_be_read_are_told_and_the_others_counted(tmp_path):
    good = transcripts(random_games(3))
    (tmp_path / "games.txt").write_text(f"{good}f5f5\nf5d6c3\nhello\n4453\n")
    (tmp_path / "broken.wtb").write_bytes(b"short")
    (tmp_path / "go.sgf").write_text("(;GM[1]SZ[9];B[ee])")
    bad = []
    assert counted([tmp_path], bad).games == 3
    told = [str(error).removeprefix(f"{tmp_path}/") for error in bad]
    assert told == [
        "broken.wtb: the file has 5 bytes, not even a header of 16",
        "games.txt: line 6 is not a transcript such as f5d6c3",
        "games.txt: line 7 is not a transcript such as f5d6c3",
        "games.txt: game 4: move 2 is not legal",
        "games.txt: game 5: the game has no result",
        "go.sgf: a game of go, not of othello",
    ]


@pytest.mark.slow
def test_the_published_table(shared_data, tmp_path):
    """Games to 2018; published: 122,250 / 0.452 after f5 and 41,221 / 0.465 after f5f6."""
    wthor_files(shared_data("othello/wthor_1977-2023.tsv.xz"), 2018, tmp_path)
    bad = []
    positions = counted([tmp_path], bad, draws="count")
    assert not bad
    assert positions.find(hansu.game("othello").parse("f5")) == (124_326, 56_293)
    assert positions.find(hansu.game("othello").parse("f5f6")) == (42_013, 19_539)
    assert round(56_293 / 124_326, 3) == 0.453
    assert round(19_539 / 42_013, 3) == 0.465
