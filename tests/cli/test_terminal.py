"""Nothing from outside steers the terminal."""

import io
from pathlib import Path

import pytest

import hansu
from hansu.cli.terminal import Console, say
from hansu.records.record import GameRecord, Turn
from tests.command_line import hansu as run

EVIL = "evil\x1b]0;owned\x07\x1b[2J\u202e\x9b31m\r.py"
STEERING = "\x1b\x07\x9b\u202e\r"


def is_clean(text: str) -> bool:
    return not set(text) & set(STEERING)


def test_styles_are_ours_and_text_is_text():
    out = io.StringIO()
    screen = Console(file=out, force_terminal=True, color_system="standard", highlight=False)
    screen.print(EVIL, style="red", markup=False)
    shown = out.getvalue()
    assert shown.startswith("\x1b[31m")  # ours
    assert "evil·]0;owned·[2J··31m.py" in shown  # Rich drops BEL and CR


def test_a_message_keeps_its_lines(capsys):
    say(f"one\n\ttwo {EVIL}")
    shown = capsys.readouterr().out
    assert shown.startswith("one\n\ttwo evil")
    assert is_clean(shown)


@pytest.fixture
def evil_file(tmp_path: Path) -> Path:
    file = tmp_path / EVIL
    file.write_text(
        "import hansu\nclass Mine(hansu.Agent):\n    def act(self, state):\n"
        f"        raise RuntimeError({EVIL!r})\n"
    )
    return file


@pytest.mark.parametrize(
    "words",
    [
        ("watch", "tictactoe", "FILE", "random", "--trust"),
        ("match", "tictactoe", "FILE", "random", "--games", "2", "--trust"),
        ("tournament", "tictactoe", "FILE", "random", "--out", "CUP", "--trust"),
        ("analyze", "tictactoe", "--agent", f"{EVIL}.py"),
        ("watch", "tictactoe", "random", f"mcts:{EVIL}=3"),
        ("watch", f"tictactoe:{EVIL}=3", "random", "random"),
        ("watch", "tictactoe", "random", EVIL.removesuffix(".py")),
        ("replay", EVIL),
        ("export", "FILE", "--to", "pgn"),
        ("show", "tictactoe", "--position", EVIL),
    ],
    ids=lambda words: " ".join(words[:1]),
)
def test_a_name_with_an_escape_is_printed_without_it(words, evil_file, tmp_path):
    names = {"FILE": str(evil_file), "CUP": str(tmp_path / "cup")}
    done = run(*(names.get(word, word) for word in words), code=None)
    shown = done.stdout + done.stderr
    assert "evil" in shown
    assert is_clean(shown)
    assert "Traceback" not in shown


def test_names_of_a_record_are_printed_without_it(tmp_path):
    record = GameRecord("tictactoe", EVIL, EVIL, ".........", True, 1, [Turn("b2", 0.5)])
    (tmp_path / "games.jsonl").write_text(record.as_json() + "\n")
    shown = run("replay", str(tmp_path / "games.jsonl"), "--at", "0").stdout
    assert "evil" in shown
    assert is_clean(shown)


def test_evidence_can_be_kept_and_printed_whatever_an_agent_says(tmp_path):
    class Odd(hansu.Agent):
        def act(self, state):
            raise RuntimeError(f"{EVIL}\udcff")

    result = hansu.tournament("tictactoe", Odd, "random", out=tmp_path / "cup")
    assert len(result.disqualified) == 2
    assert is_clean((tmp_path / "cup" / "games.jsonl").read_text())
