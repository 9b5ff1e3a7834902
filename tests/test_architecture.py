"""What holds for the whole package, whatever is added to it."""

import fnmatch
import itertools
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import grimp

from hansu.games.game import GAMES
from tests.conftest import ROOT
from tests.extras import EXTRAS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
KERNEL = re.compile(r"^\s*@(kernel|intrinsic|compiled_as|cuda\.jit)\b", re.MULTILINE)


def test_games_do_not_know_each_other():
    """A game is its own folder and one line in the table of games."""
    graph = grimp.build_graph("hansu")
    packages = [path.partition(":")[0] for path in GAMES.values()]
    assert len(packages) == len(set(packages)) > 1
    for one, other in itertools.permutations(packages, 2):
        assert graph.find_shortest_chains(one, other, as_packages=True) == set()


def test_what_is_of_one_game_only_lies_in_its_folder():
    """What these still have of one game may move into its folder; nothing may be added to them."""
    graph = grimp.build_graph("hansu")
    packages = [path.partition(":")[0] for path in GAMES.values()]
    outside = {
        importer.removeprefix("hansu.")
        for package in packages
        for module in (package, *graph.find_descendants(package))
        for importer in graph.find_modules_that_directly_import(module)
        if not importer.startswith("hansu.games.")
    }
    learning = ("fitting", "games", "positions", "replaying", "value")
    assert outside == {
        *(f"learning.experts.{name}" for name in learning),  # othello's records
        *("protocols.gtp_agents", "protocols.uci_agents"),  # engines that play one game
        "records.wthor",
        *("web.agreement", "web.ownership_map"),  # go's dead stones and owners
    }


def test_every_game_folder_is_in_the_table():
    folders = {path.parent.name for path in (ROOT / "src/hansu/games").glob("*/rules.py")}
    assert folders == set(GAMES)


def test_only_files_that_hold_kernels_are_exempt_from_strict_types():
    """Compiled functions have the types that Numba infers; all else says its types."""
    (exempt,) = (
        set(override["module"])
        for override in PROJECT["tool"]["mypy"]["overrides"]
        if override.get("check_untyped_defs") is False
    )
    source = ROOT / "src"
    holds = {
        ".".join(path.relative_to(source).with_suffix("").parts): bool(
            KERNEL.search(path.read_text(encoding="utf-8"))
        )
        for path in source.rglob("*.py")
    }
    for pattern in exempt:
        found = fnmatch.filter(holds, pattern)
        assert found, f"{pattern} names no module"
        assert [name for name in found if not holds[name]] == []


def test_only_modules_that_import_pytorch_build_on_unknown_types():
    """Elsewhere a call of something untyped is a mistake."""
    (exempt,) = (
        override["module"]
        for override in PROJECT["tool"]["mypy"]["overrides"]
        if override.get("disallow_subclassing_any") is False
        and override.get("check_untyped_defs") is None
    )
    for name in exempt:
        path = Path(*name.split("."))
        folders = (ROOT / "src", ROOT, ROOT / "examples")
        (file,) = (at for at in (each / path.with_suffix(".py") for each in folders) if at.exists())
        assert re.search(r"^(import|from) torch\b", file.read_text(encoding="utf-8"), re.MULTILINE)


# Extras ------------------------------------------------------------------------------------------


def test_the_extras_are_those_of_the_project():
    extras = PROJECT["project"]["optional-dependencies"]
    brought = {
        re.split(r"[\[<>=;~! ]", line)[0]
        for name, lines in extras.items()
        if name not in ("dev", "docs", "notebooks")  # tools, not libraries that hansu imports
        for line in lines
    }
    assert brought == set(EXTRAS)


MODULES = {
    "fine": "import json",
    "needs_an_extra": "import torch.nn",
    "needs_one_deeper": "from package import needs_an_extra",
    "needs_what_nobody_brings": "import torhc",
    "broken": "1 / 0",
}


def test_only_a_missing_extra_leaves_doctests_out(tmp_path):
    """What is broken otherwise is collected, and so fails."""
    package = tmp_path / "src" / "package"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    for name, line in MODULES.items():
        (package / f"{name}.py").write_text(f'"""A test.\n\n>>> 1 + 1\n2\n"""\n\n{line}\n')
    for file in ("conftest.py", "tests/__init__.py", "tests/extras.py"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text((ROOT / file).read_text(encoding="utf-8"))
    path = [ROOT / "scripts/without_extras", tmp_path, tmp_path / "src"]
    words = ["-m", "pytest", "-v", "--doctest-modules", "--continue-on-collection-errors", "src"]
    done = subprocess.run(
        [sys.executable, *words],
        cwd=tmp_path,
        env={"PYTHONPATH": os.pathsep.join(map(str, path)), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
    )
    assert re.findall(r"package\.(\w+) PASSED", done.stdout) == ["fine"]
    failed = re.findall(r"^ERROR src/package/(\w+)\.py", done.stdout, re.MULTILINE)
    assert sorted(failed) == ["broken", "needs_what_nobody_brings"]
