"""``human``: a person at the terminal."""

from typing import Any

from hansu.agents.agent import Agent
from hansu.errors import MoveError
from hansu.games.state import RESIGN, State, check_running

HELP = "type a move, or: moves (list them), undo, resign, quit"


class Command(Exception):
    """Raised for a command instead of a move: "undo" or "quit"."""


def ask_move(state: State) -> Any:
    """Ask for a legal move at the terminal; raises Command, or EOFError at the end of input."""
    while True:
        text = input("your move> ").strip()
        if text == "resign":
            return RESIGN
        if text in ("undo", "quit"):
            raise Command(text)
        if text == "moves":
            print(" ".join(state.move_text(move) for move in state.legal_moves))
        elif text in ("", "help", "?"):
            print(HELP)
        else:
            try:
                return state.parse_move(text)
            except MoveError as error:
                print(error)


class Human(Agent):
    """A person who types moves. At the end of input, or on ``quit``, the person resigns."""

    def act(self, state: State) -> Any:
        """Show the board and ask."""
        check_running(state)
        print(f"\n{state}\n")
        while True:
            try:
                return ask_move(state)
            except (EOFError, KeyboardInterrupt):
                return RESIGN
            except Command as command:
                if str(command) == "quit":
                    return RESIGN
                print("A move cannot be taken back here.")
