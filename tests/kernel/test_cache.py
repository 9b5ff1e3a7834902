"""The cache of compiled code, seen from new processes."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import hansu

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")

PACKAGE = Path(hansu.__file__).parent

COUNT_TICTACTOE = """
import json, sys
import hansu
from hansu.search.perft import perft, _make_perft
nodes = perft(hansu.game("tictactoe").start(), 5)
stats = _make_perft(hansu.game("tictactoe").rules).stats
print(json.dumps([nodes, sum(stats.cache_hits.values()), sum(stats.cache_misses.values())]))
"""

MINE = """from hansu.kernel import kernel

@kernel
def one():
    return 1

@kernel
def answer():
    return 40 + one()

def main():
    value, stats = answer(), answer.stats
    return [value, sum(stats.cache_hits.values()), sum(stats.cache_misses.values())]
"""
ANSWER = "import json, mine; print(json.dumps(mine.main()))"
COMPILED, LOADED = [41, 0, 1], [41, 1, 0]


def run(code: str, **environment: str) -> list[int]:
    if "PYTHONPATH" in environment and "PYTHONPATH" in os.environ:  # how this package was found
        environment["PYTHONPATH"] += os.pathsep + os.environ["PYTHONPATH"]
    process = start(code, **environment)
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    return json.loads(output)


def start(code: str, **environment: str) -> subprocess.Popen[str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HANSU_")}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env={**clean, **environment},
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def package_copy(tmp_path: Path) -> Path:
    """A copy of the package, without compiled code, that a test may edit."""
    copy = tmp_path / "src" / "hansu"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def own_kernel(folder: Path) -> dict[str, str]:
    """A module with kernels of its own, and a cache for it: quicker to compile than a game."""
    module = folder / "own"
    module.mkdir()
    (module / "mine.py").write_text(MINE)
    return {"PYTHONPATH": str(module), "HANSU_CACHE_DIR": str(folder / "cache")}


@pytest.fixture
def mine(tmp_path: Path) -> dict[str, str]:
    return own_kernel(tmp_path)


def test_a_generic_algorithm_is_compiled_once_and_found_after_a_restart(tmp_path):
    first = run(COUNT_TICTACTOE, HANSU_CACHE_DIR=str(tmp_path))
    again = run(COUNT_TICTACTOE, HANSU_CACHE_DIR=str(tmp_path))
    assert first == [15120, 0, 1]
    assert again == [15120, 1, 0]


def test_an_edit_is_noticed_where_it_matters(package_copy):
    path = str(package_copy.parent)
    assert run(COUNT_TICTACTOE, PYTHONPATH=path)[1:] == [0, 1]
    for file in ("cli/main.py", "web/app.py", "games/othello/rules.py"):
        edit(package_copy / file)
    assert run(COUNT_TICTACTOE, PYTHONPATH=path)[1:] == [1, 0]
    for file in ("search/perft.py", "games/tictactoe/rules.py", "kernel/bits.py"):
        edit(package_copy / file)  # the function's own, the game's, and one that this one imports
        assert run(COUNT_TICTACTOE, PYTHONPATH=path)[1:] == [0, 1]


def edit(file: Path) -> None:
    with file.open("a") as opened:
        opened.write("# an edit\n")


def test_what_a_kernel_was_made_with_counts_through_all_layers():
    from hansu.kernel.compile import dependencies
    from hansu.search.leaf_evaluator import own_evaluator

    evaluate = own_evaluator(hansu.game("othello")).evaluate
    files = {file.relative_to(PACKAGE).as_posix() for file in dependencies(evaluate._cache.sources)}
    assert {"search/leaf_evaluator.py", "games/othello/evaluate.py", "kernel/bits.py"} <= files
    assert not any(file.startswith(("web/", "cli/", "games/go/")) for file in files)


def test_where_the_package_folder_cannot_be_written_the_users_cache_is_used(package_copy, tmp_path):
    (package_copy / "__pycache__").mkdir()
    (package_copy / "__pycache__" / "kernels").write_text("a file, so no folder can be made here")
    places = {"PYTHONPATH": str(package_copy.parent), "XDG_CACHE_HOME": str(tmp_path / "home")}
    assert run(COUNT_TICTACTOE, **places)[1:] == [0, 1]
    assert run(COUNT_TICTACTOE, **places)[1:] == [1, 0]


def test_a_damaged_file_is_compiled_again(mine, cache):
    for file in cache.glob("*.nbc"):
        file.write_bytes(file.read_bytes()[:100])
    assert run(ANSWER, **mine) == COMPILED
    assert run(ANSWER, **mine) == LOADED


def test_several_processes_may_start_at_once(mine, tmp_path):
    script = tmp_path / "own" / "mine.py"
    (tmp_path / "own" / "other.py").write_text(script.read_text().replace("40", "30"))
    other = ANSWER.replace("mine", "other")
    started = [start(code, **mine) for code in (ANSWER, other) * 2]
    answers = [json.loads(process.communicate(timeout=300)[0])[0] for process in started]
    assert answers == [41, 31] * 2
    assert run(ANSWER, **mine) == LOADED
    assert run(other, **mine) == [31, 1, 0]
    assert {file.suffix for file in (tmp_path / "cache").iterdir()} == {".nbc"}


def test_a_users_own_kernel_is_cached_and_its_edits_are_noticed(mine):
    assert run(ANSWER, **mine) == COMPILED
    assert run(ANSWER, **mine) == LOADED
    script = Path(mine["PYTHONPATH"], "mine.py")
    script.write_text(script.read_text().replace("40", "41"))
    assert run(ANSWER, **mine) == [42, 0, 1]


TYPED = """
from hansu.kernel import kernel

