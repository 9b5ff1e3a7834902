"""One event has one set of numbers: command line, JSON, notebook, report and page agree."""

import json
import re

import pytest

import hansu
from hansu.arena.match_result import MatchGame, MatchResult
from hansu.arena.tournament.report import report
from hansu.arena.tournament.standings import CrossTable
from hansu.cli.tournament import print_result
from hansu.games.state import Outcome
from hansu.records.record import GameRecord, Turn
from hansu.statistics.stats import signed
from hansu.web.folders import tournament_facts


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("one") / "cup"


@pytest.fixture(scope="module")
def result(folder):
    return hansu.tournament("tictactoe", "one_step_search", "random", rounds=8, out=folder)


def test_every_renderer_shows_the_numbers_of_the_match(result, folder, capsys):
    match = result.match
    elo = f"{signed(match.elo)} ± {match.elo_error:.0f}"
    assert elo in str(match)
    print_result(result, folder)
    printed = capsys.readouterr().out
    for name, value in match.rows():
        assert value in str(match)
        assert value in " ".join(re.sub(r"[│┃]", " ", printed).split()), name
        assert value in result._repr_html_()
    data = re.search(r'id="data">(.*?)</script>', report(result), re.S).group(1)
    assert json.loads(data)["match"] == json.loads(json.dumps(match.facts()))
    page = tournament_facts(folder)
    assert page["match"] == json.loads(json.dumps(match.facts()))
    assert result.facts()["match"] == match.facts()


def test_the_table_of_two_shows_the_numbers_of_their_match(result):
    match = result.match
    by_name = {standing.agent: standing for standing in result.standings}
    assert by_name[match.a].rating == (match.elo, match.elo_error)
    assert by_name[match.b].rating == (0.0, 0.0)
    assert by_name[match.a].wins == match.wins
    line = next(row for row in result.rows() if row[1] == match.a)
    assert line[4:6] == (signed(match.elo), f"{match.elo_error:.0f}")


def test_a_match_and_a_tournament_of_the_same_games_agree(result):
    alone = MatchResult(
        result.plan.game,
        *result.plan.agents,
        [MatchGame(n, r.first == "one_step_search", r) for n, r in enumerate(result.games)],
        seed=result.plan.seed,
    )
    assert alone.facts() == result.match.facts()
    cross = CrossTable(result.plan.agents, result.games)
    assert cross.stats(*result.plan.agents) == alone.stats
    assert cross.stats(*result.plan.agents[::-1]) == -alone.stats


def test_an_anchor_moves_the_table_and_not_the_match(folder, result):
    anchored = hansu.tournament(
        "tictactoe", "one_step_search", "random", rounds=8, out=folder, anchor="one_step_search=500"
    )
    by_name = {standing.agent: standing.rating for standing in anchored.standings}
    assert by_name["one_step_search"] == (500.0, 0.0)
    assert by_name["random"].elo == pytest.approx(500 - result.match.elo)
    assert by_name["random"].error == pytest.approx(result.match.elo_error)


def beats(first: str, second: str, number: int) -> GameRecord:
    """A game that the first of two names won, whoever began."""
    one, other = (first, second) if number % 2 == 0 else (second, first)
    record = GameRecord("connect4", one, other, str(number // 2), True, number)
    record.outcome = Outcome(one == first, "line")
    record.turns = [Turn(str(number))]
    return record


@pytest.mark.parametrize(("games", "sure"), [(2, False), (12, True)])
def test_a_cycle_is_said(games, sure):
    records = [beats(*pair, n) for pair in ("RS", "SP", "PR", "RX") for n in range(games)]
    cycle = CrossTable("XRSP", records).cycle()
    assert cycle.sure == sure
    assert cycle.agents == ("R", "S", "P")
    assert "R beats S beats P beats R" in str(cycle)


def test_where_everyone_beats_those_below_there_is_no_cycle():
    records = [beats(*pair, n) for pair in ("AB", "BC", "AC") for n in range(4)]
    assert CrossTable("ABC", records).cycle() is None


def test_equal_players_are_seldom_called_unequal():
    decided = [
        hansu.match("tictactoe", "random", "random", games=games, seed=seed)
        for games in (6, 12)
        for seed in range(60)
    ]
    assert not any(result.stats.decided for result in decided[:60])  # three pairs decide nothing
    # Between equals 5 % at most: 3 of 60. More than 9 has a chance of 1 in 1,000.
    assert sum("is stronger" in result.verdict for result in decided[60:]) <= 9
