"""``hansu gtp``, held by a GTP controller against GNU Go and GRhino."""

import random
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hansu
from hansu.protocols.gtp_client import GtpEngine
from hansu.protocols.gtp_server import GtpClock, GtpServer
from hansu.protocols.pipe import EnginePipe
from tests.protocols.engines import needs

GTP_2 = """
protocol_version name version known_command list_commands quit boardsize clear_board komi
fixed_handicap place_free_handicap set_free_handicap play genmove undo time_settings time_left
final_score final_status_list loadsgf reg_genmove showboard
"""
RULES = "--chinese-rules --forbid-suicide --situational-superko"


def server(game="go", who="random"):
    return GtpServer(who, hansu.game(game), print)


def ours(game, who):
    command = [sys.executable, "-m", "hansu", "gtp", "--game", game, "--agent", who]
    return GtpEngine(EnginePipe(command))


def gnu_go():
    return GtpEngine(EnginePipe(f"gnugo --mode gtp --never-resign {RULES} --level 1".split()))


def ask(gtp, *commands):
    """The answers in this process, without marks; an error fails the test."""
    answers = [gtp.answer(command) for command in commands]
    assert all(answer.startswith("=") for answer in answers), answers
    return [answer[1:].strip() for answer in answers]


def stones(engine, color):
    return set(engine.ask(f"list_stones {color}").split())


def our_stones(gtp):
    state = gtp.state
    return {
        color: {state.move_text(p) for p, c in enumerate(state.stones()) if c is side}
        for color, side in (("black", hansu.BLACK), ("white", hansu.WHITE))
    }


# Whole games against the engines of the world ----------------------------------------------------


@needs("gnugo")
@pytest.mark.parametrize("size", [5, pytest.param(9, marks=pytest.mark.slow)])
def test_a_whole_game_between_our_engine_and_gnugo(size):
    """Both boards agree, and so do both scores where GNU Go finds no dead stone."""
    black, white = ours("go", "mcts:n_simulations=50,max_depth=none"), gnu_go()
    for engine in (black, white):
        for command in (f"boardsize {size}", "komi 6.5", "clear_board"):
            engine.ask(command)
    mirror, passes, color = server(f"go:size={size},komi=6.5"), 0, "black"
    while passes < 2 and len(mirror.plays) < 3 * size * size:
        mover, other = (black, white) if color == "black" else (white, black)
        move = mover.ask(f"genmove {color}", 60)
        if move == "resign":
            break
        other.ask(f"play {color} {move}")
        ask(mirror, f"play {color} {move}")
        passes = passes + 1 if move.lower() == "pass" else 0
        color = "white" if color == "black" else "black"
    assert len(mirror.plays) > size
    for side in ("black", "white"):
        assert stones(white, side) == our_stones(mirror)[side]
    assert black.ask("final_score") == ask(mirror, "final_score")[0]
    if not white.ask("final_status_list dead"):
        assert float(white.ask("final_score").replace("B+", "").replace("W+", "-")) == float(
            ask(mirror, "final_score")[0].replace("B+", "").replace("W+", "-")
        )
    for engine in (black, white):
        engine.close()


@needs("gtp-rhino")
def test_who_wins_before_the_board_is_full_gets_the_empty_squares():
    gtp, grhino = server("othello"), GtpEngine(EnginePipe(["gtp-rhino", "-l", "1", "-b", "0"]))
    grhino.ask("clear_board")
    moves = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]  # White has no disc left
    for turn, move in enumerate(moves):
        line = f"play {('black', 'white')[turn % 2]} {move}"
        ask(gtp, line)
        grhino.ask(line)
    assert ask(gtp, "final_score") == [grhino.ask("final_score").upper()] == ["B+64"]
    grhino.close()


