"""Figures about chance: bandits, random games as an opinion, evaluations against the truth."""

import functools
import itertools
import math
import random
from collections.abc import Iterator

import numpy as np
from docs.figures.words import COLORS, Figure, Score, Word, chart, score_at, score_chart

import hansu
from hansu.arena.accuracy import Accuracy, accuracies
from hansu.display.chart import Curve
from hansu.search.negamax import search
from hansu.search.solve import make_solver
from hansu.statistics.elo import score_of

ARMS, PULLS, RUNS = 10, 20_000, 400
POSITIONS = 200
FLAT_GAMES = 100
MATCH_LENGTHS = (4, 10, 20, 50, 100, 200, 500, 1000, 2000)


@functools.cache
def regrets() -> dict[str, list[tuple[float, float]]]:
    """Return the mean regret of three ways to choose an arm, by the number of pulls."""
    return {name: _regret(name, seed) for seed, name in enumerate(("greedy", "epsilon", "ucb"))}


def _regret(name: str, seed: int) -> list[tuple[float, float]]:
    """Pull in many runs at once; every arm is tried once first."""
    rng = np.random.default_rng(seed)
    means = rng.random((RUNS, ARMS))
    best, runs = means.max(axis=1), np.arange(RUNS)
    won, pulled = np.zeros((RUNS, ARMS)), np.zeros((RUNS, ARMS))
    total, points = 0.0, []
    for t in range(PULLS):
        if t < ARMS:
            arm = np.full(RUNS, t)
        else:
            width = np.sqrt(2 * np.log(t) / pulled) if name == "ucb" else 0.0
            arm = np.argmax(won / pulled + width, axis=1)
            if name == "epsilon":
                tries = rng.random(RUNS) < 0.1
                arm = np.where(tries, rng.integers(ARMS, size=RUNS), arm)
        won[runs, arm] += rng.random(RUNS) < means[runs, arm]
        pulled[runs, arm] += 1
        total += float((best - means[runs, arm]).mean())
        if (t + 1) % 500 == 0:
            points.append((float(t + 1), total))
    return points


def bandits(word: Word) -> str:
    """Curves: what is lost by not knowing the best arm."""
    names = {
        "greedy": word("greedy", "탐욕"),
        "epsilon": word("ε-greedy 0.1", "ε-탐욕 0.1"),
        "ucb": "UCB1",
    }
    curves = [
        Curve(names[key], points, color)
        for (key, points), color in zip(regrets().items(), COLORS[1::-1] + COLORS[2:], strict=False)
    ]
    return chart(
        word("Ten arms", "슬롯머신 열 대"),
        word("regret: wins lost so far, mean of 400 runs", "후회(놓친 승리 수), 400번의 평균"),
        curves,
        x_name=word("pulls", "회"),
        zero=True,
    )


@functools.cache
def accuracy() -> list[tuple[float, float]]:
    """Return by depth how often a search of Connect Four keeps what a position is worth."""
    rng, game = random.Random(1), hansu.game("connect4")
    kept = [0] * 8
    for state, right in itertools.islice(_undecided(game, rng), POSITIONS):
        for depth in range(1, 9):
            kept[depth - 1] += search(state, depth, True, shuffle=rng).lines[0].text in right
    return [(depth, count / POSITIONS) for depth, count in enumerate(kept, 1)]


def _undecided(game: hansu.Game, rng: random.Random) -> Iterator[tuple[hansu.State, set[str]]]:
    """Yield positions of random games with 20 stones, and the right moves where some are wrong."""
    solver = make_solver(game, 64)
    while True:
        state = game.start()
        while len(state.move_stack) < 20 and not state.is_game_over():
            state.push(rng.choice(list(state.legal_moves)))
        if state.is_game_over():
            continue
        truth = hansu.solve(state, hansu.Limits(exact=True), threads=1, solver=solver)
        right = {move.text for move in truth.moves if move.value == truth.value}
        if len(right) < len(truth.moves):
            yield state, right


