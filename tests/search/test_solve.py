"""Solving positions: limits, stopping, bounds, and what is said about them."""

import random
import threading
import time

import pytest

import hansu
from hansu.errors import HansuError
from hansu.games.solver import Bounds
from hansu.kernel import JIT
from hansu.search.solve import make_solver, solve
from tests.arena.test_accuracy import plain_minimax

CONNECT4 = hansu.game("connect4")
HARD = hansu.game("connect4:width=8,height=7").start()  # without a book: takes hours
compiled = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")


def test_the_solver_of_tictactoe_agrees_with_plain_minimax_in_every_position():
    seen, waiting = set(), [hansu.game("tictactoe").start()]
    while waiting:
        state = waiting.pop()
        if state.text() in seen or state.is_game_over():
            continue
        seen.add(state.text())
        truth = solve(state)
        assert truth.proved
        assert 2 * truth.value - 1 == plain_minimax(state.text())
        for move in truth.moves:
            after = state.forward(move.move)
            assert 2 * move.value - 1 == -plain_minimax(after.text())
            waiting.append(after)
    assert len(seen) == 4520  # positions reached in play in which the game goes on


def test_a_won_game_lasts_as_long_as_was_said():
    rng = random.Random(1)
    for _ in range(200):
        state = hansu.game("tictactoe").start()
        for _ in range(rng.randrange(8)):
            if not state.is_game_over():
                state.push(rng.choice(state.legal_moves))
        if state.is_game_over():
            continue
        for _ in range(solve(state).plies):
            assert not state.is_game_over()
            state.push(solve(state).moves[0].move)
        assert state.is_game_over()


def test_a_finished_game_is_not_solved():
    with pytest.raises(HansuError, match="nothing to solve: the game is over, White wins"):
        solve(CONNECT4.parse("1212121"))


def test_games_without_a_solver_say_so():
    with pytest.raises(HansuError, match="go has an exact solver to 25 points, not for 9x9"):
        solve(hansu.game("go").start())


@compiled
def test_what_is_not_solved_in_time_has_bounds():
    truth = solve(HARD, hansu.Limits(nodes=50_000))
    assert not truth.proved
    assert truth.value is None
    assert truth.score is None
    assert truth.bounds.lower < truth.bounds.upper
    assert truth.nodes <= 50_000
    assert "not solved: the score is" in str(truth)
    assert not truth.info().proved


@compiled
def test_a_search_is_stopped_from_another_thread():
    handle = hansu.SearchHandle()
    threading.Timer(0.2, handle.stop).start()
    truth = solve(HARD, hansu.Limits(), handle)
    assert not truth.proved


@compiled
def test_a_search_is_observed_while_it_runs():
    seen = []
    handle = hansu.SearchHandle(lambda found: seen.append(found()))
    solve(HARD, hansu.Limits(seconds=0.5), handle)
    assert len(seen) > 2
    assert all(isinstance(info, hansu.SearchInfo) for info in seen)
    assert seen[-1].nodes > seen[0].nodes


@compiled
def test_no_thread_is_left_running():
    before = threading.active_count()
    solve(HARD, hansu.Limits(seconds=0.2))
    assert threading.active_count() == before


@compiled
def test_an_interrupt_ends_the_search_and_its_threads(monkeypatch):
    """As Ctrl+C does, in the middle of a wait."""

    def interrupt(found):
        if found().nodes > 100_000:
            raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        solve(HARD, hansu.Limits(), hansu.SearchHandle(interrupt))
    deadline = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == before


@compiled
def test_a_table_is_kept_for_the_next_search(tmp_path):
    state = CONNECT4.parse("444444151")
    first = make_solver(CONNECT4, 16)
    truth = solve(state, solver=first)
    first.save(tmp_path / "c4.table")
    second = make_solver(CONNECT4, 16)
    second.load(tmp_path / "c4.table")
    again = solve(state, solver=second)
    assert again.score == truth.score
    assert again.nodes < truth.nodes / 10


@compiled
def test_a_table_of_another_game_or_size_is_refused(tmp_path):
    file = tmp_path / "c4.table"
    make_solver(CONNECT4, 16).save(file)
    for other in (
        make_solver(CONNECT4, 32),
        make_solver(hansu.game("connect4:width=6"), 16),
        make_solver(hansu.game("hex:size=4"), 16),
    ):
        with pytest.raises(HansuError, match="holds another game's table or one of another size"):
            other.load(file)
    file.write_bytes(b"hansu")
    with pytest.raises(HansuError):
        make_solver(CONNECT4, 16).load(file)


@compiled
@pytest.mark.parametrize("memory", [1, 3, 100])
def test_a_table_is_no_larger_than_the_memory(memory):
    for game in ("connect4", "hex:size=4", "othello"):
        assert make_solver(hansu.game(game), memory).table.nbytes <= memory * 2**20


def test_a_position_and_its_facts_as_json():
    facts = solve(hansu.game("tictactoe").parse("XX. OO. ...")).facts()
    assert (facts["value"], facts["score"], facts["best"]) == (1.0, 3, ["c1"])
    assert facts["proved"] is True
    assert facts["plies"] == 1
    assert [move["move"] for move in facts["moves"]][:2] == ["c1", "c2"]


def test_a_proof_is_part_of_a_search_result():
    info = solve(hansu.game("tictactoe").parse("XX. OO. ...")).info()
    assert info.proved
    assert info.facts()["proved"] is True
    assert info.facts()["lines"][0]["score"] == 3
    assert "proved +3" in str(info)
    assert "proved +3" in info._repr_html_()


@pytest.mark.parametrize("lower", range(-6, 7))
@pytest.mark.parametrize("upper", range(-6, 7))
def test_the_next_test_always_narrows(lower, upper):
    if lower < upper:
        for game in ("tictactoe", "othello"):
            test = make_solver(hansu.game(game), 1).next_test(Bounds(lower, upper))
            assert lower <= test < upper


@compiled
@pytest.mark.parametrize("count", [50, pytest.param(5000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "name",
    ["connect4", "tictactoe", "hex:size=4", "hex:size=5,swap=on", "othello"],
)
def test_any_position_is_answered_within_its_nodes(name, count):
    """Whatever the position and the limit: bounds that make sense, and never more work."""
    rng, game = random.Random(count), hansu.game(name)
    solver = make_solver(game, 1)
    for _ in range(count):
        state = game.start()
        for _ in range(rng.randrange(game.max_turns)):
            if not state.is_game_over():
                state.push(rng.choice(list(state.legal_moves)))
        if state.is_game_over():
            continue
        nodes = rng.choice([1, 10, 1000, 20_000])
        threads = rng.choice([1, 2, 3])
        limits = hansu.Limits(nodes=nodes, exact=rng.random() < 0.5)
        truth = solve(state, limits, threads=threads, solver=solver)
        assert truth.nodes <= nodes
        assert {move.move for move in truth.moves} == set(state.legal_moves)
        assert all(move.bounds.lower <= move.bounds.upper for move in truth.moves)
        assert truth.best or truth.known.lower > max(move.bounds.lower for move in truth.moves)
        assert truth.facts()["proved"] == (truth.value is not None)
