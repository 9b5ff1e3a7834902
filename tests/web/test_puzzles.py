"""Puzzles on the page: right and wrong answers, the streak, keys and a phone."""

import json

import httpx

from hansu.arena.puzzles import shipped_puzzles, write_line
from tests.web.driving import cell, click, expect

PHONE = {"width": 390, "height": 844}


def first(server, game):
    return httpx.get(f"{server.url}/api/puzzles", timeout=60).json()["games"][game][0]


def wrong_move(puzzle):
    return next(text for text, value in puzzle.values.items() if value < puzzle.value)


def test_a_wrong_move_is_refuted_and_the_right_one_confirmed(page, server):
    puzzle, side = shipped_puzzles("tictactoe")[0], page.locator(".puzzle .side")
    page.goto(f"{server.url}/#/puzzles")
    page.get_by_role("link", name="Tic-tac-toe: puzzles").click()
    side.get_by_text("Find the only move that").wait_for()
    assert first(server, "tictactoe") in page.url
    wrong = wrong_move(puzzle)
    click(page, wrong)
    side.get_by_text(f"Refutation: {puzzle.lines[wrong][1]}").wait_for()
    page.wait_for_function(
        "name => document.querySelector(`.board [data-cell='${name}']`).dataset.piece",
        arg=puzzle.lines[wrong][1],
    )
    page.get_by_role("button", name="Try again").click()
    click(page, puzzle.solution)
    side.get_by_text(f"Correct! Only {puzzle.solution}").wait_for()
    expect(page.locator(".puzzle .side")).to_contain_text("0 of")  # the first answer counts
    was = page.url
    page.get_by_role("button", name="Next puzzle").click()
    page.wait_for_function("was => location.href !== was", arg=was)
    second = shipped_puzzles("tictactoe")[1]
    page.locator(".board .open").first.wait_for()
    click(page, second.solution)
    side.get_by_text("1 of 24 solved · Streak 1 (best 1)").wait_for()
    page.get_by_role("link", name="Analyse").wait_for()


def test_puzzles_by_keyboard_on_a_phone_in_korean(new_page, server):
    page = new_page(viewport=PHONE, locale="ko-KR", has_touch=True)
    puzzle, side = shipped_puzzles("connect4")[0], page.locator(".puzzle .side")
    page.goto(f"{server.url}/#/puzzles/connect4/{first(server, 'connect4')}")
    side.get_by_text("단 한 수를 찾으세요").wait_for()
    board = page.locator(".board").bounding_box()
    assert board["y"] < 160  # the board first
    assert board["width"] > 300
    cell(page, puzzle.solution).focus()
    page.keyboard.press("Enter")
    side.get_by_text("정답입니다!").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "다음 퍼즐"
    page.keyboard.press("Enter")
    side.get_by_text("단 한 수를 찾으세요").wait_for()
    page.get_by_role("button", name="정답 보기").click()
    side.get_by_text("수는").wait_for()
    kept = json.loads(page.evaluate("localStorage.getItem('puzzles')"))["connect4"]
    assert (kept["streak"], kept["best"], len(kept["solved"])) == (0, 1, 1)


def test_own_puzzles_are_added_and_nonsense_is_refused(other_server, tmp_path):
    shipped = len(shipped_puzzles("tictactoe"))
    (tmp_path / "puzzles").mkdir()
    corner = shipped_puzzles("tictactoe")[0]
    server = other_server(data=tmp_path)

    def get(path):
        return httpx.get(f"{server.url}/api/puzzles{path}", timeout=60)

    assert len(get("").json()["games"]["tictactoe"]) == shipped
    line = write_line(corner).replace(corner.game, "tictactoe", 1)
    own = tmp_path / "puzzles" / "tictactoe.jsonl"
    own.write_text(f"{line}\ndamaged\n")
    assert len(get("").json()["games"]["tictactoe"]) == shipped  # the same one
    name = get("").json()["games"]["tictactoe"][0]
    assert get(f"/tictactoe/{name}").json()["value"] == corner.value
    assert get(f"/tictactoe/{name}/answer?move={corner.solution}").json()["right"] is True
    assert get(f"/tictactoe/{name}/answer").json()["line"] == corner.lines[corner.solution]
    for path in ("/tictactoe/none", "/none/x", f"/tictactoe/{name}/answer?move=z9"):
        assert get(path).status_code == 400, path