@needs("gtp-rhino")
def test_whole_games_between_our_engine_and_grhino():
    rhino = EnginePipe(["gtp-rhino", "-l", "1", "-b", "0"])
    black, white = ours("othello", "random"), GtpEngine(rhino)
    for _ in range(3):
        for engine in (black, white):
            engine.ask("clear_board")
        state = hansu.game("othello").start()
        while not state.is_game_over():
            if state.move_ids() == [64]:
                state.push(64)  # nobody mentions it
                continue
            mover, other, color = (white, black, "white") if state.turn else (black, white, "black")
            move = mover.ask(f"genmove {color}")
            other.ask(f"play {color} {move}")
            state.push(state.parse_move(move))
        assert black.ask("final_score") == white.ask("final_score").upper()
    for engine in (black, white):
        engine.close()


@needs("gnugo")
@pytest.mark.parametrize("size", [7, 8, 9, 10, 13, 19])
def test_handicap_stones_are_where_gnugo_puts_them(size):
    gnugo, gtp = gnu_go(), server(f"go:size={size}")
    gnugo.ask(f"boardsize {size}")
    for count in range(1, 11):
        gnugo.ask("clear_board")
        ask(gtp, "clear_board")
        answer = gtp.answer(f"fixed_handicap {count}")
        try:
            theirs = set(gnugo.ask(f"fixed_handicap {count}").split())
        except hansu.HansuError:
            assert answer.startswith("?")
        else:
            assert set(answer[1:].split()) == theirs == our_stones(gtp)["black"]
            assert gtp.state.turn == hansu.WHITE
    gnugo.close()


@needs("gnugo")
def test_a_loaded_record_gives_the_board_of_gnugo(tmp_path):
    rng, state = random.Random(5), hansu.game("go").start()
    while len(state.move_stack) < 60:
        state.push(rng.choice(state.legal_moves[:-1]))
    file = tmp_path / "game.sgf"
    file.write_text(state.text())
    gnugo, gtp = gnu_go(), server("go:size=5")
    for upto in ("", " 1", " 31"):
        gnugo.ask(f"loadsgf {file}{upto}")
        ask(gtp, f"loadsgf {file}{upto}")
        for side in ("black", "white"):
            assert stones(gnugo, side) == our_stones(gtp)[side]
    gnugo.close()


@needs("gnugo")
@pytest.mark.parametrize("seed", range(5))
def test_plays_in_any_order_and_undo_give_the_board_of_gnugo(seed):
    """GTP lets either colour play at any time, also after two passes."""
    rng, gtp, gnugo = random.Random(seed), server("go:size=5"), gnu_go()
    gnugo.ask("boardsize 5")
    for _ in range(80):
        if rng.random() < 0.2:
            command = "undo"
        else:
            vertex = "pass" if rng.random() < 0.2 else rng.choice("ABCDE") + rng.choice("12345")
            command = f"play {rng.choice(['black', 'white'])} {vertex}"
        before = gtp.state
        verdicts = [gtp.answer(command).startswith("="), True]
        try:
            gnugo.ask(command)
        except hansu.HansuError:
            verdicts[1] = False
        if verdicts[0] != verdicts[1]:  # superko: what was before is forgotten out of turn
            assert before.stone_at(command.split()[-1]) is None
            gnugo.ask("undo") if verdicts[1] else ask(gtp, "undo")
        for side in ("black", "white"):
            assert stones(gnugo, side) == our_stones(gtp)[side], command
    gnugo.close()


# Command by command ------------------------------------------------------------------------------


def test_the_commands_of_gtp_2_are_known():
    gtp = server()
    assert set(ask(gtp, "list_commands")[0].split()) == {*GTP_2.split(), "all_legal_moves"}
    assert ask(gtp, "protocol_version", "known_command undo", "known_command fly") == [
        "2",
        "true",
        "false",
    ]


def test_answers_have_the_form_of_gtp():
    gtp = server()
    assert gtp.answer("12 name") == "=12 hansu random"
    assert gtp.answer("name # a comment\n") == "= hansu random"
    assert gtp.answer("  # only a comment") is None
    assert gtp.answer("\t\n") is None
    assert gtp.answer("7 fly") == "?7 unknown command"
    assert gtp.answer("boardsize 9") == "="


