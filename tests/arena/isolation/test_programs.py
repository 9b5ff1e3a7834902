"""Programs of any language: they play in the same sandbox, and whoever misbehaves there loses."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hansu
from hansu.arena.isolation.limits import MIB, SandboxLimits
from hansu.arena.match import match
from hansu.arena.player import LocalPlayer
from hansu.arena.referee import play
from hansu.arena.seat import seat
from hansu.errors import HansuError
from hansu.protocols.manifest import MANIFEST
from hansu.records.record import GameRecord, TimeControl

pytestmark = [pytest.mark.usefixtures("nothing_left")]

SOURCE = Path(__file__).parent / "programs" / "lines.c"
COMPILER = shutil.which("gcc") or shutil.which("cc")
PLAYED = ("line", "board_full")

SHELL = """#!/bin/sh
while read -r word first rest; do
    case $word in
        hansu | new) echo ready ;;
        legal) move=$first ;;
        go) echo "$move" ;;
        quit) exit ;;
    esac
done
"""
PERL = """#!/usr/bin/perl
$| = 1;
while (<STDIN>) {
    if (/^(hansu|new) /) { print "ready\\n" }
    elsif (/^legal (.*)/) { @moves = split ' ', $1 }
    elsif (/^go /) { print "$moves[-1]\\n" }
    elsif (/^quit/) { last }
}
"""
UCI = """#!/bin/sh
while read -r word rest; do
    case $word in
        uci)
            echo 'id name mine'
            echo 'option name Hash type spin default 1 min 1 max 9'
            echo uciok ;;
        isready) echo readyok ;;
        go) echo 'info depth 3 score cp 20 nodes 7 pv d1d5'; echo 'bestmove d1d5' ;;
        quit) exit ;;
    esac
done
"""
GTP = """#!/usr/bin/perl
$| = 1;
while (<STDIN>) {
    my ($id, $word, @rest) = split;
    if ($word eq "list_commands") { print "=$id genmove\\ntime_left\\n\\n" }
    elsif ($word eq "time_left") { $seconds = $rest[1]; print "=$id\\n\\n" }
    elsif ($word eq "genmove") { print "=$id ", $seconds > 0 ? "pass" : "resign", "\\n\\n" }
    else { print "=$id\\n\\n" }
}
"""
MATE = "k3/4/1K2/4/3R w - - 0 1"  # d1d5


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The C program; it does what its first argument says when it is to move."""
    if COMPILER is None:
        pytest.skip("there is no C compiler")
    program = tmp_path_factory.mktemp("c") / "lines"
    subprocess.run([COMPILER, "-O1", "-pthread", "-o", program, SOURCE], check=True)
    return program


def folder(path: Path, files: dict[str, str | bytes], manifest: str) -> str:
    """A folder with a manifest; nothing in it is marked as executable, as after an upload."""
    path.mkdir(exist_ok=True)
    for name, content in {**files, MANIFEST: manifest}.items():
        data = content.encode() if isinstance(content, str) else content
        (path / name).write_bytes(data)
    return f"{path}/"


def against(good: object, who: str, game: str = "tictactoe", seconds: float = 20.0, **more: object):
    """A game that the program begins."""
    player = seat(who, hansu.game(game), **more)
    try:
        return play(hansu.game(game).start(), player, good, TimeControl(seconds), seed=1)
    finally:
        player.close()


@pytest.mark.parametrize("text", [SHELL, pytest.param(PERL, id="perl")])
def test_a_script_plays(isolation, good, tmp_path, text):
    if not Path(text.partition("\n")[0][2:]).exists():
        pytest.skip(f"there is no {text.partition(chr(10))[0][2:]}")
    file = tmp_path / "player"
    file.write_text(text)  # not marked as executable
    record = against(good, str(file))
    assert record.outcome.reason in PLAYED, record.evidence
    assert record.isolation == ("isolated", "isolated")


def test_a_compiled_program_plays_a_match_and_its_cpu_time_is_recorded(isolation, compiled):
    result = match("connect4", str(compiled), "random", games=4, seed=2)
    assert result.disqualified == []
    record = result.games[0]
    assert all(turn.cpu is not None for turn in record.turns[::2])
    assert all(turn.cpu is None for turn in record.turns[1::2])  # in our own process
    assert GameRecord.from_json(record.as_json()) == record


def test_a_folder_with_a_manifest_sees_its_own_files_alone(isolation, good, tmp_path):
    (tmp_path / "secret").write_text("not yours")
    program = (
        "#!/bin/sh\n[ -e ../secret ] && exit 4\nread -r known < book || exit 5\n"
        '[ "$known" = knowledge ] || exit 6\n' + SHELL.partition("\n")[2]
    )
    files = {"run.sh": program, "book": "knowledge\n"}
    who = folder(tmp_path / "bot", files, 'command = ["run.sh"]\nprotocol = "lines"')
    assert against(good, who).outcome.reason in PLAYED
    assert against(good, f"{who}{MANIFEST}").outcome.reason in PLAYED


