"""The intake: a process that takes what lies in ``submissions`` and checks all that came in.

It runs beside the games, so that a participant hears within seconds. Whatever happens to it, a
submission is ``received`` until its check has been written down, and is then checked again.
"""

import multiprocessing
import os
import signal
import time
import warnings
from collections import Counter
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Any, Self

from hansu.arena.agent_check import check_agent
from hansu.arena.competition.bundle import ARCHIVES, MOST_FILES, read_submission
from hansu.arena.competition.register import DAY, Entry, Register, Status
from hansu.arena.competition.template import SUBMISSIONS
from hansu.arena.isolation.confine import die_with_parent
from hansu.arena.isolation.launch import IsolationError
from hansu.arena.local_processes import HANGUP
from hansu.arena.seat import seat
from hansu.atomic_write import atomic_write
from hansu.errors import HansuError
from hansu.protocols.manifest import MANIFEST
from hansu.terminal_text import one_line, terminal_text

LOOK = 0.5  # seconds between two looks into the folder
QUIET = 1.0  # seconds that a file must not have changed: it may still be copied
REPORTS = "reports"
SITUATION_SECONDS = 60.0  # at most, for each game from the start


class Intake:
    """The intake of a competition, in a process of its own."""

    def __init__(self, folder: Path, register: Register) -> None:
        self.folder, self.register = folder, register
        methods = multiprocessing.get_all_start_methods()
        self._context: Any = multiprocessing.get_context("fork" if "fork" in methods else "spawn")
        self._idle = self._context.Event()
        self._process: Any = None

    def __enter__(self) -> Self:
        self.keep_alive()
        return self

    def keep_alive(self) -> None:
        """Start the process, also after its death."""
        if self._process is not None and self._process.is_alive():
            return
        if self._process is not None:
            warnings.warn("the intake has ended and is started again", stacklevel=2)
        self._process = self._context.Process(
            target=_work, args=(self.folder, self.register, self._idle)
        )
        self._process.start()

    def is_idle(self) -> bool:
        """Return whether all that lies there had been taken in and checked at its last look."""
        self._idle.clear()
        for _ in range(2):  # one look may have begun before
            if not self._idle.wait(10 * LOOK):
                return False
            self._idle.clear()
        return True

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()


def _work(folder: Path, register: Register, idle: Any) -> None:
    for number in (signal.SIGINT, HANGUP):  # the parent decides
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    die_with_parent()
    parent = os.getppid()
    inbox = Inbox(folder, register)
    while os.getppid() == parent:
        busy = inbox.look()
        busy |= check_next(folder, register)
        if not busy:
            idle.set()
            time.sleep(LOOK)


class Inbox:
    """The folder ``submissions``: ``NAME.py``, ``NAME.zip``, a program or a folder ``NAME``."""

    def __init__(self, folder: Path, register: Register) -> None:
        self.folder, self.register = folder / SUBMISSIONS, register
        self.reports = folder / REPORTS
        self._seen: dict[str, object] = {}  # by name: what was there when it was dealt with

    def look(self) -> bool:
        """Take what is new; return whether something is, or may soon be, to take."""
        waiting = False
        with suppress(OSError):  # the folder is away for a moment
            for found in sorted(os.scandir(self.folder), key=lambda each: each.name):
                if found.name.startswith(".") or found.name.endswith((".part", "~", ".tmp")):
                    continue
                state = _state(Path(found.path))
                if state is None or self._seen.get(found.name) == state:
                    continue
                waiting = True
                if time.time() - state[0] >= QUIET or state[0] > time.time() + QUIET:
                    self._take(Path(found.path), state)
        return waiting

    def _take(self, path: Path, state: object) -> None:
        name = participant_of(path)
        try:
            most = self.register.settings.submissions.max_kib * 1024
            bundle = read_submission(path, most)
            if self._is_last(name, bundle.digest):
                self._seen[path.name] = state
                return
            entry = self.register.submit(name, bundle, "folder")
            said = f"{entry.name} was received: {entry.digest}\n"
        except HansuError as error:
            said = f"{one_line(path.name)} was refused: {error}\n"
        self._seen[path.name] = state
        write_report(self.reports, name, said)

    def _is_last(self, name: str, digest: str) -> bool:
        """Whether this is what the folder has brought last: a newer one may have come otherwise."""
        own = [e for e in self.register.entries().values() if e.participant == name]
        dropped = [e.digest for e in own if e.source == "folder"]
        return bool(dropped) and dropped[-1] == digest


