"""Matches, tournaments and training runs on the page, live."""

import contextlib
import csv
import json
import os
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import httpx
import pytest

import hansu
from hansu.learning.log import Report
from hansu.learning.settings import Control, write_control
from hansu.records.jsonl import write_jsonl
from tests.web.driving import click, expect, played, wait_for_moves

MODELS = Path(hansu.__file__).parent / "learning" / "models"

REPORT = Report(
    round=1,
    seconds=1,
    games=10,
    samples=100,
    step=5,
    simulations_per_second=1000,
    turns_per_game=7,
    first_won=0.5,
    loss=2,
    policy_loss=1.5,
    value_loss=0.5,
    entropy=1,
    validation_policy_loss=None,
    validation_value_loss=None,
    learning_rate=0.01,
    simulations=32,
)


@pytest.fixture
def run_folder(tmp_path):
    folder = tmp_path / "runs" / "first"
    folder.mkdir(parents=True)
    with (folder / "log.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, asdict(REPORT))
        writer.writeheader()
        writer.writerow(asdict(REPORT))
        writer.writerow({**asdict(REPORT), "round": 2, "policy_loss": 1.25, "elo": 42.0})
        file.write("3,17")  # still being written
    write_control(folder, Control(learning_rate=0.01, simulations=32))
    games = [hansu.play_game("tictactoe", "minimax", "minimax", seed=seed) for seed in (1, 2)]
    (folder / "games.jsonl").write_text(write_jsonl(games) + "damaged\n")
    return folder


def test_a_match_is_started_and_its_games_replayed(page, server):
    page.goto(f"{server.url}/#/arena")
    page.locator("#arena-game").select_option("tictactoe")
    page.get_by_label("First agent").select_option("minimax")
    page.get_by_label("Second agent").select_option("first_move")
    page.locator("#arena-games").fill("4")
    page.get_by_role("button", name="Start the match").click()
    page.get_by_text("finished, 4 of 4 games").wait_for()
    expect(page.locator(".facts").first).to_contain_text("(+4 =0 −0)")
    expect(page.locator(".games li")).to_have_count(4)
    page.locator(".games a").first.click()
    page.wait_for_selector(".board svg")
    assert len(played(page)) >= 5
    expect(page.locator(".player.black b")).to_have_text("Minimax")


def test_a_tournament_is_shown_while_it_is_played(other_server, page, tmp_path):
    folder = tmp_path / "cups"
    hansu.tournament("tictactoe", "minimax", "random", "first_move", rounds=1, out=folder / "cup")
    server = other_server(tournaments=folder)
    page.goto(f"{server.url}/#/arena")
    page.get_by_role("link", name="cup").click()
    page.wait_for_selector(".standings")
    expect(page.locator(".standings tbody tr")).to_have_count(3)
    expect(page.locator(".standings tbody tr").first).to_contain_text("Minimax")
    expect(page.locator(".cross tbody tr")).to_have_count(3)
    page.locator(".games a").first.click()
    page.wait_for_selector(".board svg")


def test_a_match_has_one_set_of_numbers_on_the_page(other_server, page, tmp_path):
    result = hansu.tournament("tictactoe", "random", "first_move", rounds=10, out=tmp_path / "cup")
    server = other_server(tournaments=tmp_path)
    page.goto(f"{server.url}/#/arena/tournament/cup")
    page.wait_for_selector(".standings")
    match, told = result.match, page.locator(".facts").first.inner_text()
    elo = f"{abs(match.elo):.0f} ± {match.elo_error:.0f}"
    assert elo in told
    assert f"{100 * match.superiority:.1f}".rstrip("0").rstrip(".") + "%" in told
    assert str(match.pentanomial) in told
    rows = page.locator(".standings tbody tr").all_inner_texts()
    assert [elo in row for row in rows] == ["Random" in row for row in rows]
    shown = {"decided": "is stronger", "ahead": "ahead", "open": "no clear difference yet"}
    assert shown[match.conclusion] in told


def test_a_phone_shows_what_counts_without_scrolling(new_page, other_server, tmp_path):
    hansu.tournament("tictactoe", "random", "first_move", rounds=2, out=tmp_path / "cup")
    server = other_server(tournaments=tmp_path)
    page = new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{server.url}/#/arena/tournament/cup")
    page.locator(".standings").wait_for()
    seen = {"verdict": page.locator(".facts td").first, "rating": page.get_by_text(" ± ").last}
    seen["the tab"] = page.locator("#pages [aria-current]")
    for what, place in seen.items():
        box = place.bounding_box()
        assert 0 <= box["x"] < box["x"] + box["width"] <= 390, what


def test_what_cannot_be_read_is_said_in_the_page_until_it_can(other_server, page, tmp_path):
    hansu.tournament("tictactoe", "minimax", "first_move", rounds=1, out=tmp_path / "cup")
    file = tmp_path / "cup" / "tournament.sqlite"
    whole = file.read_bytes()
    file.write_bytes(b"damaged")
    server = other_server(tournaments=tmp_path)
    page.goto(f"{server.url}/#/arena")
    page.get_by_role("link", name="cup").click()
    page.locator(".bad:visible").wait_for()
    assert page.get_by_role("heading").all_inner_texts() == ["cup"]  # not the page before
    file.write_bytes(whole)
    page.wait_for_selector(".standings")
    assert page.locator(".bad:visible").count() == 0


FAULTY = """
import hansu

class Faulty(hansu.Agent):
    def act(self, state):
        raise ValueError("not today")
"""

SLOW = """
import time

import hansu

class Slow(hansu.Agent):
    def act(self, state):
        time.sleep(0.3)
        return state.legal_moves[-1]
"""


@pytest.fixture
def own_agents(tmp_path):
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "faulty.py").write_text(FAULTY)
    (folder / "slow.py").write_text(SLOW)
    return folder


