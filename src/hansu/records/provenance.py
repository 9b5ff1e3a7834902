"""Where a game comes from: which bytes played, on which machine, by which worker."""

import hashlib
import os
import platform
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

BLOCK = 1 << 16  # bytes hashed at a time to measure the speed
MEASURED = 0.02  # seconds


@dataclass(frozen=True)
class Provenance:
    """What a record says about the making of its game."""

    first: str  # SHA-256 of the agent with the first colour; of a built-in one, of its name
    second: str
    machine: str  # its name
    cpu: str
    speed: float  # MB/s of BLAKE2b on one core, when the worker began
    load: float  # of the machine, over the last minute
    worker: int  # the number of its process
    cores: int = 0  # that the game was given; 0 in records that do not tell

    @classmethod
    def from_facts(cls, facts: Any) -> "Provenance | None":
        """Return what ``vars`` of a provenance gave; None for anything else.

        >>> here = provenance("a", "b")
        >>> Provenance.from_facts(vars(here)) == here, Provenance.from_facts({"first": 1})
        (True, None)
        """
        kinds = {name: kind for name, kind in cls.__annotations__.items()}
        if not isinstance(facts, dict):
            return None
        facts = {"cores": 0, **facts}
        if facts.keys() != kinds.keys():
            return None
        if any(type(facts[name]) is not kind for name, kind in kinds.items()):
            return None
        return cls(**facts)


def provenance(first: str, second: str) -> Provenance:
    """Return the provenance of a game that has just been played in this process."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return Provenance(
        *(first, second, platform.node(), _cpu(), _speed(os.getpid()), load, os.getpid()),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0,
    )


@cache
def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        models = []
    return (models or [platform.processor()])[0]


@cache
def _speed(process: int) -> float:
    """Measure once in each process."""
    begin, count, block = time.perf_counter(), 0, bytes(BLOCK)
    while time.perf_counter() - begin < MEASURED:
        hashlib.blake2b(block).digest()
        count += 1
    return round(count * BLOCK / (time.perf_counter() - begin) / 1e6, 1)
