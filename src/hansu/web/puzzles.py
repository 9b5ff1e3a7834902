"""The puzzles of the page: those that are shipped, and those of the visitor's own games."""

import hashlib
import threading
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request

from hansu.arena.puzzles import Puzzle, read_puzzles, shipped_puzzles
from hansu.errors import UnknownName
from hansu.games.game import BLACK, GAMES, game
from hansu.games.state import State
from hansu.kernel.tiers import interpret_first
from hansu.web.audience import Sight
from hansu.web.fair_share import Account
from hansu.web.refusals import Refusal
from hansu.web.requests import address_of, requests_of
from hansu.web.server_settings import ServerSettings
from hansu.web.thread_pools import ThreadPools
from hansu.web.views import board_facts, position_facts


class PuzzleBook:
    """All puzzles by game and name; a file of one's own is read again when it has changed."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[str, tuple[float, dict[str, Puzzle]]] = {}
        self._lock = threading.Lock()

    def names(self) -> dict[str, list[str]]:
        """Return the names of the puzzles of each game."""
        return {each: list(self._of(each)) for each in GAMES}

    def facts(self, which: str, name: str) -> dict[str, Any]:
        """Return a puzzle as it is set: the board and whether to win or to draw."""
        puzzle = self._find(which, name)
        with interpret_first():
            state = _state(puzzle)
            sight = Sight(_is_turned(state))
            return {
                **position_facts(state, sight, False, None),
                "name": which,
                "game": puzzle.game,
                "value": puzzle.value,
            }

    def answer(self, which: str, name: str, move: str) -> dict[str, Any]:
        """Return whether a move is right, and how play goes on; without a move, the solution."""
        puzzle = self._find(which, name)
        with interpret_first():
            state = _state(puzzle)
            text = state.move_text(state.parse_move(move)) if move else puzzle.solution
            sight = Sight(_is_turned(state))
            names, boards = [], []
            for each in puzzle.lines[text]:
                played = state.parse_move(each)
                names.append(state.move_name(played))
                state.push(played)
                boards.append(board_facts(state, sight)["svg"])
        return {
            "right": text == puzzle.solution,
            "value": puzzle.values[text],
            "line": names,
            "boards": boards,
        }

    def _find(self, which: str, name: str) -> Puzzle:
        found = self._of(which).get(name)
        if found is None:
            raise Refusal("no_such_puzzle")
        return found

    def _of(self, which: str) -> dict[str, Puzzle]:
        if which not in GAMES:
            raise UnknownName("game", which, GAMES)
        own = self._folder / f"{which}.jsonl" if self._folder else None
        changed = own.stat().st_mtime if own and own.is_file() else 0.0
        with self._lock:
            if which not in self._known or self._known[which][0] != changed:
                with interpret_first():
                    listed = [*shipped_puzzles(which), *(read_puzzles(own) if own else [])]
                mine = (each for each in listed if each.game.partition(":")[0] == which)
                self._known[which] = changed, {_name(each): each for each in mine}
            return self._known[which][1]


def add_puzzles(app: FastAPI, settings: ServerSettings) -> None:
    """Add the puzzles to the server."""
    book = PuzzleBook(settings.data / "puzzles" if settings.data and settings.is_local else None)

    def account(request: Request) -> Account:
        pools: ThreadPools = app.state.pools
        return Account(pools.visitor(address_of(request)))

    @app.get("/api/puzzles")
    async def puzzles() -> dict[str, Any]:
        return {"games": await requests_of(app).shared("puzzles", book.names)}

    @app.get("/api/puzzles/{which}/{name}")
    async def puzzle(which: str, name: str, request: Request) -> dict[str, Any]:
        about = f"puzzles {address_of(request)}"
        return await requests_of(app).think(
            lambda: book.facts(which, name), account(request), about
        )

    @app.get("/api/puzzles/{which}/{name}/answer")
    async def answer(which: str, name: str, request: Request, move: str = "") -> dict[str, Any]:
        about = f"puzzles {address_of(request)}"
        return await requests_of(app).think(
            lambda: book.answer(which, name, move[:20]), account(request), about
        )


def _state(puzzle: Puzzle) -> State:
    return game(puzzle.game).parse(puzzle.position)


def _is_turned(state: State) -> bool:
    """Whether the board is shown from Black's side: where pieces have a direction."""
    slides = any(len(state.move_cells(move)) > 1 for move in state.legal_moves)
    return slides and state.turn == BLACK


def _name(puzzle: Puzzle) -> str:
    """Return a name that stays when other puzzles come."""
    return hashlib.sha256(f"{puzzle.game} {puzzle.position}".encode()).hexdigest()[:12]