def test_a_uci_engine_in_a_folder_gets_its_options_and_tells_what_it_found(isolation, tmp_path):
    manifest = 'command = ["./engine"]\nprotocol = "uci"\n[options]\nHash = 4\n'
    who = folder(tmp_path / "bot", {"engine": UCI}, manifest)
    record = hansu.play_game("microchess", who, "random", position=MATE)
    turn = record.turns[0]
    assert (turn.move, turn.depth, turn.nodes) == ("d1d5", 3, 7)
    wrong = folder(tmp_path / "bot", {}, manifest.replace("Hash", "Hush"))
    with pytest.raises(HansuError, match=r"option Hush \(available options: Hash\)"):
        hansu.play_game("microchess", wrong, "random", position=MATE)


@pytest.mark.skipif(not Path("/usr/bin/perl").exists(), reason="there is no perl")
def test_a_gtp_engine_in_a_folder_plays_and_hears_its_clock(isolation, tmp_path):
    who = folder(tmp_path / "bot", {"e": GTP}, 'command = ["./e"]\nprotocol = "gtp"')
    record = hansu.play_game("go:size=5", who, "first_move")
    assert record.evidence == ""
    assert "pass" in record.moves


def test_an_engine_by_command_is_isolated_where_nobody_is_trusted(isolation, compiled):
    result = match("tictactoe", f"lines:{compiled}", "random", games=2, untrusted=True)
    assert result.disqualified == []
    assert {record.isolation for record in result.games} == {
        ("isolated", "trusted"),
        ("trusted", "isolated"),
    }
    trusted = match("tictactoe", f"lines:{compiled}", "random", games=2)
    assert {record.isolation for record in trusted.games} == {("trusted", "trusted")}


def test_with_trust_a_program_is_a_plain_process(compiled):
    compiled.chmod(0o755)
    record = hansu.play_game("tictactoe", str(compiled), "random", isolation="trusted")
    assert record.isolation == ("trusted", "trusted")
    assert record.evidence == ""


HABITS = [
    ("fork", "disqualified", "tried to start another process: fork: Operation not permitted"),
    ("long line", "disqualified", "sent a line of more than 65536 bytes"),
    ("flood", "disqualified", "sent more than 1 MiB for one answer"),
    ("garbage", "illegal_move", "answered"),
    ("die", "crash", "its process ended: exit status 3: as intended"),
    ("segfault", "crash", "its process ended: killed by SIGSEGV"),
    ("close", "disqualified", "closed its connection to the arena"),
    ("socket", "disqualified", "killed by the system-call filter (SIGSYS)"),
    ("kill", "disqualified", "killed by the system-call filter (SIGSYS)"),
    ("stderr", "disqualified", "printed more than 1 MiB in one game"),
    ("memory", "", ""),
    ("threads", "disqualified", "threads; 4 are allowed"),
    ("two answers", "disqualified", "wrote after its turn: b'"),
    ("no newline", "timeout", "of it CPU time, and had"),
    ("deaf", "timeout", "of it CPU time, and had"),
    ("silence", "timeout", "of it CPU time, and had"),
    ("loop", "timeout", "of it CPU time, and had"),
]


@pytest.mark.parametrize(("habit", "reason", "evidence"), HABITS)
def test_a_hostile_program_loses_with_a_sentence(
    isolation, good, compiled, tmp_path, habit, reason, evidence
):
    files = {"lines": compiled.read_bytes()}
    who = folder(tmp_path / "bot", files, f'command = ["lines", "{habit}"]\nprotocol = "lines"')
    seconds = 1.0 if reason == "timeout" else 20.0
    limits = SandboxLimits(memory_bytes=256 * MIB)
    record = against(good, who, seconds=seconds, limits=limits)
    assert record.score_first == 0.0
    assert evidence in record.evidence
    assert "\n" not in record.evidence
    if habit == "memory":  # refused by the kernel and dead of it, or seen from outside
        assert record.outcome.reason in ("disqualified", "crash")
    else:
        assert record.outcome.reason == reason


def test_a_program_gets_its_pipes_alone_however_many_files_are_open_here(
    isolation, good, compiled, tmp_path
):
    """What has a higher number than the program may open itself is closed, too."""
    with contextlib.ExitStack() as stack:
        for _ in range(2 * SandboxLimits().open_files):
            stack.enter_context(open(os.devnull))
        who = folder(
            tmp_path / "bot",
            {"lines": compiled.read_bytes()},
            'command = ["lines", "close"]\nprotocol = "lines"',
        )
        record = against(good, who, seconds=20.0)
    assert "closed its connection to the arena" in record.evidence


