"""Self-play workers on the machines of a Ray cluster, one for each core or card.

Each is an actor that runs an ordinary worker in a folder of its own machine, and mirrors that
folder: the weights go there, finished games and games in progress come back. So the learner finds
in its own folder what local workers would have written.
"""

import multiprocessing
import os
import shutil
import tempfile
import time
import warnings
from contextlib import suppress
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, cast

import torch

from hansu.atomic_write import atomic_write
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.learning.finished_games import FinishedGames
from hansu.learning.playing import Pieces
from hansu.learning.selfplay_workers import PAUSE, PLAYER, Job, SelfPlayWorkers, work
from hansu.learning.settings import Control, TrainingSettings
from hansu.ray_connection import connect, load_ray

LOOK = 0.05  # seconds between two looks of an actor at its folder
ANSWER = 0.5  # seconds after which it answers, whether there is news or not
FOLDER = "hansu-selfplay-"  # then the number of the actor's process

Files = dict[str, bytes]


class FolderMirror:
    """The actor: a worker, and its folder on this machine."""

    def __init__(self, job: Job, start: int, files: Files) -> None:
        _tidy()
        self._folder = Path(tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-"))
        self._write(files)
        here = replace(job, folder=self._folder)
        self._process = multiprocessing.get_context("spawn").Process(
            target=work, args=(here, start), daemon=True
        )
        self._process.start()

    def exchange(self, sent: dict[str, Any]) -> tuple[Files, int | None]:
        """Take references to files; return what the worker has written, and how it has ended."""
        import ray  # an extra

        self._write({name: ray.get(each) for name, each in sent.items()})
        end = time.monotonic() + ANSWER
        while not (news := self._news()) and self._process.is_alive() and time.monotonic() < end:
            time.sleep(LOOK)
        ended = None if self._process.is_alive() else self._process.exitcode
        return news | (self._news() if ended is not None else {}), ended

    def _write(self, files: Files) -> None:
        for name, content in files.items():
            atomic_write(self._folder / name, content)

    def _news(self) -> Files:
        found = {}
        for path in sorted(self._folder.iterdir()):
            is_whole = path.suffix in (".npz", ".ready")
            if is_whole or (path.suffix == ".games" and not self._process.is_alive()):
                found[path.name] = path.read_bytes()
                path.unlink()
        return found


class RemoteWorker:
    """Our end of an actor; ends and is waited for like a process."""

    def __init__(self, actor: Any, folder: Path, weights: int) -> None:
        self._ray, self._actor, self._folder = load_ray(), actor, folder
        self._answer: Any = actor.exchange.remote({})
        self._waiting: dict[str, Any] = {}  # references to what is to be sent
        self.weights = weights  # when those that it has were written
        self.exitcode: int | None = None
        self.is_lost = False  # with its machine

    def send(self, name: str, reference: Any) -> None:
        """Have a file written there with the next exchange."""
        self._waiting[name] = reference

    def exchange(self, seconds: float = 0.0) -> None:
        """Take what has come, and ask for more."""
        if not self.is_alive() or not self._ray.wait([self._answer], timeout=seconds)[0]:
            return
        try:
            files, self.exitcode = self._ray.get(self._answer)
        except self._ray.exceptions.RayError:
            self.is_lost = True
            return
        for name, content in files.items():
            atomic_write(self._folder / name, content)
        if self.exitcode is None:
            self._answer = self._actor.exchange.remote(self._waiting)
            self._waiting = {}

    def is_alive(self) -> bool:
        """Return whether its worker may still play."""
        return self.exitcode is None and not self.is_lost

    def join(self, timeout: float | None = None) -> None:
        """Wait for its worker's end, for as long as is allowed."""
        end = time.monotonic() + (timeout or 0.0)
        while self.is_alive() and time.monotonic() < end:
            self.exchange(LOOK)

    def terminate(self) -> None:
        """End it at once."""
        self._ray.kill(self._actor)
        self.is_lost = True


class ClusterWorkers(SelfPlayWorkers):
    """All workers of a cluster, with the methods of ``Playing``."""

    def __init__(
        self,
        workers: int,  # 0: as many as there are cores, or cards where the learner has one
        which: Game,
        folder: Path,
        settings: TrainingSettings,
        control: Control,
        device: torch.device,
        seeds: tuple[int, ...],
    ) -> None:
        connect()
        self._ray = load_ray()
        kind = "GPU" if device.type == "cuda" else "CPU"
        there = int(self._ray.cluster_resources().get(kind, 0))
        count = workers or there
        if not count:
            raise HansuError(f"the cluster has no {kind} to play on: ray start --num-cpus N")
        super().__init__(count, which, folder, settings, control, device, seeds)
        self._jobs = [replace(job, threads=1) for job in self._jobs]
        needs = {"num_gpus": 1} if kind == "GPU" else {"num_cpus": 1}
        self._actor = self._ray.remote(**needs, max_restarts=0)(FolderMirror)

    def close(self) -> None:
        """End all workers; games that they have not saved are lost."""
        super().close()
        self._ray.shutdown()

    def _launch(self, job: Job, start: int) -> BaseProcess:
        names = [PLAYER, *(f"{job.number}-{at}.games" for at in range(job.settings.groups))]
        files = {}
        for name in names:
            with suppress(FileNotFoundError):
                files[name] = (self.folder / name).read_bytes()
        for name in files.keys() - {PLAYER}:  # a replacement does not play the same games again
            (self.folder / name).unlink()
        spread = self._actor.options(scheduling_strategy="SPREAD")
        actor = spread.remote(job, start, files)
        made: Any = RemoteWorker(actor, self.folder, self._newest())
        return cast(BaseProcess, made)  # as far as it is used

    def _collect(self, found: FinishedGames) -> None:
        self._send_news()
        for worker in self._remote():
            worker.exchange()
        super()._collect(found)

    def pause(self, found: FinishedGames, trees: bool) -> Pieces:
        """End all workers; collect finished games and return those in progress."""
        for worker in self._remote():
            worker.send(PAUSE, self._ray.put(b""))
        return super().pause(found, trees)

    def _send_news(self) -> None:
        newest = self._newest()
        late = [worker for worker in self._remote() if worker.weights != newest]
        if late:
            weights = self._ray.put((self.folder / PLAYER).read_bytes())
            for worker in late:
                worker.send(PLAYER, weights)
                worker.weights = newest

    def _newest(self) -> int:
        return (self.folder / PLAYER).stat().st_mtime_ns

    def _remote(self) -> list[RemoteWorker]:
        return cast(list[RemoteWorker], list(self._processes.values()))

    def _replace_lost(self) -> None:
        """A machine that is gone costs its games in progress; its workers start elsewhere."""
        lost = [
            job for job, each in zip(self._processes, self._remote(), strict=True) if each.is_lost
        ]
        for job in lost:
            self._start(job)
        if lost:
            warnings.warn(
                f"{len(lost)} self-play workers are gone with their machine: others take their "
                "place when there is room",
                stacklevel=2,
            )
        super()._replace_lost()


def _tidy() -> None:
    """Remove the folders of actors that were killed."""
    if not Path("/proc/self").exists():
        return
    for place in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        owner = place.name.removeprefix(FOLDER).partition("-")[0]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists():
            shutil.rmtree(place, ignore_errors=True)
