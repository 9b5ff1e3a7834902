"""Games on a cluster are those of this machine, whatever a machine of the cluster does."""

import subprocess
import sys
import threading
import time
import warnings

import pytest

import hansu
from hansu.arena.cluster import machines as machines_module
from hansu.arena.cluster.executor import RayCluster
from hansu.arena.cluster.machines import ClusterWarning
from hansu.arena.executor import InProcess, Job
from hansu.arena.isolation.requirements import missing
from hansu.arena.openings import Openings
from hansu.arena.tournament.live import forget_live, live_games
from hansu.arena.tournament.plan import make_plan
from hansu.arena.tournament.schedule import games_of
from hansu.records.record import TimeControl
from tests.arena.cluster import strange_workers
from tests.arena.isolation.test_programs import SHELL

OWN = """import hansu

class Own(hansu.Agent):
    def act(self, state):
        if len(state.move_stack) > 3 and self.rng.random() < 0.3:
            raise RuntimeError("enough")
        return self.rng.choice(list(state.legal_moves))
"""


@pytest.fixture
def own(tmp_path):
    """An agent of a file, which sometimes fails."""
    file = tmp_path / "own.py"
    file.write_text(OWN)
    return str(file)


def told(record):
    """What the same seed repeats."""
    return record.moves, record.outcome, record.evidence, record.final, record.isolation


def check_the_same(players, rounds, tmp_path):
    options = {"rounds": rounds, "seed": 3, "openings": "random:2"}
    here = hansu.tournament("tictactoe", *players, **options)
    there = hansu.tournament("tictactoe", *players, **options, on="ray", out=tmp_path / "out")
    assert [told(record) for record in there.games] == [told(record) for record in here.games]
    assert not any("failed to start" in record.evidence for record in here.games)
    assert sorted(there.records) == list(range(there.plan.scheduled))
    played = [record.provenance for record in there.games]
    assert len({each.worker for each in played}) == 2  # both machines
    assert all(a.worker == b.worker for a, b in zip(played[::2], played[1::2], strict=True))
    assert all(each.machine and each.speed > 0 for each in played)


@pytest.mark.slow
def test_the_same_games_as_here(nodes, own, tmp_path):
    check_the_same(["random" if missing() else own, "first_move"], 4, tmp_path)


@pytest.mark.slow
def test_an_agent_travels_by_file_by_dotted_path_and_as_a_program(
    nodes, own, tmp_path, monkeypatch
):
    if missing():
        pytest.skip("this machine cannot isolate")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "player").write_text(SHELL)
    check_the_same([own, "own.Own", "./player"], 4, tmp_path)


@pytest.mark.slow
def test_a_class_cannot_travel(nodes):
    with pytest.raises(hansu.HansuError, match="name an agent by file to send it to a cluster"):
        hansu.match("tictactoe", hansu.Agent, "random", games=2, on="ray")


# Strange machines --------------------------------------------------------------------------------


def job_of(games, players=("random", "first_move"), control=TimeControl()):  # noqa: B008 - frozen
    board = hansu.game("tictactoe")
    plan = make_plan(board, players, games // 2, "round-robin", "random:2", control, 5, False)
    return Job(board, players, Openings(board, plan.openings, plan.seed), plan)


def play_all(executor, job):
    with executor:
        played = list(executor.play(games_of(job.plan, {})))
    numbers = [game.number for game, _ in played]
    assert sorted(numbers) == list(range(job.plan.scheduled))
    return [told(record) for _, record in sorted(played, key=lambda each: each[0].number)]


@pytest.fixture
def strange(nodes, monkeypatch, request):
    """One machine of two is strange: its node."""
    import ray

    monkeypatch.setattr(machines_module, "GameWorker", getattr(strange_workers, request.param))
    node = nodes.nodes[0].node_id
    nodes.orders.write_text(node)
    yield node
    nodes.orders.write_text("")
    for mark in nodes.orders.parent.glob(f"{nodes.orders.name}.*"):
        mark.unlink()
    assert not ray.is_initialized()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strange", "why"),
    [("Liar", "the result of another game"), ("Doubler", "another game"), ("Forger", "second")],
    indirect=["strange"],
)
def test_a_machine_that_lies_is_named_and_not_used(nodes, strange, why):
    job = job_of(400)
    with pytest.warns(ClusterWarning) as warned:
        there = play_all(RayCluster(job), job)
    words = [str(each.message) for each in warned]
    assert any(why in each for each in words)
    assert any(f"(node {strange[:8]}) is not used any more" in each for each in words)
    assert there == play_all(InProcess(job), job)


