"""How much learning a game needs: a fact of the game, used by ``hansu.learning``."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TrainingSize:
    """Network, search and self-play that suit a game; a game of its own size overrides some."""

    network: str = "R64x3"
    cpu_network: str = "R32x3"  # larger ones are far too slow to learn anything on a CPU
    simulations: int = 64
    temperature_turns: int = 10  # moves at the beginning that are sampled (temperature 1)
    noise_alpha: float = 0.5  # Dirichlet noise: about ten divided by the number of moves
    random_opening_plies: int = 0  # without them a game that is understood is played one way only
    games: int = 2048  # at the same time, in each of a GPU's two groups
    cpu_games: int = 64
    capacity: int | None = None  # positions of the replay buffer; None leaves it to the machine
