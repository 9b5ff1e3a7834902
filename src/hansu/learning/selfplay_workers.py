"""Self-play workers: processes that play, while the learner collects their games.

They communicate through files that are written atomically, so no killed process can hold a lock:

    workers/player.pt        the weights to play with; workers check for newer ones at every step
    workers/2-00000007.npz   finished games of worker 2, until they are collected
    workers/2-1.games        games in progress of worker 2's second group, to be resumed
    workers/2.ready          worker 2 has started
    workers/pause            tells all workers to save their games and to exit
"""

import io
import multiprocessing
import os
import shutil
import signal
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path

import numba
import torch

from hansu.atomic_write import atomic_write
from hansu.errors import HansuError
from hansu.games.game import Game, game
from hansu.learning.finished_games import FinishedGames
from hansu.learning.network import Network, make_network
from hansu.learning.playing import Pieces, Playing
from hansu.learning.settings import Control, TrainingSettings

PLAYER = "player.pt"
PARTS = 8  # a round's samples come in about so many files
MOST_FILES = 2 * PARTS  # of a worker; then it waits for the learner
MOST_LOSSES = 3  # workers that may end in a row without a finished game
POLL = 0.05  # seconds between two looks at the folder
PATIENCE = 30.0  # seconds for a worker to save its games; others may keep its machine busy
PAUSE = "pause"


@dataclass(frozen=True)
class Job:
    """The task of a worker."""

    number: int
    game: str
    folder: Path
    settings: TrainingSettings
    control: Control
    device: str
    seeds: tuple[int, ...]
    samples: int  # in a file
    threads: int