def participant_of(path: Path) -> str:
    """Return whose submission a file or folder is: its name without the ending.

    >>> participant_of(Path("submissions/kim.tar.gz"))
    'kim'
    """
    endings = (".py", *ARCHIVES)
    return next((path.name.removesuffix(e) for e in endings if path.name.endswith(e)), path.name)


def _state(path: Path) -> tuple[float, ...] | None:
    """Return when something was last changed, and how big it is; None if it is gone."""
    try:
        facts = path.lstat()
        if not path.is_dir() or path.is_symlink():
            return facts.st_mtime, facts.st_size, facts.st_ino
        inside = [each.lstat() for each in islice(path.rglob("*"), MOST_FILES + 1)]
        newest = max([facts.st_mtime, *(each.st_mtime for each in inside)])
        return newest, sum(each.st_size for each in inside), len(inside)
    except OSError:
        return None


def check_next(folder: Path, register: Register) -> bool:
    """Check the next submission; return whether there was one.

    Whoever has sent least lately comes first: nobody waits for one who sends much.
    """
    entries = register.entries().values()
    since = time.time() - DAY
    lately = Counter(entry.participant for entry in entries if entry.received > since)
    waiting = [entry for entry in entries if entry.status == "received"]
    if not waiting:
        return False
    entry = min(waiting, key=lambda each: (lately[each.participant], each.number))
    status, report = checked(entry, register)
    register.decide(entry, status, report)
    said = report_text(entry, status, report, register.settings.game)
    write_report(folder / REPORTS, entry.participant, said)
    return True


def checked(entry: Entry, register: Register) -> tuple[Status, dict[str, Any]]:
    """Play an entry in the sandbox; return whether it can take part, and the report.

    It can if it plays from the start with both colours. All else that would lose a game is told;
    one that is too slow is not asked for more, as others wait.
    """
    settings = register.settings
    seconds = min(SITUATION_SECONDS, settings.time.seconds)
    findings: list[dict[str, Any]] = []
    fatal = False
    try:
        player = seat(entry.agent, settings.board, untrusted=True, limits=settings.sandbox)
        player.name = entry.name
        with closing(player):
            for situation, finding in check_agent(player, settings.board, entry.number, seconds):
                if finding is not None:
                    findings.append({**finding.facts(), "record": finding.record.as_json()})
                    fatal |= situation.essential
                    if fatal and finding.reason == "timeout":
                        break
    except IsolationError:
        raise
    except Exception as error:  # also what nobody thought of: the others wait for their check
        told = str(error) if isinstance(error, HansuError) else f"the check failed: {error!r}"
        findings.append({"situation": "", "reason": "crash", "evidence": told, "turn": 0})
        fatal = True
    return ("rejected" if fatal else "accepted"), {"findings": findings}


def report_text(entry: Entry, status: Status, report: dict[str, Any], game: str) -> str:
    """Return a report in words: what failed, at which move, how to see it again."""
    lines = [f"{entry.name} was {status}: {entry.digest}"]
    for finding in report["findings"]:
        at = f", turn {finding['turn']}" if finding["turn"] else ""
        lines.append(f"- {finding['situation']}{at}: {finding['reason']}: {finding['evidence']}")
    if report["findings"]:
        own = "." if Path(entry.agent).name == MANIFEST else "agent.py"
        lines.append(f"To see it: hansu check ./{own} --game {game} --save games.jsonl")
    return "\n".join(lines) + "\n"


def write_report(folder: Path, name: str, text: str) -> None:
    """Write the newest report on a participant, for those who use the folder."""
    safe = "".join(c if c.isalnum() or c in "-_." else "_" for c in name).lstrip(".") or "_"
    with suppress(OSError):  # the database has it too
        folder.mkdir(mode=0o700, exist_ok=True)
        atomic_write(folder / f"{safe[:80]}.txt", terminal_text(text))
