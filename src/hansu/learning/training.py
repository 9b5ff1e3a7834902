"""The loop: play, remember, learn, compare with the best so far, write it all down.

A run is a folder. Started again it goes on where it was, whatever ended it.

    run.json          the game and the settings       replay/           what was played
    control.json      what may be changed meanwhile   checkpoint-*.pt   weights, optimiser, counters
    log.csv           a line a round                  model.onnx        the model to play with
"""

import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.learning import checkpoint
from hansu.learning.evaluator import Evaluator, mixed_precision, pick_device
from hansu.learning.export import export
from hansu.learning.gate import play_gate
from hansu.learning.log import Log, Report
from hansu.learning.loss import Batches, Losses, losses
from hansu.learning.network import Network, make_network
from hansu.learning.replay import TRAINING, VALIDATION, Replay, Samples, game_samples, sample_type
from hansu.learning.self_play import Manner, SelfPlay
from hansu.learning.settings import Control, Settings, preset, read_control
from hansu.search.puct import Limits

MODEL = "model.onnx"
MAX_DEPTH = 32
VALIDATION_BATCHES = 4

Progress = Callable[[str, float], None]  # what is going on, and how much of it is done


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
    ) -> None:
        self.game, self.folder, self.seed = game, folder, seed
        self.device = pick_device(device)
        self.features = game.features
        chosen = preset(game, preset_name, self.device.type == "cuda")
        wanted = replace(chosen, **(changes or {}))
        self.settings: Settings = replace(wanted, network=_claim(folder, game, wanted))
        self.control = read_control(folder, self.settings.control)
        torch.manual_seed(seed)
        self.network = make_network(self.settings.network, self.features).to(self.device)
        if self.device.type == "cuda":
            self.network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.best = make_network(self.settings.network, self.features).to(self.device)
        self.best.load_state_dict(self.network.state_dict())
        self.optimiser = _optimiser(self.network, self.settings, self.control)
        self.round = self.step = self.games = 0
        self.elo = 0.0
        self._resume()
        self.replay = Replay(folder / "replay", sample_type(self.features), self.settings.capacity)
        self.log = Log(folder, self.round)
        self._begin = time.perf_counter()
        self._batches = Batches(self.features, self.device)
        self._groups: list[tuple[SelfPlay, Evaluator]] = []
        self._gate_evaluators: list[Evaluator] = []

    def run_round(self, progress: Progress = lambda what, share: None) -> Report:
        """Play, learn, compare, and write a checkpoint."""
        self._obey(read_control(self.folder, self.control))
        number = self.round + 1
        rng = np.random.default_rng([self.seed, number])
        played = self._play(number, progress)
        learnt = self._learn(rng, self._steps(played["samples"], self.settings.passes), progress)
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
            **{name: value for name, value in played.items() if name != "samples"},
            **learnt,
            **gate,
        )
        checkpoint.save(self.folder, number, self._state())
        self.log.add(report)
        self.export(self.folder / MODEL)
        return report

    def study(self, games: list[Samples], progress: Progress = lambda what, share: None) -> None:
        """Learn from the games of experts before the first own one; they stay in the memory."""
        if self.round:
            raise HansuError(f"{self.folder} has begun already: records come before round 1")
        if not len(self.replay):  # otherwise somebody was killed while studying
            self.replay.add(games)
        steps = self._steps(sum(map(len, games)), self.settings.study_passes)
        self._learn(np.random.default_rng([self.seed, 0]), steps, progress)
        self.best.load_state_dict(self.network.state_dict())

    def prepare(self) -> None:
        """Compile and load what takes long, so that no time is counted for it."""
        self._group_list(self.round + 1)
        new, best = self._gate_pair()
        play_gate(self.features, new, best, games=2, simulations=2, seed=0)
        self._begin = time.perf_counter()

    @property
    def player(self) -> Network:
        """The network that plays: historically the best one, else the newest."""
        return self.best if self.settings.historic else self.network

    def export(self, path: Path) -> None:
        """Write the network that plays as an ONNX file."""
        facts = {
            "game": str(self.game),
            "preset": self.settings.preset,
            "rounds": self.round,
            "steps": self.step,
            "games": self.games,
            "elo": round(self.elo, 1),
            "seconds": round(self.log.before + time.perf_counter() - self._begin),
        }
        export(self.player, path, facts)

    # Self-play ------------------------------------------------------------------------------------

    def _play(self, number: int, progress: Progress) -> dict[str, Any]:
        """Play until there are enough new samples; games go on in the next round."""
        groups = self._group_list(number)
        for _, evaluator in groups:
            evaluator.use(self.player)
        finished: list[Samples] = []
        results: list[int] = []
        played_on = mistaken = evaluated = count = 0
        begin = time.perf_counter()
        while count < self.settings.samples:
            for group, evaluator in groups:
                evaluator.wait()
                evaluated += group.step()
                evaluator.launch()
                over = group.harvest()
                for game in over:
                    samples = game_samples(group.course, game, self.replay.kind)
                    finished.append(samples)
                    count += len(samples)
                    result, quitter = int(group.course.result[game]), group.course.gives_up[game]
                    results.append(result)
                    if group.course.plays_on[game] and quitter:
                        played_on += 1
                        mistaken += result != -quitter
                if over:
                    group.restart()
            progress("playing", min(1.0, count / self.settings.samples))
        seconds = time.perf_counter() - begin
        self.replay.add(finished)
        self.games += len(finished)
        return {
            "samples": count,
            "simulations_per_second": round(evaluated / seconds, 1),
            "turns_per_game": round(count / len(finished), 2),
            "first_won": round(0.5 + 0.5 * float(np.mean(results)), 4),
            "false_resignations": round(mistaken / played_on, 4) if played_on else None,
        }

    def _group_list(self, number: int) -> list[tuple[SelfPlay, Evaluator]]:
        if self._groups:
            return self._groups
        chosen, control = self.settings, self.control
        manner = Manner(
            simulations=control.simulations,
            sampled_turns=chosen.sampled_turns,
            resign_below=control.resign_below,
            play_on_share=chosen.play_on_share,
            loose_turns=chosen.loose_turns,
        )
        limits = Limits(control.cpuct, MAX_DEPTH, chosen.noise_share, chosen.noise_alpha, 1)
        for group in range(chosen.groups):
            seed = np.random.SeedSequence([self.seed, number, group]).generate_state(1)[0]
            games = SelfPlay(self.features, chosen.games, manner, limits, int(seed))
            evaluator = Evaluator(self.features, chosen.games, self.device)
            games.use_buffers(evaluator.leaves, evaluator.answers)
            evaluator.use(self.player)
            games.step()
            evaluator.launch()
            self._groups.append((games, evaluator))
        return self._groups

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
            self.elo += result.elo
        return {
            "gate_score": round(result.score, 4),
            "gate_error": round(result.error, 4),
            "gate_games": result.games,
            "gate_distinct": result.distinct,
            "promoted": promoted,
        }

    def _gate_pair(self) -> list[Evaluator]:
        if not self._gate_evaluators:
            self._gate_evaluators = [
                Evaluator(self.features, self.settings.gate_games, self.device) for _ in range(2)
            ]
        for evaluator, network in zip(
            self._gate_evaluators, (self.network, self.best), strict=True
        ):
            evaluator.use(network)
        return self._gate_evaluators

    # Going on -------------------------------------------------------------------------------------

    def _obey(self, control: Control) -> None:
        """Use what the control file asks for from now on."""
        if control != replace(self.control, learning_rate=control.learning_rate):
            self._groups = []  # games in progress are given up: their trees have another size
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
            "network": self.network.state_dict(),
            "best": self.best.state_dict(),
            "optimiser": self.optimiser.state_dict(),
        }

    def _resume(self) -> None:
        state = checkpoint.load(self.folder)
        if state is None:
            return
        self.round, self.step, self.games = state["round"], state["step"], state["games"]
        self.elo = state["elo"]
        self.network.load_state_dict(state["network"])
        self.best.load_state_dict(state["best"])
        self.optimiser.load_state_dict(state["optimiser"])


def _optimiser(network: Network, settings: Settings, control: Control) -> torch.optim.Optimizer:
    rate = control.learning_rate
    if settings.historic:
        return torch.optim.SGD(network.parameters(), lr=rate, momentum=0.9, weight_decay=1e-4)
    return torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-4)


def _claim(folder: Path, game: Game, settings: Settings) -> str:
    """Make the folder this run's own, or see that it is; the network it was begun with.

    A run that goes on elsewhere keeps its network, whatever the preset there.
    """
    path = folder / "run.json"
    mine = {"game": str(game), "preset": settings.preset}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists():
            theirs = json.loads(path.read_text(encoding="utf-8"))
            if any(theirs.get(name) != value for name, value in mine.items()):
                raise HansuError(
                    f"{folder} holds a run of {theirs.get('game')} with the preset "
                    f"{theirs.get('preset')}: choose another folder"
                )
            return str(theirs["network"])
        aside = path.with_suffix(".part")
        content = {**mine, "network": settings.network, "settings": asdict(settings)}
        aside.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        os.replace(aside, path)
        return settings.network
    except (OSError, json.JSONDecodeError, KeyError) as error:
        raise HansuError(f"cannot use the folder {folder}: {error}") from None
