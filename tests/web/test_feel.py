"""How playing feels: motion, looking back, planning ahead, drawing, and how a game ends."""

from tests.web.driving import begin, cell, click, expect, played, resign, sit_down, wait_for_moves

WATCHED = """
window.moved = []; window.lists = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  moved.push(`${this.dataset.on ?? this.getAttribute("class")} ${JSON.stringify(frames)}`);
  return animate.call(this, frames, options);
};
new MutationObserver(() => {
  const count = document.querySelectorAll(".moves [data-move]").length;
  if (lists.at(-1) !== count) lists.push(count);
}).observe(document, {subtree: true, childList: true});
"""


def middle(page, name):
    box = cell(page, name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def right_drag(page, start, end):
    page.mouse.move(*middle(page, start))
    page.mouse.down(button="right")
    page.mouse.move(*middle(page, end))
    page.mouse.up(button="right")


def test_pieces_move_as_they_do_on_a_real_board(page, server):
    page.add_init_script(WATCHED)
    begin(page, server, "connect4", agent="first_move", delay=0.3)
    click(page, "4")
    wait_for_moves(page, 2)
    assert page.evaluate("lists").index(1) < page.evaluate("lists").index(2)  # mine, then the reply
    fallen = [each for each in page.evaluate("moved") if "translateY" in each]
    assert [each.split()[0] for each in fallen] == ["4-0", "1-0"]
    begin(page, server, "microchess", position="k3/4/1p2/4/1R1K w - - 0 1", agent="first_move")
    page.evaluate("moved.length = 0")
    click(page, "d1", "d2")
    wait_for_moves(page, 2)
    (king, *_) = page.evaluate("moved")
    assert king.startswith("d2 ")
    assert "translate(0px, 48px)" in king
    corner = "xo.../...../...../...../..... white to move"
    sit_down(page, server, game="go", rules={"size": 5}, position=corner)
    page.evaluate("moved.length = 0")
    click(page, "A4")
    wait_for_moves(page, 1)
    assert any(each.startswith('gone {"opacity"') for each in page.evaluate("moved"))  # A5
    sit_down(page, server, game="othello")
    page.evaluate("moved.length = 0")
    click(page, "d3")
    wait_for_moves(page, 1)
    drop, turned = (
        [each for each in page.evaluate("moved") if each.startswith(f"{place} ")]
        for place in ("d3", "d4")
    )
    assert "scale(1.28)" in drop[0]
    assert "scaleX(0)" in turned[0]
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("moved.length = 0")
    click(page, "c3")
    wait_for_moves(page, 2)
    assert page.evaluate("moved") == []


def test_chess_is_written_and_shown_as_people_know_it(page, server):
    sit_down(page, server, game="microchess", position="3k/P3/1p2/4/KR2 w - - 0 1")
    click(page, "b1", "b3")
    wait_for_moves(page, 1)
    taken = page.locator(".player.white .captured")
    expect(taken).to_have_attribute("aria-label", "Captured: black pawn")
    click(page, "d5", "d4")
    wait_for_moves(page, 2)
    click(page, "b3", "d3")
    wait_for_moves(page, 3)
    expect(page.locator(".status")).to_have_text("Check! Black to move")
    expect(page.locator("#news")).to_have_text("White: Rd3+. Check!")
    click(page, "d4", "d3")
    wait_for_moves(page, 4)
    click(page, "a4", "a5")
    pictures = page.locator("dialog.chooser img")
    names = pictures.evaluate_all("all => all.map(image => image.alt)")
    assert names == ["white queen", "white rook", "white bishop", "white knight"]
    assert pictures.first.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    pictures.first.click()
    wait_for_moves(page, 5)
    names = page.locator(".moves [data-move] .move").all_inner_texts()
    assert names == ["Rxb3", "Kd4", "Rd3+", "Kxd3", "a5=Q"]


def test_arrows_are_drawn_and_stay_when_the_board_is_turned(page, server):
    sit_down(page, server, game="microchess")
    right_drag(page, "a1", "a3")
    right_drag(page, "c1", "c1")
    expect(page.locator(".drawn .arrow")).to_have_count(1)
    expect(page.locator(".drawn .pointed")).to_have_count(1)
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".arrows:not(.drawn) .arrow")
    page.get_by_role("button", name="Flip").click()
    page.wait_for_function(
        "() => document.querySelector('[data-cell=a5]').y.baseVal.value"
        " > document.querySelector('[data-cell=a1]').y.baseVal.value"
    )
    expect(page.locator(".arrows:not(.drawn) .arrow")).to_have_count(1)
    circle = page.locator(".drawn .pointed").bounding_box()
    assert abs(circle["x"] + circle["width"] / 2 - middle(page, "c1")[0]) < 2
    right_drag(page, "c1", "c1")  # once more takes it away
    expect(page.locator(".drawn .pointed")).to_have_count(0)
    click(page, "b3")
    expect(page.locator(".drawn .arrow")).to_have_count(0)


