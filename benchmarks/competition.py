"""How long a competition of 200 participants takes to draw its pairs, and to show itself.

python -m benchmarks.competition
"""

import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from hansu.arena.competition.adaptive import Fit, Score
from hansu.arena.competition.bundle import Bundle
from hansu.arena.competition.disclosure import CompetitionView
from hansu.arena.competition.register import Register
from hansu.arena.competition.service import CompetitionService
from hansu.arena.competition.settings import FILE, read_competition
from hansu.arena.competition.template import new_competition
from hansu.arena.executor import Seats
from hansu.arena.ratings import Rating
from hansu.arena.tournament.database import GAMES
from hansu.arena.tournament.ledger import Ledger
from hansu.arena.tournament.plan import Plan
from hansu.arena.tournament.schedule import ScheduledGame
from hansu.games.state import Outcome
from hansu.records.record import GameRecord, Turn

PARTICIPANTS, GAMES_PLAYED = 200, 10_000


def draws() -> None:
    """Draw rounds as a competition does, and print the time of each decision."""
    rng = np.random.default_rng(0)
    strengths = rng.normal(0.0, 1.5, PARTICIPANTS)
    players, scores = list(range(PARTICIPANTS)), list[Score]()
    fits, decisions = [], []
    while 2 * len(scores) < GAMES_PLAYED:
        begin = time.perf_counter()
        fit = Fit(players, scores)
        middle = time.perf_counter()
        drawn = fit.draw(players, 30.0, PARTICIPANTS // 2)
        end = time.perf_counter()
        fits.append(middle - begin)
        decisions.append((end - begin) / len(drawn))
        for a, b in drawn:
            chance = 1.0 / (1.0 + np.exp(strengths[b] - strengths[a]))
            scores.append(Score(a, b, float((rng.random(2) < chance).sum()), 2))
    print(f"{PARTICIPANTS} participants, {len(decisions)} rounds of {PARTICIPANTS // 2} encounters")
    told = 1000 * statistics.median(fits), 1000 * max(fits)
    print(f"fit of all games: median {told[0]:.1f} ms, at most {told[1]:.1f} ms")
    told = 1000 * statistics.median(decisions), 1000 * max(decisions)
    print(f"a decision, its share of the fit included: {told[0]:.2f} ms, at most {told[1]:.2f} ms")


def shows() -> None:
    """Fill a database and print how long the page's answers take."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "cup")
        new_competition(folder, "connect4")
        register = Register(folder, read_competition(folder))
        _fill(register)
        view = CompetitionView(register)
        answers: dict[str, Callable[[CompetitionView], object]] = {
            "first answer": CompetitionView.facts,
            "leaderboard": CompetitionView.facts,
            "cross-table": CompetitionView.cross,
            "history": CompetitionView.history,
            "list of games": lambda view: view.games("rating"),
            "own page": lambda view: view.own("p7"),
        }
        for what, ask in answers.items():
            begin = time.perf_counter()
            view.update()
            ask(view)
            print(f"{what}: {1000 * (time.perf_counter() - begin):.0f} ms")


def _fill(register: Register) -> None:
    rng, ledger = random.Random(0), Ledger(register.database)
    ledger.enter(Plan("connect4", (), 1, "round-robin", None, None, 60, None, 0.0, 1, True))
    for number in range(PARTICIPANTS):
        register.submit(f"p{number}", Bundle({"agent.py": f"# {number}".encode()}), "command")
    for entry in register.entries().values():
        register.decide(entry, "accepted", {})
    names = [entry.name for entry in register.entries().values()]
    rows = []
    for number in range(GAMES_PLAYED):
        first, second = rng.sample(names, 2)
        turns = [Turn(str(rng.randint(1, 7)), 0.1) for _ in range(30)]
        record = GameRecord("connect4", first, second, str(number // 2), True, number, turns)
        record.outcome = Outcome(rng.random() < 0.5, "line")
        facts = {"tournament": ledger.name, "number": number, "first": first, "second": second}
        facts |= {"score_first": record.score_first, "reason": "line", "record": record.as_json()}
        rows.append(facts)
    register.database.change(lambda at: at.execute(GAMES.insert(), rows))
    for round in range(100):
        rated = {n: Rating(rng.gauss(0, 200), 50.0) for n in range(PARTICIPANTS)}
        register.draw(round, [(0, 1)], rated)


def busy(workers: int = 2, seconds: float = 40.0) -> None:
    """Run a competition for a while and print how much of the time its workers played games.

    Counted in the workers themselves, so that it tells the same on a machine with other work.
    """
    with tempfile.TemporaryDirectory() as place:
        folder, notes = Path(place, "cup"), Path(place, "notes")
        text = new_competition(folder, "connect4").read_text()
        staff = "".join(
            f'[[staff]]\nname = "s{n}"\nagent = "mcts:n_simulations={2000 * n}"\n'
            for n in range(1, 7)
        )
        text = text[: text.index("[[staff]]")].replace("precision = 30 ", "precision = 1 ")
        (folder / FILE).write_text(text + staff)
        play = Seats.play

        def noted(seats: Seats, game: ScheduledGame) -> GameRecord:
            begin = time.monotonic()
            record = play(seats, game)
            with notes.open("a") as out:
                out.write(f"{os.getpid()} {begin} {time.monotonic()}\n")
            return record

        Seats.play = noted  # type: ignore[method-assign, assignment]
        try:
            end = time.monotonic() + seconds
            CompetitionService(folder, workers).run(stop=lambda: time.monotonic() > end)
        finally:
            Seats.play = play  # type: ignore[method-assign]
        lines = [line.split() for line in notes.read_text().splitlines()]
        share = 0.0
        for worker in {pid for pid, _, _ in lines}:
            spans = [(float(begin), float(end)) for pid, begin, end in lines if pid == worker]
            played = sum(end - begin for begin, end in spans)
            share += played / (spans[-1][1] - spans[0][0]) / workers
        print(f"{workers} workers, {len(lines)} games: busy {100 * share:.1f} % of the time")


if __name__ == "__main__":
    draws()
    shows()
    busy()
