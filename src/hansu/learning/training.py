"""The loop: play, remember, learn, compare with the best so far, write it all down.

A run is a folder. Started again it goes on where it was, whatever ended it, and comes to the same
results as if nothing had: the checkpoint is written last in a round, and what a killed process did
after it is undone and done again.

    run.json          the game and the settings       replay/           what was played
    control.json      what may be changed meanwhile   checkpoint-*.pt   all that is needed to go on
    log.csv           a line a round                  model.onnx        the model to play with
"""

import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.learning import checkpoint
from hansu.learning.crew import Crew
from hansu.learning.evaluator import Evaluator, mixed_precision, pick_device
from hansu.learning.export import export
from hansu.learning.gate import play_gate
from hansu.learning.log import Log, Report
from hansu.learning.loss import Batches, Losses, losses
from hansu.learning.network import Network, make_network
from hansu.learning.playing import Harvest, Playing, Progress
from hansu.learning.replay import EMPTY, TRAINING, VALIDATION, Replay, Samples, sample_type
from hansu.learning.run_folder import claim
from hansu.learning.settings import Control, Settings, preset, read_control
from hansu.learning.shown_games import show_games

MODEL = "model.onnx"
VALIDATION_BATCHES = 4
GATE_ELO = 400.0  # that one promotion adds at most


