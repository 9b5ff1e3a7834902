"""The levels of ``engine``: weaker players that make plausible mistakes."""

import itertools

import pytest

import hansu
from hansu.agents.levels import FULL, FULL_STRENGTH, Level, level, levels
from hansu.display.page import STATIC
from hansu.errors import HansuError
from hansu.games.dictionary import languages, words
from hansu.games.game import GAMES
from hansu.kernel import JIT
from hansu.search.info import Line, SearchInfo

compiled = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")
OTHER_BOARDS = ("go:size=5", "hex:size=4", "connect4:width=5,height=4", "go:komi=0.5")


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_ten_levels_with_names_and_ratings(name):
    rows = levels(hansu.game(name))
    assert [row["level"] for row in rows] == list(range(1, FULL + 1))
    for row in rows:
        assert hansu.agent(name, row["agent"]).options.level == row["level"]
        assert all(words(language)[row["name"]] for language in languages())
        assert isinstance(row["rating"], int)
        assert row["error"] > 0
    assert sum(row["rating"] for row in rows) / FULL == pytest.approx(1300, abs=1)


@pytest.mark.parametrize("name", GAMES)
def test_no_level_is_measurably_weaker_than_the_one_below(name):
    rows = levels(hansu.game(name))
    for lower, higher in itertools.pairwise(rows):
        assert higher["rating"] > lower["rating"] - min(lower["error"], higher["error"])
    most = max(row["error"] for row in rows)
    assert rows[-1]["rating"] - rows[0]["rating"] > most


@pytest.mark.parametrize("board", OTHER_BOARDS)
def test_boards_that_were_not_measured_have_levels_without_ratings(board):
    rows = levels(hansu.game(board))
    assert {(row["rating"], row["error"]) for row in rows} == {(None, None)}


@compiled
@pytest.mark.parametrize("board", [*GAMES, *OTHER_BOARDS])
def test_a_weak_level_plays_at_once_and_not_always_the_same(board):
    start = hansu.game(board).start()
    agent = hansu.agent(board, "engine:level=1")
    agent.prepare(start)
    moves = set()
    for seed in range(20):
        agent.rng.seed(seed)
        moves.add(agent.act(start))
    assert len(moves) > 1
    assert moves <= set(start.legal_moves)
    assert agent.info.nodes < 1000


@compiled
def test_the_same_seed_plays_the_same_game():
    games = [
        hansu.play_game("connect4", "engine:level=2", "engine:level=4", seed=5).moves
        for _ in range(2)
    ]
    assert games[0] == games[1]


@compiled
def test_a_level_looks_no_further_when_it_is_given_time():
    agent = hansu.agent("othello", "engine:level=3", seed=1)
    state = hansu.game("othello").parse("f5d6c3")
    agent.search(state, hansu.Limits(depth=1))  # compiling would count as searching
    found = agent.search(state, hansu.Limits(seconds=60))
    assert found.depth == level("othello", 3).depth


@compiled
@pytest.mark.slow
@pytest.mark.parametrize("name", ["connect4", "othello"])
def test_a_high_level_beats_a_low_one(name):
    result = hansu.match(name, "engine:level=9", "engine:level=1", games=4, seed=1)
    assert result.score >= 0.75
    assert not result.facts()["disqualified"]


def test_bad_moves_are_rare_and_the_rarer_the_lower_the_temperature():
    lines = (Line("good", "good", 0.6), Line("fair", "fair", 0.5), Line("bad", "bad", 0.05))
    found = SearchInfo(lines, nodes=3, seconds=0.0)
    rng = hansu.agent("tictactoe", "random", seed=1).rng
    shares = [
        [Level(temperature).choose(found, rng) for _ in range(500)].count("good") / 500
        for temperature in (5.0, 1.0, 0.1)
    ]
    assert shares == sorted(shares)
    assert 0.34 < shares[0] < 0.6 < shares[2]


@pytest.mark.parametrize("number", [0, 11, -1])
def test_a_level_that_is_not_there_is_an_error(number):
    with pytest.raises(HansuError, match=rf"level: {number} is not 1 to 10"):
        hansu.agent("go", f"engine:level={number}")


def test_the_page_knows_what_full_strength_is_called():
    script = (STATIC / "js" / "player_name.js").read_text(encoding="utf-8")
    assert f'"{FULL_STRENGTH}"' in script
