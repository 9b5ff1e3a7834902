"""Tournaments that the page starts: each is a process of its own, one at a time, in a folder.

The process is the command ``hansu tournament``: whatever happens to it or to this server, every
finished game is kept, and the same command resumes it.
"""

import contextlib
import itertools
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hansu.arena.isolation.scratch import ScratchFolder
from hansu.arena.tournament.plan import Plan, make_plan
from hansu.arena.tournament.tournament import open_ledger
from hansu.atomic_write import atomic_write
from hansu.errors import HansuError
from hansu.options import split_options
from hansu.protocols.program import under_watchdog
from hansu.records.record import TimeControl
from hansu.web.catalogue import chosen_game, contestant, own_agents
from hansu.web.folders import folders
from hansu.web.messages import AgentChoice, NewTournament
from hansu.web.refusals import Refusal
from hansu.web.server_settings import ServerSettings

MOST_GAMES = 1000  # of one tournament
MOST_FOLDERS = 500  # that visitors may fill while the server runs
MOST_ON_DISK = 2000  # of all runs together
BEGUN_HERE = "begun_on_the_page.json"  # marks the folder of a tournament that visitors may resume
WAITS = ("waiting", "playing")


class Tournament:
    """A tournament that is waiting, in progress, or finished."""

    def __init__(
        self, folder: Path, plan: Plan, agents: list[str], own: Path | None, address: str
    ) -> None:
        self.folder, self._plan, self._agents, self._own = folder, plan, agents, own
        self.address = address  # of the visitor who began it
        self.state, self.error = "waiting", ""
        self._process: subprocess.Popen[str] | None = None

    def play(self) -> None:
        """Play what is missing, unless stopped; never raises."""
        if self.state != "waiting":
            return
        self.state = "playing"
        try:
            self._process = subprocess.Popen(
                under_watchdog(self._command()),
                cwd=self._own,  # where the agents of files are
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=os.name != "nt",
            )
            _, said = self._process.communicate()
        except OSError as error:
            self.state, self.error = "failed", str(error)
            return
        if self.state == "playing":
            failed = self._process.returncode != 0
            self.state = "failed" if failed else "over"
            self.error = (said.strip().splitlines() or [""])[-1][:400] if failed else ""

    def _command(self) -> list[str]:
        plan = self._plan
        options = {
            "--out": str(self.folder),
            "--rounds": str(plan.rounds),
            "--format": plan.format,
            "--seconds": str(plan.seconds),
        }
        given = [word for pair in options.items() for word in pair]
        chosen = ["--untrusted", "--json", "--", plan.game, *self._agents]
        # -P: no file of the folder it runs in is imported in place of a library.
        return [sys.executable, "-P", "-m", "hansu", "tournament", *given, *chosen]

    def stop(self) -> None:
        """Stop; the games in progress are played again after a resume."""
        self.state = "stopped" if self.state in WAITS else self.state
        if self._process is not None:
            self._process.terminate()


class Tournaments:
    """The tournaments that this server has started, by the names of their folders."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._scratch = ScratchFolder()
        own = settings.data / "tournaments" if settings.data else Path(self._scratch.path)
        self.folder = (settings.tournaments or own).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self._started: dict[str, Tournament] = {}
        self._player = ThreadPoolExecutor(1, "hansu-tournament")

    def begin(self, wanted: NewTournament, address: str = "") -> str:
        """Start a tournament of a visitor; return the name of its folder. Raises HansuError."""
        self._check_room(address)
        game, own = chosen_game(wanted.game, wanted.rules), self._settings.agents
        files = own_agents(own)
        agents = [
            f"./{choice.agent}"
            if choice.agent in files
            else contestant(choice, named=self._settings.named)
            for choice in wanted.agents
        ]
        control = TimeControl(wanted.seconds)
        plan = make_plan(game, agents, wanted.rounds, wanted.format, None, control, None, True)
        if plan.scheduled > MOST_GAMES:
            raise Refusal("too_many_games", games=plan.scheduled, most=MOST_GAMES)
        folder = self._new_folder(_title(game.name, wanted))
        open_ledger(folder, None).enter(plan)
        atomic_write(folder / BEGUN_HERE, json.dumps({"agents": agents}))
        self._started[folder.name] = Tournament(folder, plan, agents, own, address)
        self._player.submit(self._started[folder.name].play)
        return folder.name

    def _check_room(self, address: str) -> None:
        """Refuse more than may wait, of all visitors and of one, and more than may lie on disk."""
        waiting = [each for each in self._started.values() if each.state in WAITS]
        own = [each for each in waiting if each.address == address]
        most = self._settings.max_tournaments
        many = len(self._started) >= MOST_FOLDERS
        on_disk = len(folders(self.folder, BEGUN_HERE)) >= MOST_ON_DISK
        if len(waiting) >= most or len(own) > most // 2 or many or on_disk:
            raise Refusal("too_many_waiting")

    def _new_folder(self, name: str) -> Path:
        """Create a folder with a new name."""
        for number in itertools.count(1):
            folder = self.folder / (name if number == 1 else f"{name} ({number})")
            with contextlib.suppress(FileExistsError):
                folder.mkdir()
                return folder
        raise AssertionError("numbers do not end")

    def facts(self, name: str) -> dict[str, Any]:
        """Return the state of a tournament if this server has started it."""
        found = self._started.get(name) or self._restored(name)
        return {"state": found.state if found else "", "error": found.error if found else ""}

    def stop(self, name: str) -> None:
        """Stop a tournament; raises HansuError."""
        self._find(name).stop()

    def go_on(self, name: str) -> None:
        """Resume a tournament that was stopped or failed; raises HansuError."""
        found = self._find(name)
        if found.state not in ("stopped", "failed"):
            raise HansuError(f"{name} is {found.state}")
        self._check_room(found.address)
        found.state = "waiting"
        self._player.submit(found.play)

    def _find(self, name: str) -> Tournament:
        found = self._started.get(name) or self._restored(name)
        if found is None:
            raise HansuError("this server has not started that tournament")
        return found

    def _restored(self, name: str) -> Tournament | None:
        """Return a tournament that the page began before this server started."""
        if name not in folders(self.folder, BEGUN_HERE):
            return None
        folder = self.folder / name
        try:
            agents = [str(each) for each in json.loads((folder / BEGUN_HERE).read_text())["agents"]]
            for agent in agents:
                self._check_offered(agent)
            ledger = open_ledger(folder, None)
            plan = ledger.plan()
            played = len(ledger.records())
        except (HansuError, OSError, ValueError, KeyError, TypeError):
            return None
        found = Tournament(folder, plan, agents, self._settings.agents, "")
        found.state = "over" if played >= plan.scheduled else "stopped"
        self._started[name] = found
        return found

    def _check_offered(self, agent: str) -> None:
        """Refuse an agent that visitors may not choose: the file may have been changed."""
        if agent.startswith("./") and agent[2:] in own_agents(self._settings.agents):
            return
        name, options = split_options(agent)
        contestant(AgentChoice(agent=name, options=dict(options)), named=self._settings.named)

    def close(self) -> None:
        """Stop all tournaments when the server goes down."""
        self._player.shutdown(wait=False, cancel_futures=True)
        for each in self._started.values():
            each.stop()
        self._player.shutdown()
        self._scratch.remove()


def _title(game: str, wanted: NewTournament) -> str:
    """Return a name to find it by, also that of its folder."""
    names = [choice.agent for choice in wanted.agents]
    who = " v ".join(names) if len(names) == 2 else f"{len(names)} agents"
    return f"{game} {time.strftime('%Y-%m-%d %H.%M')} {who}"
