"""A learning run in a folder: epoch after epoch until nothing improves, and exact going on.

What is learnt and how is the subclass's; the folder, the log, the checkpoints and the early stop
are the same for all.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hansu.learning import checkpoint
from hansu.learning.log import Log
from hansu.learning.run_folder import claim

PATIENCE = 10  # epochs without a better validation loss
HOLD_BACK = 10  # where whole games are held back for validation: one of so many
Progress = Callable[[float], None]  # the share of the epoch that is done


@dataclass(frozen=True)
class Epoch:
    """What one epoch brought."""

    epoch: int
    seconds: float  # since the very beginning, pauses left out
    step: int  # of the optimiser, so far
    training_loss: float
    validation_loss: float
    accuracy: float | None  # on the validation set, where that has a meaning
    best_epoch: int


class Run:
    """Learning that goes on where it stopped."""

    def __init__(self, folder: Path, facts: dict[str, Any], max_epochs: int, seed: int) -> None:
        """``facts`` say what is learnt from what: another run's folder is refused."""
        self.folder, self.facts, self.max_epochs, self.seed = folder, facts, max_epochs, seed
        self.epoch = self.step = self.best_epoch = 0
        self.best_loss = float("inf")
        claim(folder, facts, facts)
        found = checkpoint.resume(folder)
        if found is not None:
            for name in ("epoch", "step", "best_epoch", "best_loss"):
                setattr(self, name, found[name])
            self.restore(found["learnt"])
        self.log = Log(folder, self.epoch, Epoch)
        self._begin = time.perf_counter()

    @property
    def is_stuck(self) -> bool:
        """Whether the last epochs brought nothing."""
        return self.epoch - self.best_epoch >= PATIENCE

    @property
    def finished(self) -> bool:
        """Whether the last epochs brought nothing, or there were enough of them."""
        return self.epoch >= self.max_epochs or self.is_stuck

    @property
    def seconds(self) -> float:
        """How long was learnt, pauses left out."""
        return self.log.before + time.perf_counter() - self._begin

    def run_epoch(self, progress: Progress = lambda share: None) -> Epoch:
        """Learn from every sample once; keep what is best on those that are held back."""
        rng = np.random.default_rng([self.seed, self.epoch + 1])
        training = self.learn(rng, progress)
        validation, accuracy = self.validate()
        self.epoch += 1
        if validation < self.best_loss:
            self.best_loss, self.best_epoch = validation, self.epoch
            self.keep_best()
        report = Epoch(
            epoch=self.epoch,
            seconds=round(self.seconds, 1),
            step=self.step,
            training_loss=training,
            validation_loss=validation,
            accuracy=accuracy,
            best_epoch=self.best_epoch,
        )
        self.log.add(report)
        if self.best_epoch == self.epoch:
            self.write()
        # The checkpoint comes last: whatever is missing when somebody is killed is done again.
        content = {name: getattr(self, name) for name in ("epoch", "step", "best_epoch")}
        checkpoint.save(
            self.folder,
            self.epoch,
            {**content, "best_loss": self.best_loss, "learnt": self.state()},
        )
        return report

    def told(self) -> dict[str, Any]:
        """What the file of the result says about its making."""
        return {
            **self.facts,
            "epochs": self.epoch,
            "best_epoch": self.best_epoch,
            "validation_loss": self.best_loss,
            "seconds": round(self.seconds),
        }

    # What a subclass writes ---------------------------------------------------------------------

    def learn(self, rng: np.random.Generator, progress: Progress) -> float:
        """One epoch; the mean training loss."""
        raise NotImplementedError

    def validate(self) -> tuple[float, float | None]:
        """The loss on what is held back, and the share of right answers where that is counted."""
        raise NotImplementedError

    def keep_best(self) -> None:
        """Remember what was learnt so far: it is the best."""
        raise NotImplementedError

    def state(self) -> dict[str, Any]:
        """All that is needed to go on, the best included."""
        raise NotImplementedError

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what ``state`` returned."""
        raise NotImplementedError

    def write(self) -> None:
        """Write the best to its file."""
        raise NotImplementedError
