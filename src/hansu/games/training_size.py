"""The size of training that suits a game, used by ``hansu.learning``."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TrainingSize:
    """Network, search and self-play that suit a game; games override some."""

    network: str = "R64x3"
    cpu_network: str = "R32x3"  # larger ones are too slow on a CPU
    simulations: int = 64
    temperature_turns: int = 10  # first moves that are sampled (temperature 1)
    noise_alpha: float = 0.5  # Dirichlet noise: about ten divided by the number of moves
    random_opening_plies: int = 0  # for variety once the network plays well
    games: int = 2048  # at the same time, in each of a GPU's two groups
    card_games: int = 8192  # in each of three groups, where the GPU searches too
    cpu_games: int = 64
    capacity: int | None = None  # of the replay buffer; None: by the machine
