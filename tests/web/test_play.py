"""Games played in a real browser."""

import pytest

from hansu.records.jsonl import read_jsonl
from hansu.records.pgn import read_pgn
from tests.web.driving import (
    begin,
    cell,
    click,
    expect,
    is_over,
    keep_complaints,
    play_any,
    played,
    resign,
    sit_down,
    wait_for_moves,
)


@pytest.mark.parametrize(
    ("game", "color", "rules"),
    [
        ("tictactoe", "white", ""),
        ("connect4", "black", ""),
        pytest.param("othello", "black", "", marks=pytest.mark.slow),  # sixty moves
        ("go", "black", "size=5,max_turns=12"),
        ("microchess", "white", "max_turns=10"),
    ],
)
def test_every_game_is_played_to_its_end_by_clicks(page, server, game, color, rules):
    begin(page, server, game, color=color, rules=rules)
    play_any(page)
    text = page.locator(".status").inner_text()
    assert "wins" in text or "Draw" in text
    expect(page.locator(".board .open")).to_have_count(0)


def test_the_result_says_why_and_by_how_much(page, server):
    begin(page, server, "microchess", rules="max_turns=1", position="k3/4/4/3q/K3 w - - 0 1")
    play_any(page)
    expect(page.locator(".status")).to_have_text("Black wins 14–4 on material: turn limit reached")


def test_a_pawn_is_promoted_to_what_is_chosen(page, server):
    begin(page, server, "microchess", position="3k/P3/4/4/K3 w - - 0 1")
    click(page, "a4", "a5")
    page.get_by_role("dialog").get_by_role("button", name="white rook").click()
    wait_for_moves(page, 1)
    assert played(page)[0] == "a4a5r"
    assert cell(page, "a5").get_attribute("data-piece") in ("white_rook", "black_king")


def test_the_king_castles(page, server):
    begin(page, server, "microchess", position="1k2/4/4/4/R2K w K - 0 1")
    click(page, "d1", "b1")
    wait_for_moves(page, 1)
    assert played(page)[0] == "d1b1"
    expect(cell(page, "c1")).to_have_attribute("data-piece", "white_rook")


def test_a_piece_is_dragged(page, server):
    begin(page, server, "microchess")
    start, end = (cell(page, name).bounding_box() for name in ("d2", "d3"))
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 20, end["y"] + 20, steps=4)
    page.mouse.up()
    wait_for_moves(page, 1)
    assert played(page)[0] == "d2d3"


def test_keys_are_enough(page, server):
    begin(page, server, "microchess")
    cell(page, "a5").focus()
    for key in ("End", *["ArrowDown"] * 3, "Enter", *["ArrowUp"] * 1, "Enter"):
        page.keyboard.press(key)
    wait_for_moves(page, 1)
    assert played(page)[0] == "d2d3"


