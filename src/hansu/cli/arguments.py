"""Arguments and options that several commands share."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from hansu.arena.choose_executor import Place
from hansu.arena.seat import Isolation
from hansu.cli.completion import complete_agent, complete_game
from hansu.errors import HansuError, OptionError, why
from hansu.games.game import game
from hansu.games.state import State

GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="Game, with options after a colon: go:size=5,komi=0.5.",
        autocompletion=complete_game,
    ),
]
PositionOption = Annotated[
    str | None,
    typer.Option("--position", "-p", help="Position: FEN, SGF, transcript …; @FILE reads a file."),
]
AgentArgument = Annotated[
    str,
    typer.Argument(
        help="Agent: mcts:n_simulations=500, ./my_agent.py, my_module.MyAgent.",
        autocompletion=complete_agent,
    ),
]
SecondsOption = Annotated[float, typer.Option(min=0.001, help="Seconds per player per game.")]
MoveSecondsOption = Annotated[float | None, typer.Option(min=0.001, help="Seconds per move.")]
IncrementOption = Annotated[float, typer.Option(min=0, help="Seconds added after each move.")]
OpeningsOption = Annotated[
    str | None,
    typer.Option(
        help="FILE with one position per line, or random:N plies; each is played with both colours."
    ),
]
ConcurrencyOption = Annotated[
    int | None,
    typer.Option(
        min=1, help="Games played at the same time; by default 1, on a cluster one per core."
    ),
]
OnOption = Annotated[
    Place, typer.Option("--on", help="Play here, or on the machines of a Ray cluster.")
]
SeedOption = Annotated[int, typer.Option(help="Random seed; the same seed plays the same games.")]
EventSeedOption = Annotated[
    int | None,
    typer.Option(
        help="Random seed; the same seed plays the same games, and agents can guess a short one. "
        "By default secret, and told with the results."
    ),
]
SaveOption = Annotated[
    Path | None,
    typer.Option(help="Save the games; the ending names the format: .jsonl, .pgn, .sgf, .ggf …"),
]
NoIsolationOption = Annotated[
    bool,
    typer.Option(
        "--no-isolation", help="Run agent files as plain processes with your rights; never as root."
    ),
]
TrustOption = Annotated[
    bool,
    typer.Option(
        "--trust", help="Run agent files in this process with all your rights: code you know."
    ),
]
UntrustedOption = Annotated[
    bool,
    typer.Option("--untrusted", help="Isolate engines by command, too; refuse what cannot be."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def isolation_of(no_isolation: bool, trust: bool) -> Isolation:
    """How agent files are to run."""
    if no_isolation and trust:
        raise OptionError("--no-isolation and --trust are two ways to run an agent: choose one")
    return "process" if no_isolation else "trusted" if trust else "required"


def start_state(which: str, position: str | None) -> State:
    """Return the state that a command works on."""
    return game(which).start_from(None if position is None else read_text(position))


def read_text(text: str) -> str:
    """Return the text itself, or the content of the file that ``@FILE`` names."""
    if not text.startswith("@"):
        return text
    try:
        with open(text[1:], encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise HansuError(f"cannot read {text[1:]}: {why(error)}") from None


def write_text(file: Path, text: str) -> None:
    """Write a file; raises HansuError."""
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise HansuError(f"cannot write {file}: {error.strerror}") from None


def standard_input_lines() -> Iterator[str]:
    """Yield the lines of standard input as they come, without their ends."""
    for line in sys.stdin:
        yield line.rstrip("\r\n")
