"""What makes the same program take other times on this machine; ``hansu doctor`` prints it.

The checks are those of ``isolate-check-environment``, by which judges of the IOI set up machines.
None is needed for isolation: a machine that fails some only measures less evenly.
"""

import os
from pathlib import Path

from hansu.arena.isolation.requirements import Requirement

BUSY = 0.5  # of a core that others use, beyond which a game's clock notices


def fair_timing(root: Path = Path("/")) -> tuple[Requirement, ...]:
    """Look at the machine whose files lie below a root."""
    return tuple(
        Requirement(name, not wrong, wrong or good, remedy, required=False)
        for name, good, wrong, remedy in (
            _governor(root),
            _turbo(root),
            _siblings(root),
            _addresses(root),
            _swap(root),
            *_huge_pages(root),
            _core_dumps(root),
            _load(root),
        )
    )


Fact = tuple[str, str, str, str]
"""The name, what is said where all is well, what is wrong, and the remedy."""


def _read(root: Path, place: str) -> str:
    try:
        return (root / place).read_text(errors="replace").strip()
    except OSError:
        return ""


def _chosen(text: str) -> str:
    """The value in brackets of a line such as ``always [madvise] never``."""
    return text.partition("[")[2].partition("]")[0]


def _governor(root: Path) -> Fact:
    files = sorted(root.glob("sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor"))
    found = {_read(root, str(file.relative_to(root))) for file in files}
    other = ", ".join(sorted(found - {"performance"}))
    good = "performance" if found else "fixed, or set outside this (virtual) machine"
    return "CPU frequency", good, other, "cpupower frequency-set -g performance"


def _turbo(root: Path) -> Fact:
    cpu = "sys/devices/system/cpu"
    is_on = _read(root, f"{cpu}/intel_pstate/no_turbo") == "0"
    is_on = is_on or _read(root, f"{cpu}/cpufreq/boost") == "1"
    remedy = f"echo 1 > /{cpu}/intel_pstate/no_turbo, or echo 0 > /{cpu}/cpufreq/boost"
    wrong = "on: a core is faster while others are idle" if is_on else ""
    return "turbo", "off", wrong, remedy


def _siblings(root: Path) -> Fact:
    files = root.glob("sys/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list")
    shared = {_read(root, str(file.relative_to(root))) for file in files}
    shared = {cores for cores in shared if "," in cores or "-" in cores}
    wrong = f"cores {'; '.join(sorted(shared)[:4])} are one each" if shared else ""
    return "hyper-threading", "off", wrong, "echo off > /sys/devices/system/cpu/smt/control"


def _addresses(root: Path) -> Fact:
    value = _read(root, "proc/sys/kernel/randomize_va_space")
    wrong = "on: a program's addresses, and so its caches, differ from run to run"
    remedy = "sysctl kernel.randomize_va_space=0 (weakens the machine's defences)"
    return "address randomisation", "off", wrong if value not in ("", "0") else "", remedy


def _swap(root: Path) -> Fact:
    areas = [line.split()[0] for line in _read(root, "proc/swaps").splitlines()[1:]]
    return "swap", "none", ", ".join(areas), "swapoff -a"


def _huge_pages(root: Path) -> list[Fact]:
    folder = "sys/kernel/mm/transparent_hugepage"
    facts = []
    for name, file in (("huge pages", "enabled"), ("huge pages, defragmentation", "defrag")):
        found = _chosen(_read(root, f"{folder}/{file}"))
        wrong = found if found not in ("", "never", "madvise") else ""
        remedy = f"echo madvise > /{folder}/{file}"
        facts.append((name, found or "none", wrong, remedy))
    background = _read(root, f"{folder}/khugepaged/defrag") == "1"
    is_used = _chosen(_read(root, f"{folder}/enabled")) not in ("", "never")
    remedy = f"echo 0 > /{folder}/khugepaged/defrag"
    wrong = "a kernel thread collects them now and then" if background and is_used else ""
    return [*facts, ("huge pages, background", "off", wrong, remedy)]


def _core_dumps(root: Path) -> Fact:
    pattern = _read(root, "proc/sys/kernel/core_pattern")
    wrong = f"a crash starts {pattern[1:].split()[0]}" if pattern[:1] == "|" and pattern[1:] else ""
    return "core dumps", "to a file, or none", wrong, "sysctl kernel.core_pattern=core"


def _load(root: Path) -> Fact:
    said = _read(root, "proc/loadavg").split()
    load = float(said[0]) if said else 0.0
    cores = os.cpu_count() or 1
    wrong = f"{load:g} processes want {cores} cores" if load > BUSY * cores else ""
    return (
        "load",
        f"{load:g} on {cores} cores",
        wrong,
        "end what else runs here, or play fewer games",
    )