@kernel
def inner(x):
    return x + {number}

def make(used):
    @kernel(variant=used)
    def outer(x):
        return used(x)

    return outer
"""


@pytest.mark.parametrize("file", ["<stdin>", "page.md:12"])
def test_what_is_typed_in_again_is_compiled_again(file):
    """Notebooks and shells have no file that could show an edit."""
    for number in (1, 2):
        space: dict[str, object] = {"__name__": "__main__"}
        exec(compile(TYPED.format(number=number), file, "exec"), space)
        assert space["inner"](3) == 3 + number
        assert space["make"](space["inner"])(3) == 3 + number


def test_what_is_made_with_something_typed_in_is_compiled_again(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "maker.py").write_text(TYPED.format(number=0))
    import maker

    for number in (1, 2):
        space: dict[str, object] = {"__name__": "__main__"}
        exec(compile(TYPED.format(number=number), "<stdin>", "exec"), space)
        assert maker.make(space["inner"])(3) == 3 + number


def test_the_terminal_says_so_while_something_compiles(monkeypatch, capsys):
    from hansu.kernel.notice import compiling

    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    compiling("some.game.for_this_test.rules")
    compiling("some.game.for_this_test.rules")
    assert capsys.readouterr().err.count("compiling some.game.for_this_test") == 1


def test_functions_that_close_over_different_things_are_told_apart(tmp_path):
    script = tmp_path / "made.py"
    script.write_text(
        "from hansu.kernel import kernel\n"
        "@kernel\n"
        "def one(): return 1\n"
        "@kernel\n"
        "def two(): return 2\n"
        "def make_inner(number):\n"
        "    @kernel(variant=number)\n"
        "    def inner(): return 10 * number()\n"
        "    return inner\n"
        "def make_outer(inner):\n"
        "    @kernel(variant=inner)\n"
        "    def outer(): return inner() + 1\n"
        "    return outer\n"
        "def main(): return [make_outer(make_inner(n))() for n in (one, two)]\n"
    )
    code = "import json, made; print(json.dumps(made.main()))"
    places = {"PYTHONPATH": str(tmp_path), "HANSU_CACHE_DIR": str(tmp_path / "cache")}
    assert run(code, **places) == [11, 21]
    assert run(code, **places) == [11, 21]


def test_positions_of_two_games_that_look_alike_are_told_apart(tmp_path):
    code = (
        "import json, hansu\n"
        "from hansu.search.wins import wins_at_once\n"
        "print(json.dumps([len(wins_at_once(hansu.game(name).start())) for name in %r]))"
    )
    for names in (["tictactoe", "othello"], ["othello", "tictactoe"]):
        assert run(code % names, HANSU_CACHE_DIR=str(tmp_path)) == [0, 0]


def test_code_of_several_processes_is_told_apart_in_another(tmp_path):
    """Each process numbers what it compiles; the number is part of the name that calls go to."""
    script = tmp_path / "made.py"
    long = "".join(f"    x += math.sin(x + {i})\n" for i in range(60))  # too long to be inlined
    script.write_text(
        "import math\n"
        "from hansu.kernel import kernel\n"
        "@kernel\n"
        "def one(): return 1\n"
        "@kernel\n"
        "def two(): return 2\n"
        "def make(number):\n"
        "    @kernel(variant=number)\n"
        "    def inner(x):\n"
        + long.replace("    ", "        ")
        + "        return 10 * number() + 0 * x\n"
        "    @kernel(variant=number)\n"
        "    def outer(x): return inner(x) + inner(x + 1)\n"
        "    return outer\n"
        "def main(*numbers): return [make(n)(0.5) for n in numbers]\n"
    )
    code = "import json, made; from made import one, two; print(json.dumps(made.main(%s)))"
    places = {"PYTHONPATH": str(tmp_path), "HANSU_CACHE_DIR": str(tmp_path / "cache")}
    assert run(code % "one", **places) == [20]
    assert run(code % "two", **places) == [40]
    assert run(code % "one, two", **places) == [20, 40]


# Who else may have written it --------------------------------------------------------------------

POISON = """
import os, pathlib, pickle, sys

