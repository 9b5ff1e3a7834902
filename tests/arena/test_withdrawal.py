"""Whatever is wrong with a submission loses its own games, and stops nobody else."""

import os
import re
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import hansu
from hansu.arena.executor import SubmissionWarning
from hansu.arena.isolation.requirements import missing
from hansu.arena.withdrawal import FAILED_STARTS

GOOD = """import hansu

class Good(hansu.Agent):
    def act(self, state):
        return next(iter(state.legal_moves))
"""


class Unready(hansu.Agent):
    """Never gets ready for a game."""

    starts = 0

    def reset(self):
        Unready.starts += 1
        raise RuntimeError("not today")


class Clumsy(hansu.Agent):
    """Gets ready, and fails in its first move."""

    def act(self, state):
        raise RuntimeError("no idea")


def reasons(games, name):
    found = [record for record in games if name in (record.first, record.second)]
    return [
        "withdrawn" if "withdrawn after" in r.evidence
        else "failed" if "failed to start" in r.evidence else r.outcome.reason
        for r in found
    ]  # fmt: skip


@pytest.mark.parametrize("concurrency", [1, 2])
def test_after_some_failed_starts_the_rest_of_a_match_is_lost_at_once(concurrency):
    result = hansu.match("tictactoe", Unready, "random", games=20, concurrency=concurrency)
    assert len(result.games) == 20
    assert result.losses == 20
    told = reasons(result.games, "Unready")
    assert FAILED_STARTS <= told.count("failed") <= FAILED_STARTS + 4 * concurrency
    assert set(told) == {"failed", "withdrawn"}
    assert re.fullmatch(
        r"Unready: withdrawn after 3 failed starts; the last one failed to start: "
        r"RuntimeError: not today at .*",
        result.games[-1].evidence,
    )


def test_a_fault_in_a_move_is_no_failed_start():
    result = hansu.match("tictactoe", Clumsy, "random", games=8)
    assert reasons(result.games, "Clumsy") == ["crash"] * 8


def test_a_resumed_tournament_knows_who_was_withdrawn(tmp_path):
    done = [0]
    Unready.starts = 0

    def play(most):
        return hansu.tournament(
            "tictactoe", Unready, "random", rounds=4, out=tmp_path / "cup",
            progress=lambda record, finished, planned: done.append(finished),
            stop=lambda: done[-1] >= most,
        )  # fmt: skip

    begun = play(5)
    assert "withdrawn" in reasons(begun.games, "Unready")
    finished = play(100)
    assert reasons(finished.games, "Unready")[len(begun.games) :] == ["withdrawn"] * (
        8 - len(begun.games)
    )


def write(folder: Path, name: str | bytes = "agent.py", text: str = GOOD) -> str:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = os.path.join(os.fsencode(folder), os.fsencode(name))
    with open(file, "w") as opened:
        opened.write(text)
    return os.fsdecode(file)


def nest(folder: Path) -> None:
    """Make folders within folders, deeper than Python can remove them."""
    descriptor = os.open(folder, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("x", dir_fd=descriptor)
        inner = os.open("x", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    os.close(descriptor)


def submissions(folder: Path) -> dict[str, str]:
    """Good and bad ones, each in a private folder of its own."""
    found = {name: write(folder / name) for name in ("good", "pipe_beside", "link_beside", "deep")}
    os.mkfifo(folder / "pipe_beside" / "pipe.py")
    (folder / "link_beside" / "gone.py").symlink_to("/no/such/place")
    nest(folder / "deep")
    for name in ("package_pipe", "package_link", "package_deep", "package_big", "package_many"):
        found[name] = write(folder / name)
        (folder / name / "__init__.py").touch()
    os.mkfifo(folder / "package_pipe" / "pipe")
    (folder / "package_link" / "gone").symlink_to("/no/such/place")
    nest(folder / "package_deep")
    with open(folder / "package_big" / "book", "wb") as big:
        big.truncate(3 << 30)  # nothing of it is on the disk
    for number in range(5000):
        (folder / "package_many" / str(number)).touch()
    found["odd_name"] = write(folder / "odd_name", b"odd\xff\x1b.py")
    found["syntax"] = write(folder / "syntax", text="def f(:\n")
    found["nothing"] = write(folder / "nothing", text="x = 1\n")
    for name in ("dangling", "loop", "folder", "pipe", "socket", "device"):
        (folder / name).mkdir(mode=0o700)
        found[name] = str(folder / name / "agent.py")
    os.symlink("/no/such/place", found["dangling"])
    os.symlink("agent.py", found["loop"])
    os.mkdir(found["folder"])
    os.mkfifo(found["pipe"])
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(found["socket"])
    os.symlink("/dev/zero", found["device"])
    found["sealed"] = write(folder / "sealed")
    os.chmod(found["sealed"], 0)
    return found


@pytest.fixture
def class_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder for submissions, some of which Python itself could not remove."""
    yield tmp_path / "class"
    subprocess.run(["rm", "-rf", str(tmp_path / "class")], check=True)


@pytest.mark.slow
def test_a_submissions_folder_stops_nobodys_tournament(class_folder, tmp_path):
    if missing():
        pytest.skip("this machine cannot isolate")
    made = submissions(class_folder)
    bad = {"syntax", "nothing", "dangling", "loop", "folder", "pipe", "socket", "device"}
    bad |= {"package_deep", "package_big", "package_many"}
    with pytest.warns(SubmissionWarning, match="loses its games: .* is not a file") as told:
        result = hansu.tournament(
            "tictactoe", "random", *made.values(), format="gauntlet", out=tmp_path / "cup"
        )
    assert len([each for each in told if each.category is SubmissionWarning]) >= len(bad)
    assert len(result.games) == result.plan.scheduled == 2 * len(made)
    for (name, _), shown in zip(made.items(), result.plan.agents[1:], strict=True):
        own = [record for record in result.games if shown in (record.first, record.second)]
        assert len(own) == 2
        if name in bad:
            assert all(record.winner == "random" for record in own), name
            assert all(record.evidence.startswith(f"{shown}: ") for record in own)
        elif name != "sealed":  # root can read it, its owner cannot
            assert not any(record.evidence for record in own), own
        assert all(record.evidence.isprintable() for record in own)


def test_a_class_that_is_not_there_is_told_before_the_first_game(tmp_path):
    if missing():
        pytest.skip("this machine cannot isolate")
    good = write(tmp_path / "good")
    with pytest.warns(SubmissionWarning, match="Nope is not there; it defines the agents Good"):
        result = hansu.tournament("tictactoe", "random", f"{good}:Nope", good)
    assert len(result.disqualified) == 4
    assert {row["agent"] for row in result.disqualified} == {f"{good}:Nope"}


def test_a_file_that_is_not_there_is_the_organisers_mistake(tmp_path):
    with pytest.raises(hansu.HansuError, match="is not a file"):
        hansu.tournament("tictactoe", "random", str(tmp_path / "typo.py"), out=tmp_path / "cup")
