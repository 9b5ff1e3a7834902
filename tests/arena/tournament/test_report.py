"""The report: one file, complete, harmless, and a browser can show it."""

import base64
import json
import re
import shutil
import subprocess
import zlib

import pytest

import hansu
from hansu.arena.tournament.report import positions, report
from hansu.arena.tournament.result import TournamentResult
from hansu.games.dictionary import words
from hansu.records.record import GameRecord

HOSTILE = "</script><script>document.title='broken'</script><img src=x onerror=alert(1)>"


def data(page: str) -> dict:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    return json.loads(found.group(1))


def boards(packed: str) -> list[str]:
    facts = json.loads(zlib.decompress(base64.b64decode(packed)))
    return ["".join(facts["tags"][n] for n in numbers) for numbers in facts["boards"]]


@pytest.fixture(scope="module", params=["tictactoe", "microchess", "go:size=5"])
def result(request) -> TournamentResult:
    return hansu.tournament(request.param, "random", "one_step_search", "malfunction", rounds=2)


def test_every_board_of_every_game_is_the_states_own_picture(result):
    shown = data(report(result))["games"]
    assert len(shown) == len(result.games) == 12
    for game, record in zip(shown, result.games, strict=True):
        state = hansu.game(record.game).parse(record.start)
        pictures = boards(game["boards"])
        assert len(pictures) == len(record.moves) + 1
        assert pictures[0] == state.svg()
        for move, picture in zip(record.moves, pictures[1:], strict=True):
            state = state.forward(state.parse_move(move))
            assert picture == state.svg()


def test_the_page_needs_nothing_from_elsewhere(result):
    page = report(result)
    links = set(re.findall(r"https?://[^\s\"'<>\\]+", page))
    assert links <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"}
    assert not re.search(r"\b(src|href)\s*=", page.split('id="data">')[0])
    assert "default-src 'none'" in page


def test_a_hundred_games_stay_small(result):
    assert len(report(result)) / len(result.games) < 30_000  # bytes a game, the page included


def test_a_resignation_repeats_the_board():
    record = GameRecord("tictactoe", "a", "b", ".........", True, 0)
    record.turns = [hansu.records.record.Turn("b2", 0.1), hansu.records.record.Turn("resign", 0.1)]
    assert [state.text() for state in positions(record)] == [".........", "....X....", "....X...."]


@pytest.fixture
def browser():
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no chromium here")

    def show(file, fragment=""):
        command = [found, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
                   "--virtual-time-budget=5000", f"file://{file}{fragment}"]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        return re.sub(r"<script.*?</script>", "", done.stdout, flags=re.S)

    return show


def test_a_browser_shows_table_ratings_and_boards(result, browser, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(report(result), encoding="utf-8")
    number, record = max(result.records.items(), key=lambda item: len(item[1].moves))
    page = browser(file, f"#game={number + 1}&move=1")
    for line in result.facts()["standings"]:
        name = words("en").get(f"agent.{line['agent']}", line["agent"])
        assert page.count(name) > 5
        assert f"± {int(line['error'] + 0.5)} Elo" in page
    assert page.count('id="game-') == 12
    shown = words("en")["tournament.score_lost"] in page
    assert shown == any(standing.accuracy for standing in result.standings)
    board = hansu.game(result.plan.game).start()
    board.push(board.parse_move(record.moves[0]))
    title = re.search("<title>(.*?)</title>", board.svg()).group(1)
    assert title in page.split('class="board"')[1]


def test_names_and_evidence_cannot_become_markup(browser, tmp_path):
    class Loud(hansu.Agent):
        def act(self, state):
            raise ValueError(HOSTILE)

    loud = Loud(HOSTILE)
    result = hansu.tournament("tictactoe", loud, "random")
    assert HOSTILE in result.disqualified[0]["evidence"]
    page = report(result)
    assert data(page)["standings"][1]["agent"] == HOSTILE
    file = tmp_path / "report.html"
    file.write_text(page, encoding="utf-8")
    shown = browser(file)
    assert "<title>Tic-tac-toe tournament</title>" in shown
    assert "<img" not in shown
    assert "&lt;img" in shown