class Poison:
    def __reduce__(self):
        return os.system, (f"touch {sys.argv[2]}",)

for file in pathlib.Path(sys.argv[1]).glob("*.nbc"):
    file.write_bytes(pickle.dumps(Poison()))
"""


def poison(folder: Path, mark: Path) -> None:
    subprocess.run([sys.executable, "-c", POISON, str(folder), str(mark)], check=True)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the code of ``mine``, compiled once for all tests."""
    places = own_kernel(tmp_path_factory.mktemp("compiled"))
    assert run(ANSWER, **places) == COMPILED
    return Path(places["HANSU_CACHE_DIR"])


@pytest.fixture
def cache(mine: dict[str, str], compiled: Path) -> Path:
    """A cache of ours, with code in it."""
    return Path(shutil.copytree(compiled, mine["HANSU_CACHE_DIR"]))


def test_our_own_file_is_read(mine, cache, tmp_path):
    """So that the tests below can fail."""
    assert run(ANSWER, **mine) == LOADED
    poison(cache, tmp_path / "mark")
    assert run(ANSWER, **mine) == COMPILED
    assert (tmp_path / "mark").exists()


@pytest.mark.parametrize(
    ("what", "mode"),
    [
        ("folder", 0o020),
        ("file", 0o002),
        pytest.param("folder", 0o002, marks=pytest.mark.slow),
        pytest.param("file", 0o020, marks=pytest.mark.slow),
    ],
)
def test_what_others_may_write_is_not_read(mine, cache, tmp_path, what, mode):
    poison(cache, tmp_path / "mark")
    for path in [cache] if what == "folder" else cache.iterdir():
        path.chmod(path.stat().st_mode | mode)
    assert run(ANSWER, **mine) == COMPILED
    assert not (tmp_path / "mark").exists()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_belongs_to_somebody_else_is_not_read(mine, cache, tmp_path, what):
    poison(cache, tmp_path / "mark")
    for path in [cache] if what == "folder" else cache.iterdir():
        os.chown(path, 12345, 12345)
    assert run(ANSWER, **mine) == COMPILED
    assert not (tmp_path / "mark").exists()


