"""A learning run in a folder: epochs until early stopping, with exact resuming.

Subclasses define what is learnt and how; folder, log, checkpoints and early stopping are shared.
"""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.learning import checkpoint
from hansu.learning.log import Epoch, Log
from hansu.learning.run_folder import claim
from hansu.learning.stopping import Stop

PATIENCE = 10  # epochs without a better validation loss, until early stopping
VALIDATION_EVERY = 10  # games: one of so many is in the validation set, whole
Progress = Callable[[float], None]  # the share of the epoch that is done


@dataclass
class UnfinishedEpoch:
    """The progress of an epoch, so that it can be paused after any batch and resumed exactly."""

    rng: str = ""
    batches: int = 0
    training: list[float] = field(default_factory=lambda: [0.0] * 2)  # loss, weight
    checked: int = 0  # batches of the validation set
    validation: list[float] = field(default_factory=lambda: [0.0] * 4)  # also right answers, of

    def settle(self) -> None:
        """Fetch the sums that a graphics card still adds up."""
        self.training[:] = map(float, self.training)


class Run:
    """A run that can be stopped and resumed."""

    batch: int  # samples at a time
    large_batch: int  # for validation

    def __init__(self, folder: Path, facts: dict[str, Any], max_epochs: int, seed: int) -> None:
        """Begin or resume a run; ``facts`` identify it: another run's folder is refused."""
        self.folder, self.facts, self.max_epochs, self.seed = folder, facts, max_epochs, seed
        self.epoch = self.step = self.best_epoch = self._pauses = 0
        self.best_loss, self._before = float("inf"), 0.0
        self._unfinished: UnfinishedEpoch | None = None
        claim(folder, facts, facts)
        found = checkpoint.resume(folder)
        if found is not None:
            for name in ("epoch", "step", "best_epoch", "best_loss"):
                setattr(self, name, found[name])
            self._pauses, self._before = found.get("pauses", 0), found.get("seconds", 0.0)
            if found.get("unfinished"):
                self._unfinished = UnfinishedEpoch(**found["unfinished"])
            self.restore(found["learnt"])
        self.log = Log(folder, self.epoch, Epoch)
        self._before = self._before or self.log.before  # an older checkpoint lacks it
        self._begin = time.perf_counter()

    @property
    def is_stuck(self) -> bool:
        """Whether the validation loss has not improved for PATIENCE epochs."""
        return self.epoch - self.best_epoch >= PATIENCE

    @property
    def finished(self) -> bool:
        """Whether the run is over: stuck, or at ``max_epochs``."""
        return self.epoch >= self.max_epochs or self.is_stuck

    @property
    def seconds(self) -> float:
        """The working time of the run, without pauses."""
        return self._before + time.perf_counter() - self._begin

    @property
    def unfinished(self) -> int | None:
        """The number of the epoch that was paused, if any."""
        return self.epoch + 1 if self._unfinished else None

    def run_epoch(
        self, progress: Progress = lambda share: None, stop: Stop | None = None
    ) -> Epoch | None:
        """Learn from every sample once; keep the weights with the best validation loss.

        Returns None if it was stopped before its end: everything is kept, and the next call, here
        or in another process, resumes it.
        """
        current = self._unfinished = self._unfinished or UnfinishedEpoch()
        for _ in self._work(current, progress):
            if stop and stop():
                self._pauses += 1
                self._save()
                return None
        error, weight, right, answers = current.validation
        self._unfinished = None
        self.epoch += 1
        if error / weight < self.best_loss:
            self.best_loss, self.best_epoch = error / weight, self.epoch
            self.keep_best()
        report = Epoch(
            epoch=self.epoch,
            seconds=round(self.seconds, 1),
            step=self.step,
            training_loss=current.training[0] / current.training[1],
            validation_loss=error / weight,
            accuracy=right / answers,
            best_epoch=self.best_epoch,
        )
        self.log.add(report)
        if self.best_epoch == self.epoch:
            self.write()
        # The checkpoint comes last: what a killed process missed is done again.
        self._pauses = 0
        self._save()
        return report

    def _work(self, current: UnfinishedEpoch, progress: Progress) -> Iterator[None]:
        """Do the rest of an epoch; yield after each batch."""
        samples, validation = self.sizes()
        rng = np.random.default_rng([self.seed, self.epoch + 1])
        order = rng.permutation(samples)
        if current.rng:
            rng.bit_generator.state = json.loads(current.rng)
        while (begin := current.batches * self.batch) < samples:
            _add(current.training, self.learn(order[begin : begin + self.batch], rng))
            current.batches += 1
            current.rng = json.dumps(rng.bit_generator.state)
            progress(min(1.0, (begin + self.batch) / samples))
            yield
        current.settle()
        while (begin := current.checked * self.large_batch) < validation:
            end = min(begin + self.large_batch, validation)
            _add(current.validation, self.validate(slice(begin, end)))
            current.checked += 1
            yield

    def _save(self) -> None:
        content = {name: getattr(self, name) for name in ("epoch", "step", "best_epoch")}
        content |= {"best_loss": self.best_loss, "learnt": self.state()}
        content |= {"pauses": self._pauses, "seconds": self.seconds}
        if self._unfinished:
            self._unfinished.settle()
        content["unfinished"] = asdict(self._unfinished) if self._unfinished else None
        checkpoint.save(self.folder, self.epoch, content, self._pauses)

    def summary(self) -> dict[str, Any]:
        """Return the facts that the file of the result keeps."""
        return {
            **self.facts,
            "epochs": self.epoch,
            "best_epoch": self.best_epoch,
            "validation_loss": self.best_loss if self.best_epoch else None,
            "seconds": round(self.seconds),
        }

    # What a subclass writes ---------------------------------------------------------------------

    def sizes(self) -> tuple[int, int]:
        """Return the sizes of the training set and the validation set."""
        raise NotImplementedError

    def learn(self, which: NDArray[np.int64], rng: np.random.Generator) -> tuple[Any, ...]:
        """Learn from some samples; return the sums of their losses and of their weights.

        They may be tensors, so that nobody waits for a graphics card after each batch.
        """
        raise NotImplementedError

    def validate(self, which: slice) -> tuple[float, ...]:
        """Return the same for a part of the validation set, then right answers, and of how many."""
        raise NotImplementedError

    def keep_best(self) -> None:
        """Keep the current weights as the best."""
        raise NotImplementedError

    def state(self) -> dict[str, Any]:
        """Return all that is needed to resume, including the best weights."""
        raise NotImplementedError

    def restore(self, state: dict[str, Any]) -> None:
        """Resume from what ``state`` returned."""
        raise NotImplementedError

    def write(self) -> None:
        """Write the best to its file."""
        raise NotImplementedError


def _add(sums: list[float], more: tuple[Any, ...]) -> None:
    sums[:] = [one + other for one, other in zip(sums, more, strict=True)]
