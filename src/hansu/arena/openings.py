"""The openings of a match: each is played twice, with colours swapped."""

import random
import re
from pathlib import Path

from hansu.errors import HansuError, OptionError, PositionError, why
from hansu.games.game import Game
from hansu.games.state import State

VARIETY = "random:4"  # for players who would otherwise repeat one game
SAMPLE = 20  # openings by chance that stand for all


class Openings:
    """The start position, positions of a file (a line each), or some random first plies.

    >>> import hansu
    >>> openings = Openings(hansu.game("connect4"), "random:3", seed=1)
    >>> len(openings[0].move_stack)
    3
    """

    def __init__(self, game: Game, text: str | None, seed: int) -> None:
        self.game, self.seed = game, seed
        self.plies = 0
        self.positions: list[State] = []
        if text is None:
            return
        if text.startswith("random:"):
            plies = text.removeprefix("random:")
            if not re.fullmatch("[0-9]{1,6}", plies):
                raise OptionError(f"openings {text!r}: a number of plies is expected: random:4")
            self.plies = int(plies)
        else:
            self.positions = _read(game, Path(text))

    def __getitem__(self, pair: int) -> State:
        """Return the position that a pair of games starts from."""
        if self.positions:
            return self.positions[pair % len(self.positions)]
        rng = random.Random(f"opening {self.seed} {pair}")
        for _ in range(100):  # some openings end the game: try others
            state = self.game.start()
            while len(state.move_stack) < self.plies and not state.is_game_over():
                state.push(rng.choice(list(state.legal_moves)))
            if not state.is_game_over():
                return state
        raise OptionError(f"{self.plies} random plies always end a game of {self.game}")

    def sample(self, pairs: int) -> list[State]:
        """Return the openings of some pairs; of random ones, a sample."""
        return [self[pair] for pair in range(min(pairs, len(self.positions) or SAMPLE))]


def _read(game: Game, file: Path) -> list[State]:
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise HansuError(f"cannot read openings from {file}: {why(error)}") from None
    positions = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            state = game.parse(line)
        except PositionError as error:
            raise PositionError(f"{file}, line {number}: {error}") from None
        if state.is_game_over():
            raise PositionError(f"{file}, line {number}: the game is already over there")
        positions.append(state)
    if not positions:
        raise PositionError(f"{file} holds no openings")
    return positions
