"""The pairings, round by round: a function of the plan and, in a Swiss tournament, of the results.

An encounter is two games with the same opening and colours swapped. Everybody gets the same opening
in the same round. A game's number never changes, and its seed is a keyed hash of its number.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from hansu.arena.seeds import game_seed
from hansu.arena.tournament.plan import Plan
from hansu.arena.tournament.swiss import Bye, Pairing, pair_round

Results = Mapping[int, float]
"""Number of a finished game -> score of the player who had the first colour."""


class ScheduledGame(NamedTuple):
    """A game to be played: the players are places in the plan's list of agents."""

    number: int
    round: int  # also the number of its opening
    first: int
    second: int
    seed: int


def schedule(plan: Plan, results: Results) -> list[ScheduledGame]:
    """Return all games known by now; a Swiss round is drawn when the last one is finished."""
    return list(games_of(plan, results))


def games_of(plan: Plan, results: Results) -> Iterator[ScheduledGame]:
    """Yield the schedule, game by game."""
    return (game for games, _ in _rounds(plan, results) for game in games)


def byes(plan: Plan, results: Results) -> Counter[str]:
    """Return how many rounds each agent sat out."""
    sitting = [bye for _, bye in _rounds(plan, results) if bye is not None]
    return Counter(plan.agents[bye] for bye in sitting)


def _rounds(plan: Plan, results: Results) -> Iterator[tuple[list[ScheduledGame], Bye]]:
    number = 0
    history = History(len(plan.agents))
    for round in range(plan.rounds):
        pairings, bye = _draw(plan, round, history)
        games = []
        for a, b in pairings:
            for first, second in ((a, b), (b, a)):
                seed = game_seed(plan.seed, number)
                games.append(ScheduledGame(number, round, first, second, seed))
                number += 1
        yield games, bye
        if plan.format == "swiss":
            if any(game.number not in results for game in games):
                return
            history.add(games, bye, results)


class History:
    """What a Swiss round is paired from: points, past pairings and byes."""

    def __init__(self, agents: int) -> None:
        self.points = [0.0] * agents
        self.met: Counter[frozenset[int]] = Counter()
        self.byes: Counter[int] = Counter()

    def add(self, games: list[ScheduledGame], bye: Bye, results: Results) -> None:
        """Add a finished round; a bye scores like a won encounter."""
        for game in games:
            self.points[game.first] += results[game.number]
            self.points[game.second] += 1.0 - results[game.number]
            self.met[frozenset((game.first, game.second))] += 1
        if bye is not None:
            self.points[bye] += 2.0
            self.byes[bye] += 1


def _draw(plan: Plan, round: int, history: History) -> tuple[list[Pairing], Bye]:
    count = len(plan.agents)
    if plan.format == "gauntlet":
        heads = range(plan.heads)
        return [(head, other) for other in range(plan.heads, count) for head in heads], None
    if plan.format == "swiss":
        return pair_round(history.points, history.met, history.byes, f"swiss {plan.seed} {round}")
    return circle(count), None


def circle(count: int) -> list[Pairing]:
    """Return the pairings of a round robin, by the circle method.

    One player stays, the others move on by one place each turn; with an odd number the player
    opposite the empty chair rests.

    >>> circle(4)
    [(0, 3), (1, 2), (0, 2), (1, 3), (0, 1), (2, 3)]
    """
    chairs: list[int | None] = list(range(count))
    if count % 2:
        chairs.append(None)
    pairings = []
    for _ in range(len(chairs) - 1):
        half = len(chairs) // 2
        for a, b in zip(chairs[:half], reversed(chairs[half:]), strict=True):
            if a is not None and b is not None:
                pairings.append((min(a, b), max(a, b)))
        chairs.insert(1, chairs.pop())
    return pairings
