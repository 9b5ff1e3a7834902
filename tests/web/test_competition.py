"""The page of a competition: everybody sees the table, and nobody what is another's."""

import hashlib
import io
import json
import zipfile
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files

import httpx
import pytest

from hansu.arena.competition.bundle import Bundle
from hansu.arena.competition.register import Register
from hansu.arena.competition.settings import FILE, read_competition
from hansu.arena.competition.template import new_competition
from hansu.arena.tournament.ledger import Ledger
from hansu.arena.tournament.plan import Plan
from hansu.games.state import Outcome
from hansu.records.provenance import provenance
from hansu.records.record import GameRecord, Turn
from tests.web.driving import expect
from tests.web.talking import PLAIN

AGENT = "import hansu\n# secret-of-{}\n"
SEED = 271828182845904523536028747135
PUBLIC = (
    "", "/cross", "/history", "/games/rating", "/games/rating?player=kim", "/games/rating/0",
    "/games/rating/1", "/games/rating/2", "/games/rating/7", "/finals/none", "/games/none/0",
)  # fmt: skip


class Cup:
    """A competition with two participants, a lost game each, and a game in progress."""

    def __init__(self, folder, *changes):
        text = new_competition(folder, "tictactoe").read_text()
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (folder / FILE).write_text(text)
        self.folder = folder
        self.register = register = Register(folder, read_competition(folder))
        register.enter_staff()
        ledger = Ledger(register.database)
        ledger.enter(Plan("tictactoe", (), 1, "round-robin", None, None, 60, None, 0.0, SEED, True))
        self.tokens = {name: register.invite(name) for name in ("kim", "lee")}
        for name in self.tokens:
            entry = register.submit(name, self.bundle(name), "page")
            finding = {"situation": "s", "reason": "crash", "evidence": f"report-of-{name}",
                       "turn": 1}  # fmt: skip
            register.decide(entry, "accepted", {"findings": [finding]})
        for number, (first, second) in enumerate((("kim#1", "lee#1"), ("lee#1", "kim#1"))):
            record = GameRecord("tictactoe", first, second, ".........", True, 10**20 + number)
            record.turns = [Turn("b2")]
            digests = (self.bundle(name[:3]).digest for name in (first, second))
            record.provenance = provenance(*digests)
            record.outcome = Outcome(True, "crash")
            record.evidence = f"{second}: <img src=x onerror=alert(1)> evidence-of-{second[:3]}"
            ledger.add(number, record)
        playing = GameRecord("tictactoe", "kim#1", "lee#1", ".........", True, 31337, [Turn("b2")])
        (folder / "playing").mkdir()
        (folder / "playing" / "7.json").write_text(playing.as_json())

    @staticmethod
    def bundle(name):
        return Bundle({"agent.py": AGENT.format(name).encode()})

    def secrets(self):
        """What nobody but its owner may see, by owner."""
        found = {
            name: [token, f"evidence-of-{name}", f"report-of-{name}", f"secret-of-{name}",
                   self.bundle(name).digest, hashlib.sha256(token.encode()).hexdigest()]
            for name, token in self.tokens.items()
        }  # fmt: skip
        return {**found, "": [str(SEED), "31337", str(self.folder)]}


@pytest.fixture
def open_cup(tmp_path, other_server):
    def opened(*changes):
        cup = Cup(tmp_path / "cup", *changes)
        return cup, other_server(competition=cup.folder)

    return opened


def get(server, path, token=""):
    headers = {"x-hansu-participant": token} if token else {}
    return httpx.get(f"{server.url}/api/competition{path}", headers=headers, **PLAIN)


def send(server, token, content, name="agent.py"):
    address = f"{server.url}/api/competition/submissions"
    headers = {"x-hansu-participant": token}
    return httpx.post(address, params={"name": name}, content=content, headers=headers, **PLAIN)