def test_what_is_refused_changes_nothing():
    gtp = server("go:size=5")
    ask(gtp, "play b C3", "play w C2")
    board = str(gtp.state)
    for command, part in [
        ("play b C3", "illegal move: C3 is not legal here (the point is taken)"),
        ("play b Z9", "is not a move"),
        ("play red C4", "invalid color 'red'"),
        ("play b", "syntax error: play COLOR VERTEX"),
        ("genmove", "syntax error: genmove COLOR"),
        ("boardsize 1", "2 to 19 is expected"),
        ("boardsize x", "not a whole number"),
        ("komi 0.3", "not a multiple of 0.5"),
        ("komi much", "not a number"),
        ("fixed_handicap 2", "5x5 has no 2 handicap points"),
        ("set_free_handicap A1 A2", "board not empty"),
        ("set_free_handicap A1", "bad vertex list"),
        ("loadsgf /no/such/file", "cannot load file"),
        ("final_status_list good", "syntax error"),
        ("time_left b 3", "syntax error"),
    ]:
        answer = gtp.answer(command)
        assert answer.startswith("? "), command
        assert part in answer
        assert "\n" not in answer
        assert str(gtp.state) == board
    ask(gtp, "undo", "undo")
    assert gtp.answer("undo") == "? cannot undo"


def test_komi_may_come_late():
    gtp = server("go:size=5")
    ask(gtp, "play b C3", "play w C2", "komi 3.5", "play b B2")
    assert gtp.state.game.komi == 3.5
    assert len(gtp.plays) == 3
    ask(gtp, "undo", "undo", "undo", "komi -2")
    assert ask(gtp, "final_score") == ["B+2"]


def test_a_regression_move_is_not_played():
    gtp = server("go:size=5")
    vertex = ask(gtp, "reg_genmove b")[0]
    assert gtp.plays == []
    assert ask(gtp, f"play b {vertex}", "final_status_list dead") == ["", ""]
    assert ask(gtp, "final_status_list alive") == [vertex]


def test_othello_passes_where_it_must_and_keeps_the_turn():
    gtp = server("othello")
    assert gtp.answer("play white d3").startswith("? it is black's turn")
    assert gtp.answer("boardsize 10").startswith("? unacceptable size")
    assert ask(gtp, "komi 0", "play black F5", "play white d6") == ["", "", ""]
    rng = random.Random(2)
    for _ in range(20):
        ask(gtp, "clear_board")
        while not gtp.state.is_game_over():
            color = "white" if gtp.state.turn else "black"
            if gtp.state.move_ids() == [64]:  # a controller that passes, or one that does not
                if rng.random() < 0.5:
                    assert ask(gtp, f"genmove {color}") == ["pass"]
                    continue
                color = "black" if color == "white" else "white"
            ask(gtp, f"genmove {color}")
        assert ask(gtp, "genmove b", "genmove w") == ["pass", "pass"]
        while gtp.plays:
            ask(gtp, "undo")
        assert gtp.state.text() == hansu.game("othello").start().text()


def test_an_agent_may_resign():
    gtp = server("othello", "abp_negamax:depth=4,resign=on")
    gtp.start = gtp.state = hansu.game("othello").parse("XXXXXXXX" * 7 + "XXXXXO-X O")
    assert ask(gtp, "genmove w") == ["resign"]


def test_an_agent_that_fails_gives_an_error_answer():
    gtp = server("go:size=5", "malfunction:p=1")
    assert gtp.answer("genmove b") == (
        "? malfunction:p=1 failed: RuntimeError: malfunction, as intended"
    )
    assert gtp.answer("name") == "= hansu malfunction:p=1"


def test_the_clock_limits_the_search():
    gtp = server("go:size=5", "mcts:max_depth=none")
    ask(gtp, "clear_board", "time_left b 10 0", "time_left w 2 10", "genmove b")
    long = gtp.agent.info.nodes
    ask(gtp, "time_left w 1 20", "genmove w")
    assert gtp.agent.info.nodes < long
    assert gtp.clocks[hansu.WHITE].stones == 19


