"""Reviewing games, by a program and in a real browser."""

import hansu
from hansu.games.state import Outcome
from hansu.records.record import GameRecord, Turn
from hansu.web import reviews
from tests.web.driving import expect, sit_down
from tests.web.talking import get, post, until

MOVES = ("b2", "b1", "a1", "c3", "a3", "c1", "a2")  # b1 gave the draw away


SEEN = """part => [...document.querySelectorAll(part)].some((each) => {
  const {top, bottom, height} = each.getBoundingClientRect();
  return height && top >= -1 && bottom <= innerHeight + 1;
})"""


def record_of(game="tictactoe", moves=MOVES, first="human", second="random"):
    start = hansu.game(game).start()
    turns = [Turn(move) for move in moves]
    won = Outcome(True, "line") if moves is MOVES else Outcome(None, "unfinished")
    return GameRecord(game, first, second, start.text(), start.turn, 0, turns, won)


def begin(server, record, **wanted):
    return post(server, "/api/reviews", {"record": record.as_json(), **wanted})


def over(server, review):
    return until(lambda: found if (found := facts(server, review))["state"] != "running" else None)


def facts(server, review):
    return get(server, f"/api/reviews/{review}").json()


def test_a_review_tells_the_same_as_the_command(server):
    made = begin(server, record_of(), agent={"agent": "perfect"}).json()
    found = over(server, made["id"])
    assert found["state"] == "over"
    assert found["accuracy"]["black"] == {"share": 0.6667, "judged": 3, "moves": 3}
    (mistake,) = found["mistakes"]
    assert (mistake["turn"], mistake["lost"], mistake["cells"]) == (2, 0.5, ["b1"])
    assert mistake["better_cells"] == [mistake["better"][0]]


def test_a_review_is_stopped_and_searches_of_it_are_inspected(server):
    long = hansu.play_game("othello", "random", "random", seed=1)
    made = begin(server, long, agent={"agent": "mcts"}, seconds=10).json()["id"]
    assert facts(server, made)["state"] == "running"
    assert post(server, f"/api/reviews/{made}/stop", {}).status_code == 200
    assert facts(server, made)["state"] == "stopped"
    search = post(server, f"/api/reviews/{made}/look", {"turn": 3}).json()["search"]
    asked = {"search": search, "about": "info"}
    told = post(server, f"/api/reviews/{made}/search", asked).json()
    assert told["agent"] == "mcts"
    assert told["lines"]
    assert post(server, f"/api/reviews/{made}/look", {"turn": 999}).status_code == 400


def test_what_cannot_be_reviewed_is_refused_in_one_sentence(server):
    for record in (record_of(moves=()), record_of(moves=("b2", "b2")), record_of(moves=["a9"])):
        refused = begin(server, record)
        assert refused.status_code == 400
        assert refused.json()["detail"]
    assert begin(server, record_of(), agent={"agent": "./evil.py"}).status_code == 400
    assert post(server, "/api/reviews", {"record": "{}"}).status_code == 400
    assert get(server, "/api/reviews/nothing").json()["rule"] == "no_such_review"


def test_nobody_fills_the_server_with_reviews(other_server, monkeypatch):
    monkeypatch.setattr(reviews, "MOST_RUNNING", 4)
    monkeypatch.setattr(reviews, "MOST_KEPT", 4)
    server, record = other_server(), record_of("othello", ("f5", "d6", "c3", "d3"))
    made = [begin(server, record, agent={"agent": "mcts"}, seconds=10) for _ in range(3)]
    assert [answer.status_code for answer in made] == [200, 200, 400]
    assert made[-1].json()["rule"] == "too_many_reviews"
    for answer in made[:2]:
        post(server, f"/api/reviews/{answer.json()['id']}/stop", {})
    assert begin(server, record_of(), agent={"agent": "perfect"}).status_code == 200


def test_a_review_that_nobody_asks_about_ends(other_server, monkeypatch):
    monkeypatch.setattr(reviews, "AWAY", 0.5)
    server = other_server()
    record = record_of("othello", ("f5", "d6", "c3", "d3"))
    made = begin(server, record, agent={"agent": "mcts"}, seconds=10).json()["id"]
    job = server.app.state.reviews._jobs[made]
    until(lambda: job.state == "stopped")


def test_a_game_is_reviewed_after_its_end(page, server):
    sit_down(
        *(page, server),
        game="tictactoe",
        position="b2b1a1c3a3c1",
        black={"agent": "random"},
    )
    page.locator(".board [data-cell='a2']").click()
    page.wait_for_selector(".status.over")
    page.get_by_role("link", name="Review").first.click()
    page.get_by_text("No mistakes found").wait_for()
    expect(page.locator(".accuracy b")).to_have_text(["100%", "–"])


def review_on_the_page(page, server, record):
    page.goto(f"{server.url}/#/replay")
    page.get_by_label("Or paste a game").fill(record.as_json())
    page.get_by_role("button", name="Open").click()
    page.get_by_role("button", name="Review this game").click()


