"""After two passes of go a person and the opponent agree on the dead stones."""

import httpx
import pytest

from hansu.records.jsonl import read_jsonl
from hansu.records.sgf import read_sgf
from tests.web.driving import cell, click, expect, played, sit_down, wait_for_moves

WALL = "..x../o.x../..x../..x../..x.."  # all of it is Black's; the white stone on A4 is dead
ALWAYS_PASSES = """
import hansu

class Quiet(hansu.Agent):
    def act(self, state):
        return state.pass_move
"""


@pytest.fixture
def quiet(other_server, tmp_path):
    """A server with an opponent that passes."""
    (tmp_path / "quiet.py").write_text(ALWAYS_PASSES)
    return other_server(agents=tmp_path)


def against_quiet(page, server, color, side, **more):
    """Pass against the agent that passes."""
    agent = {"white" if color == "black" else "black": {"agent": "quiet.py"}}
    rules = {"size": 5, "komi": 0.5}
    sit_down(page, server, game="go", rules=rules, position=f"{WALL} {side}", **agent, **more)
    page.locator("#do-pass").click()


def record(page, server, form):
    table = page.url.split("/table/")[1].split("/")[0]
    return httpx.get(f"{server.url}/api/tables/{table}/record/{form}", timeout=60).text


def test_dead_stones_are_proposed_and_the_agreed_score_ends_the_game(quiet, page):
    against_quiet(page, quiet, "black", "black to move")
    page.get_by_role("heading", name="Which stones are dead?").wait_for()
    score = page.locator(".agreement")
    score.get_by_text("Black 25 – White 0.5: Black leads by 24.5").wait_for()
    expect(cell(page, "A4")).to_have_attribute("aria-label", "A4, white stone, dead")
    expect(cell(page, "C3")).to_have_attribute("aria-label", "C3, black stone, alive")
    cell(page, "A4").focus()
    page.keyboard.press("Enter")
    score.get_by_text("Black 15 – White 1.5: Black leads by 13.5").wait_for()
    expect(page.locator("#news")).to_contain_text("No stone is dead")
    click(page, "A4")
    score.get_by_text("Black leads by 24.5").wait_for()
    page.get_by_role("button", name="Agree").click()
    page.wait_for_selector(".status.over")
    assert page.locator(".status").inner_text().splitlines() == [
        "Black wins 25–0.5 points of area: both agreed on the dead stones",
        "Dead stones: A4",
    ]
    for form, read in (("jsonl", read_jsonl), ("sgf", read_sgf)):
        (kept,) = read(record(page, quiet, form))
        assert kept.moves == played(page) == ["pass", "pass"]
        assert (kept.outcome.reason, kept.outcome.margin) == ("agreement", 24.5)
        assert kept.evidence == "dead stones: A4"
    page.locator(".controls .menu summary").click()
    page.get_by_role("link", name="Replay from the start").click()
    page.wait_for_selector(".stepping")
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".status")).to_contain_text("25–0.5")
    expect(page.locator(".board circle[opacity='0.5']")).to_have_count(1)


def test_the_opponent_does_not_agree_to_losing_its_living_stones(quiet, page):
    against_quiet(page, quiet, "white", "white to move")
    page.get_by_role("button", name="Agree").wait_for()
    click(page, "C3")
    page.wait_for_selector("#refusal:visible")
    expect(page.locator("#refusal")).to_contain_text("quiet.py does not agree")
    expect(page.get_by_role("button", name="Agree")).to_be_disabled()
    expect(page.get_by_role("button", name="Count all as alive")).to_have_count(0)
    page.get_by_role("button", name="Play on").click()
    page.wait_for_selector(".agreement", state="hidden")
    assert played(page) == []
    click(page, "A3")
    wait_for_moves(page, 2)
    page.locator("#do-pass").click()
    page.get_by_role("button", name="Count all as alive").click()
    page.wait_for_selector(".status.over")
    expect(page.locator(".status")).to_have_text("Black wins 15–2.5 points of area: both passed")
    assert '"evidence": ""' in record(page, quiet, "jsonl")


def test_an_agreement_is_taken_back_like_a_move(quiet, page):
    against_quiet(page, quiet, "black", "black to move")
    page.get_by_role("button", name="Agree").click()
    page.wait_for_selector(".status.over")
    page.get_by_role("button", name="Take back").click()
    page.wait_for_selector(".board .open")
    assert played(page) == []
    expect(page.locator(".agreement")).to_be_hidden()


def test_without_agreement_the_rules_alone_count(quiet, page):
    against_quiet(page, quiet, "black", "black to move", agreement=False)
    page.wait_for_selector(".status.over")
    expect(page.locator(".status")).to_have_text("Black wins 15–1.5 points of area: both passed")


def test_only_what_can_be_agreed_on_is_taken(quiet, page, new_page):
    against_quiet(page, quiet, "black", "black to move")
    page.get_by_role("button", name="Agree").wait_for()
    spectator = new_page()
    spectator.goto(page.url)
    spectator.get_by_role("heading", name="Which stones are dead?").wait_for()
    expect(spectator.get_by_role("button", name="Agree")).to_have_count(0)
    expect(spectator.locator(".board .open")).to_have_count(0)
    expect(page.get_by_role("button", name="Resign")).to_be_disabled()
    expect(page.get_by_role("button", name="Hint")).to_be_disabled()
