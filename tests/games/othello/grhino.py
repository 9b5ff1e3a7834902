"""GRhino as an oracle, spoken to over GTP."""

import os
import shutil
import subprocess

import pytest

PROGRAM = shutil.which("gtp-rhino", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games")

needs_grhino = pytest.mark.skipif(PROGRAM is None, reason="GRhino is not installed")


class GRhino:
    """One GRhino process that never thinks; it passes by itself for whoever must."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [str(PROGRAM), "-b", "0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def after(self, board: str, moves: list[str]) -> list[str | None]:
        """The board after each of the moves, None after one that it calls illegal."""
        color = "black" if board.endswith("X") else "white"
        for move in moves:
            self._tell(f"grhino-setup_board {board}", f"play {color} {move}", "showboard")
        found = []
        for _ in moves:
            assert self._answer().startswith("="), board
            legal, shown = self._answer().startswith("="), self._answer()
            found.append(self._drawn(shown) if legal else None)
        return found

    def _drawn(self, answer: str) -> str:
        """A shown board in our words: 64 letters and who is next."""
        head, _, *rows = answer.splitlines()
        letters = "".join(row.split(maxsplit=1)[1] for row in rows).replace(" ", "")
        side = "X" if head.endswith("Black") else "O" if head.endswith("White") else "-"
        return f"{letters.replace('.', '-')} {side}"

    def _tell(self, *commands: str) -> None:
        self._process.stdin.write("\n".join([*commands, ""]))
        self._process.stdin.flush()

    def _answer(self) -> str:
        lines = []
        while (line := self._process.stdout.readline()) not in ("\n", ""):
            lines.append(line.rstrip("\n"))
        return "\n".join(lines)

    def __enter__(self) -> "GRhino":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate("quit\n", timeout=60)
