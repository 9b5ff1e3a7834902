"""The replay buffer: samples of the last games, on disk, bounded, never half written.

Samples lie in files that are written atomically and never changed; a file's name ends in the
checksum of its content. So a killed process leaves only whole files. Files are memory-mapped, and
the oldest go when the buffer is full.

Opened with the ``state`` of a checkpoint, the buffer is what it was then: what was added later is
removed, and what was dropped since is still there, as files are deleted one call of ``add`` late.
"""

import io
import re
import warnings
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansu.atomic_write import PART, atomic_write
from hansu.games.features import Features
from hansu.learning.trajectories import RUNNING, Trajectories

TRAINING, VALIDATION = "training", "validation"
VALIDATION_EVERY = 20  # games go to the validation set, whole: positions of one game are alike
EMPTY = {"next": 1, "games": 0}  # the state of an empty buffer
_NAME = re.compile(r"(training|validation)-(\d{8})-([0-9a-f]{8})\.npy")

Samples = NDArray[Any]


class DamagedFile(UserWarning):
    """A file is damaged and left out."""


def sample_type(features: Features, auxiliary: bool = False) -> np.dtype[Any]:
    """Return the type of a sample: one turn of one game; with auxiliary targets or without."""
    assert features.packing is not None
    more: list[Any] = []
    if auxiliary:
        more = [("left", np.int16)]  # turns, with this one; 0: not known
        if features.has_owners:  # sets of cells: mine and theirs at the end; both empty: not known
            more.append(("owners", np.uint64, (2 * features.set_words,)))
    return np.dtype(
        [
            ("seen", np.uint64, (features.packing.words,)),  # planes and vector, packed
            ("legal", np.uint64, ((features.actions + 63) // 64,)),  # a bit for each action
            ("visits", np.uint16, (features.actions,)),  # π, not yet divided by its sum
            ("value", np.float32),  # what the search found, for the side to move
            ("action", np.int16),  # what was played
            ("reward", np.int8),  # +1, 0, -1: how the game ended for the side to move
            ("done", np.bool_),  # the last turn of its game
            ("turn", np.int16),
            *more,
        ]
    )


def game_samples(trajectories: Trajectories, game: int, kind: np.dtype[Any]) -> Samples:
    """Return the samples of a finished game, without its random opening and quick searches."""
    begin, end = int(trajectories.random_plies[game]), int(trajectories.turns[game])
    turns = begin + np.flatnonzero(trajectories.full[game, begin:end])
    samples = np.zeros(len(turns), kind)
    for name in ("seen", "legal", "visits", "value", "action"):
        samples[name] = getattr(trajectories, name)[game, turns]
    result = int(trajectories.result[game])
    assert result != RUNNING
    samples["turn"] = turns
    samples["reward"] = np.where(samples["turn"] % 2 == 0, result, -result)
    samples["done"][-1:] = True
    add_auxiliary(samples, trajectories.owners[[game]], np.array([end]))
    return samples


def add_auxiliary(samples: Samples, owners: NDArray[np.uint64], turns: NDArray[Any]) -> None:
    """Fill in auxiliary targets, where samples have some: cells of the first player, the second."""
    names = samples.dtype.names or ()
    if "left" in names:
        samples["left"] = turns - samples["turn"]
    if "owners" in names:
        turned = np.roll(owners, owners.shape[1] // 2, axis=1)
        samples["owners"] = np.where(samples["turn"][:, None] % 2 == 0, owners, turned)


def as_kind(samples: Samples, kind: np.dtype[Any]) -> Samples:
    """Return samples as another kind: auxiliary targets that they lack are not known."""
    whole = np.zeros(len(samples), kind)
    for name in samples.dtype.names or ():
        whole[name] = samples[name]
    return whole


@dataclass(frozen=True)
class Segment:
    """One file of samples."""

    path: Path
    number: int
    samples: Samples  # memory-mapped


class ReplayBuffer:
    """The samples of the last games, in a folder."""

    def __init__(
        self,
        folder: Path,
        kind: np.dtype[Any],
        capacity: int,
        state: dict[str, int] | None = None,  # without it, all that is there counts
    ) -> None:
        self.folder, self.kind, self.capacity = folder, kind, capacity
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob(f"*{PART}"):
            left.unlink()  # its writer was killed
        self._segments: dict[str, list[Segment]] = {TRAINING: [], VALIDATION: []}
        self._dropped: list[Segment] = []
        self._next, self._games = 1, 0
        for path in sorted(folder.glob("*.npy")):
            self._open(path, state["next"] if state else None)
        for part, segments in self._segments.items():
            segments.sort(key=lambda segment: segment.number)
            self._drop_oldest(part)
        if state:
            self._next, self._games = state["next"], state["games"]

    def __len__(self) -> int:
        return self.count(TRAINING)

    def count(self, part: str) -> int:
        """Return how many samples the training or the validation set has."""
        return sum(len(segment.samples) for segment in self._segments[part])

    @property
    def state(self) -> dict[str, int]:
        """What a checkpoint keeps, to open the buffer as it is now."""
        return {"next": self._next, "games": self._games}

    def add(self, games: list[Samples]) -> None:
        """Add games; every twentieth goes to the validation set."""
        while self._dropped:  # by the last call; there has been a checkpoint since
            self._dropped.pop().path.unlink()
        parts: dict[str, list[Samples]] = {TRAINING: [], VALIDATION: []}
        for samples in games:
            self._games += 1
            is_validation = self._games % VALIDATION_EVERY == 0
            parts[VALIDATION if is_validation else TRAINING].append(samples)
        for part, chosen in parts.items():
            if chosen:
                self._write(part, np.concatenate(chosen))
                self._drop_oldest(part)

    def draw(self, part: str, count: int, rng: np.random.Generator) -> Samples:
        """Return random samples of one of the sets, drawn with replacement."""
        segments = self._segments[part]
        ends = np.cumsum([len(segment.samples) for segment in segments])
        places = np.sort(rng.integers(ends[-1], size=count))
        which = np.searchsorted(ends, places, side="right")
        drawn = np.empty(count, self.kind)
        for at in np.unique(which):
            here = which == at
            begin = ends[at] - len(segments[at].samples)
            drawn[here] = segments[at].samples[places[here] - begin]
        return drawn

    def _open(self, path: Path, end: int | None) -> None:
        match = _NAME.fullmatch(path.name)
        if match is None:
            return
        part, number, checksum = match[1], int(match[2]), match[3]
        if end is not None and number >= end:
            path.unlink()
            return
        self._next = max(self._next, number + 1)
        samples: Samples | None = None
        if f"{zlib.crc32(path.read_bytes()):08x}" == checksum:
            samples = np.load(path, mmap_mode="r", allow_pickle=False)
        if samples is None or samples.dtype != self.kind:
            why = "is damaged" if samples is None else "is of another game or version"
            warnings.warn(f"{path} {why}: its samples are left out", DamagedFile, stacklevel=3)
            path.rename(path.with_suffix(".damaged"))
            return
        self._segments[part].append(Segment(path, number, samples))

    def _write(self, part: str, samples: Samples) -> None:
        content = io.BytesIO()
        np.save(content, samples)
        checksum = zlib.crc32(content.getbuffer())
        path = self.folder / f"{part}-{self._next:08d}-{checksum:08x}.npy"
        atomic_write(path, content.getvalue(), durable=True)
        self._next += 1
        number = self._next - 1
        self._segments[part].append(Segment(path, number, np.load(path, mmap_mode="r")))

    def _drop_oldest(self, part: str) -> None:
        room = self.capacity if part == TRAINING else max(1, self.capacity // VALIDATION_EVERY)
        segments = self._segments[part]
        while len(segments) > 1 and self.count(part) - len(segments[0].samples) >= room:
            self._dropped.append(segments.pop(0))
