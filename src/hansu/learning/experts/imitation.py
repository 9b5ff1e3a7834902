"""Imitation learning: a policy and value network from the records of any game.

Samples are those of self-play (``replay_buffer``), with all visits on the move that was played.
Network, loss and symmetries are the same too, so the result plays as ``self_learning``. Every tenth
game is in the validation set, whole.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from hansu.errors import RecordError
from hansu.games.features import Features
from hansu.games.game import Game
from hansu.learning.evaluator import pick_device
from hansu.learning.experts.network_run import NetworkRun
from hansu.learning.experts.run import VALIDATION_EVERY
from hansu.learning.export import export
from hansu.learning.loss import Batches, losses
from hansu.learning.network import Network, make_network
from hansu.learning.replay_buffer import Samples, sample_type
from hansu.records.record import RESIGNED, GameRecord
from hansu.records.replay import game_of, states

RATE = 2e-3


def expert_samples(
    game: Game, records: Iterable[GameRecord], bad: list[RecordError]
) -> list[Samples]:
    """Return the samples of each game; those without moves or result go to ``bad``."""
    found = []
    for record in records:
        played = game_of(record)
        same = played.name == game.name and played.features.shape == game.features.shape
        if not same:
            bad.append(RecordError(f"a game of {played}, not of {game}"))
        elif record.outcome.reason == "unfinished":
            bad.append(RecordError(f"the game {record.moves[:6]}... has no result"))
        elif len(turns := _turns(record, played.features)):
            found.append(turns)
        else:
            bad.append(RecordError("a game without a move"))
    return found


def _turns(record: GameRecord, features: Features) -> Samples:
    moves = [move for move in record.moves if move != RESIGNED]
    samples = np.zeros(len(moves), sample_type(features))
    for turn, (state, text) in enumerate(zip(states(record), moves, strict=False)):
        action = features.action(state, state.parse_move(text))
        sample = samples[turn]
        sample["seen"] = features.pack(state)
        for move in state.legal_moves:
            legal = features.action(state, move)
            sample["legal"][legal // 64] |= np.uint64(1) << np.uint64(legal % 64)
        sample["visits"][action], sample["action"], sample["turn"] = 1, action, turn
        winner = record.outcome.winner
        sample["reward"] = 0 if winner is None else 1 if winner == state.turn else -1
    samples["value"] = samples["reward"]
    samples["done"][-1:] = True
    return samples


class ImitationRun(NetworkRun):
    """Fits a policy and value network to experts' moves and results."""

    network: Network
    batch, large_batch = 256, 1024

    def __init__(
        self,
        game: Game,
        games: list[Samples],
        network: str,
        folder: Path,
        facts: dict[str, Any],
        max_epochs: int,
        seed: int = 0,
        device: str = "auto",
    ) -> None:
        torch.manual_seed(seed)
        chosen = pick_device(device)
        self.game, made = game, make_network(network, game.features).to(chosen)
        self.validation = np.concatenate(games[VALIDATION_EVERY - 1 :: VALIDATION_EVERY])
        training = [samples for at, samples in enumerate(games, 1) if at % VALIDATION_EVERY]
        self.training = np.concatenate(training)
        self._batches = Batches(game.features, chosen)
        optimiser = torch.optim.AdamW(made.parameters(), lr=RATE, weight_decay=1e-4)
        super().__init__(made, optimiser, folder, facts, max_epochs, seed)

    def sizes(self) -> tuple[int, int]:
        """Return the sizes of the training set and the validation set."""
        return len(self.training), len(self.validation)

    def learn(self, which: NDArray[np.int64], rng: np.random.Generator) -> tuple[float, ...]:
        """Learn from some turns, each turned by a random symmetry."""
        self.network.train()
        batch = self._batches(self.training[which], rng)
        logits, values = self.network(batch.planes, batch.vector)
        found = losses(logits, values, batch, historic=False)
        self.optimiser.zero_grad(set_to_none=True)
        found.total.backward()
        self.optimiser.step()
        self.step += 1
        return float(found.total.detach()) * len(which), len(which)

    def validate(self, which: slice) -> tuple[float, ...]:
        """Return the loss on some turns, and how many of the moves are predicted."""
        self.network.eval()
        samples = self.validation[which]
        with torch.inference_mode():
            batch = self._batches(samples)
            logits, values = self.network(batch.planes, batch.vector)
            loss = float(losses(logits, values, batch, historic=False).total) * len(samples)
            best = logits.masked_fill(~batch.legal, -1e9).argmax(1)
        guess: NDArray[np.int64] = best.cpu().numpy()
        return loss, len(samples), float((guess == samples["action"]).sum()), len(samples)

    def write(self) -> None:
        """Write the best network for playing."""
        best = make_network(self.network.name, self.game.features)
        best.load_state_dict(self.best)
        export(best, self.folder / "model.onnx", self.summary())
