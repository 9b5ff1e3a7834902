"""How good a network is: moves in solved positions, and a match against a model."""

import json
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.solved import SETS, sign
from hansu.games.game import Game
from hansu.learning.evaluator import NetworkEvaluator
from hansu.learning.first_weights import read_network
from hansu.learning.gating import GatingMatch, Side
from hansu.learning.network import Network
from hansu.search.puct import PuctParams

PARAMS = PuctParams(1.0, 32, 0.0, 1.0, 1)  # as an agent searches
MATCH_SIMULATIONS = 64
SAMPLED_TURNS = 99  # no move is sampled after so many turns

Solved = list[tuple[str, str, dict[str, int]]]  # a set, a position, what every move is worth


def solved_positions(truth: Path, data: Path) -> Solved:
    """Return published positions of Connect Four; where ``truth`` is not there, solve them first.

    That takes BitBully and some minutes.
    """
    if not truth.exists():
        truth.write_text(json.dumps({name: _solved(data / name) for name in SETS}))
    found = json.loads(truth.read_text())
    return [(name, moves, values) for name, rows in found.items() for moves, values in rows]


def _solved(path: Path) -> list[tuple[str, dict[str, int]]]:
    from bitbully import BitBully, Board

    solver, found = BitBully(opening_book="12-ply-dist"), []
    for line in path.read_text(encoding="utf-8").splitlines():
        board, moves = Board(), line.split()[0]
        for played in moves:
            board.play(int(played) - 1)
        values = {str(column + 1): n for column, n in solver.score_all_moves(board).items()}
        found.append((moves, values))
    return found


class Kept:
    """How often a network with some simulations keeps the outcome, and plays the best move."""

    def __init__(self, game: Game, solved: Solved, simulations: int, device: torch.device) -> None:
        self._solved, self._simulations = solved, simulations
        self._states = {i: game.parse(moves) for i, (_, moves, _) in enumerate(solved)}
        self._evaluator = NetworkEvaluator(game.features, len(solved), device)
        size = len(solved), PARAMS, simulations + 2
        self._side = Side(game.features, self._evaluator, *size)

    def __call__(self, network: Network) -> dict[str, float]:
        """Return the shares, of all positions and of each set."""
        self._evaluator.use(network)
        self._side.think(self._states, self._simulations)
        kept: dict[str, list[bool]] = {}
        best, rng = [], np.random.default_rng(1)
        for i, (name, _, values) in enumerate(self._solved):
            move = self._states[i].move_from_id(self._side.choose(i, SAMPLED_TURNS, rng))
            got, top = values[str(move)], max(values.values())
            kept.setdefault(name, []).append(sign(got) == sign(top))
            best.append(got == top)
        shares = {f"kept {name}": float(np.mean(each)) for name, each in kept.items()}
        whole = np.concatenate(list(kept.values()))
        return {"kept": float(whole.mean()), "best": float(np.mean(best)), **shares}


class Against:
    """A match of networks against the one of a model."""

    def __init__(
        self, game: Game, path: Path, games: int, simulations: int, device: torch.device
    ) -> None:
        self._features = game.features
        self._how = games, simulations
        half = (games + 1) // 2
        self._own, self._other = (NetworkEvaluator(game.features, half, device) for _ in range(2))
        self._other.use(read_network(path, game))

    def __call__(self, network: Network) -> dict[str, float]:
        """Return the network's score and its error (95 %), and how many games differed."""
        self._own.use(network)
        match = GatingMatch(self._features, self._own, self._other, *self._how, 5, 6)
        for _ in match.play():
            pass
        found = match.result
        facts = {"score": found.score, "score_error": found.score_error}
        return {**facts, "distinct": float(found.distinct_games)}


class Strength:
    """All that can be measured of a game's networks."""

    def __init__(
        self, game: Game, solved: Callable[[], Solved] | None, against: Path | None, how: Any
    ) -> None:
        self._game, self._get_solved, self._path, self._how = game, solved, against, how

    @cached_property
    def _kept(self) -> Kept | None:
        if self._get_solved is None:
            return None
        return Kept(self._game, self._get_solved(), self._how.simulations, self._how.card)

    @cached_property
    def _against(self) -> Against | None:
        if self._path is None or not self._how.match:
            return None
        return Against(self._game, self._path, self._how.match, MATCH_SIMULATIONS, self._how.card)

    def __call__(self, network: Network, last: bool) -> dict[str, float]:
        """Measure; a match takes longer and is played at the end, or always if ``matches``."""
        found = self._kept(network) if self._kept else {}
        if self._against and (last or self._how.matches):
            found |= self._against(network)
        return found
