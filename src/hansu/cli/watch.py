"""``hansu watch``: one game between two agents, printed turn by turn."""

import json
import time
from typing import Annotated, Any

import typer

from hansu.agents.agent import Answer
from hansu.arena.play_game import play_game
from hansu.arena.seeds import event_seed
from hansu.cli.arguments import (
    AgentArgument,
    EventSeedOption,
    GameArgument,
    IncrementOption,
    JsonOption,
    MoveSecondsOption,
    NoIsolationOption,
    PositionOption,
    SaveOption,
    SecondsOption,
    TrustOption,
    UntrustedOption,
    isolation_of,
    read_text,
    start_state,
)
from hansu.cli.terminal import Console
from hansu.games.game import COLOR_NAMES, WHITE
from hansu.games.state import RESIGN, State
from hansu.records.game_file import GameFile
from hansu.records.record import GameRecord, written


def watch(
    which: GameArgument,
    first: AgentArgument,
    second: AgentArgument,
    position: PositionOption = None,
    turns: Annotated[int | None, typer.Option(min=1, help="Turn limit.")] = None,
    seconds: SecondsOption = 400.0,
    move_seconds: MoveSecondsOption = None,
    increment: IncrementOption = 0.0,
    delay: Annotated[float, typer.Option(min=0, help="Seconds to wait after each move.")] = 0.0,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print moves and result only.")
    ] = False,
    seed: EventSeedOption = None,
    save: SaveOption = None,
    no_isolation: NoIsolationOption = False,
    trust: TrustOption = False,
    untrusted: UntrustedOption = False,
    as_json: JsonOption = False,
) -> None:
    """Watch one game between two agents; FIRST moves first."""
    text = None if position is None else read_text(position)
    file = GameFile(save) if save else None
    seed = event_seed(seed)
    if file:
        start = start_state(which, position)
        color = start.game.first_color
        unplayed = GameRecord(str(start.game), first, second, start.text(), color, seed)
        file.check([unplayed])
    screen = Console(highlight=False, markup=False)

    def report(state: State, answer: Answer, used: float) -> None:
        if as_json:
            typer.echo(json.dumps(turn_facts(state, answer, used)))
        elif quiet:
            screen.print(f"{len(state.move_stack) + 1:>3}. {state.announce(answer.move)}")
        else:
            _tell_turn(screen, state, answer, used)
        time.sleep(delay)

    record = play_game(
        which,
        first,
        second,
        position=text,
        max_turns=turns,
        seconds=seconds,
        move_seconds=move_seconds,
        increment=increment,
        seed=seed,
        isolation=isolation_of(no_isolation, trust),
        untrusted=untrusted,
        watch=report,
    )
    if file:
        file.write([record])
    if as_json:
        typer.echo(json.dumps(result_facts(record)))
    else:
        _tell_result(screen, record)


def turn_facts(state: State, answer: Answer, used: float) -> dict[str, Any]:
    """Return one turn as JSON facts; the state is the one before the move."""
    move = answer.move
    counted = [line for line in answer.info.lines if line.tally] if answer.info else []
    return {
        "turn": len(state.move_stack) + 1,
        "player": COLOR_NAMES[state.turn],
        "move": written(state, move),
        "seconds": round(used, 6),
        "white_remain_sec": finite(state.white_remain_sec),
        "black_remain_sec": finite(state.black_remain_sec),
        "evaluation": round(state.game.evaluator.eval(state, WHITE), 4),
        "position": (state if move is RESIGN else state.forward(move)).text(),
        **({"moves": [line.facts() for line in counted]} if counted else {}),
    }


def result_facts(record: GameRecord) -> dict[str, Any]:
    """Return the result as JSON facts."""
    return {
        "winner": COLOR_NAMES[record.outcome.winner],
        "reason": record.outcome.reason,
        "turns": len(record.turns),
        "first": record.first,
        "second": record.second,
        "score_first": record.score_first,
        "margin": record.outcome.margin,
        "evidence": record.evidence or None,
        "position": record.final,
        "seed": record.seed,
        "isolation": record.isolation,
    }


def finite(seconds: float) -> float | None:
    """Return seconds as JSON holds them; None without a limit."""
    return None if seconds == float("inf") else round(seconds, 3)


def _tell_turn(screen: Console, state: State, answer: Answer, used: float) -> None:
    side, share = COLOR_NAMES[state.turn], state.game.evaluator.eval(state, state.turn)
    screen.print(f"\n{state}\n")
    screen.print(f"turn {len(state.move_stack) + 1}, {side} to move", style="bold")
    screen.print(f"position    {state.text()}")
    screen.print(f"evaluation  {share:.2f} for {side}")
    clocks = (state.white_remain_sec, state.black_remain_sec)
    screen.print("seconds     white {:.1f}, black {:.1f}".format(*clocks))
    for row in answer.info.tally_rows() if answer.info else []:
        screen.print(row)
    screen.print(f"{state.announce(answer.move)}   ({used:.3f} s)", style="cyan")


def _tell_result(screen: Console, record: GameRecord) -> None:
    screen.print(f"\nfinal position  {record.final}")
    players = f"white {record.player(True)}, black {record.player(False)}"
    screen.print(f"{record.outcome}: {players}", style="bold")
    first, second = record.score_first, 1 - record.score_first
    score = f"{record.first} {first:g} : {second:g} {record.second}"
    turns = len(record.turns)
    counted = f"{turns} turn{'' if turns == 1 else 's'}"
    screen.print(f"score {score}, {counted}, {record.outcome.reason}")
    if record.evidence:
        screen.print(f"disqualified: {record.evidence}", style="red")
