"""``hansu play``: play against an agent."""

import secrets
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

import typer

from hansu.agents.agent import Agent, Answer
from hansu.agents.human import HELP, Command, ask_move
from hansu.agents.loading import reference
from hansu.agents.registry import AGENTS, against_people, named_agent
from hansu.arena.judge import attempt, judge
from hansu.arena.player import Fault, Player
from hansu.arena.seat import check_player, seat
from hansu.cli.arguments import (
    GameArgument,
    NoIsolationOption,
    PositionOption,
    TrustOption,
    isolation_of,
    read_text,
    start_state,
)
from hansu.cli.completion import complete_agent
from hansu.cli.serve import NoBrowserOption, PortOption, data_folder
from hansu.cli.terminal import Console, say
from hansu.errors import HansuError, UnknownName
from hansu.games.game import COLOR_NAMES, WHITE
from hansu.games.state import Outcome, State
from hansu.kernel.tiers import interpret_first
from hansu.options import split_options

USUAL = "engine:level=3"  # an opponent for a first game


def play(
    which: GameArgument = "microchess",
    opponent: Annotated[
        str, typer.Option("--agent", "-a", help="Your opponent.", autocompletion=complete_agent)
    ] = USUAL,
    color: Annotated[
        Literal["white", "black"] | None, typer.Option(help="Your colour; you begin without it.")
    ] = None,
    position: PositionOption = None,
    seed: Annotated[int | None, typer.Option(help="Random seed; with --terminal.")] = None,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in the terminal.")] = False,
    no_isolation: NoIsolationOption = False,
    trust: TrustOption = False,
    port: PortOption = 0,
    no_browser: NoBrowserOption = False,
) -> None:
    """Play against an agent, in the browser or the terminal."""
    isolation = isolation_of(no_isolation, trust)
    if not terminal:
        if isolation != "required":
            raise HansuError("the page isolates agent files: add --terminal")
        _open_page(which, opponent, color, position, port, not no_browser)
        return
    state = start_state(which, position)
    yours = state.turn if color is None else (color == "white") == WHITE
    own = COLOR_NAMES[yours]
    screen = Console(highlight=False)
    with closing(seat(against_people(opponent), state.game, isolation=isolation)) as rival:
        screen.print(f"[bold]{state.game.title}[/]: you are {own}, against {opponent}. {HELP}.")
        _Terminal(screen, state, yours, rival, seed).play()


def _open_page(
    which: str, opponent: str, color: str | None, position: str | None, port: int, browser: bool
) -> None:
    """Serve the page and start this game on it."""
    from hansu.web.server import serve
    from hansu.web.server_settings import ServerSettings

    with interpret_first():
        state = start_state(which, position)  # mistakes are reported here, not on the page
    name, allowed = _for_page(opponent)
    if reference(opponent):
        with closing(seat(opponent, state.game)) as player:
            check_player(player, opponent, state, state.turn)
    else:
        named_agent(opponent, state.game).check(state.game)
    title, _, rules = str(state.game).partition(":")
    yours = color or COLOR_NAMES[state.turn] or "white"
    wish = {"game": title, "rules": rules, "agent": name, "color": yours, "begin": "1"}
    if position is not None:
        wish["position"] = read_text(position)
    settings = ServerSettings(port=port, data=data_folder(None), **allowed)
    serve(settings, f"/play?{urlencode(wish)}", browser, say)


def _for_page(opponent: str) -> tuple[str, dict[str, Any]]:
    """Return an agent as the page names it, and the server settings that allow it."""
    from hansu.web.catalogue import contestant, offered
    from hansu.web.messages import AgentChoice

    own = reference(opponent)
    if own is None:
        name = opponent.partition(":")[0].strip()
        if name not in AGENTS:
            raise UnknownName("agent", name, AGENTS)
        if name not in offered():
            raise HansuError(f"the page cannot use {opponent}: add --terminal")
        name, options = split_options(opponent)
        try:
            contestant(AgentChoice(agent=name, options=dict(options)))
        except ValueError:  # visitors may not ask for that
            return opponent, {"named": (opponent,)}
        return opponent, {}
    if not own.is_file or own.kind or own.options:
        raise HansuError(f"the page takes a file with one agent, not {opponent}: add --terminal")
    return Path(own.place).name, {"agents": Path(own.place).parent}


class Quit(Exception):
    """Raised when the person leaves the game."""


class _Terminal:
    """A game between a person and an agent in the terminal."""

    def __init__(
        self, screen: Console, state: State, yours: bool, rival: Player, seed: int | None
    ) -> None:
        self.screen, self.state, self.yours, self.rival = screen, state, yours, rival
        self.seed = secrets.randbits(63) if seed is None else seed
        self.stand_in: Agent | None = None  # plays for the person once input has ended

    def play(self) -> None:
        try:
            self._begin()
            outcome = self._until_over()
        except Quit:
            self.screen.print("Good-bye.")
            return
        except Fault as fault:
            raise HansuError(f"{self.rival.name} cannot play: {fault.evidence}") from None
        turns = len(self.state.move_stack)
        self.screen.print(f"[bold]{outcome}[/] after {turns} turn{'' if turns == 1 else 's'}.")

    def _begin(self) -> None:
        """Reset the rival to the game as it stands."""
        self.rival.reset(not self.yours, self.state.copy(), self.seed)

    def _until_over(self) -> Outcome:
        self._board()
        while (outcome := self.state.outcome()) is None:
            answer: Answer | Fault  # without a clock
            if self.state.turn == self.yours:
                answer = self._ask()
            else:
                answer = attempt(self.rival.act, self.state, None)
            verdict = judge(self.state, answer, self.rival.name)
            if isinstance(answer, Answer) and verdict.text is not None:
                self.screen.print(f"[cyan]{self.state.announce(answer.move)}[/]")
            if verdict.evidence:
                self.screen.print(verdict.evidence, style="red", markup=False)
            if verdict.outcome is not None:
                return verdict.outcome
            assert isinstance(answer, Answer)
            self.state.push(answer.move)
            self._board()
        return outcome

    def _board(self) -> None:
        self.screen.print(f"\n{self.state}\n", markup=False)

    def _ask(self) -> Answer:
        """Ask the person for a move; after the end of input play at random."""
        while self.stand_in is None:
            try:
                return Answer(ask_move(self.state))
            except EOFError:
                self.stand_in = named_agent("random", self.state.game, self.yours)
                self.stand_in.rng.seed(0)
                self.screen.print("\n(end of input: random plays for you)")
            except Command as command:
                if str(command) == "quit":
                    raise Quit from None
                self._undo()
        return Answer(self.stand_in.act(self.state.copy()))

    def _undo(self) -> None:
        """Take back the last move of both sides."""
        if len(self.state.move_stack) < 2:
            self.screen.print("There is nothing to take back yet.")
            return
        self.state.pop()
        self.state.pop()
        self._begin()
        self._board()
