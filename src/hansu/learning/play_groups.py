"""A group of self-play games with its network: searched by the CPU, or wholly on a GPU."""

from typing import Any

import numpy as np
import torch

from hansu.games.features import Features
from hansu.learning.evaluator import NetworkEvaluator
from hansu.learning.finished_games import FinishedGames
from hansu.learning.inference import Inference, make_inference
from hansu.learning.network import Network
from hansu.learning.replay_buffer import (
    Samples,
    add_auxiliary,
    game_samples,
    sample_type,
)
from hansu.learning.self_play import SelfPlay, SelfPlayOptions
from hansu.learning.self_play_gpu import FinishedTurns, SelfPlayOnCard
from hansu.learning.shown_games import SHOWN
from hansu.search.puct import PuctParams


class CpuGroup:
    """The CPU searches; a network evaluates, on whatever device it is."""

    def __init__(
        self,
        features: Features,
        games: int,
        options: SelfPlayOptions,
        params: PuctParams,
        seed: int,
        device: torch.device,
    ) -> None:
        self._kind = sample_type(features, options.auxiliary)
        self.games = SelfPlay(features, games, options, params, seed)
        self.evaluator = NetworkEvaluator(features, games, device)
        self.games.use_buffers(self.evaluator.leaves, self.evaluator.answers)

    def begin(self, network: Network) -> None:
        """Use this network from now on; drop all trees."""
        self.evaluator.use(network)
        self.games.drop_trees()
        self.games.step()

    def launch(self) -> None:
        """Begin to evaluate."""
        self.evaluator.launch()

    def wait(self) -> None:
        """Wait for the evaluation."""
        self.evaluator.wait()

    def advance(self, found: FinishedGames) -> None:
        """Do one step in all games, launch, and collect the finished ones."""
        self.evaluator.wait()
        found.simulations += self.games.step()
        self.evaluator.launch()
        self.collect(found)

    def collect(self, found: FinishedGames) -> None:
        """Collect finished games and begin new ones in their place."""
        over, played = self.games.finished(), self.games.trajectories
        for game in over:
            if len(found.shown) < SHOWN:
                found.shown.append(played.action[game, : played.turns[game]].copy())
            found.add_game(
                game_samples(played, game, self._kind),
                int(played.result[game]),
                int(played.would_resign[game]) if played.resign_disabled[game] else 0,
            )
        if over:
            self.games.restart()

    def saved(self, with_trees: bool = False) -> bytes:
        """Return the games in progress."""
        return self.games.saved(with_trees)

    def restore(self, piece: bytes) -> None:
        """Continue saved games."""
        self.games.restore(piece)


class CardGroup:
    """The same, wholly on a GPU: search, network and games."""

    def __init__(
        self,
        features: Features,
        games: int,
        options: SelfPlayOptions,
        params: PuctParams,
        seed: int,
        device: torch.device,
        games_last: bool = False,
    ) -> None:
        self._features, self._device = features, device
        self._kind = sample_type(features, options.auxiliary)
        self._network: Inference | None = None
        self.games = SelfPlayOnCard(
            features, games, options, params, seed, self._evaluate, device, games_last
        )

    def begin(self, network: Network) -> None:
        """Use this network from now on; drop all trees."""
        self.games.wait()
        if self._network is None:
            self._network = make_inference(self._features, network, self._device)
        else:
            self._network.load(network)
        if self._device.type == "cuda":
            torch.cuda.synchronize()  # the graph runs in a stream of its own
        self.games.begin()

    def launch(self) -> None:
        """Begin the next steps."""
        self.games.launch()

    def wait(self) -> None:
        """Wait for the steps that were launched."""
        self.games.wait()

    def advance(self, found: FinishedGames) -> None:
        """Collect the games that the last steps finished, and launch the next."""
        turns = self._collected(found)
        self.games.launch()
        self._add(found, turns)

    def collect(self, found: FinishedGames) -> None:
        """Collect finished games and begin new ones in their place."""
        self._add(found, self._collected(found))

    def saved(self, with_trees: bool = False) -> bytes:
        """Return the games in progress."""
        return self.games.saved(with_trees)

    def restore(self, piece: bytes) -> None:
        """Continue saved games."""
        self.games.restore(piece)

    def _evaluate(self, leaves: torch.Tensor, answers: torch.Tensor) -> None:
        assert self._network is not None
        self._network(leaves, answers)

    def _collected(self, found: FinishedGames) -> FinishedTurns | None:
        turns, simulations = self.games.collect(SHOWN - len(found.shown))
        found.simulations += simulations
        return turns

    def _add(self, found: FinishedGames, turns: FinishedTurns | None) -> None:
        if turns is None:
            return
        found.shown += turns.actions
        resigners = np.where(turns.resign_disabled, turns.would_resign, 0)
        games = split_games(turns, self._kind)
        for samples, result, resigner in zip(games, turns.result, resigners, strict=True):
            found.add_game(samples, int(result), int(resigner))


def split_games(turns: FinishedTurns, kind: np.dtype[Any]) -> list[Samples]:
    """Return the samples of every game, as ``game_samples`` does for one."""
    samples = np.zeros(len(turns.turn), kind)
    for name in ("seen", "legal", "visits", "value", "action", "turn"):
        samples[name] = getattr(turns, name)
    result = turns.result[turns.game]
    samples["reward"] = np.where(turns.turn % 2 == 0, result, -result)
    ends = np.searchsorted(turns.game, np.arange(len(turns.result)), side="right")
    add_auxiliary(samples, turns.owners[turns.game], turns.turns[turns.game])
    samples["done"][ends[np.diff(ends, prepend=0) > 0] - 1] = True  # a game may have none
    return np.split(samples, ends[:-1])
