"""GNU Go as an oracle, spoken to over GTP."""

import os
import shutil
import subprocess

import pytest

PROGRAM = shutil.which("gnugo", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games")

needs_gnugo = pytest.mark.skipif(PROGRAM is None, reason="GNU Go is not installed")


class GnuGo:
    """One GNU Go process with our rules: no self-capture, situational superko, area counted."""

    def __init__(self, size: int) -> None:
        options = "--mode gtp --chinese-rules --forbid-suicide --situational-superko --level 1"
        self._process = subprocess.Popen(
            [str(PROGRAM), *options.split()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.ask(f"boardsize {size}")

    def ask(self, command: str) -> str:
        """The answer to a command; an error answer fails the test."""
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        lines = []
        while (line := self._process.stdout.readline()) not in ("\n", ""):
            lines.append(line.rstrip("\n"))
        answer = "\n".join(lines)
        assert answer.startswith("="), f"{command}: {answer}"
        return answer[1:].strip()

    def legal(self, color: str) -> set[str]:
        """The points where a colour may play; GNU Go does not list the pass."""
        return set(self.ask(f"all_legal {color}").split())

    def set_up(self, stones: dict[str, str]) -> None:
        """Put stones, ``{"D4": "black"}``, on the empty board; none of them is captured."""
        self.ask("clear_board")
        for point, color in stones.items():
            self.ask(f"play {color} {point}")

    def after(self, color: str, point: str) -> tuple[set[str], set[str], int]:
        """Black's and White's stones after a move, and what the mover has captured by then."""
        self.ask(f"play {color} {point}")
        black, white = (set(self.ask(f"list_stones {side}").split()) for side in ("black", "white"))
        captured = int(self.ask(f"captures {color}"))
        self.ask("undo")
        return black, white, captured

    def __enter__(self) -> "GnuGo":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate("quit\n", timeout=60)
