"""Finished games of self-play, with their statistics."""

import io
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.learning.replay_buffer import Samples
from hansu.learning.shown_games import SHOWN


@dataclass
class FinishedGames:
    """Finished games with their statistics."""

    games: list[Samples] = field(default_factory=list)
    results: list[int] = field(default_factory=list)  # +1, 0, -1 for the first player
    played_on: int = 0  # games that went on only because resigning was disabled
    false_resignations: int = 0  # those of them that the resigner did not lose
    simulations: int = 0  # with a leaf evaluation
    seconds: float = 0.0
    shown: list[NDArray[np.int16]] = field(default_factory=list)  # all actions of a few games
    samples: int = field(init=False)  # of all games

    def __post_init__(self) -> None:
        self.samples = sum(map(len, self.games))

    def add_game(self, samples: Samples, result: int, resigner: int = 0) -> None:
        """Add a game; ``resigner`` is who would have resigned, had it not been disabled."""
        self.games.append(samples)
        self.samples += len(samples)
        self.results.append(result)
        if resigner:
            self.played_on += 1
            self.false_resignations += result != -resigner

    def add(self, other: "FinishedGames") -> None:
        """Add other games; not their seconds, which may overlap."""
        self.games += other.games
        self.samples += other.samples
        self.results += other.results
        self.played_on += other.played_on
        self.false_resignations += other.false_resignations
        self.simulations += other.simulations
        self.shown = (self.shown + other.shown)[:SHOWN]

    def summary(self) -> dict[str, Any]:
        """Return the columns of a report about the games of a round."""
        share = self.false_resignations / self.played_on if self.played_on else None
        return {
            "simulations_per_second": round(self.simulations / self.seconds, 1),
            "turns_per_game": round(self.samples / len(self.games), 2),
            "first_won": round(0.5 + 0.5 * float(np.mean(self.results)), 4),
            "false_resignations": None if share is None else round(share, 4),
        }

    def saved(self) -> bytes:
        """Return everything as bytes, for ``restored``."""
        content = io.BytesIO()
        np.savez(
            content,
            samples=np.concatenate(self.games) if self.games else (),
            ends=np.cumsum([len(samples) for samples in self.games], dtype=np.int64),
            results=np.array(self.results, np.int64),
            counts=[self.played_on, self.false_resignations, self.simulations],
            seconds=self.seconds,
            shown=np.concatenate(self.shown) if self.shown else (),
            shown_ends=np.cumsum([len(actions) for actions in self.shown], dtype=np.int64),
        )
        return content.getvalue()

    @classmethod
    def restored(cls, saved: bytes) -> "FinishedGames":
        """Return what ``saved`` was called on."""
        with np.load(io.BytesIO(saved), allow_pickle=False) as content:
            played_on, false_resignations, simulations = content["counts"].tolist()
            return cls(
                games=_split(content["samples"], content["ends"]),
                results=content["results"].tolist(),
                played_on=played_on,
                false_resignations=false_resignations,
                simulations=simulations,
                seconds=float(content["seconds"]),
                shown=_split(content["shown"], content["shown_ends"]),
            )


def _split(joined: NDArray[Any], ends: NDArray[np.int64]) -> list[NDArray[Any]]:
    return np.split(joined, ends[:-1]) if len(ends) else []
