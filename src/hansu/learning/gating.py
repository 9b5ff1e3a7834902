"""The gating match: the candidate against the best network so far, many games at once."""

import json
from collections.abc import Iterator

import numpy as np

from hansu.games.features import Features
from hansu.games.state import State
from hansu.search.evaluation_cache import Evaluate
from hansu.search.puct import PuctParams, make_step, start_game
from hansu.search.puct_trees import NO_LEAF, allocate_trees
from hansu.statistics.stats import Played, Stats

SAMPLED_TURNS = 4  # at temperature 1, so that games differ


class Side:
    """One player's trees in all games of the match."""

    def __init__(
        self, features: Features, evaluate: Evaluate, games: int, params: PuctParams, nodes: int
    ) -> None:
        game = features.game
        self.features, self.evaluate, self.params = features, evaluate, params
        self.trees = allocate_trees(game, games, nodes, 1, params.max_depth, game.max_turns, seed=0)
        self._step = make_step(features, parallel=True)

    def think(self, states: dict[int, State], simulations: int) -> None:
        """Search from these games' states, each with its own tree."""
        targets = np.zeros(len(self.trees.sizes), np.int64)
        for number, state in states.items():
            if self.features.game.rules.USES_PATH:
                played = len(state.move_stack)
                self.trees.path[number, :played] = state.path[:played]
            start_game(self.trees, number, state.words)
            targets[number] = simulations
        while (self.trees.visits[:, 0] < targets).any():
            self._step(self.trees, targets, self.params)
            waiting = np.flatnonzero(self.trees.leaf[:, 0] != NO_LEAF)
            self.trees.answers[waiting] = self.evaluate(self.trees.leaves[waiting])
        self._step(self.trees, targets, self.params._replace(slots=0))  # the last answers

    def choose(self, number: int, turn: int, rng: np.random.Generator) -> int:
        """Return the number of the move to play in a game."""
        count = int(self.trees.edge_count[number, 0])
        visits = self.trees.edge_visits[number, :count].astype(np.float64)
        proved = self.trees.proved[number, :count]
        best = proved == np.max(proved)  # what is proved to be worse is not played
        visits = np.where(best, visits, 0.0) if visits[best].any() else best.astype(np.float64)
        sampled = turn < SAMPLED_TURNS
        edge = rng.choice(count, p=visits / visits.sum()) if sampled else np.argmax(visits)
        return int(self.trees.move[number, edge])


class GatingMatch:
    """The candidate against the best network, each beginning half of the games.

    Each opening of 0 to ``random_opening_plies`` random moves is played twice, with sides swapped.
    """

    def __init__(
        self,
        features: Features,
        candidate: Evaluate,
        best: Evaluate,
        games: int,
        simulations: int,
        seed: int,
        random_opening_plies: int = 0,
    ) -> None:
        params = PuctParams(1.5, 32, 0.0, 1.0, 1)
        self.features, self.simulations = features, simulations
        nodes = simulations + 2
        self._sides = [Side(features, each, games, params, nodes) for each in (candidate, best)]
        self._rng = np.random.default_rng(seed)
        openings = [
            _opening(features, random_opening_plies, self._rng) for _ in range((games + 1) // 2)
        ]
        self._openings = [opening.text() for opening in openings]
        self._states = [openings[number // 2].copy() for number in range(games)]

    def play(self) -> Iterator[float]:
        """Play to the end; yield the share of finished games after a move in every game."""
        first, games = self.features.game.first_color, len(self._states)
        while running := {n: s for n, s in enumerate(self._states) if not s.is_game_over()}:
            # The candidate begins the games with even numbers, so each side is to move in half of
            # the games: the evaluators hold no more.
            own_turns = {n: s for n, s in running.items() if (s.turn == first) == (n % 2 == 0)}
            best_turns = {n: s for n, s in running.items() if n not in own_turns}
            for side, own in zip(self._sides, (own_turns, best_turns), strict=True):
                if own:
                    side.think(own, self.simulations)
                for number, state in own.items():
                    move = side.choose(number, len(state.move_stack), self._rng)
                    state.push(state.move_from_id(move))
            yield 1 - len(running) / games

    @property
    def result(self) -> Stats:
        """Return the candidate's result of the finished match."""
        first, played = self.features.game.first_color, []
        for number, state in enumerate(self._states):
            outcome = state.outcome()
            assert outcome is not None
            won = outcome.winner == (first if number % 2 == 0 else not first)
            score = 0.5 if outcome.winner is None else float(won)
            moves = tuple(map(state.move_id, state.move_stack))
            played.append(Played(number % 2 == 0, score, self._openings[number // 2], moves))
        return Stats.of(played)

    def saved(self) -> str:
        """Return the match so far, for ``restore``: the moves of every game."""
        moves = [list(map(state.move_id, state.move_stack)) for state in self._states]
        return json.dumps({"moves": moves, "rng": self._rng.bit_generator.state})

    def restore(self, saved: str) -> None:
        """Go on with what ``saved`` returned."""
        found = json.loads(saved)
        self._rng.bit_generator.state = found["rng"]
        for number, moves in enumerate(found["moves"]):
            state = self._states[number] = self.features.game.start()
            for move_id in moves:
                state.push(state.move_from_id(move_id))


def _opening(features: Features, random_opening_plies: int, rng: np.random.Generator) -> State:
    """Return a state after some random moves in which the game is not over."""
    while True:
        state = features.game.start()
        for _ in range(rng.integers(random_opening_plies + 1)):
            if not state.is_game_over():
                state.push(state.move_from_id(int(rng.choice(state.move_ids()))))
        if not state.is_game_over():
            return state