class SelfPlayWorkers:
    """All workers, with the methods of ``Playing``."""

    def __init__(
        self,
        workers: int,
        which: Game,
        folder: Path,
        settings: TrainingSettings,
        control: Control,
        device: torch.device,
        seeds: tuple[int, ...],
    ) -> None:
        shutil.rmtree(folder, ignore_errors=True)  # games of an earlier network
        folder.mkdir(parents=True, exist_ok=True)  # a worker of a killed run may just have written
        threads = max(1, (os.cpu_count() or 1) // workers)
        samples = max(1, settings.samples // PARTS)
        self.folder = folder
        self._jobs = [
            Job(
                n, str(which), folder, settings, control, str(device), (*seeds, n), samples, threads
            )
            for n in range(1, workers + 1)
        ]
        self._processes: dict[Job, BaseProcess] = {}
        self._started = self._losses = 0
        self._since = time.perf_counter()

    def begin(self, network: Network) -> None:
        """Make all workers play with this network from now on."""
        content = io.BytesIO()
        torch.save({name: w.cpu() for name, w in network.state_dict().items()}, content)
        atomic_write(self.folder / PLAYER, content.getvalue())
        for job in self._jobs:
            if job not in self._processes:
                self._start(job)

    def resume(self, network: Network, pieces: Pieces) -> None:
        """Make the workers continue the games that ``pause`` returned."""
        self.restore(pieces)
        self.begin(network)

    def play(self, found: FinishedGames, samples: int) -> Iterator[bool]:
        """Collect games until ``found`` has so many samples; the workers play on.

        Yields, between two looks, whether all workers have started.
        """
        while True:
            self._collect(found)
            self._replace_lost()
            if found.samples >= samples:
                return
            yield all(_ready_file(job).exists() for job in self._jobs)
            time.sleep(POLL)

    def pause(self, found: FinishedGames, trees: bool) -> Pieces:
        """End all workers; collect finished games and return those in progress.

        Workers are always in the middle of a search, so trees are always kept. A worker that is
        still starting has no games and is not waited for.
        """
        atomic_write(self.folder / PAUSE, "")
        end = time.monotonic() + PATIENCE
        for job, process in self._processes.items():
            if _ready_file(job).exists():
                process.join(max(0.0, end - time.monotonic()))
        self._collect(found)
        pieces = [self._piece(job, at) for job in self._jobs for at in range(job.settings.groups)]
        self.close()
        return pieces

    def saved(self) -> Pieces:
        """Return nothing: the workers keep their games in progress."""
        return []

    def restore(self, pieces: Pieces) -> None:
        """Write games in progress for the workers, unless the number of groups differs."""
        groups = [(job, at) for job in self._jobs for at in range(job.settings.groups)]
        if len(pieces) == len(groups):
            for (job, at), piece in zip(groups, pieces, strict=True):
                if piece:
                    atomic_write(_games_file(job, at), piece)

    def close(self) -> None:
        """End all workers; games that they have not saved are lost."""
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            process.join()
        self._processes.clear()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _collect(self, found: FinishedGames) -> None:
        for path in sorted(self.folder.glob("*.npz")):
            found.add(FinishedGames.restored(path.read_bytes()))
            path.unlink()
            self._losses = 0
        now = time.perf_counter()
        found.seconds += now - self._since  # they also played while the learner learnt
        self._since = now

    def _piece(self, job: Job, group: int) -> bytes | None:
        """Return a worker's games in progress of one group; None if it was terminated."""
        try:
            return _games_file(job, group).read_bytes()
        except FileNotFoundError:
            return None

    def _start(self, job: Job) -> None:
        self._started += 1  # a replacement plays other games
        self._processes[job] = self._launch(job, self._started)

    def _launch(self, job: Job, start: int) -> BaseProcess:
        process = multiprocessing.get_context("spawn").Process(
            target=work, args=(job, start), daemon=True
        )
        process.start()
        return process

    def _replace_lost(self) -> None:
        for job, process in self._processes.items():
            if process.is_alive():
                continue
            self._losses += 1
            if self._losses > MOST_LOSSES:
                raise HansuError("workers end before they finish a game: try fewer, or --workers 0")
            warnings.warn(
                f"worker {job.number} has ended ({process.exitcode}): another takes its place",
                stacklevel=2,
            )
            self._start(job)


def work(job: Job, start: int) -> None:
    """Play until the learner is gone: the main function of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the learner is interrupted too, and ends us
    learner = multiprocessing.parent_process()
    assert learner is not None
    numba.set_num_threads(min(job.threads, numba.config.NUMBA_NUM_THREADS))
    torch.set_num_threads(job.threads)
    features = game(job.game).make_features(job.settings.mirror)
    device = torch.device(job.device)
    playing = Playing(features, job.settings, job.control, device, (*job.seeds, start))
    network = make_network(job.settings.network, features, job.settings.auxiliary)
    newest, found, files = 0, FinishedGames(), 0
    while learner.is_alive():
        if (job.folder / PAUSE).exists():
            if newest:
                _save_games(job, start, playing, found)
            return
        written = (job.folder / PLAYER).stat().st_mtime_ns
        if written != newest:
            network.load_state_dict(torch.load(job.folder / PLAYER, weights_only=True))
            if newest:
                playing.begin(network)
            else:
                _start_playing(job, playing, network)
            newest = written
        playing.step(found)
        if found.samples >= job.samples:
            files += 1
            _write(job, start, files, found)
            found = FinishedGames()
            while learner.is_alive() and _waiting(job) >= MOST_FILES:
                if (job.folder / PAUSE).exists():
                    break
                time.sleep(POLL)


def _waiting(job: Job) -> int:
    return len(list(job.folder.glob(f"{job.number}-*.npz")))


def _start_playing(job: Job, playing: Playing, network: Network) -> None:
    """Start with the games that were saved for this worker."""
    files = [_games_file(job, at) for at in range(job.settings.groups)]
    playing.resume(network, [file.read_bytes() if file.exists() else None for file in files])
    atomic_write(_ready_file(job), "")
    for file in files:  # a replacement does not play the same games again
        file.unlink(missing_ok=True)


def _save_games(job: Job, start: int, playing: Playing, found: FinishedGames) -> None:
    """Save finished games and games in progress."""
    pieces = playing.pause(found, trees=True)
    if found.games:
        _write(job, start, 0, found)
    for at, piece in enumerate(pieces):
        if piece:
            atomic_write(_games_file(job, at), piece)


def _ready_file(job: Job) -> Path:
    return job.folder / f"{job.number}.ready"


def _games_file(job: Job, group: int) -> Path:
    return job.folder / f"{job.number}-{group}.games"


def _write(job: Job, start: int, number: int, found: FinishedGames) -> None:
    atomic_write(job.folder / f"{job.number}-{start:04d}{number:08d}.npz", found.saved())
