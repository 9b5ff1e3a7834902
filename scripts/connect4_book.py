"""Build the opening book of Connect Four, or check it.

    python scripts/connect4_book.py build book.log --stones 8     # again: resumes
    python scripts/connect4_book.py pack book.log                 # writes the package's book
    python scripts/connect4_book.py check ../shared/data/connect4/uci-connect-4.data.xz

``build`` solves every position with so many stones in which neither side wins at once, one of each
mirrored pair, and appends it to the log: whenever it is killed, nothing but the positions in
progress is lost. All positions share one transposition table.
"""

import argparse
import functools
import lzma
import random
import sys
import threading
import time
from pathlib import Path

import numpy as np

import hansu
from hansu.games.connect4 import book, null_window
from hansu.games.connect4.layout import Layout
from hansu.games.connect4.solver import MAX_STONES, Connect4Solver
from hansu.games.solver import new_table, win_score
from hansu.search.solve import solve

SIZE = (book.WIDTH, book.HEIGHT)
BOARD = Layout(*SIZE)
CELLS = book.WIDTH * book.HEIGHT
KEY, CAN_WIN = null_window.make_key(*SIZE), null_window.make_can_win(*SIZE)
SAFE_MOVES, NARROW = null_window.make_safe_moves(*SIZE), null_window.make_narrow(*SIZE)
NOTHING = np.empty(0, np.uint64)


def positions(stones: int) -> dict[int, tuple[int, int]]:
    """Return the positions to solve, as mine and mask by their keys: one of each mirrored pair."""
    found = {0: (0, 0)}
    for count in range(1, stones + 1):
        after = {}
        for mine, mask in found.values():
            if CAN_WIN(np.uint64(mine), np.uint64(mask)):
                moves = np.uint64(0)  # the game would be over, or the position is trivial
            moves = BOARD.cells & (mask + BOARD.bottom)
            winning = null_window.make_lines(*SIZE)[0](np.uint64(mine))
            for column in range(book.WIDTH):
                move = moves & BOARD.column(column)
                if move and not int(winning) & move:
                    there = (mine ^ mask, mask | move)
                    after.setdefault(int(KEY(*map(np.uint64, there), count)), there)
        found = after
    return {
        key: there
        for key, there in sorted(found.items())
        if not CAN_WIN(*map(np.uint64, there)) and SAFE_MOVES(*map(np.uint64, there))
    }


def read_log(log: Path) -> np.ndarray:
    """Return the words of a log; a word that a killed process began is dropped."""
    content = log.read_bytes() if log.is_file() else b""
    return np.frombuffer(content[: len(content) // 8 * 8], "<u8").astype(np.uint64)


def build(log: Path, stones: int, memory: int, threads: int, seconds: float) -> None:
    """Solve what is missing in the log."""
    known = read_log(log)
    done = set((known >> book.SCORE).tolist())
    waiting = [there for key, there in positions(stones).items() if key not in done]
    print(f"{len(done):,} positions are known, {len(waiting):,} are left", flush=True)
    table = new_table(memory)
    bits, lock, begin, left = np.uint64(len(table).bit_length() - 1), threading.Lock(), time.time(), len(waiting)
    with log.open("ab") as file:
        file.truncate(file.tell() // 8 * 8)

        def work() -> None:
            counted, wide = np.zeros(2, np.int64), np.array([-CELLS, CELLS])
            while True:
                with lock:
                    if not waiting or time.time() - begin > seconds:
                        return
                    mine, mask = map(np.uint64, waiting.pop())
                bounds = np.array([-win_score(CELLS, stones + 1), win_score(CELLS, stones + 2)])
                counted[:] = 0, 2**62
                NARROW(mine, mask, stones, bounds, wide, table, bits, counted, NOTHING, -1)
                entry = book.word(int(KEY(mine, mask, stones)), int(bounds[0]))
                with lock:
                    file.write(np.array([entry], "<u8").tobytes())
                    file.flush()
                    solved = left - len(waiting)
                    if solved % 200 == 0:
                        pace = (time.time() - begin) / solved
                        print(f"{solved:,} in {time.time() - begin:,.0f} s, {pace:.3f} s each, "
                              f"{pace * len(waiting) / 3600:.2f} h left", flush=True)

        crew = [threading.Thread(target=work) for _ in range(threads)]
        for thread in crew:
            thread.start()
        for thread in crew:
            thread.join()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("log", type=Path)
    parser.add_argument("--stones", type=int, default=8)
    parser.add_argument("--memory", type=int, default=2048)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    options = parser.parse_args()
    build(**vars(options))
