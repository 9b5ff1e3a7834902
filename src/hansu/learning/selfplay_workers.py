"""Self-play in several processes, the workers; who learns only gathers what they bring.

Everything goes through files that appear at once and whole, so nobody waits for a lock that
somebody else was killed with:

    workers/player.pt        the weights to play with; workers look for newer ones at every step
    workers/2-00000007.npz   finished games of worker 2, until they are gathered
    workers/2-1.games        games in progress of worker 2's second group, to go on with
    workers/2.ready          worker 2 is at work
    workers/pause            asks all workers to hand over what they have, and to end
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
from hansu.learning.network import Network, make_network
from hansu.learning.playing import FinishedGames, Pieces, Playing
from hansu.learning.settings import Control, Settings

PLAYER = "player.pt"
PARTS = 8  # a round's samples come in about so many files
MOST_FILES = 2 * PARTS  # of a worker; then it waits until somebody has learnt
MOST_LOSSES = 3  # workers that may end, one after the other, without a single game
PAUSE = 0.05  # seconds between two looks at the folder
PATIENCE = 10.0  # seconds for a worker to hand over what it has
ASKED = "pause"


@dataclass(frozen=True)
class Job:
    """What a worker needs to know."""

    number: int
    game: str
    folder: Path
    settings: Settings
    control: Control
    device: str
    seeds: tuple[int, ...]
    samples: int  # in a file
    threads: int


class SelfPlayWorkers:
    """Workers, seen as games in progress: it has the methods of ``Playing``."""

    def __init__(
        self,
        workers: int,
        which: Game,
        folder: Path,
        settings: Settings,
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
        """Let all workers play with this network from now on."""
        content = io.BytesIO()
        torch.save({name: w.cpu() for name, w in network.state_dict().items()}, content)
        atomic_write(self.folder / PLAYER, content.getvalue())
        for job in self._jobs:
            if job not in self._processes:
                self._start(job)

    def resume(self, network: Network, pieces: Pieces) -> None:
        """Let the workers go on with the games that ``pause`` returned."""
        self.restore(pieces)
        self.begin(network)

    def play(self, found: FinishedGames, samples: int) -> Iterator[bool]:
        """Gather games until ``found`` has so many samples; the workers play on.

        Yields again and again whether all workers are at work.
        """
        while True:
            self._gather(found)
            self._replace_the_lost()
            if found.samples >= samples:
                return
            yield all(_ready_file(job).exists() for job in self._jobs)
            time.sleep(PAUSE)

    def pause(self, found: FinishedGames, trees: bool) -> Pieces:
        """End all workers; gather what they have finished, and return their games in progress.

        They are in the middle of a search, whatever is done here, so their trees are kept always. A
        worker that is still loading has neither: nobody waits for it.
        """
        atomic_write(self.folder / ASKED, "")
        end = time.monotonic() + PATIENCE
        for job, process in self._processes.items():
            if _ready_file(job).exists():
                process.join(max(0.0, end - time.monotonic()))
        self._gather(found)
        pieces = [self._piece(job, at) for job in self._jobs for at in range(job.settings.groups)]
        self.close()
        return pieces

    def saved(self) -> Pieces:
        """Return nothing: games in progress are the workers' own."""
        return []

    def restore(self, pieces: Pieces) -> None:
        """Hand out games in progress, unless their number is another here."""
        groups = [(job, at) for job in self._jobs for at in range(job.settings.groups)]
        if len(pieces) == len(groups):
            for (job, at), piece in zip(groups, pieces, strict=True):
                if piece:
                    atomic_write(_games_file(job, at), piece)

    def close(self) -> None:
        """End all workers; what they have not handed over is lost."""
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            process.join()
        self._processes.clear()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _gather(self, found: FinishedGames) -> None:
        for path in sorted(self.folder.glob("*.npz")):
            found.add(FinishedGames.restored(path.read_bytes()))
            path.unlink()
            self._losses = 0
        now = time.perf_counter()
        found.seconds += now - self._since  # they played while others learnt, too
        self._since = now

    def _piece(self, job: Job, group: int) -> bytes | None:
        """What a worker left of one group; nothing if it had to be ended."""
        try:
            return _games_file(job, group).read_bytes()
        except FileNotFoundError:
            return None

    def _start(self, job: Job) -> None:
        self._started += 1  # one that takes another's place plays other games
        process = multiprocessing.get_context("spawn").Process(
            target=work, args=(job, self._started), daemon=True
        )
        process.start()
        self._processes[job] = process

    def _replace_the_lost(self) -> None:
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
    """Play until whoever learns is gone: the life of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who learns is interrupted too, and ends us
    learner = multiprocessing.parent_process()
    assert learner is not None
    numba.set_num_threads(min(job.threads, numba.config.NUMBA_NUM_THREADS))
    torch.set_num_threads(job.threads)
    features = game(job.game).make_features(job.settings.mirror)
    device = torch.device(job.device)
    playing = Playing(features, job.settings, job.control, device, (*job.seeds, start))
    network = make_network(job.settings.network, features)
    newest, found, files = 0, FinishedGames(), 0
    while learner.is_alive():
        if (job.folder / ASKED).exists():
            if newest:
                _hand_over(job, start, playing, found)
            return
        written = (job.folder / PLAYER).stat().st_mtime_ns
        if written != newest:
            network.load_state_dict(torch.load(job.folder / PLAYER, weights_only=True))
            if newest:
                playing.begin(network)
            else:
                _take_up(job, playing, network)
            newest = written
        playing.step(found)
        if found.samples >= job.samples:
            files += 1
            _write(job, start, files, found)
            found = FinishedGames()
            while learner.is_alive() and _waiting(job) >= MOST_FILES:
                if (job.folder / ASKED).exists():
                    break
                time.sleep(PAUSE)


def _waiting(job: Job) -> int:
    return len(list(job.folder.glob(f"{job.number}-*.npz")))


def _take_up(job: Job, playing: Playing, network: Network) -> None:
    """Begin to work, with the games that were kept for this worker."""
    files = [_games_file(job, at) for at in range(job.settings.groups)]
    playing.resume(network, [file.read_bytes() if file.exists() else None for file in files])
    atomic_write(_ready_file(job), "")
    for file in files:  # whoever replaces this worker does not play the same games again
        file.unlink(missing_ok=True)


def _hand_over(job: Job, start: int, playing: Playing, found: FinishedGames) -> None:
    """Leave everything for another time."""
    if found.games:
        _write(job, start, 0, found)
    for at, piece in enumerate(playing.pause(found, trees=True)):
        if piece:
            atomic_write(_games_file(job, at), piece)


def _ready_file(job: Job) -> Path:
    return job.folder / f"{job.number}.ready"


def _games_file(job: Job, group: int) -> Path:
    return job.folder / f"{job.number}-{group}.games"


def _write(job: Job, start: int, number: int, found: FinishedGames) -> None:
    atomic_write(job.folder / f"{job.number}-{start:04d}{number:08d}.npz", found.saved())
