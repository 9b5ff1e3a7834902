"""Swiss pairing: equal scores meet, and no pairing repeats while it can be avoided.

Pairing a round is finding the perfect matching of least cost, which networkx does exactly.
"""

import random
from collections import Counter
from collections.abc import Sequence

Pairing = tuple[int, int]
Bye = int | None

AGAIN = 10**12  # what a second meeting costs: more than any difference of scores
REST = 10**18  # what a second bye costs: more than any number of second meetings


def pair_round(
    points: Sequence[float], met: Counter[frozenset[int]], byes: Counter[int], seed: str
) -> tuple[list[Pairing], Bye]:
    """Return the next pairings, and who sits out if the number is odd (the weakest first).

    Chance, which the seed repeats, decides among equally good pairings.

    >>> pair_round([2.0, 0.0, 2.0, 0.0], Counter(), Counter(), "seed")
    ([(0, 2), (1, 3)], None)
    """
    import networkx  # here, because only Swiss tournaments need it

    chance = random.Random(seed)
    count = len(points)
    graph = networkx.Graph()
    scale = 1000 * count  # all the chance of a round together costs less than half a point

    def cost(difference: float, repeated: int) -> int:
        half_points = round(2 * difference)
        return repeated + half_points**2 * scale + chance.randrange(1000)

    for a in range(count):
        for b in range(a + 1, count):
            difference = points[a] - points[b]
            graph.add_edge(a, b, weight=cost(difference, AGAIN * met[frozenset((a, b))]))
        if count % 2:
            graph.add_edge(a, count, weight=cost(points[a] - min(points), REST * byes[a]))
    pairs = sorted((min(pair), max(pair)) for pair in networkx.min_weight_matching(graph))
    sitting = next((a for a, b in pairs if b == count), None)
    return [pair for pair in pairs if pair[1] != count], sitting
