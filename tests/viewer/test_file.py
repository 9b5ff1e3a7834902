"""The viewer as one file, opened from the disk by a real browser without a network."""

import json
import re
from urllib.parse import unquote

import pytest

from hansu.display.page import STATIC
from hansu.errors import HansuError
from hansu.games.dictionary import languages
from hansu.web.viewer_file import viewer_file
from tests.viewer.conftest import view_of

SEARCHES = ["mcts_dev:n_simulations=500", "self_learning:n_simulations=80", "abp_negamax:depth=4"]


@pytest.fixture(scope="module")
def views():
    return {who: view_of(who) for who in SEARCHES}


@pytest.fixture
def opened(page, tmp_path, views):
    """Opens the viewer of a search in the browser."""

    def open_file(who, language="en", **changes):
        view = views[who]
        view.agent = changes.get("agent", who)
        path = tmp_path / "search.html"
        path.write_text(viewer_file(view, language), encoding="utf-8")
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_selector("[role=treeitem]")
        assert asked == [path.as_uri()]
        return view

    return open_file


def board_name(page):
    """What the picture on the board says it is."""
    return page.locator(".sv-place .sv-board svg").get_attribute("aria-label")


def name_of(svg):
    return re.search('aria-label="([^"]*)"', svg)[1]


@pytest.mark.parametrize("who", SEARCHES)
def test_the_roots_moves_are_shown_with_their_numbers(page, opened, who):
    info = opened(who).info()
    rows = page.locator(".sv-moves tbody tr")
    assert rows.count() == len(info["lines"])
    for row, line in zip(rows.all(), info["lines"], strict=True):
        cells = row.locator("th, td").all_inner_texts()
        assert cells[0] == line["move"]
        shares = [float(cell[:-1]) for cell in cells if cell.endswith("%")]
        assert any(abs(share - 100 * line["value"]) <= 0.0501 for share in shares)
        if line["visits"]:
            assert str(line["visits"]) in cells
        if line["prior"] is not None:
            assert any(abs(share - 100 * line["prior"]) <= 0.0501 for share in shares)


@pytest.mark.parametrize("who", SEARCHES)
def test_the_board_follows_the_principal_variation(page, opened, who):
    view = opened(who)
    line = view.info()["lines"][0]["variation"]
    assert board_name(page) == name_of(view.board())
    page.click(f".sv-moves tbody button:text-is('{line[0]}')")
    for ply in range(1, len(line) + 1):
        page.wait_for_function(
            "name => document.querySelector('.sv-board svg').ariaLabel === name",
            arg=name_of(view.board(line[:ply])),
        )
        assert " ".join(line[:ply]) in page.locator(".sv-caption").inner_text()
        forward = page.locator("[aria-label='Next move']")
        assert forward.is_disabled() == (ply == len(line))
        if ply < len(line):
            forward.click()
    page.click("[aria-label='To the searched position']")
    assert "searched position" in page.locator(".sv-caption").inner_text()


@pytest.mark.parametrize("who", SEARCHES)
def test_the_tree_opens_by_keyboard(page, opened, who):
    view = opened(who)
    keyboard = page.keyboard
    tops = view.children()
    assert page.locator("[role=tree] > [role=treeitem]").count() == len(tops)
    page.locator("[role=treeitem]").first.focus()
    keyboard.press("ArrowRight")
    below = view.children([tops[0]["move"]])
    page.wait_for_function("() => document.querySelector('[role=group] [role=treeitem]')")
    shown = page.locator("[role=group] > [role=treeitem]")
    assert shown.locator("b").all_inner_texts() == [child["move"] for child in below]
    keyboard.press("ArrowRight")
    keyboard.press("Enter")
    path = [tops[0]["move"], below[0]["move"]]
    page.wait_for_function(
        "name => document.querySelector('.sv-board svg').ariaLabel === name",
        arg=name_of(view.board(path)),
    )
    focused = page.locator("[role=treeitem][tabindex='0']")
    assert focused.count() == 1
    assert focused.get_attribute("aria-selected") == "true"
    assert path[1] in focused.get_attribute("aria-label")
    keyboard.press("ArrowLeft")
    keyboard.press("ArrowLeft")
    assert shown.count() == 0
    keyboard.press("End")
    assert tops[-1]["move"] in page.locator(":focus").get_attribute("aria-label")


STEP_THROUGH = """(most) => {
  const forward = document.querySelector("[aria-label='Next step']");
  const heads = [];
  while (heads.length < most) {
    heads.push(document.querySelector(".sv-kind").innerText);
    if (forward.disabled) break;
    forward.click();
  }
  return heads;
}"""


