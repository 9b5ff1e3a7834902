"""What of a competition is told to whom: spectators, and each participant about their own.

Every fact that leaves for the page goes through here. Submissions, reports and the evidence of a
lost game are for their owner alone. In anonymous mode spectators see made-up names.
"""

import hashlib
import hmac
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from hansu.arena.competition.leaderboard import Leaderboard, Line
from hansu.arena.competition.register import Entry, Register
from hansu.arena.competition.results import GameLine, Results
from hansu.arena.competition.settings import Deadline
from hansu.arena.competition.template import FINALS
from hansu.arena.ratings import Rating
from hansu.arena.tournament.ledger import Ledger
from hansu.arena.tournament.live import live_games
from hansu.errors import HansuError
from hansu.protocols.manifest import MANIFEST
from hansu.records.facts import listed_facts
from hansu.records.record import GameRecord
from hansu.statistics.stats import number

MOST_GAMES = 300  # listed at once, the newest
MOST_LOST = 50  # games that a participant is told the evidence of, the newest
MOST_POINTS = 100  # of each line of the history
RATING = "rating"  # the stage that is no final


class CompetitionView:
    """A competition as the page shows it; ``update`` reads what is new."""

    def __init__(self, register: Register) -> None:
        self.register = register
        self.settings = register.settings
        self.board = Leaderboard(register)
        self._finals: dict[str, Results] = {}
        self._secret = b""

    def update(self) -> None:
        """Read what has happened since."""
        self.board.update()
        if not self._secret:
            plan = self.board.results.ledger.find_plan()
            self._secret = str(plan.seed).encode() if plan else b""

    # Names

    def alias(self, name: str) -> str:
        """Return the name by which spectators know a participant."""
        person = self.board.people.get(name)
        if not self.settings.submissions.anonymous or person is None or person.is_staff:
            return name
        key = hashlib.sha256(b"alias" + self._secret).digest()
        return f"anon-{hmac.new(key, name.encode(), 'sha256').hexdigest()[:6]}"

    def shown(self, player: str) -> str:
        """Return the public name of a player of a record, ``kim#2``."""
        name, mark, version = player.partition("#")
        return f"{self.alias(name)}{mark}{version}"

    # For everybody

    def facts(self) -> dict[str, Any]:
        """Return what the page shows first."""
        lines, settings = self.board.lines(), self.settings
        finals = [each.name for each in settings.deadlines if self._has_begun(each)]
        waiting = sum(entry.status == "received" for entry in self.board.entries.values())
        return {
            "title": settings.title,
            "game": str(settings.board),
            "name": settings.board.name,
            "now": time.time(),
            "deadlines": [
                {"name": each.name, "at": each.at.timestamp()} for each in settings.deadlines
            ],
            "games": len(self.board.results.lines),
            "participants": sum(not line.is_staff for line in lines),
            "waiting": waiting,
            "standings": [self._public(line) for line in lines],
            "playing": [
                {**listed_facts(n, self._renamed(game)), "stage": stage}
                for stage in (RATING, *finals)
                for n, game in self._live(stage).items()
            ],
            "finals": [
                {"name": name, "games": len(self._ledger(name).results())} for name in finals
            ],
        }

    def _public(self, line: Line) -> dict[str, Any]:
        return {**line.facts(), "participant": self.alias(line.participant)}

    def cross(self) -> dict[str, Any]:
        """Return the points of everybody's version of now against each other's."""
        players = {line.entry: line for line in self.board.lines()}
        names = [self.board.entries[entry].name for entry in players]
        table = self.board.results.cross_table(names)
        cells = [
            [names.index(a), names.index(b), table.points(a, [b]), len(table.against(a, b))]
            for a, b in table.pairs()
        ]
        return {
            "names": [self.alias(line.participant) for line in players.values()],
            "cells": cells,
        }

    def history(self) -> dict[str, Any]:
        """Return the rating of everybody over time, whatever their versions."""
        rounds = self.register.history()
        step = max(1, len(rounds) // MOST_POINTS)
        kept = [*rounds[::step], *rounds[-1:]]
        found: dict[str, list[tuple[float, float]]] = {}
        for at, ratings in kept:
            best: dict[str, tuple[int, float]] = {}
            for entry, rating in ratings.items():
                who = self.board.entries[entry].participant
                best[who] = max(best.get(who, (-1, 0.0)), (entry, rating.elo))
            for who, (_, elo) in best.items():
                found.setdefault(self.alias(who), []).append((at, round(elo, 1)))
        return {"lines": found}

    def games(self, stage: str, player: str = "") -> dict[str, Any]:
        """Return the newest games of a stage, or those of a participant."""
        lines = self._results(stage).lines.values()
        chosen = [line for line in lines if not player or player in self._public_pair(line)]
        newest = sorted(chosen, key=lambda line: line.number)[-MOST_GAMES:]
        return {"played": [self._listed(line) for line in newest], "found": len(chosen)}

    def _public_pair(self, line: GameLine) -> list[str]:
        return [self.shown(name).partition("#")[0] for name in (line.first, line.second)]

    def _listed(self, line: GameLine) -> dict[str, Any]:
        return {
            "number": line.number,
            "first": self.shown(line.first),
            "second": self.shown(line.second),
            "score": line.score_first,
            "reason": line.reason,
            "turns": line.turns,
        }

    def record(self, stage: str, number: int, viewer: str | None = None) -> str:
        """Return a game as a line of JSON; evidence only to the owner of the one who lost."""
        record = self._ledger(stage).record(number) or self._live(stage).get(number)
        if record is None:
            raise HansuError(f"there is no game {number + 1} yet")
        return self._renamed(record, viewer).as_json()

    def _renamed(self, record: GameRecord, viewer: str | None = None) -> GameRecord:
        loser = record.second if record.score_first == 1.0 else record.first
        is_owner = viewer is not None and loser.partition("#")[0] == viewer
        is_over = record.outcome.reason != "unfinished"
        return replace(
            record,
            first=self.shown(record.first),
            second=self.shown(record.second),
            evidence=record.evidence if is_owner else "",
            seed=record.seed if is_over else 0,  # it tells what the players will draw
            provenance=None,  # it tells what was submitted, and the organiser's machines
        )

    def final(self, stage: str) -> dict[str, Any]:
        """Return the table of a final."""
        results = self._results(stage)
        plan = results.ledger.plan()
        points = self.settings.final.score
        table = results.standings(plan)
        if plan.format != "gauntlet" and len(results.lines) == plan.scheduled:  # equally many games
            table.sort(key=lambda line: -points(line.tally, line.byes))
        order = [line.agent for line in table]
        cross = results.cross_table(order)
        rows = [
            {
                **line.facts(),
                "rank": rank,
                "agent": self.shown(line.agent),
                "points": points(line.tally, line.byes),
            }
            for rank, line in enumerate(table, 1)
        ]
        return {
            "format": plan.format,
            "games": len(results.lines),
            "scheduled": plan.scheduled,
            "standings": rows,
            "cross": [[cross.against(us, them) for them in order] for us in order],
        }

    # For one participant

    def own(self, name: str) -> dict[str, Any]:
        """Return what only a participant may see: versions, reports, losses with evidence."""
        mine = [each for each in self.board.entries.values() if each.participant == name]
        lost = [
            {**self._listed(line), "evidence": line.evidence}
            for line in sorted(self.board.results.lines.values(), key=lambda line: -line.number)
            if line.evidence and _loser(line).partition("#")[0] == name
        ][:MOST_LOST]
        closes = self.settings.closes
        return {
            "name": name,
            "alias": self.alias(name),
            "withdrawn": self.board.people[name].withdrawn is not None,
            "per_day": self.settings.submissions.per_day,
            "open": closes is None or time.time() < closes.timestamp(),
            "versions": [self._version(each) for each in reversed(mine)],
            "lost": lost,
        }

    def _version(self, entry: Entry) -> dict[str, Any]:
        rating = self._ratings().get(entry.name)
        return {
            "version": entry.version,
            "digest": entry.digest,
            "received": entry.received,
            "status": entry.status,
            "source": entry.source,
            "program": Path(entry.agent).name == MANIFEST,
            "findings": entry.report.get("findings", []),
            "rating": None if rating is None else round(rating.elo, 1),
            "error": None if rating is None else number(rating.error),
        }

    def _ratings(self) -> dict[str, Rating]:
        return {self.board.entries[line.entry].name: line.rating for line in self.board.lines()}

    # Stages

    def _live(self, stage: str) -> dict[int, GameRecord]:
        folder = self.register.folder
        if stage == RATING:
            live, played = live_games(folder), set(self.board.results.lines)
        else:
            place = [each.name for each in self.settings.deadlines].index(stage)
            live = live_games(folder / FINALS / str(place))
            played = set(self._ledger(stage).results())
        return {n: game for n, game in live.items() if n not in played}

    def _ledger(self, stage: str) -> Ledger:
        if stage == RATING:
            return self.board.results.ledger
        if stage not in [each.name for each in self.settings.deadlines]:
            raise HansuError("there is no such final")
        return Ledger(self.register.database, f"{self.register.event} {stage}")

    def _results(self, stage: str) -> Results:
        if stage == RATING:
            return self.board.results
        results = self._finals.setdefault(stage, Results(self._ledger(stage)))
        results.update()
        return results

    def _has_begun(self, deadline: Deadline) -> bool:
        return self._ledger(deadline.name).find_plan() is not None


def _loser(line: GameLine) -> str:
    return line.second if line.score_first == 1.0 else line.first
