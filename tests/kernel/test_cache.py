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


def test_a_damaged_file_is_compiled_again(tmp_path):
    run(COUNT_TICTACTOE, HANSU_CACHE_DIR=str(tmp_path))
    for file in tmp_path.glob("*.nbc"):
        file.write_bytes(file.read_bytes()[:100])
    assert run(COUNT_TICTACTOE, HANSU_CACHE_DIR=str(tmp_path)) == [15120, 0, 1]


def test_several_processes_may_start_at_once(tmp_path):
    count_connect4 = COUNT_TICTACTOE.replace("tictactoe", "connect4")
    codes = [COUNT_TICTACTOE, count_connect4] * 2
    started = [start(code, HANSU_CACHE_DIR=str(tmp_path)) for code in codes]
    nodes = [json.loads(process.communicate(timeout=300)[0])[0] for process in started]
    assert nodes == [15120, 16807] * 2
    assert run(COUNT_TICTACTOE, HANSU_CACHE_DIR=str(tmp_path)) == [15120, 1, 0]
    assert run(count_connect4, HANSU_CACHE_DIR=str(tmp_path)) == [16807, 1, 0]
    assert {file.suffix for file in tmp_path.iterdir()} == {".nbc"}


def test_a_users_own_kernel_is_cached_and_its_edits_are_noticed(tmp_path):
    script = tmp_path / "mine.py"
    script.write_text(
        "from hansu.kernel import kernel\n"
        "@kernel\n"
        "def answer():\n"
        "    return 41\n"
        "def main():\n"
        "    value = answer()\n"
        "    return [value, sum(answer.stats.cache_hits.values())]\n"
    )
    code = "import json, mine; print(json.dumps(mine.main()))"
    places = {"PYTHONPATH": str(tmp_path), "HANSU_CACHE_DIR": str(tmp_path / "cache")}
    assert run(code, **places) == [41, 0]
    assert run(code, **places) == [41, 1]
    script.write_text(script.read_text().replace("41", "42"))
    assert run(code, **places) == [42, 0]


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
