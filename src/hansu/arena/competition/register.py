"""Who takes part with what: participants, the versions they sent, and the encounters drawn.

Several processes use it at the same time: the page and commands add submissions, the intake decides
on them, the runner draws encounters. Each change is one transaction.
"""

import hashlib
import json
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import sqlalchemy as sql

from hansu.agents.loading import reference
from hansu.arena.competition.bundle import Bundle
from hansu.arena.competition.requirements import check_requirements
from hansu.arena.competition.settings import Competition, check_name
from hansu.arena.competition.store import Store
from hansu.arena.ratings import Rating
from hansu.arena.tournament.database import (
    ENCOUNTERS,
    ENTRIES,
    PARTICIPANTS,
    SNAPSHOTS,
    Database,
)
from hansu.errors import HansuError, UnknownName

DATABASE = "competition.sqlite"
EVENT = "competition"  # its name in the folder's own database
DAY = 24 * 3600.0

Status = Literal["received", "accepted", "rejected"]
Source = Literal["folder", "page", "command", "staff"]


@dataclass(frozen=True)
class Participant:
    """Somebody who takes part, or one of the staff."""

    name: str
    is_staff: bool
    withdrawn: float | None  # when
    invited: bool  # has a token


@dataclass(frozen=True)
class Entry:
    """One version of what a participant sent."""

    number: int  # in the competition
    participant: str
    version: int
    digest: str
    agent: str
    source: Source
    received: float  # seconds since 1970
    status: Status
    report: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name in records: ``#`` is no letter of any participant's name."""
        return self.participant if self.source == "staff" else f"{self.participant}#{self.version}"


class Encounter(NamedTuple):
    """Two games with one opening and colours swapped, played by two entries."""

    number: int
    round: int
    a: int
    b: int


