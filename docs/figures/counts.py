"""Figures counted by searching: sizes of trees, nodes with and without pruning, the horizon."""

import functools
import math

from docs.figures.words import COLORS, Figure, Word, chart

import hansu
from hansu.display.chart import Curve
from hansu.search.negamax import search
from hansu.search.perft import perft

DEPTHS = range(1, 8)
HORIZON = "k2r/pb2/3N/B1n1/R2K w Kk - 4 4"
"""White can take the rook with the bishop, or the knight with the king."""


def power(exponent: float) -> str:
    """Return a power of ten as people write it.

    >>> power(2), power(6)
    ('100', '10⁶')
    """
    short = f"{10**exponent:.0f}"
    return short if len(short) < 5 else f"10{'⁰¹²³⁴⁵⁶⁷⁸⁹'[round(exponent)]}"


@functools.cache
def sequences() -> list[int]:
    """Return the number of move sequences of microchess by their length."""
    start = hansu.game("microchess").start()
    return [perft(start, depth) for depth in range(1, 9)]


def microchess_size(word: Word) -> str:
    """Curves: sequences of moves against powers of 10."""
    counted = [(d, math.log10(n)) for d, n in enumerate(sequences(), 1)]
    dots = [True] * len(counted)
    return chart(
        word("How big is microchess?", "마이크로체스는 얼마나 클까요?"),
        word("sequences of moves", "수순의 개수"),
        [
            Curve(word("counted", "센 값"), counted, COLORS[0], filled=dots),
            Curve("10^d", [(d, float(d)) for d, _ in counted], COLORS[1], dashed=True),
        ],
        x_name=word("plies", "플라이"),
        y_text=power,
        zero=True,
    )


@functools.cache
def node_counts() -> tuple[list[int], list[int]]:
    """Return the nodes of negamax and of alpha-beta from the start of microchess, by depth."""
    start = hansu.game("microchess").start()
    plain, pruned = (
        [search(start, depth, prune).nodes for depth in DEPTHS] for prune in (False, True)
    )
    return plain, pruned


def pruning(word: Word) -> str:
    """Curves: nodes with and without pruning."""
    names = (word("negamax", "네가맥스"), word("alpha–beta", "알파–베타"))
    curves = [
        Curve(name, [(d, math.log10(n)) for d, n in zip(DEPTHS, counts, strict=True)], color)
        for name, counts, color in zip(names, node_counts(), COLORS, strict=False)
    ]
    return chart(
        word("The same answer for fewer nodes", "더 적은 노드로 같은 답을"),
        word("nodes from the start of microchess", "마이크로체스 시작 국면의 노드 수"),
        curves,
        x_name=word("plies", "플라이"),
        y_text=power,
        zero=True,
    )


def horizon(word: Word) -> str:
    """Curves: what two captures are worth by the depth of the search."""
    state = hansu.game("microchess").parse(HORIZON)
    values: dict[str, list[tuple[float, float]]] = {"a2d5": [], "d1c2": []}
    for depth in DEPTHS:
        for line in search(state, depth, prune=False).lines:
            if line.text in values:
                values[line.text].append((depth, line.value))
    names = {
        "a2d5": word("takes the rook", "룩 잡기"),
        "d1c2": word("takes the knight", "나이트 잡기"),
    }
    curves = [
        Curve(names[move], points, color, filled=[True] * len(points))
        for (move, points), color in zip(values.items(), COLORS[1::-1], strict=False)
    ]
    return chart(
        word("What a capture is worth", "잡는 수의 평가"),
        word("White's win probability", "백의 평가(승률)"),
        curves,
        x_name=word("plies", "플라이"),
        level=0.5,
    )


def board(position: str) -> Figure:
    """Return a figure that shows a position of microchess."""
    return lambda word: hansu.game("microchess").parse(position).svg(size=260, ground=True)


def ko_board(word: Word) -> str:
    """Show a ko on a small board of go, the last stone marked."""
    state = hansu.game("go:size=5").start()
    for text in ("b4", "c4", "a3", "d3", "b2", "c2", "c3", "b3"):
        state.push(state.parse_move(text))
    return state.svg(size=260, ground=True)


FIGURES: dict[str, Figure] = {
    "ko_board": ko_board,
    "microchess_size": microchess_size,
    "pruning": pruning,
    "horizon": horizon,
    "horizon_board": board(HORIZON),
    "start_board": board("knbr/p3/4/3P/RBNK w Kk - 0 1"),
}
