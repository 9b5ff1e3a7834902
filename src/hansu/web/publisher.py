"""Publish a game to its audience."""

import asyncio
import time
from typing import Any

from hansu.arena.review import ReviewedTurn
from hansu.games.game import BLACK, COLOR_NAMES, WHITE
from hansu.games.state import State
from hansu.records.evidence import evidence_facts
from hansu.records.facts import outcome_facts
from hansu.search.info import SearchInfo
from hansu.web.audience import Audience, Sight, Visitor, message
from hansu.web.live_game import LiveGame
from hansu.web.refusals import Refusal
from hansu.web.study import Study
from hansu.web.views import board_facts, position_facts, search_facts


class Publisher:
    """Sends the session to its visitors; a position is drawn once per view."""

    def __init__(
        self, audience: Audience, session_id: str, game: LiveGame, study: Study | None = None
    ) -> None:
        self._audience, self._id, self._game = audience, session_id, game
        self._study, self._told = study, -1  # the revision that everybody knows
        self._positions: dict[Sight, dict[str, Any]] = {}  # as they were last shown
        self._found: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}  # where, and what
        self._soon: asyncio.TimerHandle | None = None  # when the game is shown at the latest

    def show(self, within: float = 0.0) -> None:
        """Send everybody the session, now or within some seconds."""
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        if within > 0:
            self._soon = asyncio.get_running_loop().call_later(within, self.show)
            return
        begin = time.perf_counter()
        self._positions.clear()
        if self._study is not None and self._study.revision != self._told:
            self._told = self._study.revision
            self._audience.tell("tree", self._study.facts())
        self._audience.show("state", self._facts)
        self._game.shown_for = time.perf_counter() - begin

    def welcome(self, visitor: Visitor) -> None:
        """Send one visitor the session."""
        if self._study is not None:
            visitor.tell("tree", message("tree", self._study.facts()))
        visitor.tell("state", message("state", self._facts(visitor.sight)))

    def recall(self, visitor: Visitor) -> None:
        """Send one visitor what searches have found about the position."""
        for who, (place, found) in self._found.items():
            if place == self.place():
                visitor.tell(f"search {who}", message("search", found))

    def forget_searches(self) -> None:
        """Have nothing to recall: others are asked now."""
        self._found.clear()

    def tell_search(
        self, kind: str, number: int, info: SearchInfo, done: bool, state: State, who: str = ""
    ) -> None:
        """Tell everybody what a search of a state has found."""
        if info.lines:
            turn = len(self._game.log.turns)
            facts = {"info": search_facts(info, state), "turn": turn, "done": done, "of": kind}
            facts |= {"id": number, "who": who}
            place = self.place()
            self._found = {w: each for w, each in self._found.items() if each[0] == place}
            self._found[who] = place, facts
            # Of each kind only the newest waits for a slow visitor: of each agent, that is.
            self._audience.tell("search", facts, who)

    def warn(self, found: ReviewedTurn) -> None:
        """Tell everybody what is wrong with the move that a person wants to make."""
        state = self._game.log.state
        names = {"move": state.move_names([found.move])[0]}
        better = state.move_names(found.better)
        self._audience.tell("warning", found.facts() | names | {"better": better})

    def tell_owners(self, facts: dict[str, Any]) -> None:
        """Tell everybody who is likely to own the points of a position."""
        self._audience.tell("owners", facts)

    def place(self) -> dict[str, Any]:
        """Return which position of the session this is."""
        node = {} if self._study is None else {"node": self._study.place()["node"]}
        return {"turn": len(self._game.log.turns), **node}

    def tell_error(self, error: Refusal) -> None:
        """Tell everybody what went wrong."""
        self._audience.tell("error", {"text": str(error), **error.facts()})

    def _facts(self, sight: Sight) -> dict[str, Any]:
        game, log = self._game, self._game.log
        return {
            "id": self._id,
            "game": str(log.state.game),
            "name": log.state.game.name,
            "white": game.seats[WHITE].name,
            "black": game.seats[BLACK].name,
            "first": COLOR_NAMES[log.first],
            "played": [turn.move for turn in log.turns],
            "names": log.move_names,
            "values": [turn.value for turn in log.turns],
            "clock": log.clock.facts(log.state.turn),
            "thinking": game.thought is not None,
            "preparing": game.thought is not None and game.seat.is_preparing,
            "paused": game.paused,
            "help": game.terms.help,
            "taken_back": log.taken_back,
            "delay": game.delay,
            "outcome": outcome_facts(log.outcome, log.tally(), len(log.turns)),
            "evidence": evidence_facts(log.evidence),
            "agreement": log.agreement_facts(),
            **({} if self._study is None else self._study.place()),
            **self._position(sight),
        }

    def _position(self, sight: Sight) -> dict[str, Any]:
        if sight not in self._positions:
            log = self._game.log
            over = log.outcome is not None
            facts = position_facts(log.state, sight, over, log.agreement)
            if sight.turn is not None and sight.turn < len(log.turns):
                facts |= {"shown": sight.turn, **board_facts(log.state_after(sight.turn), sight)}
            self._positions[sight] = facts
        return self._positions[sight]