def test_spectators_see_the_table_and_nothing_private(open_cup):
    cup, server = open_cup()
    said = "".join(get(server, path).text for path in PUBLIC)
    assert "kim" in said
    for secrets in cup.secrets().values():
        for secret in secrets:
            assert secret not in said
    assert get(server, "").json()["standings"][0]["games"] in (0, 2)
    assert [game["number"] for game in get(server, "").json()["playing"]] == [7]
    record = get(server, "/games/rating/0").json()
    assert (record["reason"], record["evidence"], record["moves"]) == ("crash", "", ["b2"])


def test_participants_see_their_own_and_nothing_of_others(open_cup):
    cup, server = open_cup()
    secrets = cup.secrets()
    for me, other in (("kim", "lee"), ("lee", "kim")):
        own = get(server, "/me", cup.tokens[me])
        said = own.text + "".join(get(server, path, cup.tokens[me]).text for path in PUBLIC)
        assert f"evidence-of-{me}" in said
        assert f"report-of-{me}" in own.text
        assert own.json()["versions"][0]["digest"] == cup.bundle(me).digest
        for secret in [*secrets[other], *secrets[""], cup.tokens[me]]:
            assert secret not in said


@pytest.mark.parametrize("token", ["", "x", "x" * 200, "kim", "' OR 1=1 --", "%00"])
def test_without_a_token_of_ones_own_there_is_nothing(open_cup, token):
    cup, server = open_cup()
    for answer in (get(server, "/me", token), send(server, token, b"import hansu")):
        assert answer.status_code == 401
        assert answer.json()["rule"] == "participant_token"
    assert len(cup.register.entries()) == 4
    cup.tokens["kim"], old = cup.register.invite("kim"), cup.tokens["kim"]
    assert get(server, "/me", old).status_code == 401
    assert get(server, "/me", cup.tokens["kim"]).status_code == 200


def test_a_submission_by_the_page_is_kept_and_waits_for_its_check(open_cup):
    cup, server = open_cup(("per_day = 10", "per_day = 3"))
    answer = send(server, cup.tokens["kim"], b"import hansu\n# two\n")
    assert answer.json() == {
        "version": 2,
        "digest": hashlib.sha256(b"import hansu\n# two\n").hexdigest(),
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("mine/agent.py", "import hansu\n# three\n")
        archive.writestr("mine/data.txt", "x")
    assert send(server, cup.tokens["kim"], content.getvalue(), "a.zip").json()["version"] == 3
    refused = send(server, cup.tokens["kim"], b"import hansu\n# four\n")
    assert refused.status_code == 400
    assert "24 hours" in refused.json()["detail"]
    mine = [e for e in cup.register.entries().values() if e.participant == "kim"]
    assert [(e.status, e.source) for e in mine[1:]] == [("received", "page")] * 2
    assert cup.register.store.read(mine[2].digest).files["data.txt"] == b"x"
    assert get(server, "").json()["waiting"] == 2


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("agent.exe", b"MZ", 400),
        ("a.zip", b"PK\x03\x04 no archive", 400),
        ("a.tar.gz", b"\x1f\x8b no archive", 400),
        ("../../x", b"", 400),
        ("a\x1b[2J.py\n", b"import hansu", 400),
        ("agent.py", b"x" * (2 << 20), 413),
        ("agent.py", b"\0", 400),
        ("x" * 300, b"", 422),
    ],
)
def test_what_is_no_submission_is_refused_in_a_sentence(open_cup, name, content, status):
    cup, server = open_cup()
    answer = send(server, cup.tokens["kim"], content, name)
    assert answer.status_code == status
    assert answer.json()["detail"].isprintable()
    assert len(cup.register.entries()) == 4
    assert not [e for e in cup.folder.rglob("*") if ".part" in e.name]


def test_a_class_behind_one_address_is_many_participants(open_cup):
    cup, server = open_cup()
    tokens = [cup.register.invite(f"p{i}") for i in range(30)]
    with ThreadPoolExecutor(30) as together:
        answers = list(together.map(lambda token: get(server, "/me", token).status_code, tokens))
    assert answers == [200] * 30


