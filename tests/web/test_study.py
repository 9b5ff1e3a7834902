"""Variations and comments on the analysis board, by a program: nothing is lost."""

import hansu
from hansu.records.record import Branch, GameRecord, Turn
from hansu.records.sgf import read_sgf, write_sgf
from hansu.web import recorded_games, study
from hansu.web.recorded_games import replay_facts
from tests.web.talking import get, hear, join, open_table, post, say, until


def tree(line):
    return hear(line, "tree")


def at(line, node):
    """The state once the board shows a position."""
    while (state := hear(line, "state"))["node"] != node:
        pass
    return state


def record_of(server, table, form="jsonl"):
    return get(server, f"/api/tables/{table['id']}/record/{form}").text


def test_another_move_in_the_middle_is_a_variation(server):
    table = open_table(server, moves=["b2", "a1", "c3"])
    with join(server, table) as line:
        told = tree(line)
        assert (told["played"], told["parents"], told["main"]) == (
            ["", "b2", "a1", "c3"],
            [0, 0, 1, 2],
            4,
        )
        state = at(line, 3)
        say(line, "go", node=1)
        state = at(line, 1)
        assert (state["played"], state["turn"]) == (["b2"], "black")
        say(line, "move", move="a1")  # as it was played: nothing new
        assert at(line, 2)["played"] == ["b2", "a1"]
        say(line, "go", node=1)
        at(line, 1)
        say(line, "move", move="c1")
        assert at(line, 4)["played"] == ["b2", "c1"]
        say(line, "comment", node=4, text=" a corner\r\ntoo ")
        say(line, "comment", node=0, text="the start")
        say(line, "move", move="a3")
        at(line, 5)
        say(line, "undo")  # the last move of a line goes, as ever
        at(line, 4)
    record = GameRecord.from_json(record_of(server, table))
    assert (record.moves, record.branches) == (["b2", "a1", "c3"], [Branch(1, "c1")])
    assert record.comments == {0: "the start", 4: "a corner\ntoo"}


def test_lines_are_promoted_and_removed(server):
    table = open_table(server, moves=["b2", "a1"])
    with join(server, table) as line:
        at(line, 2)
        for node, move in ((1, "c1"), (3, "a3"), (0, "a1")):
            say(line, "go", node=node)
            at(line, node)
            say(line, "move", move=move)
        at(line, 5)
        say(line, "promote", node=3)
        until(lambda: GameRecord.from_json(record_of(server, table)).moves == ["b2", "c1", "a3"])
        record = GameRecord.from_json(record_of(server, table))
        assert record.branches == [Branch(0, "a1"), Branch(1, "a1")]
        say(line, "go", node=4)
        at(line, 4)
        say(line, "remove", node=3)  # the board stands in it
        assert at(line, 1)["played"] == ["b2"]
        record = GameRecord.from_json(record_of(server, table))
        assert (record.moves, record.branches) == (["b2"], [Branch(0, "a1"), Branch(1, "a1")])
        for wrong in ({"node": 4}, {"node": 0}, {"node": -1}, {"node": 10**9}):
            say(line, "remove", **wrong)
            assert hear(line, "error")["rule"] == "no_such_position"


def test_a_file_with_variations_comes_back_whole(server):
    text = "(;GM[1]SZ[9]PB[Lee]PW[Gu]RE[B+R];B[ee];W[dd]C[hane](;B[cc])(;B[gg]C[why]))"
    (record,) = read_sgf(text, [])
    table = open_table(server, game="go", record=record.as_json(), at=2)
    with join(server, table) as line:
        state = hear(line, "state")
        assert (state["node"], state["played"]) == (2, ["E5", "D6"])
        assert state["players"] == {"white": "Gu", "black": "Lee"}
        say(line, "go", node=4)  # the resignation
        assert at(line, 4)["outcome"]["reason"] == "resignation"
        say(line, "go", node=3)  # what might have followed is a variation: the game ended there
        at(line, 3)
        say(line, "move", move="C3")
        at(line, 6)
        (told,) = read_sgf(record_of(server, table, "sgf"), [])
    assert told.outcome == record.outcome
    assert (told.first, told.moves) == ("Lee", ["E5", "D6", "C7", "resign"])
    assert told.branches == [Branch(2, "G3"), Branch(3, "C3")]
    assert told.comments == {2: "hane", 5: "why"}


