"""Every game keeps the laws, and the laws notice a game that does not."""

import types

import pytest

import hansu
from hansu.games.game import GAMES
from hansu.games.laws import LawBroken
from hansu.games.tictactoe import TicTacToe, rules
from hansu.games.tictactoe.state import TicTacToeState

VARIANTS = [
    "go:size=5",
    "go:size=5x7",
    "connect4:no_center_opening=on",
    "microchess:max_turns=none",
]


@pytest.mark.parametrize("name", [*sorted(GAMES), *VARIANTS])
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


@pytest.mark.parametrize(
    ("wrong", "law"),
    [(lambda *_: 9, "picks a legal move, not 9"), (lambda *_: -3, "picks a legal move, not -3")],
)
def test_a_policy_that_picks_anything_breaks_a_law(wrong, law):
    game = Loose()
    game.heavy_move = wrong
    with pytest.raises(LawBroken, match=law):
        hansu.check_game(game)


def test_a_policy_that_does_not_see_the_end_breaks_a_law():
    class Blind(Loose):
        @property
        def heavy_move(self):
            return lambda pos, path, moves, rng: next(
                (i for i in range(9) if not int(pos.mine | pos.theirs) >> i & 1), -1
            )

    with pytest.raises(LawBroken, match="heavy_move returns minus the ending"):
        hansu.check_game(Blind())


def test_a_key_that_ignores_a_player_breaks_a_law():
    blind = types.ModuleType("blind_rules")
    blind.__dict__.update({k: v for k, v in vars(rules).items() if not k.startswith("__")})
    blind.__file__ = rules.__file__
    from hansu.kernel import kernel

    @kernel(variant=blind)
    def key(pos):
        return pos.mine | pos.theirs

    blind.key = key
    game = Loose()
    type(game).compiled = blind
    try:
        with pytest.raises(LawBroken, match="two different positions have the same key"):
            hansu.check_game(game, games=50)
    finally:
        del type(game).compiled
