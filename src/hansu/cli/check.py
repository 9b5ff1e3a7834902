"""``hansu check``: would my agent be disqualified?"""

import json
from contextlib import closing
from typing import Annotated

import typer

from hansu.agents.loading import reference
from hansu.arena.agent_check import check_agent
from hansu.arena.seat import seat
from hansu.cli.arguments import (
    JsonOption,
    NoIsolationOption,
    SaveOption,
    SeedOption,
    TrustOption,
    isolation_of,
)
from hansu.cli.terminal import Console
from hansu.games.game import game
from hansu.records.game_file import GameFile


def check(
    path: Annotated[
        str,
        typer.Argument(help="Agent: ./my_agent.py, my_module.MyAgent, ./my_program, uci:COMMAND."),
    ],
    which: Annotated[str, typer.Option("--game", "-g", help="Game to play.")] = "microchess",
    seed: SeedOption = 0,
    no_isolation: NoIsolationOption = False,
    trust: TrustOption = False,
    save: SaveOption = None,
    as_json: JsonOption = False,
) -> None:
    """Stress-test an agent in the sandbox and list what would disqualify it.

    Exit status 1: something was found.
    """
    chosen = game(which)
    screen = Console(highlight=False, markup=False, quiet=as_json)
    findings = []
    isolation = isolation_of(no_isolation, trust)
    is_untrusted = isolation == "required"  # engines by command too: they are to be submitted
    with closing(seat(path, chosen, is_untrusted, isolation)) as player:
        for situation, finding in check_agent(player, chosen, seed):
            mark = "ok  " if finding is None else "LOST"
            screen.print(f"{mark}  {situation.name}", style="" if finding is None else "red")
            if finding is not None:
                screen.print(f"      {finding.reason}: {finding.evidence}")
                findings.append(finding)
    if save is not None and findings:
        GameFile(save).write([finding.record for finding in findings])
        own = reference(path)
        is_program = own is None or own.is_program  # Python's debugger sees nothing of it
        what = "to see it" if is_program else "to stop there in the debugger"
        for number, finding in enumerate(findings, 1):
            at = f"--game {number} --at {len(finding.record.turns)}"
            debugged = "" if is_program else f" --debug {path} --trust"
            screen.print(f"{what}: hansu replay {save} {at}{debugged}")
    if as_json:
        facts = {
            "agent": path,
            "game": str(chosen),
            "isolation": player.isolation,
            "findings": [finding.facts() for finding in findings],
        }
        typer.echo(json.dumps(facts))
    elif not findings:
        screen.print("Nothing found that would disqualify it.", style="green")
    if findings:
        raise typer.Exit(1)
