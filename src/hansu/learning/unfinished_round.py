"""The progress of a round, so that it can be paused after any step and resumed exactly."""

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor


@dataclass
class UnfinishedRound:
    """A round in progress; number 0 is pretraining on the games of experts."""

    number: int
    rng: np.random.Generator  # of learning and validation
    begun: bool = False  # self-play uses this round's network
    summary: dict[str, Any] | None = None  # of the games, once enough of them are played
    steps: int = 0  # of the optimiser, in all
    losses: list[Tensor] = field(default_factory=list)  # [4] total, policy, value, entropy; a step
    checked: list[tuple[float, float]] = field(default_factory=list)  # policy, value; a batch
    match: str = ""  # the gating match when the round was paused

    @classmethod
    def begin(cls, number: int, seed: int) -> "UnfinishedRound":
        """Return a new round."""
        return cls(number, np.random.default_rng([seed, number]))

    @property
    def is_playing(self) -> bool:
        """Whether self-play has begun and is not finished."""
        return self.begun and self.summary is None

    @property
    def means(self) -> dict[str, float | None]:
        """The losses as a report has them."""
        total, policy, value, entropy = torch.stack(self.losses).mean(0).tolist()
        checked = np.mean(self.checked, 0).tolist() if self.checked else (None, None)
        numbers: dict[str, float | None] = {
            "loss": total,
            "policy_loss": policy,
            "value_loss": value,
            "entropy": entropy,
            "validation_policy_loss": checked[0],
            "validation_value_loss": checked[1],
        }
        return {name: n if n is None else round(n, 5) for name, n in numbers.items()}

    def saved(self) -> dict[str, Any]:
        """Return what a checkpoint keeps of it."""
        return {
            "number": self.number,
            "rng": json.dumps(self.rng.bit_generator.state),
            "begun": self.begun,
            "summary": self.summary,
            "steps": self.steps,
            "losses": torch.stack(self.losses).cpu() if self.losses else None,
            "checked": self.checked,
            "match": self.match,
        }

    @classmethod
    def restored(cls, saved: dict[str, Any], device: torch.device) -> "UnfinishedRound":
        """Return what ``saved`` was called on."""
        rng = np.random.default_rng()
        rng.bit_generator.state = json.loads(saved["rng"])
        losses = [] if saved["losses"] is None else list(saved["losses"].to(device))
        return cls(**{**saved, "rng": rng, "losses": losses})