def test_an_analysis_is_kept_and_survives_the_server(other_server, tmp_path):
    before = other_server(data=tmp_path)
    table = open_table(before, game="hex", rules={"size": 5}, moves=["a1", "c3"])
    with join(before, table) as line:
        at(line, 2)
        say(line, "go", node=1)
        at(line, 1)
        say(line, "move", move="b2")
        say(line, "comment", node=3, text="가운데")
        until(lambda: "가운데" in get(before, f"/api/library/{table['id']}").text)
    before.close()
    after = other_server(data=tmp_path)
    record = GameRecord.from_json(get(after, f"/api/library/{table['id']}").text)
    assert record.branches == [Branch(1, "b2")]
    again = open_table(after, game="hex", record=record.as_json(), at=3)
    assert GameRecord.from_json(record_of(after, again)) == record
    (told,) = read_sgf(write_sgf([record]))
    assert (told.branches, told.comments) == (record.branches, record.comments)


def test_games_with_an_agent_or_a_clock_have_no_variations(server):
    record = hansu.play_game("tictactoe", "random", "random", seed=1).as_json()
    refused = post(
        *(server, "/api/tables"),
        {"game": "tictactoe", "record": record, "white": {"agent": "random"}},
    )
    assert refused.json()["rule"] == "no_study"
    for wanted in ({"black": {"agent": "first_move"}}, {"clock": {"seconds": 60}}):
        with join(server, open_table(server, **wanted)) as line:
            assert "node" not in hear(line, "state")
            say(line, "go", node=0)
            assert hear(line, "error")["rule"] == "no_study"


def test_nobody_fills_the_server_with_variations(server, monkeypatch):
    monkeypatch.setattr(study, "MOST_NODES", 4)
    monkeypatch.setattr(study, "MOST_LETTERS", 100)
    with join(server, open_table(server, moves=["b2", "a1", "c3"])) as line:
        at(line, 3)
        say(line, "move", move="a3")
        assert hear(line, "error")["rule"] == "too_many_variations"
        say(line, "comment", node=1, text="x" * 60)
        say(line, "comment", node=2, text="x" * 60)
        assert hear(line, "error")["rule"] == "comments_too_long"
    record = GameRecord("tictactoe", "a", "b", ".........", True, 0, [Turn("b2")])
    record.branches = [Branch(0, move) for move in ("a1", "a2", "a3", "b1")]
    refused = post(server, "/api/tables", {"game": "tictactoe", "record": record.as_json()})
    assert refused.json()["rule"] == "too_many_variations"
    record.branches = [Branch(0, "z9")]
    refused = post(server, "/api/tables", {"game": "tictactoe", "record": record.as_json()})
    assert refused.json()["rule"] == "record"


def test_a_record_that_is_only_looked_at_is_not_kept_again(other_server, tmp_path):
    server = other_server(data=tmp_path)
    record = hansu.play_game("tictactoe", "random", "random", seed=1).as_json()
    table = open_table(server, record=record, at=2)
    with join(server, table) as line:
        at(line, 2)
        say(line, "go", node=1)
        at(line, 1)
        other = open_table(server, moves=["b2"])
        until(lambda: get(server, "/api/library").json()["games"])
        kept = [game["id"] for game in get(server, "/api/library").json()["games"]]
        assert kept == [other["id"]]
        say(line, "comment", node=1, text="now it is mine")
        until(lambda: len(get(server, "/api/library").json()["games"]) == 2)


def test_a_replay_draws_every_place_and_says_what_it_leaves_out(server, monkeypatch):
    record = GameRecord("tictactoe", "a", "b", ".........", True, 0, [Turn("b2"), Turn("a1")])
    record.branches = [Branch(0, "c1"), Branch(1, "c3"), Branch(4, "a3")]
    record.comments = {4: "here"}
    facts = replay_facts(record.as_json().encode(), flip=False)
    assert (facts["played"], len(facts["boards"]), len(facts["tallies"])) == (["b2", "a1"], 6, 6)
    tree = facts["tree"]
    assert (tree["parents"], tree["main"], tree["unshown"]) == ([0, 0, 1, 0, 1, 4], 3, 0)
    assert tree["comments"] == {4: "here"}
    monkeypatch.setattr(recorded_games, "MOST_BRANCHES", 1)
    fewer = replay_facts(record.as_json().encode(), flip=False)
    assert (len(fewer["boards"]), fewer["tree"]["unshown"]) == (4, 2)