def test_a_link_is_not_followed_to_a_file_elsewhere(mine, cache, tmp_path):
    poison(cache, tmp_path / "mark")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for file in list(cache.iterdir()):
        file.rename(elsewhere / file.name)
        file.symlink_to(elsewhere / file.name)
    assert run(ANSWER, **mine) == COMPILED
    assert not (tmp_path / "mark").exists()


def test_one_warning_says_so(mine, cache):
    cache.chmod(0o777)
    code = f"import warnings; warnings.simplefilter('always')\n{ANSWER}"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={**os.environ, **mine},
    )  # fmt: skip
    assert len(list(cache.iterdir())) == 2
    assert done.stderr.count("is not used: it must belong to you or to root") == 1


def test_a_group_of_our_own_makes_no_difference(mine):
    """With umask 002, as many systems have it, files would be the group's to write."""
    code = f"import os; os.umask(0o002)\n{ANSWER}"
    assert run(code, **mine) == COMPILED
    assert run(code, **mine) == LOADED


# At the same time --------------------------------------------------------------------------------

SLOW = """
import pathlib, time
from hansu.kernel import kernel
from numba.extending import overload

def work(): return 1

@overload(work)
def compile_work():
    with pathlib.Path({log!r}).open("a") as file:
        file.write("x")
    time.sleep(1.0)
    return lambda: 1

@kernel
def answer():
    return 40 + work()
"""


def test_processes_that_need_the_same_compile_it_once(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW.format(log=str(tmp_path / "log")))
    places = {"PYTHONPATH": str(tmp_path), "HANSU_CACHE_DIR": str(tmp_path / "cache")}
    code = "import slow; print(slow.answer())"
    started = [start(code, **places) for _ in range(4)]
    assert [process.communicate(timeout=300)[0] for process in started] == ["41\n"] * 4
    assert (tmp_path / "log").read_text() == "x"
    assert {file.suffix for file in (tmp_path / "cache").iterdir()} == {".nbc"}


def test_who_cannot_compile_it_leaves_it_to_others(tmp_path):
    (tmp_path / "wrong.py").write_text(
        "from hansu.kernel import kernel\n@kernel\ndef wrong(x): return x.nothing\n"
    )
    places = {"PYTHONPATH": str(tmp_path), "HANSU_CACHE_DIR": str(tmp_path / "cache")}
    code = (
        "import json, time, numba, wrong\n"
        "try: wrong.wrong(1)\n"
        "except numba.TypingError: print(json.dumps([time.process_time()]), flush=True)\n"
        "input()"
    )
    first = subprocess.Popen(
        [sys.executable, "-c", code], env={**os.environ, **places}, stdin=-1, stdout=-1, text=True
    )
    with first:
        assert first.stdout.readline()
        assert list((tmp_path / "cache").iterdir()) == []  # though the first one lives on
        first.communicate("\n")


RECURSIVE = """from hansu.kernel import kernel

@kernel
def fibonacci(n, verbose):
    if n < 2:
        return n
    return fibonacci(n - 1, False) + fibonacci(n - 2, False)

@kernel
def by_number():
    return fibonacci(12, True)

@kernel
def by_fraction(n):
    return fibonacci(n * 0.5, False) + fibonacci(n, False)

def main():
    return [by_number(), int(by_fraction(12)), by_number.stats.cache_hits.total()]
"""


def test_a_recursive_kernel_that_is_called_with_a_constant_runs_from_the_cache(tmp_path):
    """Numba calls its forms for other types through pointers that machine code from disk lacks."""
    environment = own_kernel(tmp_path)
    (tmp_path / "own" / "mine.py").write_text(RECURSIVE)
    assert run(ANSWER, **environment) == [144, 152, 0]
    assert run(ANSWER, **environment) == [144, 152, 1]