@pytest.mark.slow
@pytest.mark.parametrize("strange", ["Sleeper"], indirect=True)
def test_a_machine_that_hangs_costs_time(nodes, strange):
    control = TimeControl(1.0)
    job = job_of(12, control=control)
    with pytest.warns(ClusterWarning, match="hangs there"):
        there = play_all(RayCluster(job, slack=-185.0), job)  # what starting may take is left out
    assert there == play_all(InProcess(job), job)


@pytest.mark.slow
@pytest.mark.parametrize("strange", ["Mortal"], indirect=True)
def test_a_worker_that_dies_costs_time(nodes, strange):
    job = job_of(40)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClusterWarning)
        there = play_all(RayCluster(job), job)
    assert there == play_all(InProcess(job), job)


@pytest.mark.slow
def test_machines_that_have_another_hansu_are_not_used(nodes, monkeypatch):
    monkeypatch.setattr(machines_module, "program", lambda: "hansu 9")
    job = job_of(4)
    with (
        pytest.warns(ClusterWarning, match="and this is hansu 9"),
        pytest.raises(hansu.HansuError, match="no machine of the cluster can be used"),
    ):
        play_all(RayCluster(job), job)


@pytest.mark.slow
def test_an_agent_that_always_kills_its_worker_is_named(nodes, tmp_path):
    file = tmp_path / "killer.py"
    file.write_text("import hansu, os\nclass K(hansu.Agent):\n    def act(self, s): os._exit(1)\n")
    options = {"games": 2, "on": "ray", "isolation": "trusted"}
    with (
        pytest.warns(ClusterWarning, match="has died"),
        pytest.raises(hansu.HansuError, match="has ended its process 3 times"),
    ):
        hansu.match("tictactoe", str(file), "random", **options)


SLOW = """import time

import hansu

class Slow(hansu.Agent):
    def act(self, state):
        time.sleep(0.4)
        return self.rng.choice(list(state.legal_moves))
"""


@pytest.mark.slow
def test_games_on_other_machines_can_be_watched(nodes, tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    board, players = hansu.game("tictactoe"), (str(tmp_path / "slow.py"), "random")
    plan = make_plan(board, players, 2, "round-robin", None, TimeControl(), 1, False)
    job = Job(board, players, Openings(board, plan.openings, plan.seed), plan, live=tmp_path)
    seen, done = [], threading.Event()

    def watch():
        while not done.wait(0.1):
            seen.extend(live_games(tmp_path).items())

    watching = threading.Thread(target=watch)
    watching.start()
    records = {}
    try:
        with RayCluster(job) as cluster:
            for game, record in cluster.play(games_of(plan, {})):
                forget_live(tmp_path, game.number)
                records[game.number] = record
    finally:
        done.set()
        watching.join()
    assert {number for number, _ in seen} == set(records)
    for number, game in seen:
        assert 0 < len(game.turns) <= len(records[number].turns)
        assert game.moves == records[number].moves[: len(game.turns)]
    assert not live_games(tmp_path)


@pytest.mark.slow
def test_a_cluster_without_a_core_is_waited_for(nodes):
    """A machine that comes later, as its administrator starts it, gets the games."""
    job, started = job_of(4), []

    def start_later():
        time.sleep(5)
        words = ["start", "--address", nodes.address, "--num-cpus", "1", "--block"]
        started.append(
            subprocess.Popen(
                [sys.executable, "-m", "ray.scripts.scripts", *words],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )

    for node in list(nodes.nodes):
        nodes.kill(node)
    thread = threading.Thread(target=start_later)
    thread.start()
    try:
        there = play_all(RayCluster(job), job)
    finally:
        thread.join()
        started[0].terminate()
        started[0].wait(60)
    assert there == play_all(InProcess(job), job)
