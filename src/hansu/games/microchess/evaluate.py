"""An evaluation by material."""

from hansu.games.microchess.material import DEFAULT
from hansu.games.microchess.rules import worth
from hansu.kernel import kernel


@kernel
def evaluate(pos):
    """Return White's share of all material, by the option's table or the usual one."""
    table = pos.material if pos.material else DEFAULT
    mine, theirs = worth(pos, pos.mine, table), worth(pos, pos.theirs, table)
    if mine + theirs == 0:
        return 0.5
    share = mine / (mine + theirs)
    return 1.0 - share if pos.second else share