def enter(page, server, *agents, game="tictactoe", rounds="1", kind="Round robin"):
    """Start a tournament by hand."""
    page.goto(f"{server.url}/#/arena")
    page.locator("#arena-game").select_option(game)
    page.get_by_role("radio", name="Tournament (3+)").check()
    page.get_by_label("Pairing").select_option(kind)
    for _ in agents[3:]:
        page.get_by_role("button", name="Add an agent").click()
    for _ in range(3 - len(agents)):
        page.get_by_role("button", name="Remove").first.click()
    for number, agent in enumerate(agents, 1):
        page.get_by_label(f"Agent {number}", exact=True).select_option(agent)
    page.locator("#arena-rounds").fill(rounds)
    page.get_by_role("button", name="Start the tournament").click()
    page.wait_for_selector(".standings")


def test_a_tournament_is_started_with_agents_of_the_organisers_folder(
    other_server, page, own_agents
):
    server = other_server(agents=own_agents)
    page.goto(f"{server.url}/#/arena")
    enter(page, server, "minimax", "random", "first_move", "faulty.py")
    page.get_by_text("finished, 12 of 12 games").wait_for()
    rows = page.locator(".standings tbody tr").all_inner_texts()
    assert "Minimax" in rows[0]
    assert "faulty.py" in rows[-1]
    expect(page.locator(".rating svg line")).to_have_count(4)
    expect(page.locator(".cross tbody tr")).to_have_count(4)
    faults = page.get_by_role("heading", name="Disqualifications").locator("..").locator("li")
    expect(faults).to_have_count(6)
    expect(faults.first).to_contain_text("the agent failed – ./faulty.py: ValueError: not today")
    faults.first.get_by_role("link").click()
    page.wait_for_selector(".board svg")
    expect(page.locator(".status")).to_contain_text("not today")


def test_a_game_is_followed_while_it_is_played_and_the_tournament_stopped(
    other_server, page, own_agents
):
    server = other_server(agents=own_agents)
    enter(page, server, "slow.py", "first_move", game="othello", rounds="20", kind="Gauntlet")
    page.get_by_role("heading", name="In progress").wait_for()
    address = page.url
    page.get_by_role("link", name="slow.py").first.click()
    page.wait_for_selector(".board svg")
    before = len(played(page))
    page.wait_for_function(
        "n => document.querySelectorAll('.moves [data-move]').length > n && "
        "document.querySelector('.moves li:last-child').hasAttribute('aria-current')",
        arg=before,
    )
    page.goto(address)
    page.get_by_role("button", name="Stop the tournament").click()
    page.get_by_text("Othello, stopped").wait_for()
    page.get_by_role("button", name="Resume").click()
    page.get_by_text("Othello, in progress").wait_for()
    page.get_by_text("Gauntlet · 20 rounds").wait_for()
    page.get_by_role("button", name="Stop the tournament").click()
    page.get_by_text("Othello, stopped").wait_for()


