"""What makes timing uneven is seen, and told with what to do; on made-up machines."""

import pytest

from hansu.arena.isolation.fair_timing import fair_timing

CPU = "sys/devices/system/cpu"
THP = "sys/kernel/mm/transparent_hugepage"
EVEN = {
    f"{CPU}/cpu0/cpufreq/scaling_governor": "performance",
    f"{CPU}/cpu1/cpufreq/scaling_governor": "performance",
    f"{CPU}/intel_pstate/no_turbo": "1",
    f"{CPU}/cpu0/topology/thread_siblings_list": "0",
    f"{CPU}/cpu1/topology/thread_siblings_list": "1",
    "proc/sys/kernel/randomize_va_space": "0",
    "proc/swaps": "Filename Type Size Used Priority",
    f"{THP}/enabled": "always [madvise] never",
    f"{THP}/defrag": "always defer defer+madvise madvise [never]",
    f"{THP}/khugepaged/defrag": "0",
    "proc/sys/kernel/core_pattern": "core",
    "proc/loadavg": "0.05 0.10 0.10 1/200 4321",
}


def look(folder, files):
    for place, text in files.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(f"{text}\n")
    return {fact.name: fact for fact in fair_timing(folder)}


def test_an_even_machine_passes(tmp_path):
    facts = look(tmp_path, EVEN)
    assert len(facts) == 10
    assert all(fact.ok and not fact.required for fact in facts.values())


def test_a_machine_that_tells_nothing_is_not_accused(tmp_path):
    assert all(fact.ok for fact in look(tmp_path, {}).values())


@pytest.mark.parametrize(
    ("name", "place", "text", "detail", "remedy"),
    [
        (
            *("CPU frequency", f"{CPU}/cpu1/cpufreq/scaling_governor", "powersave"),
            *("powersave", "cpupower frequency-set -g performance"),
        ),
        ("turbo", f"{CPU}/intel_pstate/no_turbo", "0", "on:", "no_turbo"),
        ("turbo", f"{CPU}/cpufreq/boost", "1", "on:", "boost"),
        (
            *("hyper-threading", f"{CPU}/cpu0/topology/thread_siblings_list", "0,4"),
            *("cores 0,4 are one", "smt/control"),
        ),
        ("address randomisation", "proc/sys/kernel/randomize_va_space", "2", "on:", "sysctl"),
        ("swap", "proc/swaps", "Filename\n/dev/sda2 partition 1 0 -2", "/dev/sda2", "swapoff"),
        ("huge pages", f"{THP}/enabled", "[always] madvise never", "always", "echo madvise"),
        ("huge pages, defragmentation", f"{THP}/defrag", "[always] never", "always", "echo"),
        ("huge pages, background", f"{THP}/khugepaged/defrag", "1", "kernel thread", "echo 0"),
        ("core dumps", "proc/sys/kernel/core_pattern", "|/usr/bin/apport %p", "apport", "sysctl"),
        ("load", "proc/loadavg", "4000.5 1 1 1/2 3", "4000.5 processes", "fewer games"),
    ],
)
def test_what_is_uneven_is_named_with_its_remedy(tmp_path, name, place, text, detail, remedy):
    facts = look(tmp_path, {**EVEN, place: text})
    assert [fact.name for fact in facts.values() if not fact.ok] == [name]
    assert detail in facts[name].detail
    assert remedy in facts[name].remedy
