"""How strong are the levels of ``engine``? ``python -m benchmarks.levels GAME`` measures them.

Neighbours play each other from the usual start, as people would, and all ten are rated. Every few
games the results go into ``hansu/agents/levels.json``: run it again for more. The matches of a
level whose settings have changed do not count any more.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import hansu
from hansu.agents import levels
from hansu.agents.levels import FULL
from hansu.arena.ratings import Encounter, ratings
from hansu.atomic_write import atomic_write
from hansu.games.game import GAMES
from hansu.records.record import TimeControl
from hansu.statistics.confidence import PAIR_SCORES

FILE = Path(str(levels.LEVELS))
AVERAGE = 1300  # of a game's ten ratings
AT_ONCE = 6  # games
SETTINGS = ("nodes", "depth", "temperature", "search_time")


def settings(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in SETTINGS if name in row}


class Ladder:
    """The levels of one game in the file, and the matches between neighbours."""

    def __init__(self, game: str, highest: dict[str, Any]) -> None:
        self.game = game
        self.table = json.loads(FILE.read_text(encoding="utf-8"))
        self.rows: list[dict[str, Any]] = self.table[game]["levels"]
        self.rows[-1] = highest or settings(self.rows[-1])
        found = {tuple(one["levels"]): one for one in self.table[game]["matches"]}
        self.matches = [self._match(lower, found) for lower in range(1, FULL)]

    def _match(self, lower: int, found: dict[tuple[int, ...], Any]) -> dict[str, Any]:
        """The match of a level and the next one; an empty one if that has not been played so."""
        played = [settings(row) for row in self.rows[lower - 1 : lower + 1]]
        known = found.get((lower, lower + 1))
        if known and known["settings"] == played:
            return dict(known)
        return {
            **{"levels": [lower, lower + 1], "settings": played},
            **{"pentanomial": [0] * 5, "distinct": 0},
        }

    def agent(self, number: int) -> str:
        """What plays at a level; the highest has one thread and limits in place of settings."""
        if number < FULL:
            return f"engine:level={number}"
        limits = [f"{name}={value:g}" for name, value in settings(self.rows[-1]).items()]
        return f"engine:{','.join([*limits, 'threads=1'])}"

    def next(self, games: int) -> dict[str, Any] | None:
        """The match with the fewest games, if some have less than so many."""
        fewest = min(self.matches, key=lambda one: sum(one["pentanomial"]))
        return fewest if 2 * sum(fewest["pentanomial"]) < games else None

    def play(self, match: dict[str, Any]) -> None:
        """Some more games of a match, from the view of the higher level."""
        lower, higher = match["levels"]
        result = hansu.match(
            *(self.game, self.agent(higher), self.agent(lower), AT_ONCE),
            control=TimeControl(seconds=None),
        )
        faults = result.disqualified
        if faults:
            raise SystemExit(f"{self.game}, levels {lower} and {higher}: {faults[0]}")
        match["pentanomial"] = [
            a + b for a, b in zip(match["pentanomial"], result.pentanomial, strict=True)
        ]
        match["distinct"] += result.stats.distinct_pairs

    def rate(self) -> None:
        """Rate all levels by the matches so far."""
        players = [str(number) for number in range(1, FULL + 1)]
        encounters = [
            Encounter(str(one["levels"][1]), str(one["levels"][0]), 2 * score, 2)
            for one in self.matches
            for count, score in zip(one["pentanomial"], PAIR_SCORES, strict=True)
            for _ in range(count)
        ]
        distinct = sum(one["distinct"] for one in self.matches) / max(1, len(encounters))
        found = ratings(players, encounters, distinct_share=max(distinct, 1e-9))
        for player, row in zip(players, self.rows, strict=True):
            row["rating"] = round(AVERAGE + found[player].elo)
            row["error"] = round(found[player].error)

    def save(self) -> None:
        """Write the levels of this game, and nothing else, into the file."""
        table = json.loads(FILE.read_text(encoding="utf-8"))  # others may measure another game
        table[self.game] = {"levels": self.rows, "matches": self.matches}
        atomic_write(FILE, layout(table))

    def show(self) -> None:
        """Print the table."""
        table = Table("level", "settings", "rating", "v the one below", "games", title=self.game)
        for number, row in enumerate(self.rows, 1):
            match = self.matches[number - 2] if number > 1 else None
            pairs = sum(match["pentanomial"]) if match else 0
            points = (
                sum(
                    count * score
                    for count, score in zip(match["pentanomial"], PAIR_SCORES, strict=True)
                )
                if match
                else 0
            )
            table.add_row(
                str(number),
                str(settings(row)),
                f"{row.get('rating')} ± {row.get('error')}",
                f"{points / pairs:.3f}" if pairs else "",
                str(2 * pairs) if match else "",
            )
        Console(width=120).print(table)


def layout(table: dict[str, Any]) -> str:
    """The file as text, a line for each level and match."""
    games = []
    for game in sorted(table):
        parts = [
            f'  "{part}": [\n   ' + ",\n   ".join(map(json.dumps, table[game][part])) + "\n  ]"
            for part in ("levels", "matches")
        ]
        games.append(f' "{game}": {{\n' + ",\n".join(parts) + "\n }")
    return "{\n" + ",\n".join(games) + "\n}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--games", type=int, default=40, help="of every two neighbours")
    parser.add_argument("--search-time", type=float, help="seconds a move of the highest level")
    parser.add_argument("--nodes", type=int, help="nodes a move of the highest level")
    options = parser.parse_args()
    ladder = Ladder(options.game, {k: v for k, v in vars(options).items() if v and k in SETTINGS})
    while match := ladder.next(options.games):
        ladder.play(match)
        ladder.rate()
        ladder.save()
        print(f"{options.game} {match['levels']}: {match['pentanomial']}", flush=True)
    ladder.show()


if __name__ == "__main__":
    main()
