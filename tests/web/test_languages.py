"""A language is one file: what it needs beside that is nothing."""

import json
import re
import shutil

import httpx
import pytest

import hansu
from hansu.arena.tournament.report import report
from hansu.games import dictionary
from tests.web.driving import begin, expect

GERMAN = {
    "language.name": "Deutsch",
    "language": "Sprache",
    "play.title": "Spielen",
    "play.begin": "Spiel beginnen",
    "turn.yours": "Sie sind am Zug ({color})",
    "game.tictactoe": "Drei in einer Reihe",
    "color.tictactoe.white": "Kreuz",
    "replay.turns": "{count} Züge",
    "report.title": "{game}: Turnier",
}


@pytest.fixture
def third_language(tmp_path, monkeypatch):
    """A copy of the dictionaries with one file more."""
    folder = tmp_path / "words"
    shutil.copytree(dictionary.WORDS, folder)
    (folder / "de.json").write_text(json.dumps(GERMAN), encoding="utf-8")
    monkeypatch.setattr(dictionary, "WORDS", folder)
    dictionary.words.cache_clear()
    yield "de"
    dictionary.words.cache_clear()


def test_the_page_offers_and_speaks_a_third_language(third_language, other_server, new_page):
    server = other_server()
    page = new_page(locale="de-AT")  # a browser that prefers it gets it
    page.goto(f"{server.url}/#/play")
    page.get_by_role("button", name="Spiel beginnen").wait_for()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    menu = page.get_by_role("combobox", name="Sprache")
    expect(menu.locator("option")).to_have_text(["Deutsch", "English", "한국어"])
    begin(page, server, "tictactoe", agent="first_move")
    expect(page.locator(".status")).to_have_text("Sie sind am Zug (Kreuz)")
    page.get_by_role("button", name="Resign").wait_for()  # not translated: English
    menu.select_option("한국어")
    page.get_by_role("button", name="기권").wait_for()
    page.reload()
    page.get_by_role("button", name="기권").wait_for()


def test_numbers_follow_the_language(third_language, other_server, new_page):
    server = other_server()
    page = new_page(locale="de-AT")
    page.goto(f"{server.url}/#/watch")
    page.wait_for_selector("select[name=think]")
    expect(page.locator("select[name=think]")).to_contain_text("0,3 s")


def test_a_report_speaks_every_language(third_language, new_page, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(report(hansu.tournament("tictactoe", "random", "first_move")), encoding="utf-8")
    page = new_page(locale="de-AT")
    page.goto(file.as_uri())
    page.get_by_role("heading", name="Drei in einer Reihe: Turnier").wait_for()
    expect(page.locator(".games")).to_contain_text("Züge")
    page.get_by_role("combobox", name="Sprache").select_option("한국어")
    page.get_by_role("heading", name="틱택토 대회").wait_for()
    assert re.search(r"\d수", page.locator(".games").inner_text())
    page.get_by_role("combobox", name="언어").select_option("English")
    page.get_by_role("heading", name="Tic-tac-toe tournament").wait_for()
    seen = page.locator("main").inner_text()
    assert not re.search(r"\b(report|match|tournament|replay|reason|format)\.[a-z]", seen)


def test_an_english_plural_is_not_mixed_into_another_language(third_language):
    english, other = dictionary.words("en"), dictionary.words("de")
    assert "replay.turns.one" in english
    assert "replay.turns.one" not in other
    assert "replay.found.one" in other  # which is English altogether


def test_no_language_but_those_that_there_are(server):
    for code in ("xx", "EN", "en.json", "..%2f..%2fpage"):
        assert httpx.get(f"{server.url}/words/{code}.json", timeout=60).status_code in (400, 404)