def test_fingers_are_enough(new_page, server):
    phone = new_page(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    begin(phone, server, "connect4", agent="first_move")
    cell(phone, "4").tap()
    wait_for_moves(phone, 2)
    assert played(phone) == ["4", "1"]
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360


def test_othello_passes_when_nothing_else_is_left(page, server):
    board = "XO" + "-" * 62 + " O"  # White cannot move, Black can
    begin(page, server, "othello", position=board, agent="first_move")
    expect(page.locator(".status")).to_contain_text("You can only pass.")
    page.locator("#do-pass").click()
    wait_for_moves(page, 2)
    assert played(page) == ["pass", "c1"]
    assert is_over(page)


def test_superko_is_refused_with_its_rule(page, server):
    ko = ".xo../xo.o./.xo../...../..... black to move"
    sit_down(page, server, game="go", rules={"size": 5}, position=ko)
    click(page, "C4")
    wait_for_moves(page, 1)
    expect(cell(page, "B4")).to_have_attribute("data-piece", "")  # taken
    click(page, "B4")
    expect(page.locator(".toast")).to_contain_text("(superko)")
    assert played(page) == ["C4"]
    click(page, "E1")
    wait_for_moves(page, 2)


def test_what_is_not_allowed_is_said(page, server):
    keep_complaints(page)
    begin(page, server, "go", rules="size=5", color="white", position="C3", agent="first_move")
    click(page, "C3")
    expect(page.locator(".toast")).to_have_text("There is a stone already.")
    assert played(page) == []
    click(page, "E1")
    wait_for_moves(page, 1)
    expect(page.locator(".toast")).to_have_count(0)  # it does not outlive what was wrong


def test_go_ends_after_two_passes_with_the_area_counted(page, server):
    wall = "..x../..x../..x../..x../..x.. white to move"
    sit_down(page, server, game="go", rules={"size": 5, "komi": 0.5}, position=wall)
    for _ in range(2):
        page.locator("#do-pass").click()
    page.get_by_role("button", name="Agree").click()
    page.wait_for_selector(".status.over")
    expect(page.locator(".status")).to_have_text("Black wins 25–0.5 points of area: both passed")


def test_moves_are_taken_back(page, server):
    begin(page, server, "tictactoe", agent="first_move")
    expect(page.get_by_role("button", name="Take back")).to_be_disabled()
    click(page, "b2")
    wait_for_moves(page, 2)
    page.get_by_role("button", name="Take back").click()
    page.wait_for_function("() => document.querySelectorAll('.moves [data-move]').length === 0")
    click(page, "c3")
    wait_for_moves(page, 2)
    assert played(page) == ["c3", "a1"]


def test_resigning_ends_the_game_and_can_be_taken_back(page, server):
    begin(page, server, "tictactoe", agent="first_move")
    resign(page)
    page.wait_for_selector(".status.over")
    expect(page.locator(".status")).to_have_text("O wins: resignation")
    page.get_by_role("button", name="Take back").click()
    page.wait_for_selector(".status:not(.over)")
    click(page, "b2")
    wait_for_moves(page, 2)


def test_a_hint_is_pointed_out_and_good(page, server):
    begin(page, server, "tictactoe", position="XX.OO....")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".arrows .pointed")
    ring, goal = page.locator(".pointed").bounding_box(), cell(page, "c1").bounding_box()
    assert abs(ring["x"] + ring["width"] / 2 - goal["x"] - goal["width"] / 2) < 2
    expect(page.locator("#search tbody tr").first.locator("th")).to_have_text("c1")
    expect(page.locator(".arrows .score")).to_have_text("+3")
    expect(page.get_by_role("status").filter(has_text="Hint: c1, 100% proved +3")).to_have_count(1)


def test_the_board_turns_round(page, server):
    begin(page, server, "microchess", color="black")
    wait_for_moves(page, 1)
    assert cell(page, "a5").bounding_box()["y"] > cell(page, "a1").bounding_box()["y"]
    assert is_above(page, "white", "black")
    page.get_by_role("button", name="Flip").click()
    page.wait_for_function(
        "() => document.querySelector('[data-cell=a5]').y.baseVal.value"
        " < document.querySelector('[data-cell=a1]').y.baseVal.value"
    )
    assert is_above(page, "black", "white")


def is_above(page, one, other):
    """Whether one player's bar is above another's."""
    y, below = (page.locator(f".player.{c}").bounding_box()["y"] for c in (one, other))
    return y < below


def test_the_players_turn_round_where_pieces_have_no_direction(page, server):
    begin(page, server, "othello", color="black")
    assert is_above(page, "white", "black")
    page.get_by_role("button", name="Flip").click()
    page.wait_for_function(
        "() => document.querySelector('[data-cell=a8]').y.baseVal.value"
        " < document.querySelector('[data-cell=a1]').y.baseVal.value"
    )
    assert is_above(page, "black", "white")


def test_a_switch_that_is_on_shows_and_says_so(page, server):
    sit_down(page, server, game="go", rules={"size": 5})
    area = page.locator("#do-area")
    ground = area.evaluate("button => getComputedStyle(button).backgroundColor")
    expect(area).to_have_attribute("aria-pressed", "false")
    area.click()
    page.wait_for_selector("#do-area[aria-pressed=true]")
    assert area.evaluate("button => getComputedStyle(button).backgroundColor") != ground


def test_a_game_outlives_its_tab(page, server):
    begin(page, server, "tictactoe", agent="first_move")
    click(page, "b2")
    wait_for_moves(page, 2)
    page.reload()
    wait_for_moves(page, 2)
    click(page, "c3")
    wait_for_moves(page, 4)
    assert played(page) == ["b2", "a1", "c3", "b1"]