def misleading(word: Word) -> str:
    """Points: the share of right moves by depth."""
    points = accuracy()
    curve = Curve("", points, COLORS[0], filled=[True] * len(points))
    return chart(
        word("How often is the best-looking move right?", "가장 좋아 보이는 수는 얼마나 맞을까요?"),
        word(
            "moves that keep the value, 200 positions of Connect Four",
            "국면의 가치를 지킨 비율, 커넥트 4 국면 200개",
        ),
        [curve],
        x_name=word("plies", "플라이"),
        y_text=lambda y: f"{100 * y:.0f} %",
    )


@functools.cache
def flat_scores() -> list[Score]:
    """Return the score of flat Monte Carlo against ``one_step_search`` by games per move."""
    found = []
    for exponent, games in enumerate((3, 10, 30, 100, 300, 1000)):
        flat = f"pure_mc:batches=1,batch={games}"
        x = 0.5 + 0.5 * exponent
        found.append(score_at(x, "connect4", flat, "one_step_search", FLAT_GAMES))
    return found


def flat_strength(word: Word) -> str:
    """Points with error bars: more random games, more strength."""
    return score_chart(
        word("More random games", "무작위 대국을 늘리면"),
        word(
            "score against one_step_search; games per move 10^x",
            "one_step_search 상대 득점률, 수마다 10^x판",
        ),
        {"": flat_scores()},
        "x",
    )


@functools.cache
def mcts_accuracies() -> list[tuple[float, Accuracy]]:
    """Return by simulations, as a power of ten, how accurately ``mcts`` plays Connect Four."""
    found = []
    for exponent in (1.0, 1.5, 2.0, 2.5, 3.0, 3.5):
        agent = f"mcts_dev:n_simulations={10**exponent:.0f}"
        games = hansu.match("connect4", agent, agent, 20, openings="random:2", seed=1).games
        found.append((exponent, accuracies(games)[agent]))
    return found


def accuracy_of_mcts(word: Word) -> str:
    """Points with error bars of 95 %: the share of moves that keep the value."""
    points = [(x, kept.share) for x, kept in mcts_accuracies()]
    errors = [1.96 * math.sqrt(k.share * (1 - k.share) / k.judged) for _, k in mcts_accuracies()]
    bars = [(y - error, y + error) for (_, y), error in zip(points, errors, strict=True)]
    curve = Curve("", points, COLORS[0], bars=bars, filled=[True] * len(points), line=False)
    return chart(
        word("How accurate is mcts?", "mcts는 얼마나 정확할까요?"),
        word(
            "moves that keep the value, 10^x simulations",
            "국면의 가치를 지킨 비율, 시뮬레이션 10^x번",
        ),
        [curve],
        x_name="x",
        y_text=lambda y: f"{100 * y:.0f} %",
    )


def weaker_ahead(word: Word) -> str:
    """Curves: how often the weaker player is level or ahead, by the number of games."""
    curves = []
    for elo, color in zip((20, 50, 100), COLORS, strict=False):
        chance = 1.0 - score_of(elo)
        points = [(math.log10(n), _at_least_half(n, chance)) for n in MATCH_LENGTHS]
        curves.append(Curve(f"{elo} Elo", points, color, filled=[True] * len(points)))
    return chart(
        word("Who is ahead?", "누가 앞설까요?"),
        word(
            "the weaker player is level or ahead after 10^x games",
            "10^x판 뒤에 약한 쪽이 비기거나 앞설 확률",
        ),
        curves,
        x_name="x",
        y_text=lambda y: f"{100 * y:.0f} %",
        zero=True,
    )


def _at_least_half(games: int, chance: float) -> float:
    """Return how likely a player with a chance in each game wins half of them or more."""
    terms = (
        math.lgamma(games + 1)
        - math.lgamma(won + 1)
        - math.lgamma(games - won + 1)
        + won * math.log(chance)
        + (games - won) * math.log1p(-chance)
        for won in range((games + 1) // 2, games + 1)
    )
    return math.fsum(map(math.exp, terms))


FIGURES: dict[str, Figure] = {
    "weaker_ahead": weaker_ahead,
    "accuracy": accuracy_of_mcts,
    "bandits": bandits,
    "misleading": misleading,
    "flat_strength": flat_strength,
}
