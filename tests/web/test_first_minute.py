"""The first minute: games as pictures, a board at once, an opponent of the right strength."""

import re

import numba
import pytest

from hansu.games.game import GAMES
from tests.web.driving import cell, click, expect, played, sit_down, wait_for_moves

SCREEN = {"width": 1366, "height": 768}


def is_in_sight(page, part):
    box = part.bounding_box()
    return box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"]


def test_one_click_leads_from_the_first_page_to_a_board(new_page, server):
    page = new_page(viewport=SCREEN, locale="ko-KR")
    page.goto(server.url)
    tiles = page.locator(".tile")
    tiles.first.wait_for()
    expect(tiles).to_have_count(len(GAMES))
    for size in ({"width": 1920, "height": 1080}, SCREEN):
        page.set_viewport_size(size)
        assert all(is_in_sight(page, tile) for tile in tiles.all())
    page.get_by_text("아홉 칸 판에서 세 개를 먼저 이으면 이깁니다.").wait_for()
    for image in page.locator(".tile img").all():
        assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    page.get_by_role("link", name="틱택토 바로 두기").click()
    page.wait_for_selector(".board .open")
    expect(page.locator(".player.black b")).to_have_text("3단계 · 초급")
    about = page.locator(".moves .about")
    expect(about).to_have_text("아홉 칸 판에서 세 개를 먼저 이으면 이깁니다. 규칙")
    click(page, "b2")
    wait_for_moves(page, 2)
    expect(about).to_have_count(0)
    page.locator(".brand").click()
    page.get_by_role("link", name="틱택토 규칙").click()
    page.get_by_role("heading", name="틱택토 두는 법").wait_for()
    assert page.locator(".rules-text section").count() == 4
    assert page.locator(".rules-text figure").count() == 0
    page.locator(".tabs").get_by_role("link", name="바둑").click()
    example = page.locator(".rules-text figure")
    assert "흑이 4집 차이로" in example.inner_text()
    assert example.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)")


def test_an_opponent_is_a_level_and_the_choice_is_remembered(new_page, server):
    page = new_page(viewport=SCREEN)
    for kind in ("play", "watch", "analysis"):
        page.goto(f"{server.url}/#/{kind}?game=go")
        start = page.locator("button.main")
        start.wait_for()
        assert is_in_sight(page, start), kind
    page.goto(f"{server.url}/#/play?game=tictactoe")
    levels = page.get_by_role("group", name="Opponent's level").get_by_role("radio")
    levels.nth(9).wait_for()
    expect(levels).to_have_count(10)
    page.get_by_role("radio", name="Level 2 · Beginner").check()
    assert re.fullmatch(r"Beginner\s*rating [\d,]+", page.locator(".level-name").inner_text())
    page.get_by_role("radio", name="O", exact=True).check()
    with page.expect_request("**/api/tables") as asked:
        page.get_by_role("button", name="Start the game").click()
    sent = asked.value.post_data_json
    assert sent["white"] == {"agent": "engine", "options": {"level": 2}}
    assert sent["delay"] == 0.4  # one sees one's own move first
    wait_for_moves(page, 1)
    expect(page.locator(".player.white b")).to_have_text("Level 2 · Beginner")
    page.get_by_role("link", name="New game").click()
    page.get_by_role("radio", name="Level 2 · Beginner").wait_for()
    expect(page.get_by_role("radio", name="Level 2 · Beginner")).to_be_checked()
    expect(page.get_by_role("radio", name="O", exact=True)).to_be_checked()
    expect(page.get_by_role("radio", name="Tic-tac-toe")).to_be_checked()


def test_what_an_opponent_thinks_is_shown_on_demand(new_page, server):
    page = new_page(viewport=SCREEN)
    page.goto(f"{server.url}/#/play?game=microchess&agent=mcts_dev&begin=1&delay=0")
    page.wait_for_selector(".board .open")
    click(page, "d2", "d3")
    wait_for_moves(page, 2)
    expect(page.locator("#search tbody tr")).to_have_count(0)
    page.get_by_label("Show the opponent's thinking").check()
    page.wait_for_selector("#search tbody tr")
    best = page.locator("#search tbody th").first.inner_text()
    expect(page.locator(".moves .move").nth(1)).to_have_text(best)  # both in SAN


def test_the_page_is_installed_and_shown_without_its_server(new_page, other_server):
    server = other_server()
    page = new_page(server_ends=True, viewport=SCREEN, service_workers="allow")
    page.goto(server.url)
    page.locator(".tile").first.wait_for()
    manifest = page.evaluate(
        "fetch(document.querySelector('[rel=manifest]').href).then(r => r.json())"
    )
    assert manifest["display"] == "standalone"
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # now through the worker, which keeps it
    page.locator(".tile").first.wait_for()
    page.wait_for_load_state("networkidle")
    server.close()
    page.reload()
    page.locator(".tile").first.wait_for()
    page.get_by_role("link", name="Play Go now").click()
    said = "The server does not answer. Start it with: hansu serve"
    page.get_by_text(said).wait_for()


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_nobody_waits_for_the_compiler(new_page, command_server, tmp_path):
    cache = tmp_path / "kernels"
    server = command_server("--data", str(tmp_path / "data"), cache=cache)
    page = new_page(viewport=SCREEN)
    page.goto(f"{server.url}/#/play?game=microchess&begin=1&agent=engine:level%3D3&delay=0")
    click(page, "d2", "d3")
    wait_for_moves(page, 2)  # a level plays at once, interpreted
    wanted = {"game": "othello", "white": {"agent": "engine", "options": {"search_time": 1}}}
    sit_down(page, server, **wanted)
    click(page, "d3")
    page.get_by_text("Compiling the game (first time only)").wait_for()
    expect(cell(page, "d3")).to_have_attribute("data-piece", "black_disc")
    page.get_by_role("button", name="Take back").click()
    page.wait_for_selector(".board .open")
    assert played(page) == []
