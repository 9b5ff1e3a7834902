"""Othello games to learn from, in the formats of files."""

import csv
import lzma
import random
from pathlib import Path

import hansu
from hansu.games.othello.state import OthelloState
from hansu.records.wthor import Entry, Header, format_wtb


def random_games(count: int, seed: int = 1) -> list[OthelloState]:
    """Finished random games."""
    rng, games = random.Random(seed), []
    for _ in range(count):
        state = hansu.game("othello").start()
        while not state.is_game_over():
            state.push(rng.choice(list(state.legal_moves)))
        games.append(state)
    return games


def transcripts(games: list[OthelloState]) -> str:
    """A line for each game."""
    return "".join(f"{game.transcript()}\n" for game in games)


def entry(moves: str, black_score: int, best: int = 0) -> Entry:
    """A game as a WTHOR file has it."""
    pairs = zip(moves[::2], moves[1::2], strict=True)
    codes = bytes(10 * int(rank) + "abcdefgh".index(file) + 1 for file, rank in pairs)
    return Entry(0, 0, 0, black_score, best, codes.ljust(60, b"\0"))


def wthor_files(database: Path, last_year: int, folder: Path) -> None:
    """The games of the database up to a year, as WTHOR files."""
    years: dict[int, list[Entry]] = {}
    with lzma.open(database, "rt") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if int(row["year"]) <= last_year:
                entries = years.setdefault(int(row["year"]), [])
                best = int(row["theoretical_black_score"] or 0)
                entries.append(entry(row["moves"], int(row["black_score"]), best))
    for year, entries in years.items():
        header = Header(count=len(entries), year=year, depth=24)
        (folder / f"WTH_{year}.wtb").write_bytes(format_wtb(header, entries))