def test_a_review_on_a_phone_leads_to_what_it_shows(new_page, server):
    phone = new_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    sit_down(phone, server, game="tictactoe", moves=MOVES[:-1], black={"agent": "random"})
    phone.locator(".board [data-cell='a2']").tap()
    phone.locator("dialog.outcome").get_by_role("link", name="Review").tap()
    phone.wait_for_function(SEEN, arg=".review .soft, .review progress")
    mistake = phone.locator(".mistakes button.at")
    mistake.scroll_into_view_if_needed()
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    mistake.tap()
    phone.wait_for_function(SEEN, arg=".board svg")
    expect(phone.locator(".moves [aria-current] .move")).to_have_text("b2")


def test_mistakes_are_shown_explained_and_tried_again(page, server):
    review_on_the_page(page, server, record_of())
    mistake = page.locator(".mistakes li")
    page.get_by_text("this judgement is exact").wait_for()
    expect(mistake).to_contain_text("Blunder")
    expect(mistake).to_contain_text("50% → 0%")
    expect(page.locator(".accuracy b")).to_have_text(["100%", "67%"])
    mistake.locator("button.at").click()
    expect(page.locator(".moves [aria-current] .move")).to_have_text("b2")
    expect(page.locator(".arrows circle, .arrows ellipse, .arrows .pointed")).to_have_count(1)
    page.get_by_role("button", name="Blunder, 50% lost").click()
    expect(page.locator(".moves [aria-current] .move")).to_have_text("b1")
    page.get_by_role("button", name="Show me why").click()
    page.locator("dialog.insight tbody tr").first.wait_for()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Try again from here").click()
    page.locator("#do-undo").wait_for()
    expect(page.locator(".player.white b")).to_have_text("MCTS")  # nobody can play as "human"
    expect(page.locator(".status")).to_have_text("Your turn (O)")
    review_on_the_page(page, server, record_of(first="engine:level=2"))
    page.get_by_role("button", name="Try again from here").click()
    page.locator("#do-undo").wait_for()
    expect(page.locator(".player.white b")).to_have_text("Level 2 · Beginner")
    expect(page.locator(".moves .move")).to_have_text(["b2"])


def test_a_finished_review_survives_the_server_and_is_not_searched_again(
    page, other_server, tmp_path, monkeypatch
):
    before = other_server(data=tmp_path)
    game = post(before, "/api/library", {"record": record_of().as_json()}).json()["id"]
    found = over(before, begin(before, record_of(), agent={"agent": "perfect"}).json()["id"])
    until(lambda: get(before, "/api/library").json()["games"][0]["review"])
    before.close()

    def search(*_):
        raise AssertionError("it is searched again")

    monkeypatch.setattr(reviews, "review", search)
    after = other_server(data=tmp_path)
    renamed = record_of(first="somebody", second="else")  # the same game
    again = post(after, "/api/reviews/kept", {"record": renamed.as_json()}).json()["id"]
    assert facts(after, again) == found
    search_id = post(after, f"/api/reviews/{again}/look", {"turn": 1}).json()["search"]
    asked = {"search": search_id, "about": "info"}
    assert post(after, f"/api/reviews/{again}/search", asked).json()["lines"]
    other = record_of(moves=("b2", "a1"))
    assert post(after, "/api/reviews/kept", {"record": other.as_json()}).json() == {"id": None}
    page.goto(f"{after.url}/#/library")
    page.get_by_text("reviewed").wait_for()
    page.locator(".library .games a").click()
    page.locator(".mistakes li", has_text="Blunder").wait_for()
    expect(page.locator(".accuracy b")).to_have_text(["100%", "67%"])
    assert post(after, f"/api/library/{game}/remove", {}).status_code == 200
    assert list((tmp_path / "reviews").iterdir()) == []
    page.goto("about:blank")


def test_a_review_that_was_stopped_or_damaged_is_not_recalled(other_server, tmp_path):
    server = other_server(data=tmp_path)
    long = hansu.play_game("othello", "random", "random", seed=1)
    made = begin(server, long, agent={"agent": "mcts"}, seconds=10).json()["id"]
    post(server, f"/api/reviews/{made}/stop", {})
    kept = {"record": long.as_json()}
    assert post(server, "/api/reviews/kept", kept).json() == {"id": None}
    over(server, begin(server, record_of(), agent={"agent": "perfect"}).json()["id"])
    (file,) = until(lambda: list((tmp_path / "reviews").glob("*.json")))
    for damage in ("", "{}", "[]", "nonsense", '{"format": 1, "wanted": {}, "facts": 1}'):
        file.write_text(damage)
        answer = post(server, "/api/reviews/kept", {"record": record_of().as_json()})
        assert answer.json() == {"id": None}, damage


def test_a_review_that_runs_is_found_again(server):
    record = record_of("go", ("E5", "C3", "G7", "C7"))
    made = begin(server, record, agent={"agent": "mcts"}, seconds=5).json()
    asked = {"record": record.as_json()}
    assert post(server, "/api/reviews/kept", asked).json() == made
    other = {"record": record_of("go", ("E5", "C3", "G7")).as_json()}
    assert post(server, "/api/reviews/kept", other).json() == {"id": None}
    post(server, f"/api/reviews/{made['id']}/stop", {})
    assert post(server, "/api/reviews/kept", asked).json() == {"id": None}
