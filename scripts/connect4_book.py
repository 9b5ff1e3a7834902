"""Build the opening book of Connect Four, or check it.

    python scripts/connect4_book.py build book.log          # run it again to resume
    python scripts/connect4_book.py pack book.log           # writes the package's book
    python scripts/connect4_book.py check ../shared/data/connect4/uci-connect-4.data.xz

``build`` solves every position with so many stones (``--stones``) in which the side to move neither
wins at once nor has lost, one of each mirrored pair, and appends it to the log. All positions share
one transposition table; when the program is killed, only the positions in progress are lost. Logs
of several runs, also with other numbers of stones, may be packed together.
"""

import argparse
import lzma
import random
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.games.connect4 import book, null_window
from hansu.games.connect4.layout import Layout
from hansu.games.solver import new_table

SIZE = (book.WIDTH, book.HEIGHT)
BOARD = Layout(*SIZE)
KEY, CAN_WIN = null_window.make_key(*SIZE), null_window.make_can_win(*SIZE)
SAFE_MOVES, EXACT = null_window.make_safe_moves(*SIZE), null_window.make_exact(*SIZE)
COMPLETING = null_window.make_lines(*SIZE)[0]
NO_BOOK = np.empty(0, np.uint64)
REPORT_EVERY = 100  # positions
OUTCOMES = ("loss", "draw", "win")

Position = tuple[Any, Any]  # the cells of the side to move, all occupied cells


def positions(stones: int) -> dict[int, Position]:
    """Return the positions to solve by their keys."""
    found: dict[int, Position] = {0: (np.uint64(0), np.uint64(0))}
    for count in range(1, stones + 1):
        after: dict[int, Position] = {}
        for mine, mask in found.values():
            moves = BOARD.cells & (int(mask) + BOARD.bottom) & ~int(COMPLETING(mine))
            for column in range(BOARD.width):
                if move := moves & BOARD.column(column):
                    there = (mine ^ mask, mask | np.uint64(move))
                    after.setdefault(int(KEY(*there, count)), there)
        found = after
    return {k: there for k, there in found.items() if not CAN_WIN(*there) and SAFE_MOVES(*there)}


def decoded(key: int) -> Position:
    """Return the position of a key: in a column with h stones, 2 ** h - 1 and those of one side."""
    mine = mask = 0
    for column in range(BOARD.width):
        part = key >> BOARD.stride * column & (1 << BOARD.stride) - 1
        stones = (1 << (part + 1).bit_length() - 1) - 1
        mine |= (part - stones) << BOARD.stride * column
        mask |= stones << BOARD.stride * column
    return np.uint64(mine), np.uint64(mask)


def solved(mine: Any, mask: Any, table: NDArray[np.uint64]) -> int:
    """Return a position's score by search alone."""
    bits, work = np.uint64(len(table).bit_length() - 1), np.array([0, 2**62])
    return int(EXACT(mine, mask, table, bits, work, NO_BOOK, -1))


def read_log(log: Path) -> NDArray[np.uint64]:
    """Return the words of a log; one that a killed process began is dropped."""
    content = log.read_bytes() if log.is_file() else b""
    return np.frombuffer(content[: len(content) // 8 * 8], "<u8").astype(np.uint64)


class Build:
    """The positions that are not solved yet, and the log."""

    def __init__(self, log: Path, stones: int, memory: int) -> None:
        known = read_log(log)
        if log.is_file():
            with log.open("r+b") as file:
                file.truncate(8 * len(known))
        done = set((known >> book.SCORE).tolist())
        self.stones, self.table = stones, new_table(memory)
        self.waiting = [
            there for key, there in sorted(positions(stones).items()) if key not in done
        ]
        self.file = log.open("ab")
        self.lock, self.begin, self.solved = threading.Lock(), time.monotonic(), 0
        print(f"{len(done):,} positions are known, {len(self.waiting):,} are left", flush=True)

    def work(self) -> None:
        """Solve one position after another; several threads may do so."""
        while True:
            with self.lock:
                if not self.waiting:
                    return
                mine, mask = self.waiting.pop()
            score = solved(mine, mask, self.table)
            with self.lock:
                self._note(int(KEY(mine, mask, self.stones)), score)

    def _note(self, key: int, score: int) -> None:
        self.file.write(np.array([book.word(key, score)], "<u8").tobytes())
        self.file.flush()
        self.solved += 1
        if self.solved % REPORT_EVERY == 0:
            pace = (time.monotonic() - self.begin) / self.solved
            left = pace * len(self.waiting) / 3600
            print(f"{self.solved:,} solved, {pace:.3f} s each, {left:.1f} h left", flush=True)


def build(log: Path, stones: int, memory: int, threads: int) -> None:
    """Solve what is missing in a log."""
    task = Build(log, stones, memory)
    workers = [threading.Thread(target=task.work, daemon=True) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def pack(logs: list[Path]) -> None:
    """Write the book of the package."""
    words = np.unique(np.concatenate([read_log(log) for log in logs]))
    keys = words >> book.SCORE
    assert len(np.unique(keys)) == len(keys), "two scores for one position"
    book.FILE.write_bytes(book.pack_book(words))
    print(f"{book.FILE}: {len(words):,} positions, {book.FILE.stat().st_size:,} bytes")


def check(data: Path, sample: int) -> None:
    """Compare the book with the UCI data, and some positions with a search without a book."""
    words, compared = book.shipped_book(), 0
    with lzma.open(data, "rt") as file:
        rows = file.read().splitlines()
    for row in rows:
        cells = row[:83:2]
        sides = [sum(1 << 7 * (i // 6) + i % 6 for i in range(42) if cells[i] == x) for x in "xo"]
        mine, mask = np.uint64(sides[0]), np.uint64(sides[0] | sides[1])
        score = int(book.book_score(words, KEY(mine, mask, 8)))
        if score != book.MISSING:
            compared += 1
            assert row[84:] == OUTCOMES[(score > 0) - (score < 0) + 1], row
    print(f"{compared:,} outcomes agree with the UCI data")
    again, table = random.Random(1).sample(words.tolist(), min(sample, len(words))), new_table(256)
    for word in again:
        score = solved(*decoded(word >> 8), table)
        assert word == book.word(word >> 8, score), word
    print(f"{len(again):,} positions have the same scores without the book")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("build")
    one.add_argument("log", type=Path)
    one.add_argument("--stones", type=int, default=8)
    one.add_argument("--memory", type=int, default=4096, help="megabytes")
    one.add_argument("--threads", type=int, default=2)
    two = verbs.add_parser("pack")
    two.add_argument("logs", type=Path, nargs="+")
    three = verbs.add_parser("check")
    three.add_argument("data", type=Path)
    three.add_argument("--sample", type=int, default=100)
    options = vars(parser.parse_args())
    {"build": build, "pack": pack, "check": check}[options.pop("verb")](**options)


if __name__ == "__main__":
    main()
