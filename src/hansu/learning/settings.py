"""Training settings: presets for each game, and what may be changed during a run."""

import json
import math
import warnings
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from hansu.atomic_write import atomic_write
from hansu.errors import HansuError
from hansu.games.features import Features
from hansu.games.game import Game

CONTROL = "control.json"


@dataclass(frozen=True)
class Control:
    """What may be changed during a run, in the file ``control.json``."""

    learning_rate: float
    simulations: int  # visits a move in self-play
    cpuct: float = 1.0
    resign_below: float = -2.0  # value in [-1, 1]; below -1: never

    def checked(self) -> "Control":
        """Return the same with whole simulations; raises HansuError for a value out of range."""
        for name, value in asdict(self).items():
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not math.isfinite(value):
                raise HansuError(f"{name} {value!r} is not a number")
        if self.simulations != int(self.simulations):
            raise HansuError(f"simulations {self.simulations} is not a whole number")
        if not 0 < self.learning_rate <= 1:
            raise HansuError(f"learning_rate {self.learning_rate} is not above 0 and at most 1")
        if not 2 <= self.simulations <= 10_000:
            raise HansuError(f"simulations {self.simulations} is not 2 to 10000")
        if not 0 < self.cpuct <= 100:
            raise HansuError(f"cpuct {self.cpuct} is not above 0 and at most 100")
        return replace(self, simulations=int(self.simulations))


@dataclass(frozen=True)
class TrainingSettings:
    """All parameters of a training run."""

    preset: str
    network: str
    control: Control
    historic: bool  # loss, optimiser, and self-play by the best model instead of the newest
    games: int  # at the same time, in each group
    groups: int  # one is searched while the network evaluates another
    samples: int  # new ones in each round
    batch: int
    passes: float = 4.0  # over the new samples, on average
    pretrain_passes: float = 10.0  # over the games of experts, before the first round
    capacity: int = 500_000  # samples
    temperature_turns: int = 10  # temperature τ = 1 for so many turns, then 0
    noise_share: float = 0.25  # ε
    noise_alpha: float = 0.5  # α
    resign_disabled_share: float = 0.1
    random_opening_plies: int = 0  # half of the games begin with 1 to so many random moves
    proofs: bool = True  # the search keeps what finished games prove (MCTS-solver)
    full_share: float = 1.0  # of the moves; others get a quick search (playout-cap randomisation)
    quick_simulations: int = 16
    search_share: float = 0.0  # of the value to learn: by the search, not by the result
    reuse: bool = True  # the subtree of the move that is played is kept
    gumbel_moves: int = 0  # considered at the root, by sequential halving; 0: PUCT with noise
    gumbel_scale: float = 1.0  # how strongly values count there
    forced_playouts: float = 0.0  # k: a tried move of the root gets sqrt(k P N) visits; 0: none
    ownership: float = 0.0  # weight of the loss: who has each cell at the end, and the score
    moves_left: float = 0.0  # weight of the loss: how many moves are left
    mirror: bool = True  # the network sees the board turned for the side to move
    gate_games: int = 100
    gate_simulations: int = 32
    gate_every: int = 5  # rounds
    gate_score: float = 0.6

    @property
    def auxiliary(self) -> bool:
        """Whether the network learns more than it needs to play."""
        return self.ownership > 0 or self.moves_left > 0

    def checked(self, features: Features) -> "TrainingSettings":
        """Return the same; raises HansuError where a game cannot do what is asked."""
        if self.ownership and not features.has_owners:
            raise HansuError(
                f"{features.game} has no owners(pos, out) in its features: ownership must be 0"
            )
        if self.gumbel_moves and self.forced_playouts:
            raise HansuError("gumbel_moves leaves no place for forced_playouts: one must be 0")
        return self


CHANGEABLE = tuple(
    each.name
    for each in fields(TrainingSettings)
    if each.name not in ("preset", "control", "historic", "mirror")
)
SHARES = {name for name in CHANGEABLE if name.endswith("_share")} | {"gate_score"}
COUNTS = {"games", "groups", "samples", "batch", "capacity", "quick_simulations"}
COUNTS |= {"gate_games", "gate_simulations", "gate_every"}


