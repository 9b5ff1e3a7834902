"""Matches: counted right, repeatable, honest about repetition."""

import pytest

import hansu
from hansu.statistics.sprt import Sprt


class Copycat(hansu.Agent):
    """The ten-line agent of the README."""

    def act(self, state):
        return self.rng.choice(list(state.legal_moves))


def test_half_of_the_games_are_played_with_colours_swapped():
    result = hansu.match("connect4", "one_step_search", "random", games=10, seed=1)
    assert [g.a_first for g in result.played] == [True, False] * 5
    assert result.wins + result.draws + result.losses == 10
    assert result.score == pytest.approx((result.as_first + result.as_second) / 2)
    assert result.score > 0.5
    assert sum(result.pentanomial) == 5


def test_each_opening_is_played_twice_with_colours_swapped():
    result = hansu.match("othello", "random", "random", games=8, openings="random:6", seed=1)
    starts = [record.start for record in result.games]
    assert starts[::2] == starts[1::2]
    assert len(set(starts)) == 4


def test_a_seed_repeats_a_match_whatever_the_concurrency():
    def moves(**options):
        result = hansu.match("connect4", Copycat, "mcts:n_simulations=50", games=6, **options)
        return [record.moves for record in result.games]

    assert moves(seed=1) == moves(seed=1, concurrency=2)
    assert moves(seed=1) != moves(seed=2)


def test_deterministic_players_get_variety_and_repetition_is_told():
    varied = hansu.match("connect4", "first_move", "first_move", games=20, seed=1)
    assert varied.distinct_games > 10
    repeated = hansu.match("connect4", "first_move", "first_move", games=20, openings="random:0")
    assert repeated.distinct_games == 2
    assert repeated.verdict.startswith("20 games, 2 distinct: no evidence")


def test_a_clear_match_has_a_clear_verdict():
    result = hansu.match(
        "tictactoe", "minimax", "first_move", games=40, openings="random:1", seed=1
    )
    assert result.verdict.startswith("minimax is stronger, 99")
    assert result.losses == 0
    assert "minimax" in result._repr_html_()


def test_a_sequential_test_stops_early():
    result = hansu.match("connect4", "mcts_dev", "random", games=200, sprt=Sprt(0, 100), seed=1)
    assert len(result.played) < 100
    assert "at least 100 Elo" in result.verdict


def test_disqualifications_are_listed_with_evidence():
    result = hansu.match("tictactoe", "malfunction:p=1", "random", games=4)
    assert [row["reason"] for row in result.disqualified] == ["crash"] * 4
    assert "malfunction, as intended" in result.disqualified[0]["evidence"]


def test_openings_from_a_file(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("# two openings\n44\n\n1234\n")
    result = hansu.match("connect4", "random", "random", games=4, openings=str(file))
    assert [record.start for record in result.games] == ["44", "44", "1234", "1234"]


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"games": 0}, "at least one game"),
        ({"openings": "random:x"}, "random:4"),
        ({"openings": "no/such/file"}, "cannot read openings"),
        ({"concurrency": 0}, "concurrency is at least 1"),
    ],
)
def test_wrong_options_say_what_would_be_right(options, part):
    with pytest.raises(hansu.HansuError, match=part):
        hansu.match("connect4", "random", "random", **options)