class Training:
    """A training run in a folder, new or gone on with."""

    def __init__(
        self,
        game: Game,
        folder: Path,
        preset_name: str = "modern",
        device: str = "auto",
        seed: int = 0,
        changes: dict[str, Any] | None = None,  # of the preset's settings
        workers: int = 0,  # processes that play; without them this one does
    ) -> None:
        self.game, self.folder, self.seed, self.workers = game, folder, seed, workers
        self.device = pick_device(device)
        chosen = preset(game, preset_name, self.device.type == "cuda")
        wanted = replace(chosen, **(changes or {}))
        facts = {"game": str(game), "preset": wanted.preset, "mirror": wanted.mirror}
        told = {**facts, "network": wanted.network, "settings": asdict(wanted)}
        begun = claim(folder, told, facts)
        # A run that goes on elsewhere keeps its network, whatever the preset there.
        self.settings: Settings = replace(wanted, network=str(begun.get("network")))
        self.features = game.make_features(self.settings.mirror)
        self.control = self.settings.control
        torch.manual_seed(seed)
        self.network = make_network(self.settings.network, self.features).to(self.device)
        if self.device.type == "cuda":
            self.network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.best = make_network(self.settings.network, self.features).to(self.device)
        self.best.load_state_dict(self.network.state_dict())
        self.optimiser = _optimiser(self.network, self.settings, self.control)
        self.round = self.step = self.games = 0
        self.elo = 0.0
        self._playing: Playing | Crew | None = None
        self._in_progress: list[bytes] = []  # games to go on with when there is no ``_playing``
        remembered = self._resume()
        self._obey(read_control(folder, self.control))
        self.replay = Replay(
            folder / "replay", sample_type(self.features), self.settings.capacity, remembered
        )
        self.log = Log(folder, self.round)
        self._begin = time.perf_counter()
        self._batches = Batches(self.features, self.device)
        self._gate_evaluators: list[Evaluator] = []

    def run_round(self, progress: Progress = lambda what, share: None) -> Report:
        """Play, learn, compare, and write a checkpoint."""
        self._obey(read_control(self.folder, self.control))
        number = self.round + 1
        rng = np.random.default_rng([self.seed, number])
        harvest = self._play(number, progress)
        learnt = self._learn(rng, self._steps(harvest.samples, self.settings.passes), progress)
        gate = self._gate(number, progress) if number % self.settings.gate_every == 0 else {}
        self.round = number
        report = Report(
            round=number,
            seconds=round(self.log.before + time.perf_counter() - self._begin, 1),
            games=self.games,
            samples=len(self.replay),
            step=self.step,
            learning_rate=self.control.learning_rate,
            simulations=self.control.simulations,
            elo=round(self.elo, 1),
            **_told(harvest),
            **learnt,
            **gate,
        )
        self.log.add(report)
        self.export(self.folder / MODEL)
        checkpoint.save(self.folder, number, self._state())
        return report

    def study(self, games: list[Samples], progress: Progress = lambda what, share: None) -> None:
        """Learn from the games of experts before the first own one; they stay in the memory."""
        if self.step:
            raise HansuError(f"{self.folder} has begun already: records come before round 1")
        self.close()  # nobody plays meanwhile: the network knows nothing yet
        self.replay.add(games)
        steps = self._steps(sum(map(len, games)), self.settings.study_passes)
        self._learn(np.random.default_rng([self.seed, 0]), steps, progress)
        self.best.load_state_dict(self.network.state_dict())
        self.export(self.folder / MODEL)
        checkpoint.save(self.folder, 0, self._state())

    def prepare(self) -> None:
        """Compile and load what takes long, so that no time is counted for it."""
        self._games_to_play(self.round + 1).begin(self.player)
        new, best = self._gate_pair()
        play_gate(self.features, new, best, games=2, simulations=2, seed=0)
        self._begin = time.perf_counter()

    def close(self) -> None:
        """End the workers, where there are some. What is on disk is enough to go on."""
        if self._playing:
            self._playing.close()
            self._playing = None

    @property
    def player(self) -> Network:
        """The network that plays: historically the best one, else the newest."""
        return self.best if self.settings.historic else self.network

    def export(self, path: Path) -> None:
        """Write the network that plays as an ONNX file."""
        facts = {
            "game": str(self.game),
            "preset": self.settings.preset,
            "mirror": self.settings.mirror,
            "rounds": self.round,
            "steps": self.step,
            "games": self.games,
            "elo": round(self.elo, 1),
            "seconds": round(self.log.before + time.perf_counter() - self._begin),
        }
        export(self.player, path, facts)

    # Self-play ------------------------------------------------------------------------------------

    def _play(self, number: int, progress: Progress) -> Harvest:
        """Play until there are enough new samples, and remember them."""
        playing = self._games_to_play(number)
        playing.begin(self.player)
        harvest = playing.play(self.settings.samples, progress)
        self.replay.add(harvest.games)
        self.games += len(harvest.games)
        player = f"{self.settings.network} #{number - 1}"
        show_games(self.folder, self.features, harvest.shown, player)
        return harvest

    def _games_to_play(self, number: int) -> Playing | Crew:
        """The games in progress, or new ones."""
        if self._playing is None:
            how = (self.settings, self.control, self.device, (self.seed, number))
            if self.workers:
                self._playing = Crew(self.workers, self.game, self.folder / "workers", *how)
            else:
                self._playing = Playing(self.features, *how)
            self._playing.restore(self._in_progress)
        return self._playing

    # Learning -------------------------------------------------------------------------------------

    def _steps(self, samples: int, passes: float) -> int:
        return max(1, round(samples * passes / self.settings.batch))

    def _learn(self, rng: np.random.Generator, steps: int, progress: Progress) -> dict[str, Any]:
        self.network.train()
        found = []
        for done in range(steps):
            samples = self.replay.draw(TRAINING, self.settings.batch, rng)
            found.append(self.learn_from(samples, rng))
            progress("learning", (done + 1) / steps)
        total, policy, value, entropy = (
            float(torch.stack([getattr(one, name) for one in found]).mean())
            for name in ("total", "policy", "value", "entropy")
        )
        checked = self._validate(rng)
        return {
            "loss": round(total, 5),
            "policy_loss": round(policy, 5),
            "value_loss": round(value, 5),
            "entropy": round(entropy, 5),
            "validation_policy_loss": checked and round(checked[0], 5),
            "validation_value_loss": checked and round(checked[1], 5),
        }

    def learn_from(self, samples: Samples, rng: np.random.Generator) -> Losses:
        """One step of the optimiser on some samples, each turned by a random symmetry."""
        batch = self._batches(samples, None if self.settings.historic else rng)
        with mixed_precision(self.device):
            logits, values = self.network(batch.planes, batch.vector)
            found = losses(logits, values, batch, self.settings.historic)
        self.optimiser.zero_grad(set_to_none=True)
        found.total.backward()
        self.optimiser.step()
        self.step += 1
        return replace(found, total=found.total.detach())

    def _validate(self, rng: np.random.Generator) -> tuple[float, float] | None:
        """Policy and value loss on games that are not learnt from."""
        if not self.replay.count(VALIDATION):
            return None
        self.network.eval()
        found = []
        with torch.inference_mode():
            for _ in range(VALIDATION_BATCHES):
                batch = self._batches(self.replay.draw(VALIDATION, self.settings.batch, rng))
                logits, values = self.network(batch.planes, batch.vector)
                one = losses(logits, values, batch, self.settings.historic)
                found.append((float(one.policy), float(one.value)))
        return float(np.mean([p for p, _ in found])), float(np.mean([v for _, v in found]))

    # The gate -------------------------------------------------------------------------------------

    def _gate(self, number: int, progress: Progress) -> dict[str, Any]:
        """The current network against the best one; above the score it becomes the best."""
        progress("comparing", 0.0)
        chosen = self.settings
        new, best = self._gate_pair()
        result = play_gate(
            self.features,
            new,
            best,
            chosen.gate_games,
            chosen.gate_simulations,
            seed=self.seed + number,
            loose_turns=chosen.loose_turns,
        )
        promoted = result.score > chosen.gate_score
        if promoted:
            self.best.load_state_dict(self.network.state_dict())
            self.elo += min(max(result.elo, -GATE_ELO), GATE_ELO)
        return {
            "gate_score": round(result.score, 4),
            "gate_error": round(result.score_error, 4),
            "gate_games": result.games,
            "gate_distinct": result.distinct_games,
            "promoted": promoted,
        }

    def _gate_pair(self) -> list[Evaluator]:
        if not self._gate_evaluators:
            half = (self.settings.gate_games + 1) // 2  # in the other games it is not their turn
            self._gate_evaluators = [Evaluator(self.features, half, self.device) for _ in range(2)]
        for evaluator, network in zip(
            self._gate_evaluators, (self.network, self.best), strict=True
        ):
            evaluator.use(network)
        return self._gate_evaluators

    # Going on -------------------------------------------------------------------------------------

    def _obey(self, control: Control) -> None:
        """Use what the control file asks for from now on."""
        if self._playing and control != replace(self.control, learning_rate=control.learning_rate):
            self._in_progress = self._playing.saved()
            self.close()
        self.control = control
        for group in self.optimiser.param_groups:
            group["lr"] = control.learning_rate

    def _state(self) -> dict[str, Any]:
        return {
            "game": str(self.game),
            "round": self.round,
            "step": self.step,
            "games": self.games,
            "elo": self.elo,
            "control": asdict(self.control),
            "network": self.network.state_dict(),
            "best": self.best.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "replay": self.replay.state,
            "in_progress": self._playing.saved() if self._playing else [],
        }

    def _resume(self) -> dict[str, int] | None:
        """Be what the last checkpoint says; how the replay memory was then."""
        state = checkpoint.resume(self.folder)
        if state is None:
            return EMPTY
        self.round, self.step, self.games = state["round"], state["step"], state["games"]
        self.elo = state["elo"]
        self.network.load_state_dict(state["network"])
        self.best.load_state_dict(state["best"])
        self.optimiser.load_state_dict(state["optimiser"])
        # An older checkpoint lacks the rest: all that is remembered counts, and new games begin.
        self.control = Control(**state.get("control", asdict(self.control)))
        self._in_progress = state.get("in_progress", [])
        return state.get("replay")


def _told(harvest: Harvest) -> dict[str, Any]:
    """What a report says about the games of a round."""
    share = harvest.mistaken / harvest.played_on if harvest.played_on else None
    return {
        "simulations_per_second": round(harvest.simulations / harvest.seconds, 1),
        "turns_per_game": round(harvest.samples / len(harvest.games), 2),
        "first_won": round(0.5 + 0.5 * float(np.mean(harvest.results)), 4),
        "false_resignations": None if share is None else round(share, 4),
    }


def _optimiser(network: Network, settings: Settings, control: Control) -> torch.optim.Optimizer:
    rate = control.learning_rate
    if settings.historic:
        return torch.optim.SGD(network.parameters(), lr=rate, momentum=0.9, weight_decay=1e-4)
    return torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-4)
