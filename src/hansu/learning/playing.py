"""Groups of self-play games that take turns.

The CPU searches one group while the GPU evaluates another; or the GPU does all, and the CPU
collects the finished games of one group while another is played.
"""

import time
import warnings
from collections.abc import Callable, Iterator

import numpy as np
import torch

from hansu.errors import HansuError
from hansu.games.features import Features
from hansu.kernel import gpu
from hansu.learning.card_trouble import GIGABYTE, fitting_games
from hansu.learning.finished_games import FinishedGames
from hansu.learning.network import Network
from hansu.learning.play_groups import CardGroup, CpuGroup
from hansu.learning.self_play import SelfPlay, SelfPlayOptions
from hansu.learning.settings import Control, TrainingSettings
from hansu.search.puct import PuctParams

MAX_DEPTH = 32
NETWORK_BYTES_A_CELL = 1024  # of a position that waits: what a network of 128 channels takes

Pieces = list[bytes | None]  # saved games in progress, one for each group; None where lost
Progress = Callable[[str, float], None]  # called with the phase and the share of it that is done


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
        self.settings = settings
        options = SelfPlayOptions(
            simulations=control.simulations,
            temperature_turns=settings.temperature_turns,
            resign_below=control.resign_below,
            resign_disabled_share=settings.resign_disabled_share,
            random_opening_plies=settings.random_opening_plies,
            full_share=settings.full_share,
            reuse=settings.reuse,
            auxiliary=settings.auxiliary,
            quick_simulations=min(settings.quick_simulations, control.simulations),
        )
        params = PuctParams(
            *(control.cpuct, MAX_DEPTH, settings.noise_share, settings.noise_alpha, 1),
            proofs=settings.proofs,
            gumbel_moves=settings.gumbel_moves,
            gumbel_scale=settings.gumbel_scale,
            forced_playouts=settings.forced_playouts,
        )
        self._groups: list[CpuGroup | CardGroup] = []
        make: type[CpuGroup | CardGroup] = CpuGroup
        games = settings.games
        if plays_on_card(device):
            make, games = CardGroup, _fitting(features, settings, options, params)
        for number in range(settings.groups):
            seed = int(np.random.SeedSequence([*seeds, number]).generate_state(1)[0])
            self._groups.append(make(features, games, options, params, seed, device))

    def begin(self, network: Network) -> None:
        """Use this network from now on.

        All trees are dropped, since another network grew them. So every move is searched by one
        network, and the moves played so far are all that is needed to resume after a kill.
        """
        threads = torch.get_num_threads()
        for group in self._groups:
            group.begin(network)
        # Numba's first parallel step sets it to all cores, as both use the same OpenMP. With
        # another number of threads sums round differently, and runs would not be reproducible.
        torch.set_num_threads(threads)
        for group in self._groups:
            group.launch()

    def resume(self, network: Network, pieces: Pieces) -> None:
        """Continue the searches that ``pause`` returned."""
        self.begin(network)  # sets up threads and CUDA graphs
        for group in self._groups:
            group.wait()
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
        """Go on in all games and collect the finished ones."""
        for group in self._groups:
            group.advance(found)

    def saved(self) -> Pieces:
        """Return the games in progress, one piece for each group; for ``restore``."""
        return [group.saved() for group in self._groups]

    def pause(self, found: FinishedGames, trees: bool) -> Pieces:
        """Return the games in progress; with their trees they are for ``resume``."""
        for group in self._groups:
            group.wait()
            group.collect(found)  # a GPU may have finished some
        return [group.saved(trees) for group in self._groups]

    def restore(self, pieces: Pieces) -> None:
        """Continue the games that ``saved`` returned, unless the number of groups differs."""
        if len(pieces) == len(self._groups):
            for group, piece in zip(self._groups, pieces, strict=True):
                if piece:
                    group.restore(piece)

    def close(self) -> None:
        """Do nothing: no other process runs."""


def _fitting(
    features: Features, settings: TrainingSettings, options: SelfPlayOptions, params: PuctParams
) -> int:
    """Return how many games of a group fit into the card's memory."""
    one = SelfPlay(features, 1, options, params, seed=0, parallel=False)
    size = sum(array.nbytes for array in (*one.trees, *one.trajectories))
    size += NETWORK_BYTES_A_CELL * features.shape[1] * features.shape[2]
    free, _ = torch.cuda.mem_get_info()
    games = fitting_games(settings.games, settings.groups, size, free)
    if games < settings.games:
        warnings.warn(
            f"{games} games at a time instead of {settings.games}: the card has "
            f"{free / GIGABYTE:.1f} GB of free memory",
            stacklevel=4,
        )
    return games


def plays_on_card(device: torch.device) -> bool:
    """Return whether all of self-play can run on a device."""
    if device.type != "cuda":
        return False
    try:
        gpu.card()
        if device.index:
            raise HansuError("self-play runs on the first card only")
    except HansuError as missing:
        warnings.warn(f"the CPU searches, the card only evaluates: {missing}", stacklevel=2)
        return False
    return True
