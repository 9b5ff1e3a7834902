"""Languages, light and dark, small and large screens, and people who do not see or use a mouse."""

import json
import re
from importlib.resources import files

import pytest

import hansu
from hansu.games.assets import draw_picture, game_folder
from hansu.games.game import GAMES
from tests.web.driving import (
    begin,
    cell,
    click,
    expect,
    is_over,
    played,
    resign,
    sit_down,
    wait_for_moves,
)


def test_the_language_is_switched_and_kept(page, server):
    begin(page, server, "tictactoe", agent="first_move")
    page.get_by_role("combobox", name="Language").select_option("한국어")
    page.get_by_role("button", name="무르기").wait_for()
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    expect(page.locator(".status")).to_have_text("내 차례 (X)")
    page.reload()
    page.get_by_role("button", name="무르기").wait_for()
    click(page, "b2")
    wait_for_moves(page, 2)
    expect(cell(page, "b2")).to_have_attribute("aria-label", "b2, 가위표")


def test_a_korean_browser_gets_korean(new_page, server):
    page = new_page(locale="ko-KR")
    page.goto(f"{server.url}/#/play")
    page.get_by_role("button", name="대국 시작").wait_for()


@pytest.mark.parametrize(
    ("game", "position", "illegal"),
    [("tictactoe", "b2a1", "b2"), ("othello", "", "a1"), ("connect4", "444444", "4")],
)
def test_what_is_not_legal_is_said_in_korean(new_page, server, game, position, illegal):
    page = new_page(locale="ko-KR")
    sit_down(page, server, game=game, position=position)
    click(page, illegal)
    expect(page.locator(".toast")).to_have_text("여기서 둘 수 없는 수입니다.")


def test_a_position_that_cannot_be_read_is_said_in_korean(new_page, server):
    page = new_page(locale="ko-KR")
    page.goto(f"{server.url}/#/analysis?game=microchess&position=nonsense&begin=1")
    told = page.locator(".toast").inner_text()
    assert told.startswith("국면을 읽을 수 없습니다. (")
    assert "nonsense" in told


def test_light_and_dark_follow_the_system_and_the_switch(new_page, server):
    page = new_page(color_scheme="dark")
    page.goto(server.url)
    page.wait_for_selector(".tile")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_role("button", name="Light").click()
    assert page.evaluate(ground) != dark
    page.reload()
    page.get_by_role("button", name="Dark").wait_for()


def test_boards_and_pieces_have_other_looks(page, server):
    sit_down(page, server, game="microchess", position="k3/4/4/1p2/KR2 w - - 0 1")
    square, usual, other = (
        page.locator(f".board {part}").first for part in (".light", ".set-classic", ".set-modern")
    )
    color = "square => getComputedStyle(square).fill"
    wooden = square.evaluate(color)
    expect(usual).to_be_visible()
    expect(other).to_be_hidden()
    page.get_by_label("Board and pieces").click()
    page.locator("#look-board").select_option("Dark")
    page.locator("#look-pieces").select_option("Modern")
    assert square.evaluate(color) != wooden
    page.reload()
    square.wait_for()
    assert square.evaluate(color) != wooden
    expect(usual).to_be_hidden()
    expect(other).to_be_visible()
    click(page, "b1", "b2")
    image = page.locator(".captured img")
    image.wait_for()
    assert image.get_attribute("src").endswith("black_pawn.svg?pieces=modern")
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0


@pytest.mark.parametrize(
    ("width", "height", "least"), [(360, 640, 0.25), (1366, 768, 0.6), (3840, 2160, 0.6)]
)
def test_every_board_fits_the_screen_and_fills_it(new_page, server, width, height, least):
    page = new_page(viewport={"width": width, "height": height})
    for game in GAMES:
        sit_down(page, server, game=game)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        box = page.locator(".board svg").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert least * height <= box["height"] <= height
        around = page.locator(".table").bounding_box(), page.locator(".side").bounding_box()
        left, right = (min(b["x"] for b in around), max(b["x"] + b["width"] for b in around))
        assert abs(left - (width - right)) <= 1  # in the middle
        expect(
            cell(page, page.locator("[data-cell]").first.get_attribute("data-cell"))
        ).to_be_visible()


@pytest.mark.parametrize("locale", ["en-GB", "ko-KR"])
def test_nothing_leaves_a_small_screen(new_page, server, locale):
    page = new_page(viewport={"width": 360, "height": 640}, locale=locale)
    page.goto(f"{server.url}/#/replay")
    page.wait_for_selector("#file")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator(".top").bounding_box()["height"] < 100  # two rows
    page.locator("#board-looks summary").click()
    box = page.locator("#board-looks .list").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    begin(page, server, "microchess", agent="first_move")
    page.locator(".controls .menu summary").click()
    page.locator(".controls .menu .list button").click()  # to be told of it
    for what in (".controls .menu .list", ".toast"):
        box = page.locator(what).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    sit_down(page, server, game="microchess", position="3k/P3/1p2/4/KR2 w - - 0 1")
    click(page, "a4", "a5")
    pieces = page.locator("dialog.chooser button")
    assert len({pieces.nth(i).bounding_box()["y"] for i in range(4)}) == 1  # in one row


def test_coordinates_are_as_large_on_small_boards_as_on_large_ones():
    for name in GAMES:
        svg = hansu.game(name).start().svg()
        size = float(re.search(r'font-size="([\d.]+)"', svg)[1])
        height = float(re.search(r'viewBox="0 0 [\d.]+ ([\d.]+)"', svg)[1])
        assert 0.025 < size / height < 0.035, name


