"""What a person does on the page, as functions."""

from typing import Any
from urllib.parse import urlencode

from tests.web.talking import post


def expect(what: Any) -> Any:
    """Wait until something is so: on a busy machine a page follows much later."""
    from playwright import sync_api  # where it is missing, these tests are skipped

    return sync_api.expect(what)


def keep_complaints(page):
    """Let no complaint go away by itself: what is gone, the page has taken away."""
    page.add_init_script(
        "const wait = setTimeout; window.setTimeout = (end, ...rest) =>"
        " rest[0] === 7000 ? 0 : wait(end, ...rest);"
    )


def begin(page, server, game, **wish):
    """Start a game against an agent that needs no time."""
    wish = {"game": game, "agent": "random", "color": "white", "delay": 0, "begin": "1", **wish}
    page.goto("about:blank")
    page.goto(f"{server.url}/#/play?{urlencode(wish)}")
    page.wait_for_selector(".board svg")


def sit_down(page, server, **wanted):
    """A table as a program sets it up; without agents both seats are people's."""
    made = post(server, "/api/tables", wanted).json()
    page.evaluate("document.querySelector('.game')?.remove()")  # not the board before
    page.goto(f"{server.url}/#/table/{made['id']}/{made['key']}")
    page.wait_for_selector(".board svg")


def cell(page, name):
    return page.locator(f".board [data-cell='{name}']").first


def click(page, *names):
    for name in names:
        cell(page, name).click()


def played(page):
    """The moves so far, as the game writes them."""
    moves = page.locator(".moves [data-move]")
    return moves.evaluate_all("all => all.map(item => item.dataset.move)")


def resign(page):
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()


def wait_for_moves(page, count):
    page.wait_for_function(
        "n => document.querySelectorAll('.moves [data-move]').length >= n", arg=count
    )


def is_over(page):
    return page.locator(".status.over").count() > 0


def play_any(page, limit=200):
    """Click legal moves until the game is over; True when a pass was among them."""
    passed = False
    for _ in range(limit):
        page.wait_for_function(
            "() => document.querySelector('.status.over')"
            " || document.querySelector('.board .open')"
            " || document.querySelector('#do-pass:enabled')"
        )
        if is_over(page):
            return passed
        before = page.locator(".moves [data-move]").count()
        if page.locator(".board .open").count():
            page.locator(".board .open").first.click()
            if page.locator(".board.movable").count():
                page.locator(".marks circle").first.wait_for()
                box = page.locator(".marks circle").first.bounding_box()
                page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
                choice = page.locator("dialog.chooser button")
                if choice.count():
                    choice.first.click()
        else:
            page.locator("#do-pass").click()
            passed = True
        page.wait_for_function(
            "n => document.querySelector('.status.over')"
            " || document.querySelectorAll('.moves [data-move]').length > n",
            arg=before,
        )
    raise AssertionError(f"not over after {limit} moves")
