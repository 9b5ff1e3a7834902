"""``hansu uci``, asked by python-chess's engine client and by anybody who sends nonsense."""

import sys
import threading
import time

import chess
import chess.engine
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hansu
from hansu.agents.registry import AGENTS, BY_COMMAND
from hansu.protocols.uci_client import read_option
from hansu.protocols.uci_server import UciServer

FULL = chess.engine.INFO_ALL


def engine(who):
    command = [sys.executable, "-m", "hansu", "uci", "--agent", who]
    return chess.engine.SimpleEngine.popen_uci(command, timeout=300)  # it may compile


@pytest.fixture(scope="module")
def mcts():
    with engine("mcts") as opened:
        yield opened
        opened.quit()


def serve(*lines, who="mcts:n_simulations=50"):
    """What the server answers, line by line, when it is asked in this process."""
    said = []
    UciServer(who, hansu.game("microchess"), said.append).run(lines)
    return said


def test_it_introduces_itself_with_the_options_of_the_agent(mcts):
    assert mcts.id["name"].startswith("hansu mcts ")
    options = mcts.options
    assert options["n_simulations"] == chess.engine.Option(
        "n_simulations", "spin", 1_000_000, 1, 10**9, []
    )
    assert options["search_time"].default == "10.0"
    assert options["playout"].var == ["light", "heavy"]
    assert options["reward_amplify"].default is True
    assert options["UCI_Variant"].var == ["microchess"]
    assert "resign" not in options
    assert "Ponder" not in options


@pytest.mark.parametrize("game", ["go:size=5", "connect4", "tictactoe"])
def test_only_microchess_is_played(game):
    with pytest.raises(hansu.HansuError, match="UCI is for microchess, not for"):
        UciServer("random", hansu.game(game), print)


BUILT_IN = [name for name in AGENTS if name not in (*BY_COMMAND, "human")]


@pytest.mark.parametrize("who", BUILT_IN)
def test_every_value_that_is_offered_is_accepted(who):
    """If need be without the limits that it does not go with, as the error says."""
    try:
        said = serve("uci", who=who)
    except hansu.HansuError:
        pytest.skip("it does not play microchess, or not here")
    options = [read_option(line.partition(" ")[2]) for line in said if line.startswith("option")]
    assert "rave" not in [option.name for option in options]
    lines = []
    for option in options:
        values = {
            "spin": [option.min, option.max, option.default],
            "check": ["true", "false"],
            "combo": option.var,
        }.get(option.type, [])
        if option.name == "tree_reuse":
            lines.append("setoption name max_depth value none")
        lines += [f"setoption name {option.name} value {value}" for value in values]
        lines.append(f"setoption name {option.name} value {_shown(option.default)}")
    assert [line for line in serve(*lines, who=who) if line.startswith("info")] == []


def _shown(value):
    return str(value).lower() if isinstance(value, bool) else value


def test_an_option_without_a_choice_is_not_offered():
    """And a value that the machine does not have is not on the list."""
    said = "".join(serve("uci", who="mcts"))
    assert "rave" not in said
    assert ("name device" in said) == ("var cuda" in said)
    assert "name tree_reuse type check" in said  # goes without max_depth


def test_a_whole_game_against_python_chess(mcts):
    state, turns = hansu.game("microchess").start(), 0
    while not state.is_game_over():
        if state.turn == chess.WHITE:
            answer = mcts.play(state, chess.engine.Limit(nodes=200), game=1, info=FULL)
            assert answer.info["nodes"] == 200
            state.push(answer.move)
        else:
            state.push(next(iter(state.legal_moves)))
        turns += 1
    assert turns > 4


def test_a_search_tells_what_it_finds(mcts):
    state = hansu.game("microchess").parse("k3/4/1K2/4/3R w - - 0 1")
    answer = mcts.play(state, chess.engine.Limit(time=0.3), info=FULL)
    assert answer.move == state.parse_move("d1d5")
    assert set(answer.info) >= {"depth", "score", "nodes", "nps", "time", "pv"}
    assert answer.info["pv"][0] == answer.move
    assert answer.info["score"].relative.score() > 0


def test_every_limit_is_kept(mcts):
    state = hansu.game("microchess").start()
    for limit in (
        chess.engine.Limit(time=0.2),
        chess.engine.Limit(white_clock=2, black_clock=2),
        chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.1, black_inc=0.1),
        chess.engine.Limit(white_clock=1, black_clock=1, remaining_moves=5),
    ):
        answer = mcts.play(state, limit, info=FULL)
        assert 0 < answer.info["nodes"] < 1_000_000  # what it would do otherwise
    with engine("abp_negamax") as other:
        assert other.play(state, chess.engine.Limit(depth=3), info=FULL).info["depth"] == 3


def test_the_clock_is_shared_out_over_the_moves_to_come(mcts):
    state = hansu.game("microchess").start()
    answers = [
        mcts.play(state, chess.engine.Limit(white_clock=clock, black_clock=60), info=FULL)
        for clock in (2, 20)
    ]
    assert answers[0].info["nodes"] < answers[1].info["nodes"]


@pytest.mark.parametrize("who", ["mcts", "abp_negamax:depth=60", "brute:playouts=100000000"])
def test_stop_ends_an_infinite_search(who):
    state = hansu.game("microchess").start()
    with engine(who) as thinker:
        thinker.ping()
        with thinker.analysis(state, multipv=3) as analysis:
            time.sleep(0.3)
            analysis.stop()
            best = analysis.wait()
        assert best.move in state.legal_moves
        found = analysis.multipv
    assert [line["multipv"] for line in found] == [1, 2, 3]
    assert len({line["pv"][0] for line in found}) == 3
    assert found[0]["pv"][0] == best.move


