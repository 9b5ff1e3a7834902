"""Every agent keeps the limits of its move, whoever sets them, and shows win probabilities."""

import functools
import itertools
import math
import random
import threading
import time
from pathlib import Path

import pytest

import hansu
from hansu.agents.asking import ask
from hansu.agents.registry import AGENTS, against_people
from hansu.games.game import GAMES
from hansu.games.state import Timing
from hansu.search.limits import UNLIMITED, Limits, SearchHandle
from hansu.search.mcts import Mcts, MctsSettings
from hansu.search.negamax import search

ELSEWHERE = {
    *("human", "malfunction", "stockfish", "fairy_stockfish", "gnugo", "grhino", "uci", "gtp"),
    "lines",
    *("openspiel", "greedy", "first_move", "mcts_memory", "record_learning", "perfect", "engine"),
}
PLAYERS = [*(name for name in AGENTS if name not in ELSEWHERE), "mcts_memory:scope=game"]
PLAYERS += ["perfect:threads=1", "engine:threads=1"]  # the clock below counts all threads
TRAINED = {path.stem for path in (Path(hansu.__file__).parent / "learning/models").glob("*.onnx")}
SOLVED = {"connect4", "othello", "tictactoe"}  # on the usual board, with nothing built before
PAIRS = [
    (player, game)
    for player in PLAYERS
    for game in sorted(GAMES)
    if player != "self_learning" or game in TRAINED
    if "perfect" not in player or game in SOLVED
]
PAIRS.append(("perfect:threads=1", "connect4"))  # the clocks of these tests count both threads
SEARCHERS = ["mcts", "abp_negamax", "negamax", "minimax", "brute", "pure_mc", "self_learning"]


