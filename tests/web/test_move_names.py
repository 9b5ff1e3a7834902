"""Moves as people write them, wherever a search or a review shows them: SAN in microchess."""

import hansu
from hansu.records.record import GameRecord, Turn
from hansu.search.view import SearchView
from tests.web.talking import get, hear, join, open_table, post, say, until

PROMOTION = "3k/P3/4/4/K3 w - - 0 1"
CASTLING = "1k2/4/4/4/R2K w K - 0 1"


def test_a_search_names_its_moves(server):
    with join(server, open_table(server, game="microchess", position=PROMOTION)) as line:
        hear(line, "state")
        say(line, "analyze", agent={"agent": "mcts"}, seconds=0.5)
        while not (said := hear(line, "search"))["done"]:
            pass
        by_text = {found["text"]: found["names"] for found in said["info"]["lines"]}
        assert by_text["a4a5q"][0] == "a5=Q+"


def test_a_search_viewer_is_walked_by_names():
    state = hansu.game("microchess").parse(PROMOTION)
    for name in ("mcts", "abp_negamax"):
        agent = hansu.agent("microchess", name, seed=1)
        info = agent.search(state, hansu.Limits(nodes=2000))
        view = SearchView(state, info, agent.tree)
        moves = {child["move"] for child in view.children()}
        assert {"a5=Q+", "Kb2"} <= moves
        told = view.info()
        assert {told["move"]} <= moves
        assert all(line["variation"][0] == line["move"] for line in told["lines"])
        assert view.children(["Kb2"])[0]["move"].startswith("K")
        assert "<svg" in view.board(["Kb2"])
        steps = view.steps()["steps"]
        named = {child["move"] for step in steps for child in step.get("children", [])}
        named |= {step["move"] for step in steps if "move" in step}
        assert "a5=Q+" in named
        assert not any(move and move[0] in "abcd" and move[1:3] == "4a" for move in named)


def test_castling_has_its_name():
    state = hansu.game("microchess").parse(CASTLING)
    castling = [move for move in state.legal_moves if state.is_castling(move)]
    assert [state.move_name(move).rstrip("+") for move in castling] == ["O-O"]
    assert state.move_names(["d1c1", "nonsense"]) == ["Kc1", "nonsense"]


def test_a_review_names_moves(server):
    start = hansu.game("microchess").parse(PROMOTION)
    record = GameRecord("microchess", "a", "b", start.text(), True, 0)
    moves = ("a1b1", "d5c5", "b1c1", "c5b4", "c1d1", "b4a4")  # the last but one loses the pawn
    record.turns = [Turn(move) for move in moves]
    wanted = {"record": record.as_json(), "agent": {"agent": "mcts"}, "seconds": 0.2}
    made = post(server, "/api/reviews", wanted).json()["id"]
    facts = until(
        lambda: (
            found
            if (found := get(server, f"/api/reviews/{made}").json())["state"] != "running"
            else None
        )
    )
    assert facts["mistakes"]
    played = start.move_names(record.moves)
    for mistake in facts["mistakes"]:
        before = mistake["turn"] - 1
        assert mistake["name"] == played[before]
        state = start.copy()
        for text in record.moves[:before]:
            state.push(state.parse_move(text))
        assert mistake["better_names"] == state.move_names(mistake["better"])
        assert not mistake["better_names"][0].startswith("a4a5")