def test_cells_of_any_shape_are_pointed_at(page, server):
    sit_down(page, server, game="hex", rules={"size": 5})
    right_drag(page, "c3", "c3")
    circle = page.locator(".drawn .pointed").bounding_box()
    assert circle["width"] > 10
    assert abs(circle["x"] + circle["width"] / 2 - middle(page, "c3")[0]) < 2
    expect(page.locator(".marks .legal")).to_have_count(25)
    dot = page.locator(".marks .legal").first.bounding_box()
    assert abs(dot["x"] + dot["width"] / 2 - middle(page, "a1")[0]) < 2


def test_a_move_is_planned_while_the_opponent_thinks(page, server):
    begin(page, server, "tictactoe", agent="first_move", delay=2)
    click(page, "b2")
    wait_for_moves(page, 1)
    planned = page.locator(".marks .planned")
    for count in (1, 0, 1):  # the second touch takes it back
        click(page, "c3")
        expect(planned).to_have_count(count)
    wait_for_moves(page, 3)
    assert played(page) == ["b2", "a1", "c3"]
    begin(page, server, "microchess", agent="first_move", delay=3)
    click(page, "d2", "d3")
    wait_for_moves(page, 1)
    click(page, "a1", "a2")
    expect(planned).to_have_count(2)
    click(page, "b3")  # anywhere else: not planned after all
    expect(planned).to_have_count(0)
    wait_for_moves(page, 2)
    page.wait_for_selector(".board .open")
    assert len(played(page)) == 2


def test_earlier_positions_are_looked_at_during_a_game(page, server):
    sit_down(page, server, game="tictactoe", black={"agent": "first_move"})
    for name, count in (("b2", 2), ("c3", 4)):
        click(page, name)
        wait_for_moves(page, count)
    page.locator(".moves [data-move] button").nth(1).click()
    page.get_by_text("Viewing move 2 of 4").wait_for()
    expect(cell(page, "c3")).to_have_attribute("data-piece", "")
    expect(page.locator(".board .open")).to_have_count(0)
    page.locator("h1").evaluate("() => document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    page.get_by_text("Viewing move 1 of 4").wait_for()
    expect(page.locator(".moves [aria-current]")).to_have_attribute("data-move", "b2")
    page.get_by_role("button", name="Back to the game").click()
    page.wait_for_selector(".board .open")
    page.keyboard.press("Home")
    page.get_by_text("Viewing move 0 of 4").wait_for()
    page.keyboard.press("End")
    page.wait_for_selector(".board .open")
    expect(cell(page, "c3")).to_have_attribute("data-piece", "cross")


def test_a_game_ends_with_a_word_and_a_rematch(page, server):
    begin(page, server, "tictactoe", agent="first_move")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    for name, count in (("a2", 2), ("b2", 4)):
        click(page, name)
        wait_for_moves(page, count)
    click(page, "c2")
    ended = page.locator("dialog.outcome")
    ended.wait_for()
    expect(ended.locator("h2")).to_have_text("You won!")
    expect(ended.locator("p")).to_have_text("X wins: three in a row")
    board, said = page.locator(".board svg").bounding_box(), ended.bounding_box()
    assert said["x"] > board["x"] + board["width"]  # the winning line stays in sight
    assert ended.get_by_role("link", name="Review").get_attribute("href").startswith("#/replay?")
    before = page.url
    ended.get_by_role("button", name="Rematch").click()
    page.wait_for_function("url => location.href !== url", arg=before)
    page.locator(".player.black b", has_text="You").wait_for()
    wait_for_moves(page, 1)  # the other side moves first now
    resign(page)
    ended.wait_for()
    expect(ended.locator("h2")).to_have_text("You lost")
    ended.get_by_role("button", name="Close").click()
    expect(page.locator(".status")).to_have_text("X wins: resignation")