def preset(game: Game, name: str, on_gpu: bool, on_card: bool = False) -> TrainingSettings:
    """Return the settings of a preset, for a game and a kind of machine.

    ``on_card``: all of self-play runs on the GPU, which wants more games at the same time.

    >>> import hansu
    >>> preset(hansu.game("microchess"), "historic", on_gpu=False).network
    'C64r6L1024r'
    """
    size = game.training_size
    common: dict[str, Any] = {
        "games": size.card_games if on_card else size.games if on_gpu else size.cpu_games,
        "groups": 3 if on_card else 2 if on_gpu else 1,
        "samples": 131_072 if on_card else 65_536 if on_gpu else 2048,
        "temperature_turns": size.temperature_turns,
        "gate_games": 400 if on_gpu else 100,
        "gate_every": 25 if on_card else 5,  # rounds are short there, and a match is long
    }
    if name == "historic":
        return TrainingSettings(
            preset=name,
            network="C64r6L1024r",
            control=Control(learning_rate=0.01, simulations=500),
            historic=True,
            proofs=False,
            batch=1024,
            noise_share=0.2,
            noise_alpha=0.8,
            **common,
        )
    if name != "modern":
        raise HansuError(f"there is no preset {name!r}: historic or modern is expected")
    return TrainingSettings(
        preset=name,
        network=size.network if on_gpu else size.cpu_network,
        control=Control(learning_rate=0.002, simulations=size.simulations, cpuct=1.5),
        historic=False,
        batch=2048 if on_gpu else 256,
        noise_alpha=size.noise_alpha,
        random_opening_plies=size.random_opening_plies,
        capacity=size.capacity or (2_000_000 if on_gpu else 200_000),
        **common,
    )


def changed(usual: TrainingSettings, texts: Iterable[str]) -> dict[str, Any]:
    """Return the changes that texts ask of settings, for ``Training``; raises HansuError.

    >>> import hansu
    >>> usual = preset(hansu.game("go"), "modern", on_gpu=False)
    >>> changed(usual, ["forced_playouts=2", "passes=1.5"])
    {'forced_playouts': 2, 'passes': 1.5}
    >>> changed(usual, ["simulations=32"])["control"].simulations
    32
    """
    own, control = dict[str, Any](), dict[str, Any]()
    for text in texts:
        name, _, value = text.partition("=")
        if name in CHANGEABLE:
            own[name] = _read(name, value, getattr(usual, name))
        elif name in asdict(usual.control):
            control[name] = _read(name, value, getattr(usual.control, name))
        else:
            known = sorted([*CHANGEABLE, *asdict(usual.control)])
            raise HansuError(f"{name!r} is no setting of a training run: {', '.join(known)}")
    if control:
        own["control"] = replace(usual.control, **control).checked()
    return own


def _read(name: str, text: str, usual: Any) -> Any:
    """Return the value of a setting, of the same kind as its usual one; raises HansuError."""
    if isinstance(usual, str):
        return text  # a network's name, which is checked where it is made
    try:
        value = json.loads(text)
    except ValueError:
        value = text
    if isinstance(usual, bool):
        if not isinstance(value, bool):
            raise HansuError(f"{name}={text}: true or false is expected")
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise HansuError(f"{name}={text}: a number is expected")
    if isinstance(usual, int) and value != int(value):
        raise HansuError(f"{name}={text}: a whole number is expected")
    value = int(value) if isinstance(usual, int) else value  # 1e3 is one, too
    if name in SHARES and not 0 <= value <= 1:
        raise HansuError(f"{name}={text}: a share from 0 to 1 is expected")
    if name in COUNTS and value < 1:
        raise HansuError(f"{name}={text}: 1 or more is expected")
    if name == "noise_alpha" and value == 0:
        raise HansuError(f"{name}={text}: more than 0 is expected")
    if name in CHANGEABLE and value < 0:
        raise HansuError(f"{name}={text}: 0 or more is expected")
    return value


def read_control(folder: Path, now: Control) -> Control:
    """Return the settings of the control file; a mistake in it is a warning and changes nothing."""
    path = folder / CONTROL
    try:
        wanted = json.loads(path.read_text(encoding="utf-8"))
        unknown = set(wanted) - set(asdict(now))
        if unknown:
            raise HansuError(f"{sorted(unknown)[0]!r} is not one of {', '.join(asdict(now))}")
        return replace(now, **wanted).checked()
    except FileNotFoundError:
        write_control(folder, now)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        warnings.warn(f"{path} is not used: {error}", stacklevel=2)
    return now


def write_control(folder: Path, control: Control) -> None:
    """Write the file for people to change."""
    atomic_write(folder / CONTROL, json.dumps(asdict(control), indent=1) + "\n")