def test_cells_say_what_stands_on_them(page, server):
    begin(page, server, "microchess")
    expect(cell(page, "d2")).to_have_attribute("aria-label", "d2, white pawn, can be played")
    expect(cell(page, "b3")).to_have_attribute("aria-label", "b3, empty")
    begin(page, server, "connect4")
    labels = page.locator("[data-cell='4']").evaluate_all("all => all.map(c => c.ariaLabel)")
    assert labels[5] == "column 4, row 6, empty, can be played"


def test_a_whole_game_with_keys_only(page, server):
    page.goto(f"{server.url}/#/play?game=tictactoe&agent=first_move")
    page.wait_for_selector("form")
    page.get_by_role("button", name="Start the game").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".board .open")
    cell(page, "a1").focus()
    for key in ("ArrowDown", "Enter"):  # a2, answered by a1
        page.keyboard.press(key)
    wait_for_moves(page, 2)
    for key in ("ArrowRight", "Enter"):  # b2, answered by b1: the focus has stayed
        page.keyboard.press(key)
    wait_for_moves(page, 4)
    for key in ("ArrowRight", "Enter"):  # c2
        page.keyboard.press(key)
    page.wait_for_selector(".status.over")
    assert played(page) == ["a2", "a1", "b2", "b1", "c2"]
    assert is_over(page)
    expect(page.locator("#news")).to_have_text("X wins: three in a row")


COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}


ROUTES = ("home", "rules/go", "play", "watch", "replay", "analysis", "arena", "puzzles")


# Only colours differ in the dark: what else axe looks at is looked at once.
@pytest.mark.parametrize(
    ("scheme", "rules", "routes", "games"),
    [
        ("light", {}, ROUTES, ("hex",)),
        ("dark", COLOURS, ("rules/go", "arena"), ("connect4",)),
        pytest.param("light", {}, (), GAMES, marks=pytest.mark.slow),
        pytest.param("dark", COLOURS, ROUTES, GAMES, marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing(new_page, server, scheme, rules, routes, games):
    axe = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    page = new_page(color_scheme=scheme, bypass_csp=True)
    wanted = {"resultTypes": ["violations"], **rules}

    def check(where):
        page.add_script_tag(content=axe)
        answer = page.evaluate("chosen => axe.run(chosen)", wanted)
        assert answer["passes"] or answer["incomplete"], where  # something was looked at
        found = answer["violations"]
        told = [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found]
        assert told == [], f"{where}: {json.dumps(told, indent=1)}"

    for route in routes:
        page.goto("about:blank")
        page.goto(f"{server.url}/#/{route}")
        page.wait_for_selector("h1")
        check(route)
    page.goto(f"{server.url}/#/puzzles/hex")
    page.get_by_role("button", name="Show the solution").click()
    page.get_by_role("button", name="Next puzzle").wait_for()
    check("a solved puzzle")
    for game in games:
        begin(page, server, game, agent="first_move")
        check(game)
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector("#search tbody tr")
    resign(page)
    page.wait_for_selector("dialog.outcome")
    check("a finished game with its result")
    lesson = {"game": "tictactoe", "position": "b2", "help": "blunders"}
    sit_down(page, server, **lesson, white={"agent": "first_move"})
    click(page, "b1")
    page.get_by_role("button", name="Show a better move").click()
    check("a warning")
    sit_down(page, server, game="microchess", position="3k/P3/1p2/4/KR2 w - - 0 1")
    click(page, "a4", "a5")
    page.wait_for_selector("dialog.chooser")
    check("a promotion")
    lost = {"game": "tictactoe", "moves": ["b2", "b1", "a1", "c3", "a3", "c1"]}
    sit_down(page, server, **lost, black={"agent": "random"})
    click(page, "a2")
    page.get_by_role("link", name="Review").first.click()
    page.get_by_role("button", name="Show me why").click()
    page.locator("dialog.insight tbody tr").first.wait_for()
    check("why a move was a mistake")
    page.get_by_role("button", name="Close").click()
    page.locator(".mistakes button.at").click()
    check("a review")
    sit_down(page, server, game="go", rules={"size": 5}, position="..x../o.x../..x../..x../..x..")
    for _ in range(2):
        page.locator("#do-pass").click()
    page.get_by_role("button", name="Agree").wait_for()
    check("dead stones")
    sit_down(page, server, game="microchess", moves=["d2d4", "a4a3"])
    wait_for_moves(page, 2)
    page.keyboard.press("ArrowLeft")
    page.locator(".board .open[data-cell='a5']").wait_for()
    click(page, "a5", "b4")
    page.locator(".branch .move").wait_for()
    page.get_by_label("Comment on this position").fill("The king walks.")
    page.get_by_label("heat map").check()
    page.get_by_label("Time").select_option("1 s")
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.locator("#search tbody tr").first.wait_for()
    page.get_by_label("Analyse with").select_option("minimax")
    page.get_by_role("button", name="Add beside").click()
    page.locator(".besides tbody tr").first.wait_for()
    page.locator("#search .term").first.click()
    page.locator(".tip:popover-open").wait_for()
    check("an analysis with variations and an explained word")
    page.locator(".controls .menu summary").first.click()
    check("an open menu")
    page.goto(f"{server.url}/#/arena")
    page.get_by_role("radio", name="Tournament (3+)").check()
    check("a tournament to set up")


def test_the_pictures_to_choose_a_game_by_are_up_to_date():
    for name in GAMES:
        kept = (game_folder(name) / "board.svg").read_text(encoding="utf-8")
        assert kept == draw_picture(name), "run: python scripts/draw_boards.py"
