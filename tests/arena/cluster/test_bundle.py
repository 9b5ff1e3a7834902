"""Agents travel under the SHA-256 of their bytes."""

import hashlib
import os
import tarfile
from io import BytesIO

import pytest

import hansu
from hansu.arena.cluster.bundle import BundleCache, pack
from hansu.arena.isolation.limits import SandboxLimits

GAME = hansu.game("tictactoe")
SOURCE = "import hansu\n\nclass Mine(hansu.Agent):\n    pass\n"


def packed(who):
    bundle = pack(str(who), GAME, SandboxLimits())
    assert bundle is not None
    return bundle


def test_a_file_travels_with_its_options(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(SOURCE)
    bundle = packed(f"{file}:Mine:depth=3")
    assert (bundle.place, bundle.options) == ("./mine.py", ":Mine:depth=3")
    assert bundle.digest == hashlib.sha256(file.read_bytes()).hexdigest()
    place = BundleCache(tmp_path / "cache").keep(bundle.key, bundle.archive)
    assert (place / "mine.py").read_text() == SOURCE
    assert place.name == bundle.key


def test_a_package_travels_whole_and_nothing_beside_it(tmp_path):
    own = tmp_path / "mine"
    (own / "deep").mkdir(parents=True)
    for name in ("__init__.py", "agent.py", "deep/weights.bin", ".secret"):
        (own / name).write_text(name)
    (tmp_path / "other.py").write_text("not mine")
    bundle = packed(own / "agent.py")
    place = BundleCache(tmp_path / "cache").keep(bundle.key, bundle.archive)
    found = {str(each.relative_to(place)) for each in place.rglob("*") if each.is_file()}
    assert found == {"mine/__init__.py", "mine/agent.py", "mine/deep/weights.bin"}


@pytest.mark.parametrize("who", ["engine", "engine/agent.toml", "engine/run"])
def test_a_program_travels_as_it_is_named(tmp_path, who):
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "agent.toml").write_text('command = ["./run"]\nprotocol = "lines"\n')
    (tmp_path / "engine" / "run").write_text("#!/bin/sh\n")
    bundle = packed(f"{tmp_path / who}:move_time=1")
    place = BundleCache(tmp_path / "cache").keep(bundle.key, bundle.archive)
    assert bundle.options == ":move_time=1"
    assert bundle.place.startswith("./")
    there, here = place / bundle.place, tmp_path / who
    assert there.is_dir() == here.is_dir()
    assert there.is_dir() or there.read_bytes() == here.read_bytes()


def test_the_same_bytes_have_the_same_key_wherever_they_lie(tmp_path):
    for folder in ("a", "b"):
        names = ["__init__.py", "x.py", "y.py", "z.py"]
        (tmp_path / folder / "mine").mkdir(parents=True)
        for name in names if folder == "a" else reversed(names):
            (tmp_path / folder / "mine" / name).write_text(name)
    first, second = (packed(tmp_path / folder / "mine" / "x.py") for folder in ("a", "b"))
    assert first == second
    (tmp_path / "b" / "mine" / "z.py").write_text("changed")
    assert packed(tmp_path / "b" / "mine" / "x.py").key != first.key


@pytest.mark.parametrize("who", ["random", "mcts:n_simulations=5"])
def test_what_every_machine_has_does_not_travel(who):
    assert pack(who, GAME, SandboxLimits()) is None


def test_what_arrives_damaged_is_refused(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(SOURCE)
    bundle, cache = packed(file), BundleCache(tmp_path / "cache")
    with pytest.raises(hansu.HansuError, match="damaged"):
        cache.keep(bundle.key, bundle.archive + b"x")
    assert cache.find(bundle.key) is None
    place = cache.keep(bundle.key, bundle.archive)
    assert cache.find(bundle.key) == place == cache.keep(bundle.key, bundle.archive)


def test_links_out_of_the_package_do_not_travel(tmp_path):
    own = tmp_path / "mine"
    own.mkdir()
    (own / "__init__.py").touch()
    (own / "agent.py").write_text(SOURCE)
    os.symlink("/etc/passwd", own / "link")
    os.symlink("agent.py", own / "near")
    bundle = packed(own / "agent.py")
    place = BundleCache(tmp_path / "cache").keep(bundle.key, bundle.archive) / "mine"
    assert not os.path.lexists(place / "link")
    assert (place / "near").read_text() == SOURCE


def test_an_archive_that_leads_elsewhere_writes_nothing_there(tmp_path):
    content = BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for name in ("../outside", "/tmp/hansu-outside", "inside"):
            archive.addfile(tarfile.TarInfo(name), BytesIO())
    key = hashlib.sha256(content.getvalue()).hexdigest()
    place = BundleCache(tmp_path / "cache").keep(key, content.getvalue())
    assert sorted(each.name for each in place.iterdir()) == ["inside", "tmp"]
    assert not (tmp_path / "outside").exists()
    assert not os.path.exists("/tmp/hansu-outside")
