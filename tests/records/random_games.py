"""Records of random games, with everything a record can hold."""

import random

import hansu
from hansu.games.state import Outcome
from hansu.records.record import GameRecord, TimeControl, Turn

NAMES = ["mcts:n_simulations=500", "Café", "한 수", 'the "best" one', "a ] b \\ c", "x(;y)"]
CONTROLS = [
    TimeControl(),
    TimeControl(60.5, increment=2.0),
    TimeControl(None),
    TimeControl(None, 5.0),
    TimeControl(300.0, 2.5, 0.25),
]


def random_record(game: str, seed: int) -> GameRecord:
    """A random game, from the start or an opening, to its end or to some fault before it."""
    rng = random.Random(f"{game} {seed}")
    chosen = hansu.game(game)
    opening = chosen.start()
    for _ in range(rng.choice([0, 0, 0, 2])):  # no game is over before
        opening.push(rng.choice(list(opening.legal_moves)))
    first, second = rng.sample(NAMES, 2)
    record = GameRecord(
        game=str(chosen),
        first=first,
        second=second,
        start=opening.text(),
        first_color=chosen.first_color,
        seed=rng.randrange(10**12),
        control=rng.choice(CONTROLS),
        isolation=rng.choice([None, ("isolated", "trusted"), ("process", "isolated")]),
    )
    state = chosen.parse(record.start)
    stop = rng.choice([1000, 1000, 0, 5])
    while not state.is_game_over() and len(record.turns) < stop:
        move = rng.choice(list(state.legal_moves))
        value = round(rng.uniform(0.01, 0.99), 4) if rng.random() < 0.5 else None
        depth, nodes = rng.choice([(None, None), (7, 10**6), (None, 30), (0, 0)])
        seconds = rng.randrange(300) / 1000
        record.turns.append(Turn(state.move_text(move), seconds, value, depth, nodes))
        state.push(move)
    record.outcome = state.outcome() or _cut_short(rng, record, state.turn)
    record.final = state.text()
    return record


def _cut_short(rng: random.Random, record: GameRecord, turn: bool) -> Outcome:
    """An end that the board does not know of."""
    reason = rng.choice(["resignation", "timeout", "crash", "unfinished"])
    if reason == "resignation":
        record.turns.append(Turn("resign"))
    if reason == "crash":
        record.evidence = 'mine: ZeroDivisionError: "on" purpose [at] C:\\mine.py:3'
    return Outcome(None if reason == "unfinished" else not turn, reason)