def test_tournaments_are_bounded(other_server):
    server = other_server(token="secret")
    wanted = {"game": "tictactoe", "agents": [{"agent": "random"}, {"agent": "first_move"}]}

    def begin(token="secret", **change):
        return httpx.post(
            f"{server.url}/api/tournaments",
            json={**wanted, **change},
            headers={"x-hansu-token": token},
            timeout=60,
        )

    assert begin(token="").status_code == 401
    assert begin(agents=[{"agent": "random"}]).status_code == 422
    assert begin(agents=[{"agent": "random"}] * 17).status_code == 422
    assert begin(agents=[{"agent": "/etc/passwd"}, {"agent": "random"}]).status_code == 400
    assert begin(rounds=1000).status_code == 422
    many = [{"agent": "mcts", "options": {"search_time": n}} for n in range(1, 17)]
    assert "too many: 1000 at most" in begin(agents=many, rounds=100).json()["detail"]
    for path in ("stop", "go_on"):
        answer = httpx.post(f"{server.url}/api/tournaments/other/{path}", json={}, timeout=60)
        assert answer.status_code == 401


def test_a_match_with_an_agent_of_the_organisers_folder(other_server, page, own_agents):
    server = other_server(agents=own_agents)
    page.goto(f"{server.url}/#/arena")
    page.locator("#arena-game").select_option("tictactoe")
    for seat in ("First agent", "Second agent"):  # against itself
        page.get_by_label(seat).select_option("faulty.py")
    page.locator("#arena-games").fill("2")
    page.get_by_role("button", name="Start the match").click()
    page.get_by_text("finished, 2 of 2 games").wait_for()
    assert page.get_by_role("heading", level=1).inner_text().endswith(" faulty.py v faulty.py")
    told = page.locator("main").inner_text()
    assert "./faulty.py#2" in told
    assert "not today" in told
    assert str(own_agents) not in told


def test_only_folders_that_are_shown_can_be_named(other_server, tmp_path, run_folder):
    server = other_server(runs=tmp_path / "runs")
    get = lambda path: httpx.get(f"{server.url}/api/{path}", timeout=60)  # noqa: E731
    assert get("arena").json()["runs"] == ["first"]
    assert get("runs/first").status_code == 200
    assert get("runs/first/games/1").status_code == 200
    assert get("runs/first/games/2").status_code == 400
    for name in ("second", "..", "%2e%2e", "..%2fruns%2ffirst", "."):
        assert get(f"runs/{name}").status_code in (400, 404)
    assert get("tournaments/first").status_code == 400


def test_what_went_on_last_is_listed_first(other_server, tmp_path):
    for name, grew in (("a", 1000), ("c", 3000), ("b", 2000)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "log.csv").touch()
        os.utime(tmp_path / name / "log.csv", (grew, grew))
    server = other_server(runs=tmp_path)
    assert httpx.get(f"{server.url}/api/arena", timeout=60).json()["runs"] == ["c", "b", "a"]


