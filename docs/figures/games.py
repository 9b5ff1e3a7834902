"""Figures measured by playing: random games, evaluations, steps ahead."""

import functools
import itertools

from docs.figures.words import COLORS, Figure, Score, Word, chart, score_at, score_chart

import hansu
from hansu.display.chart import Curve
from hansu.display.markup import BAD, EVEN, GOOD, joined, tag

RANDOM_GAMES = 20_000
OTHELLO_GAMES = 200
LADDER_GAMES = 200
ENGINE_GAMES, ENGINE_NODES = 40, (2, 2.5, 3, 3.5, 4)
LADDER = ("random", "one_step_search", *(f"negamax:depth={depth}" for depth in (2, 3, 4)))
TITLES = {
    "tictactoe": ("tic-tac-toe", "틱택토"),
    "connect4": ("Connect Four", "커넥트 4"),
    "hex": ("Hex 11 × 11", "헥스 11 × 11"),
    "go": ("go 9 × 9", "바둑 9 × 9"),
    "othello": ("Othello", "오셀로"),
    "microchess": ("microchess", "마이크로체스"),
}


@functools.cache
def random_results() -> dict[str, tuple[float, float, float]]:
    """Return how often the first player wins, draws and loses when both play at random."""
    found = {}
    for name in TITLES:
        wins, draws, losses, _ = hansu.playouts(hansu.game(name).start(), RANDOM_GAMES, seed=1)
        found[name] = wins / RANDOM_GAMES, draws / RANDOM_GAMES, losses / RANDOM_GAMES
    return found


def random_games(word: Word) -> str:
    """Bars: who wins random games."""
    width, row, left = 330.0, 30.0, 120.0
    parts = []
    for i, (name, shares) in enumerate(random_results().items()):
        y, x = 44 + i * row, left
        parts.append(tag("text", word(*TITLES[name]), x=left - 8, y=y + 15, text_anchor="end"))
        for share, color in zip(shares, (GOOD, EVEN, BAD), strict=True):
            parts.append(tag("rect", x=x, y=y, width=width * share, height=20, fill=color))
            if share > 0.08:
                percent = tag("tspan", f"{100 * share:.0f} %")
                middle = x + width * share / 2
                look = {"text_anchor": "middle", "fill": "#ffffff", "font_size": 12}
                parts.append(tag("text", percent, x=middle, y=y + 15, **look))
            x += width * share
    title = word("Both sides play at random", "양쪽 모두 무작위로 둘 때")
    legend = word("first player wins · draw · loses", "먼저 두는 쪽의 승 · 무 · 패")
    head = [
        tag("text", title, x=14, y=18, font_size=15, font_weight=650),
        tag("text", legend, x=left, y=36, font_size=12, opacity=0.72),
    ]
    return picture(joined(*head, *parts), left + width + 14, 44 + row * len(TITLES) + 8, title)


def picture(content: str, width: float, height: float, title: str) -> str:
    """Return an SVG file that is readable on a light and on a dark page."""
    style = "svg{color:#26251f;background:#faf9f6}@media (prefers-color-scheme:dark)"
    style += "{svg{color:#e9e7e1;background:#17181a}}"
    return tag(
        "svg",
        tag("title", title),
        tag("style", style),
        content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        font_family="system-ui, sans-serif",
        font_size=13,
        fill="currentColor",
    )


@functools.cache
def othello_leads() -> dict[str, list[tuple[float, float]]]:
    """Return after each turn how often the side that leads in something wins in the end.

    The games are those of a fair player, from random openings; ties and draws are left out.
    """
    led: dict[str, dict[int, list[bool]]] = {"discs": {}, "mobility": {}}
    result = hansu.match(
        *("othello", "abp_negamax:depth=3", "abp_negamax:depth=3", OTHELLO_GAMES),
        openings="random:8",
        seed=1,
    )
    for record in result.games:
        winner = record.outcome.winner
        state = hansu.game("othello").start_from(record.start or None)
        for text in record.moves:
            turn = 60 - state.text().count("-")
            leads = {"discs": discs(state), "mobility": mobility(state)}
            for name, lead in leads.items():
                if lead and winner is not None:
                    led[name].setdefault(turn // 4 * 4, []).append((lead > 0) == winner)
            state = state.forward(state.parse_move(text))
    return {
        name: [(t, sum(won) / len(won)) for t, won in sorted(turns.items()) if len(won) > 40]
        for name, turns in led.items()
    }


def discs(state: hansu.State) -> int:
    """Return White's discs less Black's."""
    board = state.text()[:64]
    return board.count("O") - board.count("X")


def mobility(state: hansu.State) -> int:
    """Return White's moves less Black's, as if it were the turn of each."""
    white, black = (
        hansu.game("othello").parse(f"{state.text()[:64]} {side}").legal_moves for side in "OX"
    )
    return len(list(white)) - len(list(black))


def othello_evaluation(word: Word) -> str:
    """Curves: does leading in discs, or in moves, mean winning?"""
    leads = othello_leads()
    names = {"discs": ("discs", "돌 수"), "mobility": ("moves", "둘 곳의 수")}
    curves = [
        Curve(word(*names[key]), leads[key], color, filled=[True] * len(leads[key]))
        for key, color in zip(names, COLORS, strict=False)
    ]
    return chart(
        word("Who leads, and who wins?", "앞선 쪽이 이길까요?"),
        word(
            "games won by the side that leads in …, by discs played",
            "…에서 앞선 쪽이 이긴 비율, 둔 돌의 수에 따라",
        ),
        curves,
        x_name=word("discs", "돌"),
        y_text=lambda y: f"{100 * y:.0f} %",
        level=0.5,
    )


@functools.cache
def ladder_scores() -> list[Score]:
    """Return the score and its interval of each agent of microchess against the one before it."""
    return [
        score_at(depth, "microchess", stronger, weaker, LADDER_GAMES)
        for depth, (weaker, stronger) in enumerate(itertools.pairwise(LADDER), 1)
    ]


def steps_ahead(word: Word) -> str:
    """Points with error bars: looking one ply further, against looking less far."""
    return score_chart(
        word("One ply more", "한 플라이 더"),
        word(
            "score of d plies against d − 1 (0: random), 200 games",
            "d플라이 대 d − 1플라이(0은 무작위)의 득점률, 200판",
        ),
        {"": ladder_scores()},
        "d",
    )


@functools.cache
def engine_scores() -> list[Score]:
    """Return how Stockfish scores against Fairy-Stockfish, by the nodes that both search."""
    found: list[Score] = []
    for exponent in ENGINE_NODES:
        limit = f"nodes={10**exponent:.0f},move_time=none"
        players = f"stockfish:{limit}", f"fairy_stockfish:{limit}"
        found.append(score_at(exponent, "microchess", *players, ENGINE_GAMES, openings="random:2"))
    return found


def engines(word: Word) -> str:
    """Points with error bars: an engine that knows our rules against one that does not."""
    return score_chart(
        word("Searching more is not knowing more", "더 읽는다고 더 아는 것은 아닙니다"),
        word(
            "Stockfish against Fairy-Stockfish, 10^x nodes each, 40 games",
            "양쪽 모두 10^x노드, Fairy-Stockfish 상대 Stockfish의 득점률, 40판",
        ),
        {"": engine_scores()},
        "x",
    )


FIGURES: dict[str, Figure] = {
    "random_games": random_games,
    "othello_evaluation": othello_evaluation,
    "steps_ahead": steps_ahead,
    "engines": engines,
}
