"""Groups of self-play games, each with an evaluator, and their finished games.

The CPU searches one group while the GPU evaluates another.
"""

import io
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from hansu.games.features import Features
from hansu.learning.evaluator import NetworkEvaluator
from hansu.learning.network import Network
from hansu.learning.replay_buffer import Samples, game_samples, sample_type
from hansu.learning.self_play import SelfPlay, SelfPlayOptions
from hansu.learning.settings import Control, TrainingSettings
from hansu.learning.shown_games import SHOWN
from hansu.search.puct import PuctParams

MAX_DEPTH = 32

Pieces = list[bytes | None]  # saved games in progress, one for each group; None where lost
Progress = Callable[[str, float], None]  # called with the phase and the share of it that is done


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


class Playing:
    """Self-play games in this process; they continue from one call of ``play`` to the next."""

    def __init__(
        self,
        features: Features,
        settings: TrainingSettings,
        control: Control,
        device: torch.device,
        seeds: tuple[int, ...],
    ) -> None:
        self.settings, self._kind = settings, sample_type(features)
        options = SelfPlayOptions(
            simulations=control.simulations,
            temperature_turns=settings.temperature_turns,
            resign_below=control.resign_below,
            resign_disabled_share=settings.resign_disabled_share,
            random_opening_plies=settings.random_opening_plies,
        )
        params = PuctParams(control.cpuct, MAX_DEPTH, settings.noise_share, settings.noise_alpha, 1)
        self._groups: list[tuple[SelfPlay, NetworkEvaluator]] = []
        for number in range(settings.groups):
            seed = int(np.random.SeedSequence([*seeds, number]).generate_state(1)[0])
            group = SelfPlay(features, settings.games, options, params, seed)
            evaluator = NetworkEvaluator(features, settings.games, device)
            group.use_buffers(evaluator.leaves, evaluator.answers)
            self._groups.append((group, evaluator))

    def begin(self, network: Network) -> None:
        """Use this network from now on.

        All trees are dropped, since another network grew them. So every move is searched by one
        network, and the moves played so far are all that is needed to resume after a kill.
        """
        threads = torch.get_num_threads()
        for group, evaluator in self._groups:
            evaluator.use(network)
            group.drop_trees()
            group.step()
        # Numba's first parallel step sets it to all cores, as both use the same OpenMP. With
        # another number of threads sums round differently, and runs would not be reproducible.
        torch.set_num_threads(threads)
        for _, evaluator in self._groups:
            evaluator.launch()

    def resume(self, network: Network, pieces: Pieces) -> None:
        """Continue the searches that ``pause`` returned."""
        self.begin(network)  # sets up threads and CUDA graphs
        for _, evaluator in self._groups:
            evaluator.wait()
        self.restore(pieces)

    def play(self, found: FinishedGames, samples: int) -> Iterator[bool]:
        """Play until ``found`` has so many samples, and yield True after each step.

        Games in progress continue at the next call.
        """
        while found.samples < samples:
            begin = time.perf_counter()
            self.step(found)
            found.seconds += time.perf_counter() - begin
            yield True

    def step(self, found: FinishedGames) -> None:
        """Do one step in all games and collect the finished ones."""
        for group, evaluator in self._groups:
            evaluator.wait()
            found.simulations += group.step()
            evaluator.launch()
            self._collect(group, found)

    def saved(self) -> Pieces:
        """Return the games in progress, one piece for each group; for ``restore``."""
        return [group.saved() for group, _ in self._groups]

    def pause(self, found: FinishedGames, trees: bool) -> Pieces:
        """Return the games in progress; with their trees they are for ``resume``."""
        for _, evaluator in self._groups:
            evaluator.wait()
        return [group.saved(trees) for group, _ in self._groups]

    def restore(self, pieces: Pieces) -> None:
        """Continue the games that ``saved`` returned, unless the number of groups differs."""
        if len(pieces) == len(self._groups):
            for (group, _), piece in zip(self._groups, pieces, strict=True):
                if piece:
                    group.restore(piece)

    def close(self) -> None:
        """Do nothing: no other process runs."""

    def _collect(self, group: SelfPlay, found: FinishedGames) -> None:
        """Collect finished games and begin new ones in their place."""
        over, played = group.finished(), group.trajectories
        for game in over:
            samples = game_samples(played, game, self._kind)
            result, resigner = int(played.result[game]), int(played.would_resign[game])
            found.games.append(samples)
            found.samples += len(samples)
            found.results.append(result)
            if len(found.shown) < SHOWN:
                found.shown.append(played.action[game, : played.turns[game]].copy())
            if played.resign_disabled[game] and resigner:
                found.played_on += 1
                found.false_resignations += result != -resigner
        if over:
            group.restart()
