"""Positions set up by hand: legal, or told why not."""

import pytest

from tests.web.driving import expect, played
from tests.web.talking import post


def set_up(server, **wanted):
    return post(server, "/api/set_up", wanted)


@pytest.mark.parametrize(
    ("game", "rows", "why"),
    [
        ("tictactoe", [["cross", "cross", ""], 3 * [""], 3 * [""]], "X has 2 cells and O 0"),
        ("microchess", [["white_king", "", "", ""], *4 * [4 * [""]]], "king"),
        ("connect4", [["yellow_disc", *6 * [""]], *5 * [7 * [""]]], "a stone floats in column 1"),
        ("othello", 8 * [8 * ["white_king"]], "is no piece of othello"),
        ("go", 9 * [9 * ["black_stone"]], "has no liberty"),
        ("hex", 3 * [3 * [""]], "has 121 cells, not 9"),
    ],
)
def test_what_cannot_be_played_is_explained(server, game, rows, why):
    refused = set_up(server, game=game, rows=rows, turn="white")
    assert (refused.status_code, refused.json()["rule"]) == (400, "position")
    assert why in refused.json()["detail"]


def test_a_korean_page_says_in_korean_what_cannot_be_played(new_page, server):
    page = new_page(locale="ko-KR")
    page.goto(f"{server.url}/#/analysis?game=connect4")
    page.get_by_text("직접 배치하기").click()
    page.locator(".editor [data-cell='4']").first.click()
    told = page.locator(".editing .bad").inner_text()
    assert told == "4열의 돌이 떠 있습니다. 그 아래 1행이 비어 있는데, 돌은 바닥까지 떨어집니다."
    picture = page.locator(".changes image").get_attribute("href")
    assert "/api/pieces/connect4/yellow_disc.svg" in picture


def test_pieces_of_every_game_are_put_on_its_board(page, server):
    for game, place in (("tictactoe", "b2"), ("connect4", "4"), ("go", "E5"), ("hex", "f6"),
                        ("othello", "a1")):  # fmt: skip
        page.goto("about:blank")
        page.goto(f"{server.url}/#/analysis?game={game}")
        page.get_by_text("Set up by hand").click()
        page.locator(f".editor [data-cell='{place}']").last.click()
        page.locator(".editor [data-cell]:is([data-piece='cross'], [data-piece='yellow_disc'], "
                     f"[data-piece^='black'])[data-cell='{place}']").wait_for()  # fmt: skip
        pictures = page.locator(".choices .piece img")
        expect(pictures).to_have_count(2)
        assert pictures.last.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        assert page.locator("#position").input_value()


def test_a_position_is_set_up_by_clicks_drags_and_keys(page, server):
    page.goto(f"{server.url}/#/analysis?game=microchess")
    page.get_by_text("Set up by hand").click()
    cell = lambda name: page.locator(f".editor [data-cell='{name}']")  # noqa: E731
    cell("d5").wait_for()
    page.get_by_role("button", name="Empty board").click()
    page.locator(".editing .bad").wait_for()  # no kings
    page.get_by_role("button", name="white king").click()
    cell("a1").click()
    page.get_by_role("button", name="black king").click()
    cell("d5").click()
    page.get_by_text("This position can be played").or_(
        page.get_by_text("the game is over")
    ).wait_for()
    page.get_by_role("button", name="white queen").click()
    cell("b1").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.locator(".editor [data-cell='c1'][data-piece='white_queen']").wait_for()
    cell("c1").drag_to(cell("b2"))
    page.locator(".editor [data-cell='b2'][data-piece='white_queen']").wait_for()
    assert page.locator("#position").input_value().startswith("8/8/8/3k4/8/8/1Q6/K7 w - -")
    page.get_by_role("button", name="Open the board").click()
    page.locator("#analyse").wait_for()
    assert played(page) == []
    expect(page.locator(".board [data-cell='b2']")).to_have_attribute("data-piece", "white_queen")
