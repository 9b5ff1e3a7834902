"""Build the opening book of Connect Four, or check it.

    python scripts/connect4_book.py build book.log          # run it again to resume
    python scripts/connect4_book.py pack book.log           # writes the package's book
    python scripts/connect4_book.py check ../shared/data/connect4/uci-connect-4.data.xz

``build`` solves every position with so many stones (``--stones``) in which the side to move neither
wins at once nor has lost, one of each mirrored pair, and appends it to the log. All positions share
one transposition table; when the program is killed, only the positions in progress are lost. Logs of
several runs, also with other numbers of stones, may be packed together.
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

import hansu
from hansu.games.connect4 import book, null_window
from hansu.games.connect4.layout import Layout
from hansu.games.connect4.solver import Connect4Solver
from hansu.games.solver import UNBOUNDED, new_table, win_score

SIZE = (book.WIDTH, book.HEIGHT)
BOARD, CELLS = Layout(*SIZE), book.WIDTH * book.HEIGHT
KEY, CAN_WIN = null_window.make_key(*SIZE), null_window.make_can_win(*SIZE)
SAFE_MOVES, NARROW = null_window.make_safe_moves(*SIZE), null_window.make_narrow(*SIZE)
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
        self.waiting = [there for key, there in sorted(positions(stones).items()) if key not in done]
        self.file = log.open("ab")
        self.lock, self.begin, self.solved = threading.Lock(), time.monotonic(), 0
        print(f"{len(done):,} positions are known, {len(self.waiting):,} are left", flush=True)

    def work(self) -> None:
        """Solve one position after another; several threads may do so."""
        bits, work = np.uint64(len(self.table).bit_length() - 1), np.zeros(2, np.int64)
        window = np.array(UNBOUNDED)
        while True:
            with self.lock:
                if not self.waiting:
                    return
                mine, mask = self.waiting.pop()
            work[:] = 0, 2**62
            bounds = np.array([-win_score(CELLS, self.stones + 1), win_score(CELLS, self.stones + 2)])
            NARROW(mine, mask, self.stones, bounds, window, self.table, bits, work, NO_BOOK, -1)
            with self.lock:
                self._note(int(KEY(mine, mask, self.stones)), int(bounds[0]))

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
    for row in lzma.open(data, "rt").read().splitlines():
        cells = row[:83:2]
        sides = [sum(1 << 7 * (i // 6) + i % 6 for i in range(42) if cells[i] == x) for x in "xo"]
        mine, mask = np.uint64(sides[0]), np.uint64(sides[0] | sides[1])
        score = int(book.book_score(words, KEY(mine, mask, 8)))
        if score != book.MISSING:
            compared += 1
            assert row[84:] == OUTCOMES[(score > 0) - (score < 0) + 1], row
    print(f"{compared:,} outcomes agree with the UCI data")
    again = random.Random(1).sample(list(words), min(sample, len(words)))
    solver = Connect4Solver(hansu.game("connect4"), 256, use_book=False)
    by_key = positions(8)
    for word in again:
        mine, mask = by_key[int(word >> book.SCORE)]
        bounds = solver.narrow_cells(mine, mask, UNBOUNDED)
        assert bounds.lower == bounds.upper == int(word & book.BYTE) - book.OFFSET, int(word)
    print(f"{len(again):,} positions have the same scores without the book")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
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