class Register:
    """The participants, entries and encounters of the competition in a folder."""

    def __init__(self, folder: Path, settings: Competition, database: str | None = None) -> None:
        self.folder, self.settings = folder, settings
        self.store = Store(folder)
        if database is None:
            self.database = Database(f"sqlite:///{folder / DATABASE}", EVENT)
        else:
            self.database = Database(database, folder.resolve().name)
        self.event = self.database.name

    # Participants

    def participants(self) -> dict[str, Participant]:
        """Return everybody, by name."""
        rows = self.database.run(lambda at: at.execute(self._mine(PARTICIPANTS)).all())
        return {
            row.name: Participant(row.name, row.is_staff, row.withdrawn, row.token is not None)
            for row in rows
        }

    def invite(self, name: str) -> str:
        """Return a new token for a participant, who is added if need be; an old one is void."""
        token = secrets.token_urlsafe(24)

        self._check_allowed(name)

        def work(at: sql.Connection) -> None:
            if self._admit(at, name).is_staff:
                raise HansuError(f"{name} is one of the staff")
            self._update(at, name, token=token_digest(token))

        self.database.change(work)
        return token

    def owner(self, token: str) -> str | None:
        """Return whose token it is; None if nobody's."""
        if not token:
            return None
        wanted = self._mine(PARTICIPANTS).where(PARTICIPANTS.c.token == token_digest(token))
        row = self.database.run(lambda at: at.execute(wanted).first())
        return None if row is None else str(row.name)

    def withdraw(self, name: str, back: bool = False) -> None:
        """Let a participant leave, or come back: nothing is deleted."""

        def work(at: sql.Connection) -> None:
            self._known(at, name)
            self._update(at, name, withdrawn=None if back else time.time())

        self.database.change(work)

    def enter_staff(self) -> None:
        """Enter the organiser's opponents; those that are no longer named leave."""
        named = {staff.name: staff.agent for staff in self.settings.staff}

        def work(at: sql.Connection) -> None:
            known = {row.name: row for row in at.execute(self._mine(PARTICIPANTS))}
            for name, row in known.items():
                if row.is_staff and name not in named:
                    self._update(at, name, withdrawn=time.time())
            for name, agent in named.items():
                if name in known and not known[name].is_staff:
                    raise HansuError(f"staff {name}: a participant has this name already")
                self._admit(at, name, is_staff=True)
                self._update(at, name, withdrawn=None)
                last = self._last(at, name)
                if last is None or last.agent != self._place(agent):
                    digest = hashlib.sha256(agent.encode()).hexdigest()
                    self._add(at, name, digest, agent, "staff", "accepted")

        self.database.change(work)

    # Entries

    def submit(self, name: str, bundle: Bundle, source: Source, now: float | None = None) -> Entry:
        """Take a submission; return it, or the version that it repeats. Raises HansuError.

        When this returns, it is on the disk and will be checked.
        """
        rules, when = self.settings.submissions, time.time() if now is None else now
        closes = self.settings.closes
        if closes is not None and when >= closes.timestamp():
            raise HansuError(f"submissions closed at {closes:%Y-%m-%d %H:%M %Z}")
        self._check_allowed(name)
        check_requirements(bundle, rules.requirements)
        digest = self.store.keep(bundle)

        def work(at: sql.Connection) -> Entry:
            person = self._admit(at, name)
            if person.is_staff:
                raise HansuError(f"{name} is one of the staff")
            if person.withdrawn is not None:
                raise HansuError(f"{name} has been withdrawn: ask the organiser")
            last = self._last(at, name)
            if last is not None and last.digest == digest:
                return last
            mine = (ENTRIES.c.participant == name) & (ENTRIES.c.received > when - DAY)
            today = at.execute(self._mine(ENTRIES, sql.func.count()).where(mine)).scalar_one()
            if today >= rules.per_day:
                raise HansuError(
                    f"{name} has sent {today} versions in 24 hours, and {rules.per_day} are "
                    "allowed: try again later"
                )
            agent = self.store.agent(digest).relative_to(self.folder).as_posix()
            return self._add(at, name, digest, agent, source, "received", when)

        return self.database.change(work)

    def decide(self, entry: Entry, status: Status, report: Mapping[str, Any]) -> None:
        """Accept or reject a submission, with the report of its check."""
        values = {"status": status, "report": json.dumps(report, ensure_ascii=False)}
        which = (ENTRIES.c.event == self.event) & (ENTRIES.c.number == entry.number)
        self.database.change(lambda at: at.execute(ENTRIES.update().where(which).values(values)))

    def entries(self) -> dict[int, Entry]:
        """Return all versions of everybody, by number, in the order in which they came."""
        chosen = self._mine(ENTRIES).order_by(ENTRIES.c.number)
        rows = self.database.run(lambda at: at.execute(chosen).all())
        return {row.number: self._entry(row) for row in rows}

    def entry(self, number: int) -> Entry:
        """Return a version by its number."""
        chosen = self._mine(ENTRIES).where(ENTRIES.c.number == number)
        return self._entry(self.database.run(lambda at: at.execute(chosen).one()))

    # Encounters

    def draw(
        self, round: int, pairs: Iterable[tuple[int, int]], ratings: Mapping[int, Rating]
    ) -> None:
        """Keep a round that was drawn, with the ratings that it was drawn from."""
        facts = {str(number): [each.elo, each.error] for number, each in ratings.items()}

        def work(at: sql.Connection) -> None:
            most = at.execute(self._mine(ENCOUNTERS, sql.func.max(ENCOUNTERS.c.number))).scalar()
            first = 0 if most is None else most + 1
            rows = [
                {"event": self.event, "number": first + i, "round": round, "a": a, "b": b}
                for i, (a, b) in enumerate(pairs)
            ]
            at.execute(ENCOUNTERS.insert(), rows)
            snapshot = {"event": self.event, "round": round, "at": time.time()}
            at.execute(SNAPSHOTS.insert().values(**snapshot, ratings=json.dumps(facts)))

        self.database.change(work)

    def encounters(self) -> list[Encounter]:
        """Return all encounters drawn so far, in order."""
        chosen = self._mine(ENCOUNTERS).order_by(ENCOUNTERS.c.number)
        rows = self.database.run(lambda at: at.execute(chosen).all())
        return [Encounter(row.number, row.round, row.a, row.b) for row in rows]

    def history(self) -> list[tuple[float, dict[int, Rating]]]:
        """Return the ratings at each round: when, and of which entry."""
        chosen = self._mine(SNAPSHOTS).order_by(SNAPSHOTS.c.round)
        rows = self.database.run(lambda at: at.execute(chosen).all())
        return [
            (row.at, {int(n): Rating(*pair) for n, pair in json.loads(row.ratings).items()})
            for row in rows
        ]

    def _check_allowed(self, name: str) -> None:
        allowed = self.settings.submissions.names
        if check_name(name) and allowed and name not in allowed:
            raise HansuError(f"{name} is not one of the names that competition.toml allows")

    # Inside a transaction

    def _mine(self, table: sql.Table, *columns: Any) -> Any:
        return sql.select(*(columns or (table,))).where(table.c.event == self.event)

    def _known(self, at: sql.Connection, name: str) -> Any:
        rows = {row.name: row for row in at.execute(self._mine(PARTICIPANTS))}
        if name not in rows:
            raise UnknownName("participant", name, rows)
        return rows[name]

    def _admit(self, at: sql.Connection, name: str, is_staff: bool = False) -> Any:
        """Return a participant, who is added if need be."""
        folded = check_name(name).casefold()
        chosen = self._mine(PARTICIPANTS).where(PARTICIPANTS.c.folded == folded)
        found = at.execute(chosen).first()
        if found is None:
            row = {"event": self.event, "name": name, "folded": folded, "is_staff": is_staff}
            at.execute(PARTICIPANTS.insert().values(row))
            return at.execute(chosen).one()
        if found.name != name:
            raise HansuError(f"{name}: there is a participant {found.name} already")
        return found

    def _entry(self, row: Any) -> Entry:
        facts = dict(row._mapping)
        del facts["event"]
        facts |= {"report": json.loads(facts["report"]), "agent": self._place(facts["agent"])}
        return Entry(**facts)

    def _place(self, agent: str) -> str:
        """Return an agent as it is seated; files are kept as seen from the folder: it may move."""
        own = reference(agent)
        is_path = own is not None and (own.is_file or own.is_program)
        return str(self.folder.absolute() / agent) if is_path else agent

    def _update(self, at: sql.Connection, name: str, **values: Any) -> None:
        which = (PARTICIPANTS.c.event == self.event) & (PARTICIPANTS.c.name == name)
        at.execute(PARTICIPANTS.update().where(which).values(values))

    def _last(self, at: sql.Connection, name: str) -> Entry | None:
        chosen = self._mine(ENTRIES).where(ENTRIES.c.participant == name)
        row = at.execute(chosen.order_by(ENTRIES.c.version.desc())).first()
        return None if row is None else self._entry(row)

    def _add(
        self,
        at: sql.Connection,
        name: str,
        digest: str,
        agent: str,
        source: Source,
        status: Status,
        when: float | None = None,
    ) -> Entry:
        most = at.execute(self._mine(ENTRIES, sql.func.max(ENTRIES.c.number))).scalar()
        last = self._last(at, name)
        row = {
            "event": self.event,
            "number": 0 if most is None else most + 1,
            "participant": name,
            "version": 1 if last is None else last.version + 1,
            "digest": digest,
            "agent": agent,
            "source": source,
            "received": time.time() if when is None else when,
            "status": status,
            "report": "{}",
        }
        at.execute(ENTRIES.insert().values(row))
        return self._entry(
            at.execute(self._mine(ENTRIES).where(ENTRIES.c.number == row["number"])).one()
        )


def current(
    entries: Mapping[int, Entry], people: Mapping[str, Participant], until: float | None = None
) -> dict[str, Entry]:
    """Return the version with which each participant plays: the newest that was accepted.

    ``until`` looks at what was received before that moment only.
    """
    found: dict[str, Entry] = {}
    for entry in entries.values():
        in_time = until is None or entry.received < until or entry.source == "staff"
        if entry.status == "accepted" and in_time and people[entry.participant].withdrawn is None:
            found[entry.participant] = entry
    return found


def token_digest(token: str) -> str:
    """Return what is kept of a token: it has 192 random bits, so its plain hash tells nothing."""
    return hashlib.sha256(token.encode()).hexdigest()