def test_two_tabs_show_one_game_and_a_spectator_cannot_move(page, new_page, server):
    begin(page, server, "tictactoe", agent="first_move")
    second, spectator = page.context.new_page(), new_page()  # the key stays in the browser
    second.goto(page.url)
    spectator.goto(page.url)
    second.wait_for_selector(".board .open")
    spectator.wait_for_selector(".board svg")
    expect(spectator.locator(".board .open")).to_have_count(0)
    expect(spectator.locator("#do-undo")).to_have_count(0)
    click(second, "b2")
    for tab in (page, second, spectator):
        wait_for_moves(tab, 2)
        assert played(tab) == ["b2", "a1"]


def test_a_lost_connection_is_taken_up_again(page, server):
    begin(page, server, "tictactoe", agent="first_move")
    page.evaluate("() => { document.querySelector('.game').dataset.same = 'yes'; }")
    server.break_connections()
    page.wait_for_selector(".game.broken")
    page.wait_for_selector(".game:not(.broken)")
    click(page, "b2")
    wait_for_moves(page, 2)
    expect(page.locator(".game")).to_have_attribute("data-same", "yes")  # the page was not reloaded


def test_clocks_run_and_a_flag_falls(page, server):
    sit_down(page, server, game="tictactoe", black={"agent": "random"}, clock={"seconds": 1})
    page.wait_for_selector(".status.over")
    expect(page.locator(".status")).to_have_text("O wins: time is up")
    expect(page.locator(".player.white .clock")).to_have_text("0.0")


def test_the_end_of_a_game_is_said_and_heard_also_without_a_move(page, server):
    page.add_init_script(
        "window.heard = 0; window.AudioContext = class extends AudioContext {"
        " createOscillator() { heard += 1; return super.createOscillator(); } };"
    )
    begin(page, server, "tictactoe", agent="first_move")
    page.get_by_role("button", name="Yes, please").click()  # asked at the first visit
    expect(page.get_by_role("button", name="Sounds")).to_have_attribute("aria-pressed", "true")
    heard = page.evaluate("heard")
    resign(page)
    page.wait_for_selector(".status.over")
    expect(page.locator("#news")).to_have_text("O wins: resignation")
    assert page.evaluate("heard") > heard
    heard = page.evaluate("heard")
    page.get_by_role("button", name="Take back").click()
    page.wait_for_selector(".status:not(.over)")
    assert page.evaluate("heard") == heard
    page.reload()
    page.wait_for_selector(".board svg")
    expect(page.get_by_role("button", name="Yes, please")).to_have_count(0)


def test_the_game_is_saved_as_a_record(page, server):
    begin(page, server, "microchess", agent="first_move")
    click(page, "d2", "d3")
    wait_for_moves(page, 2)
    page.locator(".controls .menu summary").click()
    for name, read in (("JSON lines", read_jsonl), ("PGN", read_pgn)):
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        (record,) = read(download.value.path().read_text())
        assert record.moves == played(page)
        assert (record.first, record.second) == ("human", "first_move")


def test_who_has_gone_to_another_page_is_not_called_back(page, server):
    held = []
    page.route("**/api/tables", lambda route: held.append(route))
    page.goto(f"{server.url}/#/play?game=tictactoe")
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("link", name="Replay").click()
    page.wait_for_selector("#pasted")
    with page.expect_response("**/api/tables"):
        held[0].continue_()
    page.get_by_label("Or paste a game").fill("4453")
    page.get_by_role("button", name="Open").click()
    page.wait_for_selector(".stepping")
    assert "#/replay" in page.url  # with the game that was opened


def test_setting_up_by_hand(page, server):
    page.goto(f"{server.url}/#/play")
    page.get_by_role("radio", name="Connect Four").check()
    page.get_by_text("Advanced: choose an agent").click()
    page.get_by_label("Opponent (weakest to strongest)").select_option("negamax")
    page.get_by_text("Options", exact=True).click()
    page.get_by_label("Plies to look ahead").fill("2")
    page.get_by_role("radio", name="Red").check()
    page.get_by_role("button", name="Start the game").click()
    wait_for_moves(page, 1)
    expect(page.locator(".player.white b")).to_have_text("Negamax (depth=2)")
