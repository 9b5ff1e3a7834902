"""Matches that the page starts: one at a time is played, the others wait."""

import os
import secrets
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from hansu.arena.match import MatchResult, match
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.records.record import TimeControl
from hansu.web.messages import NewMatch
from hansu.web.offer import chosen_game, contestant
from hansu.web.settings import Settings


class _Stopped(Exception):
    """Somebody does not want the rest of a match."""


class Match:
    """A match that waits, is being played, or is over."""

    def __init__(self, wanted: NewMatch, game: Game, a: str, b: str, own: Path | None) -> None:
        self.id = secrets.token_urlsafe(8)
        self._wanted, self._game, self._a, self._b = wanted, game, a, b
        self._own = own  # a folder whose files play under their names alone
        self._result = MatchResult(str(game), a, b)
        self._stopped = False
        self._state = "waiting"
        self._error = ""

    def play(self) -> None:
        """Play all games, unless stopped; never raises."""
        self._state = "playing"
        try:
            match(
                self._game,
                self._a,
                self._b,
                self._wanted.games,
                control=TimeControl(self._wanted.seconds),
                untrusted=True,
                progress=self._hear,
            )
            self._state = "over"
        except _Stopped:
            self._state = "stopped"
        except Exception as error:  # told on the page; the server goes on
            self._state, self._error = "failed", f"{type(error).__name__}: {error}"

    def _hear(self, result: MatchResult) -> None:
        self._result = result
        if self._stopped:
            raise _Stopped

    def stop(self) -> None:
        """Play no more after the games that are under way."""
        self._stopped = True

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self._state in ("over", "stopped", "failed")

    def facts(self) -> dict[str, Any]:
        """The table so far, and the games to choose from."""
        result = self._result
        return {
            **self.listed(),
            "result": self._result_facts() if result.played else None,
            "played": [
                {
                    "number": g.number,
                    "first": self._name(g.record.first),
                    "second": self._name(g.record.second),
                    "score": g.record.score_first,
                    "reason": g.record.outcome.reason,
                    "turns": len(g.record.turns),
                }
                for g in result.played
            ],
        }

    def listed(self) -> dict[str, Any]:
        """A line in the list of matches."""
        return {
            "id": self.id,
            "game": str(self._game),
            "name": self._game.name,
            "a": self._name(self._a),
            "b": self._name(self._b),
            "state": self._state,
            "error": self._error,
            "done": len(self._result.played),
            "games": self._wanted.games,
        }

    def record(self, number: int) -> str:
        """One game as a line of JSON; raises HansuError."""
        for played in self._result.played:
            if played.number == number:
                first, second = self._name(played.record.first), self._name(played.record.second)
                return replace(played.record, first=first, second=second).as_json()
        raise HansuError(f"game {number + 1} has not been played")

    def _result_facts(self) -> dict[str, Any]:
        facts = self._result.facts()
        return {**facts, "verdict": self._name(facts["verdict"])}

    def _name(self, text: str) -> str:
        """Without the place of the organiser's folder, which is nobody's business."""
        return text.replace(f"{self._own}{os.sep}", "") if self._own else text


class Matches:
    """The matches of a server by their ids; the oldest finished ones are forgotten."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._matches: dict[str, Match] = {}
        self._player = ThreadPoolExecutor(1, "hansu-match")

    def begin(self, wanted: NewMatch) -> str:
        """Have a match played; its id. Raises HansuError."""
        over = [each.id for each in self._matches.values() if each.is_over]
        if len(self._matches) >= self._settings.max_matches:
            if not over:
                raise HansuError("too many matches are waiting: try again later")
            del self._matches[over[0]]
        game = chosen_game(wanted.game, wanted.rules)
        own = self._settings.agents
        made = Match(wanted, game, contestant(wanted.a, own), contestant(wanted.b, own), own)
        self._matches[made.id] = made
        self._player.submit(made.play)
        return made.id

    def find(self, match_id: str) -> Match:
        """A match by its id; raises HansuError."""
        if match_id not in self._matches:
            raise HansuError("there is no such match any more")
        return self._matches[match_id]

    def listed(self) -> list[dict[str, Any]]:
        """All of them, the newest first."""
        return [each.listed() for each in reversed(self._matches.values())]

    def close(self) -> None:
        """The server goes down."""
        for each in self._matches.values():
            each.stop()
        self._player.shutdown(wait=False, cancel_futures=True)
