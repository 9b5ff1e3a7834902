"""Watching agents, replaying records and analysing, in a real browser."""

import hansu
from hansu.records.jsonl import write_jsonl
from hansu.records.record import GameRecord, Turn
from tests.web.driving import cell, click, expect, keep_complaints, played, sit_down, wait_for_moves

PGN = '[Variant "Microchess"]\n[White "Ann"]\n[Black "Bea"]\n\n1. d4 a3 2. Nb3+ *\n'
SGF = "(;GM[1]SZ[5]KM[7]PB[Ann]PW[Bea];B[cc];W[bb])"


def open_text(page, server, text):
    page.goto(f"{server.url}/#/replay")
    page.get_by_label("Or paste a game").fill(text)
    page.get_by_role("button", name="Open").click()
    page.wait_for_selector(".board svg")


def shown(page):
    """The move that the board shows."""
    return page.locator(".moves [aria-current] .move")


def test_two_agents_play_while_one_looks_on(page, server):
    sit_down(
        page,
        server,
        game="tictactoe",
        white={"agent": "random"},
        black={"agent": "first_move"},
        delay=10,  # until it is told otherwise
    )
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Resume").wait_for()
    turns = len(played(page))
    page.get_by_label("Speed").select_option("0")
    page.get_by_role("button", name="Resume").click()
    page.wait_for_selector(".status.over")
    assert len(played(page)) > turns
    expect(page.locator("#do-resign")).to_have_count(0)


def test_a_pgn_is_stepped_through(page, server):
    open_text(page, server, PGN)
    expect(page.locator(".player.white b")).to_have_text("Ann")
    expect(shown(page)).to_have_text("start")
    page.keyboard.press("ArrowRight")
    expect(shown(page)).to_have_text("d4")
    expect(cell(page, "d4")).to_have_attribute("data-piece", "white_pawn")
    page.keyboard.press("End")
    expect(shown(page)).to_have_text("Nb3+")
    page.locator(".moves button", has_text="a3").click()
    expect(cell(page, "a3")).to_have_attribute("data-piece", "black_pawn")
    page.get_by_role("button", name="Back").click()
    expect(shown(page)).to_have_text("d4")
    page.get_by_role("slider").fill("0")
    expect(shown(page)).to_have_text("start")


def test_the_example_is_a_game(page, server):
    page.goto(f"{server.url}/#/replay")
    open_text(page, server, page.locator("#pasted").get_attribute("placeholder"))
    page.keyboard.press("End")
    expect(shown(page)).to_have_text("c2")


def test_the_players_turn_round_with_the_board(page, server):
    open_text(page, server, PGN)
    page.keyboard.press("End")
    bars = page.locator(".player b")
    expect(bars).to_have_text(["Bea", "Ann"])
    page.get_by_role("button", name="Flip").click()
    page.wait_for_function("() => document.querySelector('.player b').innerText === 'Ann'")
    expect(bars).to_have_text(["Ann", "Bea"])
    expect(shown(page)).to_have_text("Nb3+")
    page.route("**/api/replay*", lambda route: route.fulfill(status=400, json={"detail": "no"}))
    page.get_by_role("button", name="Flip").click()
    expect(page.locator(".toast")).to_have_text("no")
    expect(bars).to_have_text(["Ann", "Bea"])


def test_keys_of_the_browser_are_left_to_it(page, server):
    open_text(page, server, PGN)
    page.keyboard.press("ArrowRight")
    for key in ("Shift+ArrowRight", "Control+ArrowRight", "Shift+End"):
        page.keyboard.press(key)
    expect(shown(page)).to_have_text("d4")
    expect(page.locator(".moves [aria-current=step]")).to_have_count(1)


def test_files_of_every_kind_are_dropped(page, server):
    page.goto(f"{server.url}/#/replay")
    page.wait_for_selector("#file")
    for name, text, moves in (
        ("a.sgf", SGF, ["start", "C3", "B4"]),
        ("b.txt", "4453", ["start", "4", "4", "5", "3"]),
        ("c.txt", "f5d6c3", ["start", "f5", "d6", "c3"]),
        ("d.jsonl", write_jsonl([game_with_values(0.5, 0.5, 0.9)]), ["start", "b2", "a1", "c3"]),
    ):
        page.evaluate(
            "([name, text]) => { const data = new DataTransfer();"
            " data.items.add(new File([text], name));"
            " dispatchEvent(new DragEvent('drop', {dataTransfer: data})); }",
            [name, text],
        )
        page.wait_for_function(  # the file before may have had as many moves
            "moves => [...document.querySelectorAll('.moves li .move')]"
            ".map(move => move.innerText).join() === moves",
            arg=",".join(moves),
        )


def game_with_values(*values):
    turns = [Turn(m, 0.1, v) for m, v in zip(("b2", "a1", "c3", "a3"), values, strict=False)]
    state = hansu.game("tictactoe").start()
    return GameRecord("tictactoe", "x", "o", state.text(), True, 1, turns)


def test_evaluations_are_drawn_and_the_worst_move_is_marked(page, server):
    open_text(page, server, game_with_values(0.5, 0.5, 0.9).as_json())  # White: a1 lost something
    expect(page.locator(".moves .costly .move")).to_have_text(["a1"])
    page.get_by_role("button", name="a1 cost 40%").click()
    expect(shown(page)).to_have_text("a1")


