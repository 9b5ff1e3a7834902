"""The analysis board: history, several agents, no limit of time, a heat map."""

from tests.web.driving import click, expect, played, sit_down, wait_for_moves
from tests.web.talking import hear, join, open_table, say


def test_a_table_goes_on_with_the_moves_before(server):
    table = open_table(server, moves=["b2", "a1", "c3"], white={"agent": "first_move"})
    with join(server, table) as line:
        state = hear(line, "state")
        assert (state["played"], state["turn"]) == (["b2", "a1", "c3"], "black")
        say(line, "move", move="a3")
        while len(state["played"]) < 5:
            state = hear(line, "state")
        say(line, "undo")
        assert hear(line, "state")["played"][:3] == ["b2", "a1", "c3"]


def test_an_analysis_without_limit_runs_until_it_is_stopped(server):
    with join(server, open_table(server, game="othello")) as line:
        hear(line, "state")
        for agent in ("mcts", "abp_negamax", "pure_mc"):
            say(line, "analyze", agent={"agent": agent}, seconds=None, beside=True)
        found = set()
        while found != {"mcts", "abp_negamax", "pure_mc"}:
            said = hear(line, "search")
            assert not said["done"]
            found.add(said["who"])
        say(line, "analyze", agent={"agent": "negamax"}, beside=True)
        assert hear(line, "error")["rule"] == "too_many_analyses"
        say(line, "stop")
        ended = set()
        while ended != found:
            said = hear(line, "search")
            ended |= {said["who"]} if said["done"] else set()


def test_agents_analyse_side_by_side_with_a_heat_map(page, server):
    sit_down(page, server, game="tictactoe", moves=["b2"])
    assert played(page) == ["b2"]
    page.get_by_label("heat map").check()
    page.get_by_label("Time").select_option("until stopped")
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.locator("#search tbody tr").first.wait_for()
    page.get_by_label("Analyse with").select_option("minimax")
    page.get_by_role("button", name="Add beside").click()
    page.locator(".besides tbody tr").first.wait_for()
    expect(page.locator(".besides h2")).to_have_text("Minimax")
    expect(page.locator("#search h2")).to_have_text("Engine")
    page.locator(".heat rect").first.wait_for()
    page.get_by_role("button", name="Stop").click()
    click(page, "a1")
    wait_for_moves(page, 2)
    expect(page.locator(".heat, .besides tbody")).to_have_count(0)


def test_the_heat_map_stays_until_a_move_is_made(page, server):
    sit_down(page, server, game="microchess", moves=["d2d4"])
    page.get_by_label("Time").select_option("1 s")
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.locator("#search tbody tr").first.wait_for()
    heat = page.locator(".board .heat rect")
    expect(heat).to_have_count(0)
    page.get_by_label("heat map").check()  # of what has been found already
    heat.first.wait_for()
    page.get_by_role("button", name="Flip").click()
    page.locator(".board [role=row]:first-child [data-cell='d1']").wait_for()
    expect(heat).not_to_have_count(0)
    page.locator("#theme").click()
    page.set_viewport_size({"width": 600, "height": 800})
    expect(heat).not_to_have_count(0)
    page.locator("#language").select_option("ko")
    page.locator(".analysis .main", has_text="분석").wait_for()
    heat.first.wait_for()
    page.reload()
    heat.first.wait_for()
    expect(page.locator("#search tbody tr")).not_to_have_count(0)
    page.locator("#language").select_option("en")
    page.get_by_label("heat map").uncheck()
    expect(heat).to_have_count(0)
    page.get_by_label("heat map").check()
    heat.first.wait_for()
    click(page, "a4", "a3")
    wait_for_moves(page, 2)
    expect(heat).to_have_count(0)


def test_what_was_found_stays_while_the_connection_is_lost(page, server):
    sit_down(page, server, game="tictactoe", moves=["b2"])
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.locator("#search tbody tr").first.wait_for()
    lost = "class { static OPEN = 1; readyState = 3; close() {} }"  # no new line comes about
    page.evaluate(f"() => {{ window.WebSocket = {lost}; }}")
    server.break_connections()
    page.wait_for_selector(".game.broken")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.locator("#search tbody tr")).not_to_have_count(0)


def test_the_likely_owners_of_points_are_counted_for_the_position_shown(server):
    walls = "..xo./..xo./..xo./..xo./..xo."
    with join(server, open_table(server, game="go", rules={"size": 5}, position=walls)) as line:
        hear(line, "state")
        say(line, "owners")
        told = hear(line, "owners")
        assert (told["turn"], told["node"], len(told["black"])) == (0, 0, 25)
        assert told["black"]["A3"] > 0.7 > 0.3 > told["black"]["E3"]
        say(line, "move", move="E3")
        say(line, "owners")
        while (told := hear(line, "owners"))["turn"] != 1:
            pass
        assert told["node"] == 1
    with join(server, open_table(server, game="othello")) as line:
        hear(line, "state")
        say(line, "owners")
        assert hear(line, "error")["rule"] == "no_owners"
    opponent = {"agent": "random"}
    with join(server, open_table(server, game="go", rules={"size": 5}, white=opponent)) as line:
        hear(line, "state")
        say(line, "owners")  # who plays for a result is not helped
        assert hear(line, "error")["rule"] == "no_study"


def test_an_ownership_map_is_drawn_and_follows_the_moves(page, server):
    walls = "..xo./..xo./..xo./..xo./..xo."
    sit_down(page, server, game="go", rules={"size": 5}, position=walls)
    expect(page.locator(".owners")).to_have_count(0)
    page.get_by_label("ownership map").check()
    page.locator(".owners .black").first.wait_for()
    assert page.locator(".owners .white").count() >= 5
    page.get_by_text("Expected points on the board: Black").wait_for()
    page.get_by_role("button", name="Flip board").click()  # drawn anew, the map with it
    page.locator("#comment").fill("walls")
    page.locator(".said").wait_for()
    page.locator(".owners .black").first.wait_for()
    before = page.locator(".owners").inner_html()
    click(page, "E3")
    wait_for_moves(page, 1)
    page.wait_for_function(
        "before => (document.querySelector('.owners')?.innerHTML ?? before) !== before", arg=before
    )
    page.get_by_label("ownership map").uncheck()
    expect(page.locator(".owners")).to_have_count(0)
    sit_down(page, server, game="othello")
    expect(page.get_by_label("heat map")).to_have_count(1)
    expect(page.get_by_label("ownership map")).to_have_count(0)


def test_exact_scores_are_said_in_full(page, server):
    sit_down(page, server, game="tictactoe", moves=["a1", "b2", "b1", "a2"])
    page.get_by_label("Time").select_option("1 s")
    page.get_by_role("button", name="Analyse", exact=True).click()
    best = page.locator("#search tbody tr", has_text="c1").locator(".bar")
    assert "100% proved +" in best.inner_text()
    assert best.evaluate("bar => bar.scrollWidth <= bar.clientWidth")
    page.locator(".arrows .score").first.wait_for()
    expect(page.locator(".arrows .score")).to_have_count(5)  # every move
    expect(page.locator(".arrows .pointed")).to_have_count(1)  # the best
    expect(page.locator(".marks .legal:visible")).to_have_count(0)  # not under the numbers
