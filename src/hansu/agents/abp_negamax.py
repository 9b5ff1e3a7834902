"""``abp_negamax``: negamax with alpha-beta pruning.

Once a reply refutes a move, its other replies cannot matter and are pruned. The value at the root
stays the same, for far fewer nodes.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from hansu.agents.agent import Options
from hansu.agents.negamax import Negamax, NegamaxOptions
from hansu.agents.search_agent import TablebaseOptions
from hansu.games.game import Game
from hansu.options import Depth
from hansu.search.leaf_evaluator import LeafEvaluator


@dataclass(frozen=True)
class AbpNegamaxOptions(NegamaxOptions, TablebaseOptions):
    """How many plies to look ahead."""

    depth: Depth = 6


class AbpNegamax(Negamax):
    """Negamax with alpha-beta pruning; among the root moves only the best one's value is exact."""

    Options: ClassVar[type[Options]] = AbpNegamaxOptions
    _tables: tuple[Game, tuple[Any, Any] | None] | None = None
    prune = True

    def leaf_evaluator(self, game: Game) -> LeafEvaluator | None:
        """Return the evaluation with the game's tables of endings, if there are some."""
        if not self.options.tablebase:
            return None
        if self._tables is None or self._tables[0] != game:
            self._tables = game, game.ending_evaluator()
        found = self._tables[1]
        return None if found is None else LeafEvaluator(*found)