def test_byo_yomi_begins_when_main_time_is_over():
    clock = GtpClock(left=3.0, stones=0)
    clock.spend(2.0, 30.0, 5)
    assert clock == GtpClock(1.0, 0)
    clock.spend(2.0, 30.0, 5)
    assert clock == GtpClock(30.0, 5)
    for _ in range(4):
        clock.spend(1.0, 30.0, 5)
    assert clock == GtpClock(26.0, 1)
    clock.spend(1.0, 30.0, 5)
    assert clock == GtpClock(30.0, 5)


@pytest.mark.parametrize(
    ("settings_text", "expected"),
    [("60 0 0", GtpClock(60, 0)), ("0 30 5", GtpClock(30, 5)), ("0 30 0", None), ("0 0 0", None)],
)
def test_time_settings(settings_text, expected):
    gtp = server()
    ask(gtp, f"time_settings {settings_text}")
    assert gtp.clocks.get(hansu.BLACK) == expected


WORDS = """
1 99999999999 play b w black C3 A1 J10 pass resign genmove undo komi 6.5 nan -1 1e9 boardsize 5
clear_board fixed_handicap set_free_handicap loadsgf /dev/null final_score showboard time_settings
time_left final_status_list alive known_command # \x00 é
"""
LINES = st.lists(st.sampled_from(WORDS.split()), max_size=6).map(" ".join) | st.text(max_size=40)


@settings(max_examples=100)
@given(st.lists(LINES, max_size=10))
def test_every_line_gets_one_answer(lines):
    gtp = server("go:size=5")
    for line in lines:
        answer = gtp.answer(line)
        if answer is not None:
            assert answer[0] in "=?"
            assert "\n\n" not in answer
    assert gtp.answer("3 protocol_version") == "=3 2"


def test_only_games_that_gtp_knows():
    with pytest.raises(hansu.HansuError, match="no GTP program plays connect4"):
        server("connect4")


def test_hex_as_hexgui_speaks_it():
    gtp = server("hex:swap=on", "first_move")
    assert ask(gtp, "boardsize 3 3", "play b b1", "play w swap-pieces") == ["", "", ""]
    assert gtp.state.text() == ".../o../... x to move"
    assert ask(gtp, "boardsize 3", "play b a1", "genmove w") == ["", "", "b1"]
    assert gtp.answer("boardsize 3 4").startswith("? unacceptable size")
    ask(gtp, "clear_board", "play b a1", "play w b1", "play b a2", "play w b2", "play b a3")
    assert ask(gtp, "final_score") == ["B+"]
    assert ask(gtp, "all_legal_moves") == [""]
    assert gtp.answer("genmove w").startswith("? the game is over")


def test_hex_has_no_score_before_its_end():
    gtp = server("hex:size=3", "first_move")
    assert gtp.answer("final_score").startswith("? cannot score")
    ask(gtp, "play b b2")
    assert gtp.answer("final_score").startswith("? cannot score")


def test_the_legal_moves_of_hex_in_small_letters():
    gtp = server("hex:size=3,swap=on", "first_move")
    assert ask(gtp, "known_command all_legal_moves") == ["true"]
    assert ask(gtp, "all_legal_moves", "play b a1") == ["a1 b1 c1 a2 b2 c2 a3 b3 c3", ""]
    others = "b1 c1 a2 b2 c2 a3 b3 c3 swap-pieces"
    assert ask(gtp, "all_legal_moves", "reg_genmove w") == [others, "b1"]
    assert ask(server("go:size=5"), "play b c3", "reg_genmove w")[1].isupper()


def test_the_swap_has_its_name_in_small_letters():
    gtp = server("hex:size=3,swap=on", "first_move")
    ask(gtp, "play b b1")
    assert gtp._vertex(gtp.state.read_move("swap")) == "swap-pieces"
