"""Tables counted from records: points, tie-breaks, disqualifications."""

import pytest

from hansu.arena.ratings import Anchor
from hansu.arena.tournament.standings import CrossTable, standings
from hansu.games.state import Outcome
from hansu.records.record import GameRecord

RESULTS = {"1": True, "0": False, "=": None}


def games(text: str) -> list[GameRecord]:
    """``AB 1`` is a game that A, who had the first move, won."""
    found = []
    for number, line in enumerate(text.split(",")):
        (first, second), result = line.split()
        winner = RESULTS[result]
        start = f"start {number}"
        outcome = Outcome(winner, "line")
        found.append(GameRecord("connect4", first, second, start, True, 0, outcome=outcome))
    return found


def order(text: str, agents: str = "ABCD", **options) -> str:
    return "".join(s.agent for s in standings(agents, games(text), **options))


def test_points_are_counted():
    table = standings("ABC", games("AB 1, BA =, AC 0, CA 0, BC 1"))
    assert [(s.agent, s.score, s.games, s.wins, s.draws, s.losses) for s in table] == [
        ("A", 2.5, 4, 2, 1, 1),
        ("B", 1.5, 3, 1, 1, 1),
        ("C", 1.0, 3, 1, 0, 2),
    ]
    assert [s.rank for s in table] == [1, 2, 3]


def test_sonneborn_berger_of_a_known_table():
    # A draws with all; B beats C and loses to D ...: points A 1.5, B 1.5, C 1.5, D 1.5.
    table = standings("ABCD", games("AB =, AC =, AD =, BC 1, CD 1, DB 1"))
    assert {s.agent: s.sonneborn_berger for s in table} == dict.fromkeys("ABCD", 2.25)
    # B and C level on points: B beat the stronger opponent.
    table = standings("ABCD", games("AB 0, AC 1, AD 1, BC 0, BD =, CD 0, DC 0"))
    by_name = {s.agent: s for s in table}
    assert by_name["B"].sonneborn_berger == pytest.approx(1 * 2.0 + 0.5 * 1.5)


def test_ties_are_broken_in_this_order():
    # Sonneborn-Berger: A and B have 1.5 of 3; B took its points from the stronger opponents.
    assert order("AB =, AC 0, AD 1, BC 1, BD 0, CD 1") == "CBAD"
    # Head to head: A and B have 1.5 points and 1.75 by Sonneborn-Berger; B won their game.
    assert order("AB 0, AC 1, AD =, BC =, BD 0, CD 0") == "DBAC"
    # Wins: A drew both games with C, B won one of two. C is first with most points among the three.
    assert order("AC =, AC =, BC 1, BC 0", "ABC") == "CBA"
    # All level: as named.
    assert order("CA 1, AB 1, BC 1", "BCA") == "BCA"


def test_a_gauntlet_is_ranked_by_share_not_by_points():
    # A played everybody and has most points, but B scored the higher share.
    assert order("AB 0, BA 1, AC 1, CA 0, AD 1, DA 0", "ABCD")[0] == "B"


def test_buchholz_and_byes_in_a_swiss_tournament():
    table = standings("ABC", games("AB 1, BA 0, AC 1, CA 0"), byes={"B": 1, "C": 1}, swiss=True)
    by_name = {s.agent: s for s in table}
    assert by_name["A"].score == 4.0
    assert by_name["A"].buchholz == 2 * 2.0 + 2 * 2.0
    assert by_name["B"].score == 2.0
    assert by_name["B"].buchholz == 2 * 4.0 + 2 * 2.0
    assert by_name["B"].byes == 1
    assert by_name["B"].games == 2


def test_the_cross_table_adds_up():
    cross = CrossTable("ABC", games("AB 1, BA =, AC 0, CA 0, BC 1"))
    assert cross.against("A", "B") == [1.0, 0.5]
    assert cross.against("B", "A") == [0.0, 0.5]
    assert sum(cross.points(agent) for agent in "ABC") == 5.0


def test_encounters_pair_games_with_colours_swapped():
    found = list(CrossTable("ABC", games("AB 1, BA =, AB 0, AC 1")).encounters())
    assert [(e.a, e.b, e.points, e.games) for e in found] == [
        ("A", "B", 1.5, 2),
        ("A", "B", 0.0, 1),
        ("A", "C", 1.0, 1),
    ]


def test_the_anchor_has_its_rating():
    table = standings("AB", games("AB 1, BA 0, AB =, BA ="), anchor=Anchor("B", 1500))
    assert table[1].rating == (1500.0, 0.0)
    assert table[0].rating.elo > 1500
