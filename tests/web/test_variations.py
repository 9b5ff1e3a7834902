"""Variations and comments in a real browser: played, walked, annotated, saved, loaded."""

from hansu.records.pgn import read_pgn
from hansu.records.record import Branch
from hansu.records.sgf import read_sgf
from tests.web.driving import click, expect, played, sit_down, wait_for_moves

SGF = "(;GM[1]SZ[9]PB[Lee]PW[Gu]C[a famous game];B[ee];W[dd]C[hane](;B[cc];W[gg])(;B[gg]C[why?]))"


def wait_for_current(page, move):
    expect(page.locator(".moves [aria-current] .move")).to_have_text(move)


def saved(page, name):
    """What a menu saves."""
    page.locator("summary", has_text="Save").click()
    with page.expect_download() as download:
        page.get_by_text(name, exact=True).click()
    page.locator("summary", has_text="Save").click()
    return download.value.path().read_text(encoding="utf-8")


def test_a_variation_is_played_walked_annotated_and_saved(page, server):
    sit_down(page, server, game="microchess", moves=["d2d4", "a4a3"])
    wait_for_current(page, "a3")
    page.keyboard.press("ArrowLeft")
    wait_for_current(page, "d4")
    click(page, "a5", "b4")  # another reply
    wait_for_current(page, "Kb4")
    expect(page.locator(".branch .move")).to_have_text(["Kb4"])
    page.get_by_label("Comment on this position").fill("The king walks. } ] \\")
    page.locator("h1").first.focus()
    page.locator(".said", has_text="The king walks.").wait_for()
    page.locator(".moves .start button").click()
    wait_for_current(page, "start")
    expect(page.get_by_label("Comment on this position")).to_have_value("")
    page.keyboard.press("ArrowRight")
    wait_for_current(page, "d4")
    page.keyboard.press("ArrowRight")
    wait_for_current(page, "a3")  # the game itself first
    page.keyboard.press("ArrowDown")
    wait_for_current(page, "Kb4")
    expect(page.get_by_label("Comment on this position")).to_have_value("The king walks. } ] \\")
    (record,) = read_pgn(saved(page, "PGN"))
    assert (record.moves, record.branches) == (["d2d4", "a4a3"], [Branch(1, "a5b4")])
    assert record.comments == {3: "The king walks. } ] \\"}


def test_a_line_is_promoted_and_deleted(page, server):
    sit_down(page, server, game="tictactoe", moves=["b2", "a1", "c3"])
    wait_for_moves(page, 3)
    page.locator(".moves button", has_text="b2").click()
    wait_for_current(page, "b2")
    expect(page.locator("#promote")).to_be_disabled()
    click(page, "c1")
    wait_for_current(page, "c1")
    page.locator("#promote").click()
    page.locator(".branch .move", has_text="a1").wait_for()
    assert played(page) == ["b2", "c1", "a1", "c3"]  # the old line is the variation now
    page.locator(".moves button", has_text="a1").click()
    wait_for_current(page, "a1")
    page.locator("#remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete from here").click()
    wait_for_current(page, "b2")
    assert played(page) == ["b2", "c1"]


def test_a_loaded_file_keeps_its_variations(page, server):
    page.goto(f"{server.url}/#/replay")
    page.get_by_label("Or paste a game").fill(SGF)
    page.get_by_role("button", name="Open").click()
    page.locator(".said", has_text="hane").wait_for()
    assert page.locator(".left-out li").count() == 0
    expect(page.locator(".branch .move")).to_have_text(["G3"])
    page.locator(".branch button").click()
    wait_for_current(page, "G3")
    expect(page.locator("[data-on='G3']")).to_have_count(1)
    expect(page.locator("[data-on='C7']")).to_have_count(0)
    page.keyboard.press("ArrowUp")
    wait_for_current(page, "C7")
    page.locator(".branch button").click()
    page.get_by_role("button", name="Analyse from here").click()
    page.locator("#comment").wait_for()
    wait_for_current(page, "G3")
    expect(page.get_by_label("Comment on this position")).to_have_value("why?")
    expect(page.locator(".player.black b")).to_have_text("Lee")
    click(page, "F5")
    wait_for_current(page, "F5")
    (record,) = read_sgf(saved(page, "SGF"))
    assert (record.first, record.comments[0]) == ("Lee", "a famous game")
    assert record.branches == [Branch(2, "G3"), Branch(5, "F5")]


def test_files_that_cannot_hold_variations_say_so(page, server):
    sit_down(page, server, game="othello", moves=["f5", "d6"])
    wait_for_moves(page, 2)
    page.locator("summary", has_text="Save").click()
    page.get_by_text("GGF", exact=True).wait_for()
    page.locator("summary", has_text="Save").click()
    page.get_by_label("Comment on this position").fill("once")
    page.locator("summary", has_text="Variations and comments").click()
    page.get_by_text("kept in JSON lines. Other files hold only the moves").wait_for()
    page.locator(".said").wait_for()
    page.locator("summary", has_text="Save").click()
    page.get_by_text("GGF (moves only)", exact=True).wait_for()
    page.get_by_text("JSON lines", exact=True).wait_for()


def test_an_analysis_goes_with_the_position(page, server):
    sit_down(page, server, game="tictactoe", moves=["b2", "a1"])
    wait_for_moves(page, 2)
    page.locator("#always").check()
    page.keyboard.press("ArrowLeft")
    page.locator("#search tbody tr").first.wait_for()
    page.keyboard.press("ArrowLeft")
    wait_for_current(page, "start")
    page.wait_for_function("() => document.querySelector('#position-now').value === '.........'")


def test_two_tabs_see_one_board(new_page, server):
    first, second = new_page(), new_page()
    sit_down(first, server, game="tictactoe", moves=["b2", "a1"])
    second.goto(first.url)  # without the key: a spectator
    wait_for_moves(second, 2)
    expect(second.locator("#comment")).to_be_hidden()
    first.keyboard.press("ArrowLeft")
    wait_for_current(second, "b2")
    click(first, "c1")
    second.locator(".branch .move", has_text="c1").wait_for()
