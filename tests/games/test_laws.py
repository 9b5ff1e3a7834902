"""Every game keeps the laws, and the laws notice a game that does not."""

import types

import numpy as np
import pytest

import hansu
from hansu.games.game import GAMES
from hansu.games.laws import LawBroken
from hansu.games.tictactoe import TicTacToe, rules
from hansu.games.tictactoe.state import TicTacToeState
from hansu.kernel import JIT, kernel, lowest
from tests.small_games import SMALL_GAMES

VARIANTS = [
    "go:size=5",
    "go:size=5x7",
    "connect4:no_center_opening=on",
    "microchess:max_turns=none",
]


# Plain Python takes minutes on a large board.
@pytest.mark.parametrize("name", [*sorted(GAMES), *VARIANTS] if JIT else SMALL_GAMES)
def test_every_game_keeps_the_laws(name):
    hansu.check_game(name, games=3, seed=1)


class ForgetfulState(TicTacToeState):
    def text(self):
        return "........."


class SharingState(TicTacToeState):
    def copy(self):
        return self


class Loose(TicTacToe):
    state = TicTacToeState

    def start(self):
        return self.state(self, super().start().words)

    def parse(self, text):
        return self.state(self, super().parse(text).words)


def test_a_text_that_forgets_the_board_breaks_a_law():
    game = Loose()
    game.state = ForgetfulState
    with pytest.raises(LawBroken, match=r"text .* is read back as another position|forgets whose"):
        hansu.check_game(game)


def test_a_copy_that_is_not_independent_breaks_a_law():
    game = Loose()
    game.state = SharingState
    with pytest.raises(LawBroken, match="forward leaves the state as it was"):
        hansu.check_game(game)


@kernel
def always_the_corner(pos, path, moves, rng):
    return 0


@kernel
def blind_to_lines(pos, path, moves, rng):
    free = rules.FULL & ~(pos.mine | pos.theirs)
    return np.int64(lowest(free)) if free else -1


@pytest.mark.parametrize(
    ("policy", "law"),
    [
        (always_the_corner, "heavy_move picks a legal move, not 0"),
        (blind_to_lines, "heavy_move returns minus the ending"),
    ],
)
def test_a_policy_that_breaks_the_rules_breaks_a_law(policy, law):
    game = Loose()
    game.heavy_move = policy
    with pytest.raises(LawBroken, match=law):
        hansu.check_game(game)


def test_a_key_that_ignores_a_player_breaks_a_law():
    blind = types.ModuleType("blind_rules")
    blind.__dict__.update({k: v for k, v in vars(rules).items() if not k.startswith("__")})
    blind.__file__ = rules.__file__

    @kernel(variant=blind)
    def key(pos):
        return pos.mine | pos.theirs

    blind.key = key
    game = Loose()
    type(game).rules = blind
    try:
        with pytest.raises(LawBroken, match="two different positions have the same key"):
            hansu.check_game(game, games=50)
    finally:
        del type(game).rules
