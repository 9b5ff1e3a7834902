"""Teaching games: warnings before bad moves, take-backs counted."""

import pytest

from tests.web.driving import cell, click, expect, played, sit_down, wait_for_moves
from tests.web.talking import hear, join, open_table, say

LOSING = "b1"  # after b2 only the corners draw


def asked(line, move, **more):
    say(line, "move", move=move, **more)


def test_a_blunder_is_not_final_before_the_person_is_sure(server):
    table = open_table(server, position="b2", help="blunders")
    with join(server, table) as line:
        assert hear(line, "state")["help"] == "blunders"
        asked(line, LOSING)
        warning = hear(line, "warning")
        assert (warning["move"], warning["size"]) == (LOSING, "blunder")
        assert (warning["before"], warning["after"]) == (0.5, 0.0)
        assert warning["better"][0] in ("a1", "a3", "c1", "c3")
        asked(line, LOSING, sure=True)
        assert hear(line, "state")["played"] == [LOSING]
        say(line, "undo")
        back = hear(line, "state")
        assert (back["played"], back["taken_back"]) == ([], 1)
        asked(line, warning["better"][0])
        assert hear(line, "state")["played"] == [warning["better"][0]]


def test_without_a_teacher_every_move_is_final(server):
    with join(server, open_table(server, position="b2")) as line:
        hear(line, "state")
        asked(line, LOSING)
        assert hear(line, "state")["played"] == [LOSING]


@pytest.mark.parametrize("wrong", ["b2", "z9", ""])
def test_an_illegal_move_is_refused_as_ever(server, wrong):
    with join(server, open_table(server, position="b2", help="everything")) as line:
        hear(line, "state")
        asked(line, wrong)
        assert hear(line, "error")["text"]


def test_the_page_asks_whether_one_is_sure(page, server):
    sit_down(
        *(page, server),
        game="tictactoe",
        position="b2",
        white={"agent": "first_move"},
        help="blunders",
    )
    assert page.get_by_label("Show the opponent's thinking").is_checked()  # this is a lesson
    cell(page, LOSING).click()
    page.get_by_text("fall from 50% to 0%").wait_for()
    page.get_by_role("button", name="Show a better move").click()
    expect(page.locator("dialog.warning").get_by_text("Better: ")).to_be_visible()
    page.get_by_role("button", name="Think again").click()
    assert played(page) == []
    cell(page, LOSING).click()
    page.get_by_role("button", name="Play it anyway").click()
    wait_for_moves(page, 2)
    page.locator("#do-undo").click()
    page.get_by_text("Take-backs: 1").wait_for()
    click(page, "a1")
    wait_for_moves(page, 2)