def test_a_training_run_is_shown_and_steered(page, other_server, tmp_path, run_folder):
    server = other_server(runs=tmp_path / "runs")
    page.goto(f"{server.url}/#/training")
    page.get_by_role("link", name="first").click()
    page.wait_for_selector(".curves svg")
    shown = page.locator(".curves").inner_text()
    assert "Policy loss (nats)" in shown
    assert "1.25" in shown
    assert "42" in shown
    assert "Training time (" in page.locator(".curves svg").first.text_content()
    assert page.locator(".curves svg").first.locator(".tick").count() > 1
    with page.expect_response("**/control"):
        page.locator("input[name=simulations]").press("End")
    assert json.loads((run_folder / "control.json").read_text())["simulations"] == 2000
    write_control(run_folder, Control(learning_rate=0.1, simulations=2))  # by somebody else
    with page.expect_response("**/control"):
        page.locator("input[name=cpuct]").press("End")
    now = Control(learning_rate=0.1, simulations=2, cpuct=5)
    assert json.loads((run_folder / "control.json").read_text()) == asdict(now)
    page.wait_for_function("() => document.querySelector('[name=simulations]').value === '0'")
    expect(page.locator("output")).to_have_text(["0.1", "2", "5", "-2"])
    page.get_by_role("heading", name="Games of the last round").wait_for()
    page.get_by_role("link", name="2. minimax").click()
    page.wait_for_selector(".board svg")
    assert len(played(page)) == 9


def test_the_model_of_a_run_is_played_against(page, other_server, tmp_path, run_folder):
    server = other_server(runs=tmp_path / "runs")
    (run_folder / "run.json").write_text(json.dumps({"game": "tictactoe"}))
    page.goto(f"{server.url}/#/training/first")
    page.get_by_text("Tic-tac-toe · stopped").wait_for()
    expect(page.get_by_role("button", name="Play this model")).to_be_hidden()
    refused = httpx.post(
        f"{server.url}/api/tables",
        json={"game": "tictactoe", "black": {"agent": "run/first"}},
        timeout=60,
    )
    assert "has no model" in refused.json()["detail"]
    with hold_run(run_folder):
        page.get_by_text("Tic-tac-toe · running").wait_for()
    shutil.copy(MODELS / "tictactoe.onnx", run_folder / "model.onnx")
    page.get_by_role("button", name="Play this model").click()
    page.wait_for_selector(".board .open")
    expect(page.locator(".player.black b")).to_have_text("Model of first")
    click(page, "b2")
    wait_for_moves(page, 2)
    for name in ("run/second", "run/..", "run/"):
        wanted = {"game": "tictactoe", "black": {"agent": name}}
        refused = httpx.post(f"{server.url}/api/tables", json=wanted, timeout=60)
        assert refused.status_code == 400, name


@contextlib.contextmanager
def hold_run(folder):
    """Another process trains in a folder."""
    code = (
        f"import pathlib, sys; from hansu.file_lock import hold; hold(pathlib.Path({str(folder)!r})"
    )
    code += " / 'lock'); print(flush=True); sys.stdin.read()"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as process:
        process.stdout.readline()
        yield
        process.stdin.close()


def test_a_tournament_is_told_as_its_report_tells_it(page, other_server, tmp_path):
    folder = tmp_path / "cups"
    hansu.tournament("tictactoe", "minimax", "random", "first_move", rounds=1, out=folder / "cup")
    server = other_server(tournaments=folder)
    page.goto(f"{server.url}/#/arena/tournament/cup")
    page.wait_for_selector(".standings")
    shown = page.locator("main").inner_text()
    for part in (
        "1 round",
        "400 s per player per game",
        "seed ",
        "trusted: ",
        "games are distinct",
    ):
        assert part in shown, part
    expect(page.locator(".games li")).to_have_count(6)
    page.locator(".cross button").first.click()
    expect(page.locator(".games li")).to_have_count(2)
    page.get_by_label("Opponent").select_option("")
    expect(page.locator(".games li")).to_have_count(4)
    facts = httpx.get(f"{server.url}/api/tournaments/cup", timeout=60).json()
    assert facts["terms"]["seed"].isdigit()
    assert "seed" not in facts


def test_what_the_trainer_would_refuse_is_refused(other_server, tmp_path, run_folder):
    server = other_server(runs=tmp_path / "runs")

    def ask(**wanted):
        answer = httpx.post(f"{server.url}/api/runs/first/control", json=wanted, timeout=60)
        assert answer.status_code == 400
        return answer.json()["detail"]

    assert "learning_rate 7" in ask(learning_rate=7)
    (run_folder / "control.json").write_text("{")
    assert "control.json of this run cannot be read" in ask(cpuct=2)
    assert (run_folder / "control.json").read_text() == "{"