def test_a_program_cannot_think_on_the_opponents_time(isolation, compiled, tmp_path):
    """Its thread goes on burning after the answer: it gets no CPU time while it is stopped."""
    who = folder(
        tmp_path / "bot",
        {"lines": compiled.read_bytes()},
        'command = ["lines", "think later"]\nprotocol = "lines"',
    )
    player = seat(who, hansu.game("tictactoe"))

    class Slow(hansu.Agent):
        def act(self, state: hansu.State) -> object:
            time.sleep(0.3)
            return state.legal_moves[0]

    slow = LocalPlayer(Slow("slow"))
    try:
        record = play(hansu.game("tictactoe").start(), player, slow, TimeControl(20), seed=1)
        assert record.evidence == ""  # nothing was stolen, so nothing is to be punished
        assert player.process.stolen < 0.1
    finally:
        player.close()


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        ("command = 3", "needs a command, a list such as"),
        ('command = []\nprotocol = "uci"', "needs a command, a list such as"),
        ('command = ["x"]\nprotocol = "telepathy"', "needs a protocol, one of uci, gtp, lines"),
        ('command = ["x"]\nprotocol = "uci"\nroot = true', "unknown 'root'"),
        ('command = ["x"', "agent.toml cannot be read: "),
        ("command = " + 9999 * "[", "too many brackets inside one another"),
        ('command = ["x"]\nprotocol = "uci"\noptions = 3', "options that are no table"),
        (None, "holds no agent.toml: it says how to start a program"),
    ],
)
def test_a_wrong_manifest_is_one_clear_sentence(tmp_path, manifest, said):
    if manifest is None:
        (tmp_path / "bot").mkdir()
    else:
        folder(tmp_path / "bot", {}, manifest)
    with pytest.raises(HansuError, match=said) as raised:
        seat(f"{tmp_path}/bot", hansu.game("microchess"))
    assert "\n" not in str(raised.value)


def test_a_manifest_that_never_ends_is_not_read(tmp_path):
    (tmp_path / "bot").mkdir()
    os.mkfifo(tmp_path / "bot" / "agent.toml")
    with pytest.raises(HansuError, match=r"agent.toml is no file"):
        seat(f"{tmp_path}/bot", hansu.game("microchess"))


@pytest.mark.parametrize(
    ("manifest", "evidence"),
    [
        ('command = ["./nothing"]\nprotocol = "lines"', "cannot run ./nothing: No such file"),
        ('command = ["./data"]\nprotocol = "lines"', "cannot run ./data: Exec format error"),
        ('command = ["no-such-thing"]\nprotocol = "lines"', "cannot run no-such-thing: No such"),
        ('command = ["cat"]\nprotocol = "lines"', "answered 'hansu' with 'hansu 1 tictactoe'"),
        ('command = ["true"]\nprotocol = "lines"', "its process ended: exit status 0"),
    ],
)
def test_a_program_that_cannot_start_loses_with_a_sentence(
    isolation, good, tmp_path, manifest, evidence
):
    who = folder(tmp_path / "bot", {"data": "no program"}, manifest)
    record = against(good, who)
    assert record.outcome.reason == "crash"
    assert evidence in record.evidence


def test_hansu_check_takes_a_program(isolation, compiled, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "hansu", "check", str(compiled), "--game", "tictactoe"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "200"},
    )
    assert "Nothing found that would disqualify it." in done.stdout, done.stdout + done.stderr


def test_a_program_reaches_nothing_but_its_own(isolation, good, tmp_path, outside):
    """Neither what lies elsewhere, nor our environment; it writes to its scratch folder alone."""
    secret = outside / "tokens.csv"
    secret.write_text("kim,token")
    looks = [
        f"[ -e {secret} ] && exit 41",
        f"[ -e {outside} ] && exit 42",
        "[ -e /etc/passwd ] && exit 43",
        "[ -e /root/.bashrc ] && exit 44",
        '[ "$HOME" = /tmp ] || exit 45',
        '[ -z "$SECRET_OF_OURS" ] || exit 46',
        "(echo x > here) 2> /dev/null && exit 47",
        "(echo x > /usr/x) 2> /dev/null && exit 48",
        "echo x > /tmp/mine || exit 49",
        "[ -e /sys/class/net/eth0 ] && exit 50",
    ]
    # Without a subshell, which would be another process.
    looks = [re.sub(r"\((.*)\)", r"{ \1; }", look) for look in looks]
    file = tmp_path / "snoop"
    file.write_text("#!/bin/sh\n" + "\n".join(looks) + "\n" + SHELL.partition("\n")[2])
    os.environ["SECRET_OF_OURS"] = "x"
    try:
        record = against(good, str(file))
    finally:
        del os.environ["SECRET_OF_OURS"]
    assert record.outcome.reason in PLAYED, record.evidence


def test_the_debugger_is_not_for_programs(isolation, compiled, tmp_path):
    hansu.match("tictactoe", "random", "random", games=2, save=tmp_path / "games.jsonl")
    words = ["replay", str(tmp_path / "games.jsonl"), "--at", "1", "--debug", str(compiled)]
    done = subprocess.run(
        [sys.executable, "-m", "hansu", *words], capture_output=True, text=True, check=False
    )
    assert "Python's debugger sees nothing of it" in done.stderr.replace("\n", " ")
    assert done.returncode != 0