def test_players_who_disagree_all_along_have_made_no_mistake(page, server):
    open_text(page, server, game_with_values(0.9, 0.8, 0.9, 0.8).as_json())
    page.locator(".chart svg").wait_for()
    assert page.locator(".chart svg").get_attribute("aria-label").startswith("X's winning")
    assert page.locator(".chart svg").get_attribute("aria-label").endswith("55%")
    expect(page.locator(".moves .costly")).to_have_count(0)


def test_an_agents_opinion_shows_what_a_persons_move_cost(page, server):
    open_text(page, server, game_with_values(0.5, None, 0.75).as_json())
    page.get_by_role("button", name="a1 cost 25%").wait_for()


def test_several_games_are_listed_first(page, server):
    page.goto(f"{server.url}/#/replay")
    page.get_by_label("Or paste a game").fill("4453\n1212121\n")
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".games button").first).to_contain_text("Not finished")
    page.locator(".games button").nth(1).click()
    page.wait_for_selector(".board svg")
    expect(page.locator(".status")).to_contain_text("Yellow wins: four in a row")


def test_what_cannot_be_read_is_said(page, server):
    page.goto(f"{server.url}/#/replay")
    page.get_by_label("Or paste a game").fill("hello")
    with page.expect_response("**/api/records*") as answer:
        page.get_by_role("button", name="Open").click()
    assert answer.value.status == 400
    expect(page.locator(".toast")).to_contain_text("line 1, game 1: 'hello' is not a transcript")


def test_a_damaged_game_is_opened_and_the_damage_said(page, server):
    open_text(page, server, "(;GM[1]SZ[5]HA[0];B[cc]W[bb];B[dd];W[];B[];W[];B[a")
    assert page.locator(".moves li .move").all_inner_texts() == [
        *("start", "C3", "B4", "D2", "pass", "pass"),
    ]
    damage = page.locator(".side .left-out li")  # it stays
    assert damage.all_inner_texts() == [
        "line 1, game 1: a pass after the end of the game left out",
        "line 1, game 1: the text ends within the game",
    ]
    page.get_by_role("button", name="Another game").click()
    expect(damage).to_have_count(0)


def test_a_long_list_of_damage_is_cut_short_in_the_words_of_the_page(new_page, server):
    page = new_page(locale="ko-KR")
    page.goto(f"{server.url}/#/replay")
    page.locator("#pasted").fill("4453\n1212121\n" + 8 * "hello\n")
    page.get_by_role("button", name="열기").click()
    page.locator(".games button").nth(1).wait_for()
    told = page.locator(".left-out li").all_inner_texts()
    assert len(told) == 6
    assert told[0].startswith("3번째 줄, 3번째 대국: 'hello': 수순이 아닙니다.")
    assert told[-1] == "외 3건"


def test_all_that_cannot_be_read_is_said(page, server):
    page.goto(f"{server.url}/#/replay")
    page.get_by_label("Or paste a game").fill("4453\n11111111\n1212121\n22222222\n")
    page.get_by_role("button", name="Open").click()
    page.locator(".games button").nth(1).wait_for()
    told = page.locator(".left-out li").all_inner_texts()
    assert len(told) == 2
    assert all("is not legal here" in line for line in told)


def test_a_position_is_analysed_and_moves_are_tried_for_both(page, server):
    page.goto(f"{server.url}/#/analysis?game=tictactoe")
    page.get_by_label("Leave empty").fill("XX.OO....")
    page.get_by_role("button", name="Open the board").click()
    page.wait_for_selector(".board svg")
    page.get_by_label("Analyse with").select_option("minimax")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector("#search tbody tr")
    expect(page.locator("#search tbody th").first).to_have_text("c1")
    expect(page.locator("#search .value + span").first).to_have_text("100%")
    click(page, "a3")
    wait_for_moves(page, 1)
    click(page, "c2")
    page.wait_for_selector(".status.over")
    expect(page.get_by_label("The position as text")).to_have_value("XX.OOOX..")


def test_the_whole_bar_is_in_view_on_every_usual_screen(page, server):
    for text in (PGN, SGF, "f5d6c3", "4453"):
        page.goto("about:blank")
        open_text(page, server, text)
        for height in (900, 768, 720):
            page.set_viewport_size({"width": 1366, "height": height})
            box = page.locator(".stepping").bounding_box()
            assert box["y"] + box["height"] <= height, (text, height)


def test_a_complaint_does_not_outlive_the_next_success(page, server):
    keep_complaints(page)
    sit_down(page, server, game="othello")
    click(page, "a1")
    page.locator(".toast").wait_for()
    click(page, "f5")
    wait_for_moves(page, 1)
    expect(page.locator(".toast")).to_have_count(0)


def test_a_game_of_ones_own_survives_a_reload_and_another_language(page, server):
    page.goto(f"{server.url}/#/replay")
    page.get_by_label("Or paste a game").fill("4453")
    page.get_by_role("button", name="Open").click()
    page.locator(".moves [data-move]").nth(3).wait_for()
    page.reload()
    page.locator(".moves [data-move]").nth(3).wait_for()
    page.locator("#language").select_option("ko")
    page.get_by_role("button", name="다른 대국").wait_for()
    expect(page.locator(".moves [data-move]")).to_have_count(4)
    page.get_by_role("button", name="다른 대국").click()
    page.locator("#file").wait_for()
    page.reload()
    page.locator("#file").wait_for()  # it has been put away
    expect(page.locator(".moves")).to_have_count(0)
