"""Self-play in several processes, the workers; who learns only gathers what they bring.

Everything goes through files that appear at once and whole, so nobody waits for a lock that
somebody else was killed with:

    workers/player.pt        the weights to play with; workers look for newer ones at every step
    workers/2-00000007.npz   finished games of worker 2, until they are gathered
"""

import io
import multiprocessing
import os
import shutil
import signal
import time
import warnings
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path

import numba
import numpy as np
import torch

from hansu.atomic_write import atomic_write
from hansu.errors import HansuError
from hansu.games.game import Game, game
from hansu.learning.network import Network, make_network
from hansu.learning.playing import Harvest, Playing, Progress
from hansu.learning.settings import Control, Settings

PLAYER = "player.pt"
PARTS = 8  # a round's samples come in about so many files
MOST_FILES = 2 * PARTS  # of a worker; then it waits until somebody has learnt
MOST_LOSSES = 3  # workers that may end, one after the other, without a single game
PAUSE = 0.05  # seconds between two looks at the folder


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


class Crew:
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

    def play(self, samples: int, progress: Progress = lambda what, share: None) -> Harvest:
        """Gather games until there are so many samples; the workers play on."""
        found = Harvest()
        while True:
            for path in sorted(self.folder.glob("*.npz")):
                found.add(read(path))
                path.unlink()
                self._losses = 0
            self._replace_the_lost()
            progress("playing", min(1.0, found.samples / samples))
            if found.samples >= samples:
                break
            time.sleep(PAUSE)
        now = time.perf_counter()
        found.seconds, self._since = now - self._since, now  # they played while others learnt, too
        return found

    def saved(self) -> list[bytes]:
        """Nothing: games in progress are the workers' own."""
        return []

    def restore(self, pieces: list[bytes]) -> None:
        """Workers begin new games."""

    def close(self) -> None:
        """End all workers; what they have not handed over is lost."""
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            process.join()
        self._processes.clear()
        shutil.rmtree(self.folder, ignore_errors=True)

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
    newest, found, files = 0, Harvest(), 0
    while learner.is_alive():
        written = (job.folder / PLAYER).stat().st_mtime_ns
        if written != newest:
            newest = written
            network.load_state_dict(torch.load(job.folder / PLAYER, weights_only=True))
            playing.begin(network)
        playing.step(found)
        if found.samples >= job.samples:
            files += 1
            write(job.folder / f"{job.number}-{start:04d}{files:08d}.npz", found)
            found = Harvest()
            while learner.is_alive() and _waiting(job) >= MOST_FILES:
                time.sleep(PAUSE)


def _waiting(job: Job) -> int:
    return len(list(job.folder.glob(f"{job.number}-*.npz")))


def write(path: Path, harvest: Harvest) -> None:
    """Hand finished games over."""
    content = io.BytesIO()
    np.savez(
        content,
        samples=np.concatenate(harvest.games),
        ends=np.cumsum([len(samples) for samples in harvest.games]),
        results=harvest.results,
        counts=[harvest.played_on, harvest.mistaken, harvest.simulations],
        shown=np.concatenate(harvest.shown),
        shown_ends=np.cumsum([len(actions) for actions in harvest.shown]),
    )
    atomic_write(path, content.getvalue())


def read(path: Path) -> Harvest:
    """What ``write`` wrote."""
    with np.load(path, allow_pickle=False) as content:
        games = np.split(content["samples"], content["ends"][:-1])
        found = Harvest(games, content["results"].tolist(), *content["counts"].tolist())
        found.shown = np.split(content["shown"], content["shown_ends"][:-1])
        return found
