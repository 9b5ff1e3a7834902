"""Engines that misbehave: each fault is a loss with a reason, nothing hangs, nothing is left."""

import os
import pickle
import re
import signal
import subprocess
import sys

import pytest

import hansu
from hansu.arena.match import match
from hansu.protocols import gtp_client, program, uci_client
from hansu.protocols.gtp_client import GtpEngine
from hansu.protocols.pipe import EnginePipe
from hansu.protocols.program import EngineFailure, MissingProgram
from tests.protocols.engines import FAKE, MATE, fake, linux_only, none_left, processes

GO = "go:size=5"
NEVER_READY = ("mute", "garbage at first")  # however long one waits


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """A few seconds are enough for engines that will never answer."""
    monkeypatch.setattr(uci_client, "START_SECONDS", 4.0)
    monkeypatch.setattr("hansu.protocols.uci_agents.LATE", 3.0)
    monkeypatch.setattr(gtp_client.GtpEngine.ask, "__defaults__", (4.0,))


def play(protocol, habit, *rest, seconds=400.0):
    """One game that the fake engine begins."""
    who = fake(protocol, habit, *rest)
    if protocol == "uci":
        return hansu.play_game("microchess", who, "random", position=MATE, seconds=seconds)
    return hansu.play_game(GO, who, "random", seconds=seconds)


@pytest.mark.parametrize(
    ("habit", "evidence"),
    [
        ("mute", "did not answer uci with uciok within 1 s"),
        ("garbage at first", "did not answer uci with uciok within 1 s"),
        (
            "dies",
            r"died at 'go' \(exit status 3\); its last words: line one \| segm",
        ),
        ("silent", "did not answer go with bestmove within 1.1 s"),
        ("garbage", "did not answer go with bestmove within 1.1 s"),
        ("flood", "bytes of output|did not answer go"),
    ],
)
def test_a_uci_engine_that_fails_loses(habit, evidence, monkeypatch):
    if habit in NEVER_READY:
        monkeypatch.setattr(uci_client, "START_SECONDS", 1.0)
    monkeypatch.setattr("hansu.protocols.uci_agents.LATE", 1.0)
    record = play("uci", habit)
    assert record.outcome == hansu.Outcome(hansu.BLACK, "crash")
    assert re.search(evidence, record.evidence)


@pytest.mark.parametrize(
    ("habit", "evidence"),
    [
        ("mute", "did not answer 'list_commands' within 1 s"),
        ("garbage at first", "did not answer 'list_commands' within 1 s"),
        ("refuses", "refused 'list_commands': not today"),
        ("dies", "died at 'genmove black' (exit status 3); its last words: line one | seg"),
        ("flood", "what is not GTP"),
    ],
)
def test_a_gtp_engine_that_fails_loses(habit, evidence, monkeypatch):
    if habit in NEVER_READY:
        monkeypatch.setattr(gtp_client.GtpEngine.ask, "__defaults__", (1.0,))
    record = play("gtp", habit)
    assert record.outcome == hansu.Outcome(hansu.WHITE, "crash")
    assert evidence in record.evidence


@pytest.mark.parametrize("line", ["=junk", "?junk", "=999 E5", "", "junk", "=" + 70_000 * "x"])
def test_a_flood_of_answers_to_nothing_is_noticed_before_the_time_is_up(line):
    with pytest.raises(EngineFailure, match="what is not GTP"):
        GtpEngine(EnginePipe([sys.executable, str(FAKE), "gtp", "floods", line]))


@pytest.mark.parametrize("habit", ["silent", "garbage"])
@pytest.mark.parametrize("protocol", ["uci", "gtp"])
def test_an_engine_that_never_moves_loses_when_its_clock_runs_out(protocol, habit):
    record = play(protocol, habit, seconds=0.3)
    assert record.outcome.reason == "timeout"
    assert record.score_first == 0


@pytest.mark.parametrize("answer", ["e2e4", "d1d9", "xyzzy", "0000", "(none)", "a5a4", "d1d5q", ""])
def test_an_illegal_move_of_a_uci_engine_loses(answer):
    record = play("uci", "answers", answer)
    assert record.outcome == hansu.Outcome(hansu.BLACK, "illegal_move")
    assert "answered" in record.evidence


@pytest.mark.parametrize("answer", ["Z9", "J7", "xyzzy", "E5 E5", "E5\n= E4", "", "-1"])
def test_an_illegal_move_of_a_gtp_engine_loses(answer):
    record = play("gtp", "answers", answer)
    assert record.outcome.reason == "illegal_move"
    assert record.score_first == 0


def test_a_taken_point_is_an_illegal_move():
    record = hansu.play_game(GO, "first_move", fake("gtp", "answers", "A5"))
    assert record.outcome == hansu.Outcome(hansu.BLACK, "illegal_move")


def test_resigning_is_heard():
    assert play("gtp", "answers", "resign").outcome.reason == "resignation"


@pytest.mark.parametrize("protocol", ["uci", "gtp"])
def test_an_engine_that_died_is_started_again_for_the_next_game(protocol, tmp_path):
    who = fake(protocol, "dies once", str(tmp_path / "died"))
    openings = tmp_path / "openings.txt"
    openings.write_text(MATE)
    if protocol == "uci":
        result = match("microchess", who, "random", games=4, openings=str(openings))
    else:
        result = match(GO, "first_move", who, games=4)
    crashed = [row for row in result.disqualified if row["reason"] == "crash"]
    assert [row["game"] for row in crashed] == [1]
    reasons = {record.outcome.reason for record in result.games[1:]}
    assert "crash" not in reasons