@pytest.mark.parametrize("who", ["first_move", "mcts:n_simulations=20"])
def test_an_infinite_search_says_nothing_before_it_is_stopped(who):
    said = []

    def lines():
        yield "go infinite"
        time.sleep(0.3)
        assert not [line for line in said if line.startswith("bestmove")]
        yield "isready"
        assert said[-1] == "readyok"
        yield "stop"
        assert said[-1].startswith("bestmove ")

    UciServer(who, hansu.game("microchess"), said.append).run(lines())


def test_root_moves_are_respected(mcts):
    state = hansu.game("microchess").start()
    for text in ("d1d2", "d2d3", "c1b3"):
        moves = [move for move in state.legal_moves if move.uci() == text]
        if moves:
            limit = chess.engine.Limit(nodes=100)
            assert mcts.play(state, limit, root_moves=moves).move == moves[0]


def test_options_can_be_set(mcts):
    state = hansu.game("microchess").start()
    mcts.configure({"n_simulations": 77, "max_depth": "none", "search_time": "5"})
    answer = mcts.play(state, chess.engine.Limit(white_clock=400, black_clock=400), info=FULL)
    assert answer.info["nodes"] == 77
    mcts.configure({"n_simulations": 1_000_000})


def test_a_finished_game_has_no_best_move():
    lines = serve("position fen 8/8/8/k2R4/8/1K6/8/8 b - - 0 1", "go nodes 10")
    assert lines == ["bestmove (none)"]


def test_an_agent_that_resigns_still_moves():
    lines = serve(
        "position fen k3/4/1q2/4/3K w - - 0 1", "go movetime 50", who="abp_negamax:resign=on"
    )
    assert lines[-1].startswith("bestmove d1")


def test_an_agent_that_fails_is_told_and_answers_nothing():
    said, answered = [], threading.Event()

    def hear(line):
        said.append(line)
        if line.startswith("bestmove"):
            answered.set()

    def lines():
        yield "go"
        answered.wait(60)  # else the end of the input would stop it before it fails

    UciServer("malfunction:p=1", hansu.game("microchess"), hear).run(lines())
    assert said == [
        "info string malfunction:p=1 failed: RuntimeError: malfunction, as intended",
        "bestmove (none)",
    ]


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("hello world", "hello is not a UCI command"),
        ("position fen nonsense", "FEN field 1 (board) 'nonsense'"),
        ("position startpos moves e2e4", "move 1: "),
        ("position", "an empty text is not a FEN"),
        ("setoption name speed value 3", "there is no option 'speed'; the options are"),
        ("setoption name n_simulations value many", "mcts option n_simulations: 'many'"),
        ("setoption speed", "setoption name NAME value VALUE is expected"),
        ("setoption name UCI_Variant value chess", "chess is not played here"),
        ("setoption name MultiPV value 0", "MultiPV is a whole number from 1"),
    ],
)
def test_a_mistake_is_told_and_nothing_else_happens(line, part):
    said = serve(line, "isready", "position startpos", "go nodes 20")
    assert said[0].startswith(f"info string {part}")
    assert said[1] == "readyok"
    assert said[-1].startswith("bestmove ")


def test_go_with_nonsense_is_answered_all_the_same():
    lines = serve("go depth x nodes 20 searchmoves banana")
    told = [f"info string go: {word} is not understood" for word in ("depth", "x")]
    assert lines[:2] == told
    assert lines[-1].startswith("bestmove ")


def test_searchmoves_that_are_no_moves_are_never_played():
    lines = serve("go nodes 20 searchmoves e2e4 d2d3 banana")
    assert lines[0] == "info string searchmoves: e2e4 is not a legal move"
    assert lines[-1] == "bestmove d2d3"
    legal = {move.uci() for move in hansu.game("microchess").start().legal_moves}
    for who in ("mcts", "random"):
        assert serve("go nodes 20 searchmoves e2e4", who=who)[-1].split()[1] in legal


@pytest.mark.parametrize("told", ["movetime 50", "wtime 1000 btime 1000", "nodes 100"])
@pytest.mark.parametrize("who", ["mcts", "random"])
def test_who_ponders_answers_after_ponderhit_and_not_before(who, told):
    said = []

    def answers():
        return [line for line in said if line.startswith("bestmove")]

    def lines():
        yield "isready"
        yield f"go ponder {told}"
        time.sleep(0.1)
        assert not answers()
        yield "ponderhit"
        deadline = time.monotonic() + 60
        while not answers():
            assert time.monotonic() < deadline
            time.sleep(0.01)

    UciServer(who, hansu.game("microchess"), said.append).run(lines())
    assert len(answers()) == 1


WORDS = """
uci isready ucinewgame position startpos fen moves d2d4 e2e4 go nodes 5 depth -3 movetime 1 wtime
btime infinite stop setoption name value n_simulations UCI_Variant searchmoves ponder MultiPV
ponderhit k3/4/1K2/4/3R w - 0 \x00 é 99999999999999999999 (none)
"""
LINES = st.lists(st.sampled_from(WORDS.split()), max_size=8).map(" ".join) | st.text(max_size=40)


@settings(max_examples=60)
@given(st.lists(LINES, max_size=8))
def test_no_line_ends_the_server(lines):
    kept = [line for line in lines if line.split()[:1] != ["quit"]]
    assert "readyok" in serve(*kept, "isready", who="random")[-3:]


def test_the_wrong_agent_is_one_sentence():
    with pytest.raises(hansu.HansuError, match="there is no agent 'alphago'"):
        serve("uci", who="alphago")
