"""A kernel that only other kernels call has no wrapper for Python, until Python calls it."""

import numpy as np
import pytest

from hansu.kernel import kernel
from hansu.kernel.tiers import JIT, is_compiled
from tests.kernel.test_cache import run

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")


@kernel
def inner(values, n):
    return values[0] + n


@kernel
def outer(values, n):
    return 2 * inner(values, n)


MODULE = """
from hansu.kernel import kernel

@kernel
def inner(x):
    return x + 1

@kernel
def outer(x):
    return 2 * inner(x)
"""
TELL = """
import json, mine
from hansu.kernel.tiers import is_compiled
calls = [(name, getattr(mine, name)(20)) for name in {names!r}]
hits = [sum(kernel.stats.cache_hits.values()) for kernel in (mine.inner, mine.outer)]
print(json.dumps([calls, hits, is_compiled(mine.inner)]))
"""


def test_what_a_kernel_calls_can_be_called_afterwards():
    array = np.array([7.5, 1.0])
    assert outer(array, 3) == 21.0
    assert is_compiled(outer)
    assert not is_compiled(inner)
    assert inner(array, 3) == 10.5
    assert is_compiled(inner)
    assert outer(array, 4) == 23.0
    assert inner(array, 2.5) == 10.0  # and with other arguments
    assert outer(array, 2.5) == 20.0


def test_other_processes_find_it_with_and_without_its_wrapper(tmp_path):
    (tmp_path / "mine.py").write_text(MODULE)
    places = {"PYTHONPATH": str(tmp_path), "HANSU_CACHE_DIR": str(tmp_path / "cache")}

    def tell(*names):
        calls, hits, called = run(TELL.format(names=names), **places)
        assert [value for _, value in calls] == [{"inner": 21, "outer": 42}[n] for n in names]
        return hits, called

    assert tell("outer") == ([0, 0], False)
    assert tell("outer", "inner", "outer") == ([0, 1], True)  # outer needs no inner any more
    assert tell("inner", "outer") == ([1, 1], True)
