"""``hansu analyze``: the best moves of a position."""

import json
from pathlib import Path
from typing import Annotated

import typer

from hansu.agents.agent_life import AgentLife
from hansu.arena.analysis import analyse
from hansu.arena.isolated_agent import IsolatedAgent
from hansu.arena.seat import load_agent
from hansu.cli.arguments import (
    GameArgument,
    JsonOption,
    NoIsolationOption,
    PositionOption,
    SeedOption,
    TrustOption,
    isolation_of,
    start_state,
    write_text,
)
from hansu.cli.completion import complete_agent
from hansu.cli.terminal import Console
from hansu.errors import HansuError
from hansu.search.limits import Limits, SearchHandle
from hansu.search.tree_text import tree_text
from hansu.search.view import History, SearchView
from hansu.web.viewer_file import viewer_file


def analyze(
    which: GameArgument,
    position: PositionOption = None,
    who: Annotated[
        str,
        typer.Option("--agent", "-a", help="Agent to analyse with.", autocompletion=complete_agent),
    ] = "engine",
    seconds: Annotated[float, typer.Option(min=0.001, help="Seconds to search.")] = 5.0,
    seed: SeedOption = 0,
    no_isolation: NoIsolationOption = False,
    trust: TrustOption = False,
    as_json: JsonOption = False,
    html: Annotated[Path | None, typer.Option(help="Save the search viewer as HTML.")] = None,
    language: Annotated[str, typer.Option(help="Language of that file, such as ko.")] = "en",
    tree: Annotated[
        int, typer.Option(min=0, metavar="DEPTH", help="Print the search tree to this depth.")
    ] = 0,
) -> None:
    """Analyse a position: every move with its value and principal variation.

    Values are win probabilities of the side to move, from 0 (lost) to 1 (won); what is proved is
    marked, with the score as the game counts it.
    """
    state = start_state(which, position)
    if (outcome := state.outcome()) is not None:
        raise HansuError(f"there is nothing to analyze: the game is over, {outcome}")
    isolation = isolation_of(no_isolation, trust)
    with AgentLife(load_agent(who, state.game, isolation)) as life:
        life.begin_game(state, seed=seed)
        history = History()
        handle = SearchHandle(history.add if html else None)
        info = analyse(life.agent, state, Limits(seconds, exact=True), handle)
        view = SearchView(state, info, handle.tree, who, history)
        if html:
            write_text(html, viewer_file(view, language))
        drawn = tree_text(view, tree) if tree else ""
        level = life.agent.isolation if isinstance(life.agent, IsolatedAgent) else "trusted"
    if as_json:
        typer.echo(json.dumps({**info.facts(), "isolation": level}))
        return
    screen = Console(highlight=False, markup=False)
    screen.print(f"{state}\n")
    screen.print(f"{who} plays {info.lines[0].text}", style="bold")
    screen.print(str(info))
    if drawn:
        screen.print(f"\n{drawn}", soft_wrap=True)
