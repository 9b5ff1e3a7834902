"""Fairy-Stockfish as a rules oracle: as a module (slow to ask) and as a program (quick)."""

import shutil
import subprocess
from collections.abc import Sequence
from typing import Any, Self

import pytest

from hansu.games.microchess.notation import format_compact
from hansu.games.microchess.state import MicrochessState
from hansu.protocols.uci_agents import VARIANT


def load_pyffish() -> Any:
    """The module pyffish, knowing microchess; skips the test when it is not installed."""
    pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed (extra dev)")
    pyffish.load_variant_config(VARIANT.read_text())
    return pyffish


class FairyStockfish:
    """The program. One count at a time: it counts in a thread and errs when hurried."""

    def __init__(self) -> None:
        binary = shutil.which("fairy-stockfish", path="/usr/games:/usr/bin:/usr/local/bin")
        if binary is None:
            pytest.skip("fairy-stockfish is not installed (apt install fairy-stockfish)")
        self._process = subprocess.Popen(
            [binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._tell(f"setoption name VariantPath value {VARIANT}")
        self._tell("setoption name UCI_Variant value microchess")

    def perft(self, fen: str, depth: int) -> int:
        """How many lines of moves there are from a compact FEN."""
        return int(self._count(fen, depth)[-1].split(":")[1])

    def moves(self, fen: str) -> list[str]:
        """The legal moves."""
        lines = [line.split(":") for line in self._count(fen, 1)[:-1]]
        return [line[0] for line in lines if len(line) == 2 and line[1].strip() == "1"]

    def after(self, fen: str, moves: Sequence[str]) -> list[str]:
        """The FEN after each of the moves. The engine calls White's right to castle Q."""
        self._tell(*(f"position fen {fen} moves {move}\nd" for move in moves))
        fens = (self._read_until("Fen: ")[-1].removeprefix("Fen: ") for _ in moves)
        return [fen.strip().replace(" Q", " K") for fen in fens]

    def _count(self, fen: str, depth: int) -> list[str]:
        self._tell(f"position fen {fen}", f"go perft {depth}")
        return self._read_until("Nodes searched")

    def _tell(self, *commands: str) -> None:
        self._process.stdin.write("\n".join([*commands, ""]))
        self._process.stdin.flush()

    def _read_until(self, start: str) -> list[str]:
        lines = []
        for line in self._process.stdout:
            lines.append(line)
            if line.startswith(start):
                return lines
        raise EOFError("fairy-stockfish has ended")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate("quit\n", timeout=60)


def oracle_fen(state: MicrochessState) -> str:
    """A FEN that names the castling rooks by their files: with K the oracle may pick another."""
    return format_compact(state.shredder_fen(en_passant="xfen"))