def test_other_sites_cannot_submit_through_a_visitors_browser(open_cup):
    cup, server = open_cup()
    headers = {"origin": "http://evil.example", "x-hansu-participant": cup.tokens["kim"]}
    address = f"{server.url}/api/competition/submissions?name=agent.py"
    assert httpx.post(address, content=b"x", headers=headers).status_code == 403
    assert httpx.get(f"{server.url}/api/competition/me", headers=headers).status_code == 403


def test_beside_a_competition_nothing_else_is_started(open_cup):
    _, server = open_cup()
    for path, body in {
        "/api/tables": {"game": "tictactoe"},
        "/api/tournaments": {"game": "tictactoe", "agents": [{"agent": "random"}] * 2},
        "/api/records": {},
    }.items():
        assert httpx.post(f"{server.url}{path}", json=body).status_code == 403
    line = get(server, "/games/rating/0").text
    replayed = httpx.post(f"{server.url}/api/replay", content=line.encode(), timeout=60)
    assert replayed.status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/store", "/competition.sqlite", "/competition.toml", "/../competition.toml",
     "/%2e%2e/competition.sqlite", "/api/competition/games/..%2f..%2fcompetition.sqlite/0",
     "/api/competition/finals/..%2f..%2fstore", "/playing/7.json", "/reports/kim.txt"],
)  # fmt: skip
def test_no_file_of_the_competition_can_be_asked_for(open_cup, path):
    cup, server = open_cup()
    answer = httpx.get(f"{server.url}{path}")
    assert answer.status_code in (400, 404)
    assert str(cup.folder) not in answer.text


def test_in_anonymous_mode_spectators_see_made_up_names(open_cup):
    cup, server = open_cup(("anonymous = false", "anonymous = true"))
    said = "".join(get(server, path).text for path in PUBLIC)
    assert "kim" not in said
    assert "lee" not in said
    assert "staff-random" in said
    own = get(server, "/me", cup.tokens["kim"]).json()
    assert own["name"] == "kim"
    assert own["alias"] in said
    assert own["alias"] != get(server, "/me", cup.tokens["lee"]).json()["alias"]
    games = get(server, f"/games/rating?player={own['alias']}").json()
    assert games["found"] == 2


def test_the_page_in_both_languages(open_cup, new_page):
    cup, server = open_cup()
    pages = {"en-GB": ("Leaderboard", "My page"), "ko-KR": ("순위표", "내 페이지")}
    for count, (language, (title, mine)) in enumerate(pages.items(), 1):
        page = new_page(locale=language)
        page.goto(server.url)
        page.wait_for_selector(f"text={title}")
        expect(page.locator(".standings tbody tr")).to_have_count(4)
        page.locator("a.button", has_text=mine).click()
        page.locator("#participant-token").fill(cup.tokens["kim"])
        page.locator("button.main").click()
        page.wait_for_selector(".versions")
        assert cup.tokens["kim"] not in page.url
        text = page.inner_text("main")
        assert "<img src=x onerror=alert(1)> evidence-of-kim" in text  # as text
        assert "evidence-of-lee" not in text
        assert page.evaluate("document.cookie + JSON.stringify(localStorage)").count("kim") == 0
        page.locator("details:has(#agent-text) > summary").click()
        page.locator("#agent-text").fill(f"import hansu  # {language}\n")
        page.locator("#submit-text").click()
        page.wait_for_function(
            "n => document.querySelectorAll('.versions > li').length > n", arg=count
        )
        page.locator("#leave").click()
        page.wait_for_selector("#participant-token")
        assert page.evaluate("sessionStorage.getItem('participant')") is None


def test_a_game_is_replayed_from_the_page(open_cup, page):
    _, server = open_cup()
    page.goto(server.url)
    page.locator(".games a", has_text="kim#1 – lee#1").last.click()
    page.wait_for_selector(".board svg")
    assert "onerror" not in page.inner_text("main")