@functools.cache
def middle_of(name):
    """Where a game is to begin: whole games take long on a large board."""
    state, rng = hansu.game(name).start(), random.Random(3)
    while not state.is_game_over():
        state.push(rng.choice(list(state.legal_moves)))
    for _ in range(min(40, len(state.move_stack) // 2)):
        state.pop()
    return state.text()


class Visitor(hansu.Agent):
    """Plays a few random moves and resigns."""

    moves = 4

    def act(self, state):
        self.moves -= 1
        return self.rng.choice(list(state.legal_moves)) if self.moves >= 0 else hansu.RESIGN


# The referee's clock counts this process's own seconds here: a busy machine makes nobody late.
@pytest.mark.parametrize(("player", "game"), PAIRS)
def test_nobody_forfeits_when_every_move_is_limited(player, game):
    """Their own options allow ten seconds and more: without the limit they would all be late."""
    record = hansu.play_game(
        game,
        *(player, Visitor),
        position=middle_of(game),
        seconds=None,
        move_seconds=0.1,
        seed=4,
        timer=time.process_time,
    )
    assert record.outcome.reason not in ("timeout", "crash", "illegal_move"), record.evidence


# A step of these takes long: a batch of a million games, a few games on the largest board.
@pytest.mark.parametrize("player", ["pure_mc:batch=1000000", "pure_mc", "brute"])
def test_a_long_step_makes_nobody_late(player):
    state = hansu.game("go:size=19").start()
    agent = hansu.agent(state.game, player, seed=1)
    agent.prepare(state)
    agent.search(state, Limits(seconds=0.01))
    begin = time.process_time()
    found = agent.search(state, Limits(seconds=0.05))
    assert time.process_time() - begin < 0.1
    assert found.nodes > 0
    assert agent.search(state, Limits(nodes=400)).nodes <= 430


@pytest.mark.parametrize("control", [{"seconds": 1.0}, {"seconds": 0.5, "increment": 0.02}])
@pytest.mark.parametrize("player", ["mcts", "abp_negamax", "pure_mc"])
def test_nobody_forfeits_with_a_short_clock(player, control):
    timer = time.process_time
    record = hansu.play_game("connect4", player, player, seed=2, timer=timer, **control)
    assert record.outcome.reason != "timeout", record.evidence


# How long a move may take ------------------------------------------------------------------------


def timed(left=math.inf, increment=0.0, limit=math.inf, to_go=None):
    state = hansu.game("connect4").start()
    state.white_remain_sec = left
    state.timing = Timing(increment, limit, to_go)
    return state


def test_a_move_may_take_a_fair_share_of_the_clock_and_most_of_the_increment():
    without = hansu.move_seconds(timed(left=100))
    assert 0 < without < 100 / 20
    assert hansu.move_seconds(timed(left=100, increment=2)) == pytest.approx(without + 1.6)
    assert hansu.move_seconds(timed(left=100, to_go=2)) > 40


@pytest.mark.parametrize("left", [0.01, 0.4, 1.0, 60.0])
def test_an_increment_never_lets_a_move_take_more_than_the_clock_has(left):
    assert hansu.move_seconds(timed(left=left, increment=100.0)) < left


@pytest.mark.parametrize("limit", [0.01, 0.1, 1.0, 30.0])
def test_a_limit_of_each_move_is_kept_with_a_reserve(limit):
    for left in (math.inf, 4000.0):
        assert limit / 2 <= hansu.move_seconds(timed(left=left, limit=limit)) < limit
    assert hansu.move_seconds(timed()) == math.inf


def test_states_carry_the_limits_along():
    state = timed(left=9, increment=2, limit=3)
    after = state.forward(state.legal_moves[0])
    assert (after.increment_sec, after.max_move_sec) == (2, 3)
    chess = hansu.game("microchess").start()
    chess.timing = Timing(1.0, 2.0)
    moved = chess.forward(next(iter(chess.legal_moves)))
    assert (moved.copy().increment_sec, moved.max_move_sec) == (1.0, 2.0)


def test_an_agent_of_ones_own_hears_all_limits():
    heard = []

    class Listener(hansu.Agent):
        def act(self, state):
            heard.append((state.remain_sec, state.increment_sec, state.max_move_sec))
            assert hansu.move_seconds(state) < 2.0
            return next(iter(state.legal_moves))

    hansu.play_game(
        "tictactoe", Listener, "random", seconds=50, increment=1.5, move_seconds=2, seed=1
    )
    assert heard[0] == (50.0, 1.5, 2.0)
    assert all(limits[1:] == (1.5, 2.0) for limits in heard)


# A caller's limits -------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["mcts", "brute", "pure_mc", "self_learning", "abp_negamax"])
def test_a_callers_nodes_replace_the_agents_own_number(who):
    agent = hansu.agent("connect4", who, seed=1)
    state = hansu.game("connect4").start()
    few, many = (agent.search(state, Limits(nodes=nodes)).nodes for nodes in (700, 5000))
    assert few <= 730
    assert few < many <= 5030


def test_seconds_that_a_caller_asks_for_are_not_cut_short_by_defaults(monkeypatch):
    """The search would end at its usual number of simulations, long before its time."""
    monkeypatch.setattr("hansu.agents.mcts.MctsOptions.n_simulations", 10, raising=False)
    agent = hansu.agent("tictactoe", "mcts", seed=1)
    object.__setattr__(agent.options, "n_simulations", 10)
    state = hansu.game("tictactoe").start()
    assert agent.search(state).nodes == 10
    assert agent.search(state, Limits(seconds=0.05)).nodes > 100


@pytest.mark.parametrize(
    ("who", "nodes"), [("mcts:n_simulations=50", 50), ("mcts_dev", 5000), ("brute:playouts=300", 0)]
)
def test_what_was_set_stays_a_bound(who, nodes):
    agent = hansu.agent("connect4", who, seed=1)
    found = agent.search(hansu.game("connect4").start(), Limits(seconds=20.0))
    assert found.nodes == nodes or (not nodes and found.nodes < 3000)


def test_only_a_clock_makes_a_search_save_time():
    agent = hansu.agent("connect4", "abp_negamax")
    limited = timed(limit=1.0)
    limited.white_remain_sec = limited.black_remain_sec = math.inf
    assert agent.bounded(timed(left=9), UNLIMITED).thrifty
    assert not agent.bounded(limited, UNLIMITED).thrifty  # what is left of a move's limit is lost
    assert not agent.bounded(timed(left=9), Limits(seconds=1.0)).thrifty


def test_seconds_that_cannot_be_saved_are_spent_on_another_depth(monkeypatch):
    """By this clock a depth takes a second: three fit into what a thrifty one would end after."""
    state = hansu.game("connect4").start()
    ticks = itertools.count()
    monkeypatch.setattr("hansu.search.negamax.time.perf_counter", lambda: next(ticks))
    saved, spent = (search(state, 40, True, seconds=6.5, thrifty=t).depth for t in (True, False))
    assert 1 <= saved < spent


def test_a_callers_depth_is_the_depth():
    state = hansu.game("connect4").start()
    for who in ("abp_negamax", "negamax", "minimax"):
        assert hansu.agent("connect4", who).search(state, Limits(depth=3)).depth == 3
    assert hansu.agent("connect4", "abp_negamax:depth=2").search(state, Limits(depth=5)).depth == 2


def test_more_seconds_look_deeper_than_the_default():
    state = hansu.game("connect4").parse("44444")
    found = hansu.agent("connect4", "abp_negamax").search(state, Limits(seconds=1.0, exact=True))
    assert found.depth > 6


@pytest.mark.parametrize("who", SEARCHERS)
def test_a_search_without_end_can_be_stopped(who):
    agent = hansu.agent("microchess", who, seed=1)
    state = hansu.game("microchess").start()
    agent.prepare(state)
    handle, found = SearchHandle(), []

    def search():
        found.append(agent.search(state, Limits(seconds=math.inf), handle))

    thread = threading.Thread(target=search)
    thread.start()
    time.sleep(0.2)
    assert thread.is_alive()
    handle.stop()
    thread.join(60)
    assert found[0].move in list(state.legal_moves)


@pytest.mark.parametrize("who", SEARCHERS)
def test_a_search_that_was_stopped_before_it_began_still_answers(who):
    agent = hansu.agent("microchess", who, seed=1)
    state, handle = hansu.game("microchess").start(), SearchHandle()
    handle.stop()
    assert ask(agent, state.copy(), Limits(seconds=math.inf), handle).move in state.legal_moves


def test_an_agent_that_only_acts_reads_a_callers_seconds_from_its_state():
    class Plain(hansu.Agent):
        def act(self, state):
            self.info = hansu.SearchInfo((), 0, hansu.move_seconds(state))
            return state.legal_moves[0]

    answer = ask(Plain("plain"), hansu.game("tictactoe").start(), Limits(seconds=3.0))
    assert 2.0 < answer.info.seconds < 3.0


# What is shown -----------------------------------------------------------------------------------


def test_each_game_has_its_own_defaults():
    for name in GAMES:
        options = hansu.agent(name, "mcts").options
        is_chess = name == "microchess"
        assert (options.max_depth, options.reward_amplify) == (
            (6, True) if is_chess else (None, False)
        )
    assert hansu.agent("microchess", "mcts:max_depth=none").options.max_depth is None
    assert hansu.agent("go", "mcts:reward_amplify=on,max_depth=4").options.max_depth == 4


@pytest.mark.parametrize("game", sorted(GAMES))
def test_at_the_start_nobody_is_shown_as_lost_or_won(game):
    found = hansu.agent(game, "mcts", seed=1).search(hansu.game(game).start(), Limits(nodes=3000))
    assert 0.25 < found.value < 0.8
    assert all(0.1 < line.value < 0.9 for line in found.lines if line.visits > 50)


AHEAD = "8/8/8/2B5/N7/1K1k4/2NB4/3b4 w - - 0 1"  # White is far ahead and must lose a piece


def test_amplified_scores_choose_and_are_never_shown():
    state = hansu.game("microchess").parse(AHEAD)
    search = Mcts(state, MctsSettings(max_depth=6, amplify=True), seed=1)
    search.run(300)
    best = search.info().lines[0]
    child = next(c for c in search.children() if state.move_from_id(c["move_id"]) == best.move)
    tree, node = search._tree, child["node"]
    assert tree.reward[node] / tree.visits[node] < 0.3  # most leaves are worse than the root
    assert best.value == child["value"] > 0.5  # but White has more


def test_a_won_game_is_not_resigned(monkeypatch):
    monkeypatch.setattr("hansu.agents.search_agent.HOPELESS", 0.4)
    agent = hansu.agent("microchess", "mcts:resign=on,n_simulations=300", seed=1)
    assert agent.act(hansu.game("microchess").parse(AHEAD)) is not hansu.RESIGN
    assert agent.info.value > 0.5


def test_against_people_a_lost_game_is_resigned():
    state = hansu.game("connect4").parse("44553")
    assert hansu.agent("connect4", against_people("abp_negamax")).act(state) is hansu.RESIGN
    assert hansu.agent("connect4", "abp_negamax").act(state) is not hansu.RESIGN
    asked_not_to = against_people("abp_negamax:resign=off")
    assert hansu.agent("connect4", asked_not_to).act(state) is not hansu.RESIGN
