"""The memory that grows: every prefix is credited, nothing is lost, whoever writes or dies."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter

import numpy as np
import pytest

import hansu
from hansu.agents.agent_life import AgentLife
from hansu.agents.memory import Memory
from hansu.games.state import State
from hansu.kernel import seeded
from hansu.search.playout import random_move_id
from hansu.search.prefix_playouts import Simulator, sequence_keys
from hansu.search.prefix_table import ENTRY, Pending
from hansu.statistics.stats import Tally
from tests.command_line import hansu as command
from tests.small_games import SMALL_GAMES

SMALL = 1 << 12  # slots

WRITER = """
import sys
import numpy as np
from hansu.agents.memory import Memory
from hansu.search.prefix_table import Pending
memory, pending = Memory(sys.argv[1]), Pending(100)
game = memory.game_number("connect4")
for number in range(int(sys.argv[2])):
    pending.credit(np.uint64(1), 1, game, +1)
    for ply in range(2, 60):
        pending.credit(np.uint64((number % 50) * 1000 + ply), ply, game, 0)
    memory.commit(pending)
    print(number, flush=True)
"""


def writer(file, count):
    line = [sys.executable, "-c", WRITER, str(file), str(count)]
    return subprocess.Popen(line, stdout=subprocess.PIPE, text=True)


def remember(memory, tallies, game="connect4"):
    """Add tallies of sequences, whose keys are plain numbers here."""
    pending = Pending(1000)
    number = memory.game_number(game)
    for key, tally in tallies.items():
        for score, count in ((1, tally.wins), (0, tally.draws), (-1, tally.losses)):
            for _ in range(count):
                pending.credit(np.uint64(key), key % 7 + 1, number, score)
    memory.commit(pending)


def known(memory):
    return {
        int(e["key"]): Tally(int(e["wins"]), int(e["draws"]), int(e["losses"]))
        for e in memory.entries()
    }


def state_after(game, moves):
    state = hansu.game(game).start()
    for move in moves.split():
        state.push(state.parse_move(move))
    return state


def plain_playouts(state, wanted, seed):
    """What the compiled simulation does, in plain Python: results by sequence and score."""
    rng, counted = seeded(seed), Counter()
    for _ in range(wanted):
        for move in state.legal_moves:
            game: State = state.forward(move)
            while (code := random_move_id(game, rng)) >= 0:
                game.push(game.move_from_id(code))
            outcome = game.outcome()
            first = outcome.winner == state.game.first_color
            score = 0 if outcome.winner is None else 1 if first else -1
            moves = [game.move_id(played) for played in game.move_stack]
            for length in range(1, len(moves) + 1):
                counted[tuple(moves[:length]), score] += 1
    return counted


@pytest.mark.parametrize(
    ("game", "moves"),
    [*((game, "") for game in SMALL_GAMES), ("connect4", "4 4 3"), ("microchess", "d2d3 a5b4")],
)
def test_a_result_is_credited_to_every_prefix_exactly_once(game, moves):
    state, seed, wanted = state_after(game, moves), 20261115, 5
    memory, pending = Memory(capacity=1 << 16), Pending(1 << 14)
    simulator = Simulator(state, seed)
    count = len(simulator.moves)
    assert simulator.run(pending, 0, [wanted] * count, 10**6) == wanted * count
    memory.commit(pending)
    expected = plain_playouts(state, wanted, seed)
    sequences = {sequence for sequence, _ in expected}
    assert len(memory) == len(sequences)
    for sequence in sequences:
        reached = hansu.game(game).start()
        for code in sequence:
            reached.push(reached.move_from_id(code))
        tally = Tally(*(expected[sequence, score] for score in (1, 0, -1)))
        assert memory.recall([sequence_keys(reached)[-1]]) == [tally]


def test_the_tallies_of_the_answers_add_up_to_that_of_the_move(tmp_path):
    """Every simulated game that goes on after a move goes on with one of the answers."""
    file = tmp_path / "m"
    hansu.match("connect4", f"mcts_memory:memory={file}", "random", games=2)
    memory, start = Memory(file), hansu.game("connect4").start()
    for move, tally in memory.moves(start):
        answers = [-answer for _, answer in memory.moves(start.forward(move))]
        assert sum(answers, Tally()) == tally  # no game of connect4 ends at the first move


def test_later_turns_find_what_earlier_ones_saw():
    agent = hansu.agent("connect4", "mcts_memory:scope=game", seed=1)
    agent.reset()
    state = hansu.game("connect4").start()
    state.push(agent.act(state))
    state.push(4)
    agent.act(state)
    assert sum(line.visits for line in agent.info.lines) > agent.info.nodes == 250 // 7 * 7


def plain_value(memory, state, enough):
    """The value for the side to move, by plain minimax over what is known."""
    outcome = state.outcome()
    if outcome is not None:
        return 0.5 if outcome.winner is None else float(outcome.winner == state.turn)
    moves = memory.moves(state)
    if any(tally.games < enough for _, tally in moves):
        (tally,) = memory.recall([sequence_keys(state)[-1]])
        return (tally if state.turn == state.game.first_color else -tally).rate
    return max(1 - plain_value(memory, state.forward(move), enough) for move, _ in moves)


@pytest.mark.parametrize("game", SMALL_GAMES)
def test_a_move_is_worth_its_best_answer_as_far_as_all_answers_are_known(game, tmp_path):
    file, state = tmp_path / "m", hansu.game(game).start()
    hansu.match(game, f"mcts_memory:memory={file},min_visits=3", "random", games=8)
    agent = hansu.agent(game, f"mcts_memory:memory={file},min_visits=3", seed=1)
    agent.act(state)
    memory = Memory(file)
    deeper = 0
    for line in agent.info.lines:
        after = state.forward(line.move)
        assert line.value == pytest.approx(1 - plain_value(memory, after, 3))
        deeper += all(tally.games >= 3 for _, tally in memory.moves(after))
    assert deeper > 0


def test_two_writers_at_once_lose_nothing(tmp_path):
    file = tmp_path / "m"
    writers = [writer(file, 300) for _ in range(2)]
    assert [process.communicate(timeout=120) and process.returncode for process in writers] == [
        0,
        0,
    ]
    found = known(Memory(file))
    assert found.pop(1) == Tally(600, 0, 0)
    assert sum(tally.draws for tally in found.values()) == 600 * 58


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_has_a_lock_of_its_own(tmp_path):
    memory = Memory(tmp_path / "m", SMALL)
    children = []
    for _ in range(2):
        child = os.fork()
        if child == 0:
            for _ in range(200):
                remember(memory, {1: Tally(1), 2: Tally(0, 1)})
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
    assert known(memory) == {1: Tally(400), 2: Tally(0, 400)}


def test_a_killed_writer_leaves_every_finished_update(tmp_path):
    file = tmp_path / "m"
    for attempt in range(3):
        before = Memory(file).recall([1])[0].wins
        process = writer(file, 10**6)
        process.stdout.readline()
        time.sleep(0.1 + 0.02 * attempt)
        os.kill(process.pid, signal.SIGKILL)
        told = int(process.communicate()[0].split()[-1] or 0) + 1
        memory = Memory(file)
        found = known(memory)
        wins = found.pop(1).wins
        assert before + told <= wins <= before + told + 1
        assert sum(tally.draws for tally in found.values()) == 58 * wins
        assert len(memory) == len(found) + 1


@pytest.mark.parametrize("replaces", [False, True])
def test_a_change_that_was_marked_is_finished_by_whoever_comes_next(tmp_path, replaces):
    """Killed at the worst moment: the journal is valid and half of it is in the table."""
    file = tmp_path / "m"
    memory = Memory(file, SMALL)
    remember(memory, {1: Tally(1), 2: Tally(0, 2), 3: Tally(0, 0, 3)})
    journal = np.zeros(2, ENTRY)
    journal["key"], journal["wins"] = (1, 9), (5, 7)
    memory._journal[:2] = journal
    memory.table[9]["key"] = 9  # its slot is taken, its counts are not there yet
    memory._header["journal_sources"] = 1
    memory._header["journal_replaces"] = replaces
    memory._header["journal"] = 2
    before = {} if replaces else {2: Tally(0, 2), 3: Tally(0, 0, 3)}
    for _ in range(2):
        assert known(Memory(file)) == {**before, 1: Tally(5), 9: Tally(7)}
        assert len(memory) == len(before) + 2


def test_a_full_memory_forgets_the_least_visited():
    memory, pending = Memory(capacity=SMALL), Pending(1000)
    state = hansu.game("connect4").start()
    for seed in range(60):
        Simulator(state, seed).run(pending, 0, [3] * 7, 10**6)
        memory.commit(pending)
        pending.clear()
        entries = memory.entries()
        assert len(entries) == len(memory) <= memory.limit == SMALL // 2
    visits = entries["wins"].astype(int) + entries["draws"] + entries["losses"]
    assert (visits[entries["ply"] == 1] == visits[entries["ply"] == 1][0]).all()
    assert len(visits[entries["ply"] == 1]) == 7


def test_memories_merge_and_are_pruned(tmp_path):
    here, there = Memory(tmp_path / "a", SMALL), Memory(tmp_path / "b", SMALL)
    remember(here, {1: Tally(1, 0, 0), 2: Tally(0, 2, 0)})
    remember(there, {2: Tally(5, 0, 0), 3: Tally(0, 0, 1)}, "tictactoe")
    assert here.merge([there]) == 0
    assert known(here) == {1: Tally(1), 2: Tally(5, 2, 0), 3: Tally(0, 0, 1)}
    assert here.games == ["connect4", "tictactoe"]
    assert {int(e["key"]): here.games[e["game"]] for e in here.entries()}[3] == "tictactoe"
    with pytest.raises(hansu.HansuError, match="count twice"):
        here.merge([there])
    assert here.prune(min_visits=2) == 2
    assert known(here) == {2: Tally(5, 2, 0)}
    remember(here, {n: Tally(n) for n in range(5, 15)})
    assert here.prune(keep=4) == 7
    assert set(known(here)) == {14, 13, 12, 11}
    assert here.prune(keep=0) == 4
    assert known(here) == {}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"not a memory, but long enough to look like a file " * 20, "it is not one"),
        (b"hansu memory 2\n\0" + b"\xff" * 500, "it is damaged"),
        (b"hansu memory 2\n", "it is not one"),
    ],
)
def test_a_file_that_is_no_memory_is_refused(tmp_path, content, said):
    (tmp_path / "text").write_bytes(content)
    with pytest.raises(hansu.HansuError, match=rf"cannot use .* as a memory: {said}"):
        Memory(tmp_path / "text")
    assert (tmp_path / "text").read_bytes() == content
    text = f"mcts_memory:memory={tmp_path / 'text'}"
    for words in (["watch", "connect4", text, "random"], ["analyze", "connect4", "-a", text]):
        assert said in command(*words, code=2).stderr


def test_a_memory_that_was_cut_off_is_refused(tmp_path):
    file = tmp_path / "m"
    Memory(file, SMALL).close()
    os.truncate(file, file.stat().st_size - 1)
    with pytest.raises(hansu.HansuError, match="it is damaged"):
        Memory(file)


def test_a_table_that_does_not_match_its_header_is_refused(tmp_path):
    file = tmp_path / "m"
    memory = Memory(file, SMALL)
    remember(memory, {1: Tally(1), 2: Tally(1)})
    memory.table[100]["key"] = 100
    assert "is damaged" in command("memory", "inspect", str(file), code=2).stderr
    out = str(tmp_path / "out")
    assert "is damaged" in command("memory", "merge", out, str(file), code=2).stderr


def test_a_memory_of_the_earlier_layout_is_refused(tmp_path):
    sqlite3.connect(tmp_path / "m").execute("CREATE TABLE sequences (moves TEXT PRIMARY KEY)")
    with pytest.raises(hansu.HansuError, match="of an earlier version"):
        Memory(tmp_path / "m")


def test_the_making_of_a_file_is_begun_anew_after_a_kill(tmp_path):
    (tmp_path / "m").write_bytes(bytes(1000))
    remember(Memory(tmp_path / "m", SMALL), {1: Tally(1)})
    assert known(Memory(tmp_path / "m")) == {1: Tally(1)}


def test_the_agent_tops_every_move_up_and_then_adds_one(tmp_path):
    file = tmp_path / "memory"
    state = hansu.game("connect4").start()
    for visits in (30, 31, 32):
        agent = hansu.agent("connect4", f"mcts_memory:memory={file}", seed=1)
        agent.reset()
        agent.act(state)
        agent.close()
        assert [line.visits for line in agent.info.lines] == [visits] * 7


def test_with_scope_game_nothing_is_kept():
    agent = hansu.agent("connect4", "mcts_memory:scope=game", seed=1)
    for _ in range(2):
        agent.reset()
        agent.act(hansu.game("connect4").start())
        assert sum(line.visits for line in agent.info.lines) == 250 // 7 * 7
        agent.close()


@pytest.mark.parametrize("scope", ["always", "game"])
def test_a_memory_is_opened_and_emptied_off_the_clock(tmp_path, scope, monkeypatch):
    agent = hansu.agent("connect4", f"mcts_memory:scope={scope},memory={tmp_path / 'm'}", seed=1)
    state = hansu.game("connect4").start()
    with AgentLife(agent) as life:
        for _ in range(2):
            life.begin_game(state)
            with monkeypatch.context() as patch:
                patch.setattr(Memory, "__init__", None)
                agent.act(state.copy())


def test_games_and_rule_sets_do_not_mix(tmp_path):
    file = tmp_path / "m"
    for game in ("go:size=5", "go:size=5,komi=0.5", "go:size=5,max_turns=10"):
        agent = hansu.agent(game, f"mcts_memory:memory={file},min_visits=2", seed=1)
        agent.act(hansu.game(game).start())
        agent.release()
        assert {line.visits for line in agent.info.lines} == {2}


def test_a_time_limit_is_kept():
    """The next look at the clock ends the turn; every move got the same before."""
    agent = hansu.agent("connect4", "mcts_memory:scope=game,n_simulations=100000000", seed=1)
    found = agent.search(hansu.game("connect4").start(), hansu.Limits(seconds=0.01))
    counts = [line.visits for line in found.lines]
    assert sum(counts) < 10**7
    assert max(counts) - min(counts) <= 1


def test_the_commands(tmp_path):
    one, two, out = (str(tmp_path / name) for name in ("one", "two", "out"))
    for seed, file in enumerate((one, two)):
        text = f"mcts_memory:memory={file}"
        command("analyze", "connect4", "-a", text, "-p", "44", "--seed", str(seed))
    found = json.loads(command("memory", "inspect", one, "-p", "44", "--json").stdout)
    assert found["games"][0]["simulated_games"] == 210
    assert found["games"][0]["entries_per_ply"][:3] == [1, 1, 7]
    assert found["position"]["view"] == "white"
    assert [m["wins"] + m["draws"] + m["losses"] for m in found["position"]["moves"]] == [30] * 7
    assert "simulated games" in command("memory", "inspect", one).stdout
    command("memory", "merge", out, one, two)
    merged = json.loads(command("memory", "inspect", out, "--json").stdout)
    assert merged["games"][0]["simulated_games"] == 420
    for line in ([out, one], [one, one], [out, two, two]):
        assert "count twice" in command("memory", "merge", *line, code=2).stderr
    again = json.loads(command("memory", "inspect", out, "--json").stdout)
    assert again == merged
    assert "9 kept" in command("memory", "prune", out, "--min-visits", "30").stdout
    assert "say what to keep" in command("memory", "prune", out, code=2).stderr
    missing = str(tmp_path / "missing")
    for words in (["inspect", missing], ["prune", missing, "--keep", "1"], ["merge", out, missing]):
        assert "No such file" in command("memory", *words, code=2).stderr
    assert "knows nothing of go" in command("memory", "inspect", one, "-g", "go", code=2).stderr


def test_watch_and_analyze_show_every_tally(tmp_path):
    text = f"mcts_memory:memory={tmp_path / 'm'}"
    lines = command("watch", "connect4", text, "random", "--json").stdout.splitlines()
    turns = [json.loads(line) for line in lines[:-1]]
    for turn in turns[::2]:
        assert all(move["visits"] >= 30 for move in turn["moves"])
        for move in turn["moves"]:
            wins, draws, losses, rate = move["tally"].values()
            assert wins + draws + losses == move["visits"]
            assert rate == pytest.approx((wins + draws / 2) / move["visits"], abs=1e-6)
    assert all("moves" not in turn for turn in turns[1::2])
    assert "won" in command("watch", "connect4", text, "random").stdout
    shown = command("analyze", "connect4", "-a", text).stdout
    assert shown.count(" drawn ") == 7
    facts = json.loads(command("analyze", "connect4", "-a", text, "--json").stdout)
    assert all(set(line["tally"]) == {"wins", "draws", "losses", "rate"} for line in facts["lines"])


@pytest.mark.slow
def test_after_2000_games_of_its_own_it_beats_its_forgetting_self(tmp_path):
    """Both simulate 250 games a turn in the match; only one has a past."""
    text = f"mcts_memory:memory={tmp_path / 'm'}"
    hansu.match("connect4", text, text, games=2000, seed=11)
    result = hansu.match(
        "connect4", f"{text},n_simulations=250", "mcts_memory:scope=game", games=400, seed=77
    )
    assert result.distinct_games > 380
    assert result.superiority >= 0.95, str(result)
