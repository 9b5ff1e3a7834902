"""Marks for the teacher, by the rule in ``competition.toml``, from the last final."""

import csv
import io
import json
from dataclasses import dataclass
from typing import Any

from hansu.arena.competition.register import Register
from hansu.arena.competition.results import Results
from hansu.arena.tournament.ledger import Ledger
from hansu.arena.tournament.standings import Standing
from hansu.errors import HansuError


@dataclass(frozen=True)
class Mark:
    """What one participant has earned."""

    participant: str
    version: int
    rank: int  # among participants; those with equal points share one
    points: float
    games: int
    rating: float
    beaten: int  # staff members against whom more than half of the points were won
    mark: float


def marks(register: Register) -> list[Mark]:
    """Return everybody's mark, the best first; raises HansuError before the first final.

    By ``rank`` the best gets the most and the last the least, evenly between; by ``points`` marks
    are in proportion to the points; by ``staff`` to the number of staff members who were beaten.
    """
    results, rules = Results(_last_final(register)), register.settings
    results.update()
    plan, played = results.ledger.plan(), len(results.lines)
    if played < plan.scheduled:
        raise HansuError(f"the final is not finished: {played} of {plan.scheduled} games")
    staff = [s.name for s in rules.staff if s.name in plan.agents]
    cross = results.cross_table(list(plan.agents))
    lines = [line for line in results.standings(plan) if line.agent not in staff]
    points = {line.agent: rules.final.score(line.tally, line.byes) for line in lines}
    lines.sort(key=lambda line: -points[line.agent])

    def beaten(agent: str) -> int:
        games = [cross.against(agent, them) for them in staff]
        return sum(sum(scores) > len(scores) / 2 for scores in games)

    ranks = [1 + sum(points[o.agent] > points[line.agent] for o in lines) for line in lines]
    top, least, most = max(points.values(), default=0.0), rules.marks.least, rules.marks.most

    def mark(agent: str, rank: int) -> float:
        if rules.marks.rule == "rank":
            share = (len(lines) - rank) / max(1, len(lines) - 1)
        elif rules.marks.rule == "points":
            share = points[agent] / top if top else 0.0
        else:
            share = beaten(agent) / len(staff) if staff else 0.0
        return round(least + (most - least) * share, 2)

    return [
        _mark(line, rank, points[line.agent], beaten(line.agent), mark(line.agent, rank))
        for line, rank in zip(lines, ranks, strict=True)
    ]


def _mark(line: Standing, rank: int, points: float, beaten: int, mark: float) -> Mark:
    name, _, version = line.agent.partition("#")
    elo = round(line.rating.elo, 1)
    return Mark(name, int(version), rank, points, line.games, elo, beaten, mark)


def _last_final(register: Register) -> Ledger:
    for deadline in reversed(register.settings.deadlines):
        ledger = Ledger(register.database, f"{register.event} {deadline.name}")
        if ledger.find_plan() is not None:
            return ledger
    raise HansuError("no final has begun yet: marks come from the last one")


def as_csv(found: list[Mark]) -> str:
    """Return marks as a table with a line of titles; names cannot begin with a formula's sign."""
    out = io.StringIO()
    titles = list(Mark.__dataclass_fields__)
    writer = csv.DictWriter(out, titles, lineterminator="\n")
    writer.writeheader()
    writer.writerows(vars(mark) for mark in found)
    return out.getvalue()


def gradescope(mark: Mark, most: float) -> str:
    """Return a participant's ``results.json`` as Gradescope reads it."""
    facts: dict[str, Any] = {
        "score": mark.mark,
        "output": f"Version {mark.version}: rank {mark.rank}, {mark.points:g} points in "
        f"{mark.games} games, {mark.beaten} of the staff beaten.",
        "visibility": "visible",
        "tests": [{"name": "final", "score": mark.mark, "max_score": most}],
        "leaderboard": [
            {"name": "rank", "value": mark.rank, "order": "asc"},
            {"name": "points", "value": mark.points},
            {"name": "Elo", "value": mark.rating},
        ],
    }
    return json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
