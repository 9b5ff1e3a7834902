"""What engines are told about their time, and what they say comes back."""

import pytest

import hansu
from hansu.agents.asking import ask
from hansu.arena.analysis import analyse
from hansu.games.state import Timing
from hansu.search.limits import Limits
from tests.protocols.engines import MATE, fake

CLOCKS = "wtime 60000 btime 30000"


@pytest.fixture
def told(tmp_path):
    """Ask a fake engine once; what it was told about time, and its answer."""
    notes = tmp_path / "notes"

    def run(protocol, options="", limits=Limits(), timing=Timing(), habit="notes", ask_it=ask):  # noqa: B008
        notes.unlink(missing_ok=True)
        who = fake(protocol, habit, str(notes)).replace(";move_time=0.1", options)
        game = hansu.game("microchess" if protocol == "uci" else "go:size=5")
        state = game.parse(MATE) if protocol == "uci" else game.start()
        state.white_remain_sec = 60.0
        state.black_remain_sec = 30.0 if protocol == "uci" else 6000.0
        state.timing = timing
        agent = hansu.agent(game, who)
        agent.reset()
        try:
            answer = ask_it(agent, state.copy(), limits)
        finally:
            agent.release()
        lines = [line.split(" ", 1) for line in notes.read_text().splitlines()]
        words = ("go", "time_settings", "time_left")
        return [
            " ".join(line) if protocol == "uci" else line[1]
            for line in lines
            if (line[0] if protocol == "uci" else line[1].split()[0]) in words
        ], answer

    return run


@pytest.mark.parametrize(
    ("options", "timing", "sent"),
    [
        ("", Timing(), "go movetime 1000"),
        (";move_time=0.3", Timing(), "go movetime 300"),
        (";move_time=9", Timing(move_seconds=1.0), "go movetime 800"),
        (";move_time=0.3;nodes=50", Timing(), "go nodes 50 movetime 300"),
        (";move_time=none", Timing(), f"go {CLOCKS}"),
        (";move_time=none", Timing(increment=2.0), f"go {CLOCKS} winc 2000 binc 2000"),
        (";move_time=none", Timing(move_seconds=1.0), f"go {CLOCKS} movetime 800"),
        (";move_time=none;nodes=77", Timing(), "go nodes 77"),
        (";move_time=none;depth=4", Timing(increment=1.0), "go depth 4"),
    ],
)
def test_a_uci_engine_in_a_game(told, options, timing, sent):
    assert told("uci", options, timing=timing)[0] == [sent]


@pytest.mark.parametrize(
    ("options", "limits", "sent"),
    [
        ("", Limits(seconds=0.5), "go movetime 500"),
        ("", Limits(seconds=5.0), "go movetime 5000"),
        (";move_time=none", Limits(seconds=0.5), "go movetime 500"),
        (";move_time=0.2", Limits(seconds=5.0), "go movetime 200"),
        ("", Limits(nodes=900), "go nodes 900"),
        ("", Limits(depth=3), "go depth 3"),
    ],
)
def test_a_uci_engine_that_somebody_asks(told, options, limits, sent):
    assert told("uci", options, limits)[0] == [sent]


def test_what_a_uci_engine_says_is_a_win_probability(told):
    info = told("uci")[1].info
    assert (info.depth, info.nodes, info.lines[0].text) == (7, 1234, "d1d5")
    assert info.value == pytest.approx(0.64, abs=0.001)
    assert told("uci", limits=Limits(seconds=0.2), ask_it=analyse)[1].value == info.value


def test_what_a_uci_engine_says_is_recorded(tmp_path):
    who = fake("uci", "notes", str(tmp_path / "notes"))
    record = hansu.play_game("microchess", who, "random", position=MATE)
    assert [(t.move, t.value, t.depth, t.nodes) for t in record.turns] == [
        ("d1d5", 0.6401, 7, 1234)
    ]
    assert type(record).from_json(record.as_json()) == record


@pytest.mark.parametrize(
    ("options", "limits", "timing", "seconds"),
    [
        ("", Limits(), Timing(), "1"),
        (";move_time=7", Limits(), Timing(move_seconds=3.0), "2"),
        (";move_time=0.25", Limits(), Timing(), "0.25"),
        ("", Limits(seconds=4.0), Timing(), "4"),
        (";move_time=none", Limits(seconds=4.0), Timing(), "4"),
    ],
)
def test_a_gtp_engine_hears_how_long_its_move_may_take(told, options, limits, timing, seconds):
    assert told("gtp", options, limits, timing)[0] == [
        f"time_settings 0 {seconds} 1",
        f"time_left black {seconds} 1",
    ]


def test_a_gtp_engine_that_counts_whole_seconds_hears_one(told):
    assert told("gtp", ";move_time=0.25", habit="notes whole")[0] == [
        "time_settings 0 0.25 1",
        "time_settings 0 1 1",
        "time_left black 0.25 1",
        "time_left black 1 1",
    ]


def test_a_gtp_engine_with_a_fixed_amount_of_work_is_left_alone(told):
    assert told("gtp", ";move_time=none")[0] == []