def test_an_engine_that_died_between_two_games_is_started_again():
    agent = hansu.agent("microchess", fake("uci", "good"))
    state = hansu.game("microchess").parse(MATE)
    agent.reset()
    assert agent.act(state) == state.parse_move("d1d5")
    agent.engine.close()
    agent.reset()
    assert agent.act(state) == state.parse_move("d1d5")
    agent.release()


@linux_only
@pytest.mark.parametrize("protocol", ["uci", "gtp"])
@pytest.mark.parametrize("habit", ["has children", "has daemons"])
def test_no_process_is_left_after_a_match(protocol, habit, tmp_path):
    play(protocol, habit, str(tmp_path))
    assert none_left(str(tmp_path))


@linux_only
@pytest.mark.parametrize(
    ("protocol", "habit", "end"),
    [
        *(("uci", "has children", end) for end in ("SIGKILL", "SIGTERM", "exit", "error")),
        ("uci", "has daemons", "SIGKILL"),
        ("gtp", "has children", "SIGINT"),
        *(
            pytest.param(protocol, habit, end, marks=pytest.mark.slow)
            for protocol in ("uci", "gtp")
            for habit in ("has children", "has daemons")
            for end in ("SIGKILL", "SIGINT", "SIGTERM", "exit", "error")
        ),
    ],
)
def test_no_process_outlives_us(protocol, habit, end, tmp_path):
    """Whatever happens to this process, even in the middle of a game."""
    game = "microchess" if protocol == "uci" else GO
    script = (
        f"import hansu, sys\n"
        f"agent = hansu.agent({game!r}, {fake(protocol, habit, str(tmp_path))!r})\n"
        f"agent.reset()\n"
        f"print('ready', flush=True)\n"
        f"sys.stdin.readline()\n"
        f"{'1 / 0' if end == 'error' else ''}\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as python:
        assert python.stdout.readline() == "ready\n"
        assert len(processes(str(tmp_path))) >= 3  # the watchdog, the engine, its child
        if end.startswith("SIG"):
            python.send_signal(getattr(signal, end))
        else:
            python.stdin.write("\n")
            python.stdin.flush()
        python.wait(60)
    assert none_left(str(tmp_path))


@linux_only
def test_games_at_the_same_time_have_engines_of_their_own(tmp_path):
    openings = tmp_path / "openings.txt"
    openings.write_text(MATE)
    who = fake("uci", "has children", str(tmp_path))
    result = match("microchess", who, "random", 6, openings=str(openings), concurrency=2)
    assert result.as_first == 1.0
    assert none_left(str(tmp_path))


def test_an_agent_goes_to_another_process_without_its_engine():
    agent = hansu.agent("microchess", fake("uci", "good"))
    agent.reset()
    other = pickle.loads(pickle.dumps(agent))
    assert other.engine is None
    assert other.options == agent.options
    agent.release()


@pytest.mark.parametrize(
    ("game", "who", "part"),
    [
        ("tictactoe", "stockfish", "stockfish plays microchess, not tictactoe"),
        ("othello", "gnugo", "gnugo plays go, not othello"),
        ("microchess", "uci:no-such-engine", "there is no program no-such-engine: give its path"),
        ("microchess", "uci:", "a command is expected"),
        ("microchess", "uci:'x", "cannot be read: No closing quotation"),
        ("microchess", "uci:cat;Hash", "expected key=value after the semicolon"),
        ("go", "gtp:cat;Hash=3", "there is no gtp option 'Hash'; the gtp options are command"),
        ("go:size=9x7", "gtp:cat", "square boards only, not 9x7"),
        ("microchess", "stockfish:level=21", "level: 21 is not 0 to 20"),
        ("go", "gnugo:level=0", "level: 0 is not 1 to 10"),
        ("othello", "grhino:level=6", "level: 6 is not 1 to 5"),
        ("go", "gnugo:move_time=0", "more than 0 seconds"),
    ],
)
def test_a_wrong_engine_is_told_before_anything_is_played(game, who, part):
    with pytest.raises(hansu.HansuError, match=part):
        match(game, who, "random", games=2)


@pytest.mark.parametrize(
    ("who", "game", "package"),
    [
        ("stockfish", "microchess", "stockfish"),
        ("fairy_stockfish", "microchess", "fairy-stockfish"),
        ("gnugo", "go", "gnugo"),
        ("grhino", "othello", "grhino"),
    ],
)
def test_a_missing_engine_says_how_to_install_it(who, game, package, monkeypatch):
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable))
    monkeypatch.setattr(program, "PLACES", ())
    with pytest.raises(MissingProgram, match=f"is not installed; .* sudo apt install {package}$"):
        match(game, who, "random", games=2)


def test_a_file_that_is_no_program_loses(tmp_path):
    file = tmp_path / "engine"
    file.write_text("not a program")
    file.chmod(0o755)
    record = hansu.play_game("microchess", f"uci:{file}", "random")
    assert record.outcome.reason == "crash"
    assert "cannot run" in record.evidence
    assert FAKE.exists()
