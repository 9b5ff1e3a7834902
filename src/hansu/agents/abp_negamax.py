"""``abp_negamax``: negamax with alpha-beta pruning.

Once a reply refutes a move, its other replies cannot matter and are pruned. The value at the root
stays the same, for far fewer nodes.
"""

from dataclasses import dataclass
from typing import ClassVar

from hansu.agents.agent import Options
from hansu.agents.negamax import Negamax, NegamaxOptions
from hansu.options import Depth


@dataclass(frozen=True)
class AbpNegamaxOptions(NegamaxOptions):
    """How many plies to look ahead."""

    depth: Depth = 6


class AbpNegamax(Negamax):
    """Negamax with alpha-beta pruning; among the root moves only the best one's value is exact."""

    Options: ClassVar[type[Options]] = AbpNegamaxOptions
    prune = True