@pytest.mark.parametrize("who", SEARCHES)
def test_every_step_can_be_shown(page, opened, who):
    steps = opened(who).steps()["steps"]
    page.click("text=Step through a small search")
    counted = f"step 1 of {len(steps)}"
    assert counted in page.locator(".sv-player").inner_text()
    heads = {
        "select": "Selection",
        "expand": "Expansion",
        "simulate": "Simulation",
        "evaluate": "Evaluation",
        "end": "End of the game",
        "proved": "Proof",
        "back_up": "Backpropagation",
        "enter": "New node",
        "leaf": "Leaf",
        "back": "Value returned",
        "cut_off": "Cut-off",
        "leave": "Node finished",
    }
    assert page.evaluate(STEP_THROUGH, 60) == [heads[step["kind"]] for step in steps[:60]]
    page.click("[aria-label='Last step']")
    assert f"step {len(steps)} of {len(steps)}" in page.locator(".sv-player").inner_text()


def test_after_the_last_step_the_diagram_counts_all_simulations(page, opened):
    told = opened("mcts_dev:n_simulations=500").steps()
    page.click("text=Step through a small search")
    page.click("[aria-label='Last step']")
    root = page.locator(".sv-node").filter(has_not=page.locator(".sv-move"))
    assert root.locator("text").first.inner_html() == str(told["simulations"])
    page.click("[aria-label='First step']")
    page.click("[aria-label='Next simulation']")
    assert "simulation 2" in page.locator(".sv-player").inner_text()


def test_a_cut_off_names_what_was_not_looked_at(page, opened):
    steps = opened("abp_negamax:depth=4").steps()["steps"]
    first = next(i for i, step in enumerate(steps) if step["kind"] == "cut_off")
    page.click("text=Step through a small search")
    page.evaluate(
        """at => { const slider = document.querySelector('.sv-player input');
        slider.value = at; slider.dispatchEvent(new Event('input')); }""",
        first + 1,
    )
    assert page.locator(".sv-kind").inner_text() == "Cut-off"
    assert (
        f"Not looked at: {' '.join(steps[first]['pruned'])}."
        in page.locator(".sv-say").inner_text()
    )


def test_names_are_only_text(page, opened):
    evil = "</script><img src=x onerror=alert(1)><!--<script>/*LOOK*/"
    opened(SEARCHES[0], agent=evil)
    assert evil in page.locator(".sv-head").inner_text()
    assert page.locator("img").count() == 0


@pytest.mark.parametrize(
    ("language", "scheme"),
    [
        ("en", "light"),
        ("ko", "dark"),
        pytest.param("en", "dark", marks=pytest.mark.slow),
        pytest.param("ko", "light", marks=pytest.mark.slow),
    ],
)
def test_it_is_accessible_and_fits_a_telephone(page, opened, scheme, language):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
    )
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 740})
    opened(SEARCHES[0], language)
    page.click(".sv-begin")
    page.locator("[role=treeitem]").first.press("ArrowRight")
    page.wait_for_selector("[role=group] [role=treeitem]")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    found = axe.Axe().run(page).response["violations"]
    assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == []


def test_the_file_holds_the_modules_as_they_are_and_both_languages(views):
    page = viewer_file(views[SEARCHES[0]])
    found = json.loads(re.search('<script type="importmap">(.*?)</script>', page)[1])["imports"]
    assert {"hansu/search_file.js", "hansu/viewer/viewer.js"} < set(found)
    for name, address in found.items():
        kind, _, text = address.partition(",")
        assert kind == "data:text/javascript;charset=utf-8"
        written = (STATIC / "js" / name.removeprefix("hansu/")).read_text(encoding="utf-8")
        assert unquote(text) == written
    held = json.loads(re.search('id="data">(.*?)</script>', page)[1])["words"]
    assert {code: words["language.name"] for code, words in held.items()} == languages()
    assert "play.title" not in held["en"]


def test_the_language_can_be_changed_in_the_file(page, opened):
    opened(SEARCHES[0], "ko")
    assert page.locator("html").get_attribute("lang") == "ko"
    assert page.locator("h1").inner_text() == "틱택토"
    page.get_by_role("combobox", name="언어").select_option("English")
    page.get_by_text("Step through a small search").wait_for()
    page.wait_for_selector("[role=treeitem]")
    assert page.locator("html").get_attribute("lang") == "en"


def test_an_unknown_language_is_one_sentence(views):
    with pytest.raises(HansuError, match="languages are en, ko"):
        viewer_file(views[SEARCHES[0]], "xx")


def test_the_address_can_ask_for_the_steps(page, tmp_path, views):
    path = tmp_path / "search.html"
    path.write_text(viewer_file(views[SEARCHES[0]]), encoding="utf-8")
    page.set_viewport_size({"width": 400, "height": 600})
    page.goto(f"{path.as_uri()}#steps")
    page.wait_for_selector(".sv-player [type=range]")
    page.wait_for_function("scrollY > 0")
    card = page.locator(".sv-card", has=page.locator(".sv-player")).bounding_box()
    assert abs(card["y"]) < 1