def test_a_projector_shows_the_table_and_a_game_as_it_is_played(open_cup, page):
    cup, server = open_cup(
        ("[marks]", '[[deadline]]\nname = "last"\nat = 2099-01-01T00:00:00Z\n\n[marks]')
    )
    page.goto(server.url)
    page.locator("a.button", has_text="Projector").click()
    page.wait_for_selector(".screen .board svg")
    expect(page.locator(".screen tbody tr")).to_have_count(4)
    assert page.inner_text(".screen .players") == "kim#1 – lee#1"
    page.wait_for_function(
        "() => document.querySelector('.countdown').textContent.includes('last')"
    )
    assert not page.is_visible(".top")
    assert not any(secret in page.content() for own in cup.secrets().values() for secret in own)
    page.locator(".leave a").click()
    page.wait_for_selector(".cross")
    assert page.is_visible(".top")


def test_the_page_shows_what_is_there_however_odd(open_cup):
    """An entry without games, a participant without entries, a final that has not begun."""
    cup, server = open_cup(
        ("[marks]", '[[deadline]]\nname = "mid-term 1"\nat = 2099-01-01T00:00:00Z\n\n[marks]')
    )
    cup.register.invite("newcomer")
    facts = get(server, "").json()
    assert facts["deadlines"][0]["name"] == "mid-term 1"
    assert json.dumps(facts["finals"]) == "[]"


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_axe_finds_nothing(open_cup, new_page, scheme):
    axe = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    cup, server = open_cup()
    page = new_page(color_scheme=scheme, bypass_csp=True)

    def check(where):
        page.add_script_tag(content=axe)
        found = page.evaluate("() => axe.run({resultTypes: ['violations']})")["violations"]
        told = [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found]
        assert told == [], f"{where}: {json.dumps(told, indent=1)}"

    page.goto(server.url)
    page.wait_for_selector(".cross")
    check("competition")
    page.goto(f"{server.url}/#/competition/player/kim")
    page.wait_for_selector(".games")
    check("player")
    page.goto(f"{server.url}/#/competition/me")
    check("token")
    page.locator("#participant-token").fill(cup.tokens["kim"])
    page.locator("button.main").click()
    page.wait_for_selector(".versions")
    check("own page")
    page.goto(f"{server.url}/#/competition/projector")
    page.wait_for_selector(".screen .board svg")
    check("projector")


def test_a_final_is_shown_in_the_order_of_the_organisers_points(open_cup):
    deadline = '[[deadline]]\nname = "final"\nat = 2099-01-01T00:00:00Z\n\n[marks]'
    cup, server = open_cup(("[marks]", deadline), ("[1, 0.5, 0]", "[3, 1, 0]"))
    names = kim, lee, staff = "kim#1", "lee#1", "staff-random"
    ledger = Ledger(cup.register.database, f"{cup.register.event} final")
    ledger.enter(Plan("tictactoe", names, 1, "round-robin", None, None, 60, None, 0.0, 9, True))
    results = {(kim, lee): 0.5, (lee, kim): 0.5, (lee, staff): 0.5, (staff, lee): 0.5}
    results |= {(kim, staff): 1.0, (staff, kim): 1.0}
    for number, ((first, second), score) in enumerate(results.items()):
        record = GameRecord("tictactoe", first, second, ".........", True, number)
        winner = None if score == 0.5 else score == 1.0
        record.outcome = Outcome(winner, "line" if winner is not None else "board_full")
        ledger.add(number, record)
    facts = get(server, "/finals/final").json()
    table = [(line["rank"], line["agent"], line["points"]) for line in facts["standings"]]
    assert table == [(1, "kim#1", 5.0), (2, "staff-random", 5.0), (3, "lee#1", 4.0)]
    assert (facts["games"], facts["scheduled"]) == (6, 6)
    assert get(server, "").json()["finals"] == [{"name": "final", "games": 6}]
    assert len(get(server, "/games/final").json()["played"]) == 6
    assert get(server, "/games/final/5").json()["seed"] == 5
    assert len(get(server, "").json()["standings"]) == 4
