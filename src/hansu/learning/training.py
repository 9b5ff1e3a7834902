"""The training loop: self-play, replay buffer, learning, gating match, log.

A run is a folder. A run that is killed and resumed reproduces the same results: a round writes its
checkpoint last, and what a killed process did after it is undone and done again. A round that is
stopped midway writes one too, and is resumed.

    run.json          the game and the settings       replay/           the replay buffer
    control.json      what may be changed meanwhile   checkpoint-*.pt   all that is needed to resume
    log.csv           a line a round                  model.onnx        the model to play with
"""

import functools
import gc
import itertools
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.learning import checkpoint, optimiser
from hansu.learning.cluster_workers import ClusterWorkers
from hansu.learning.evaluator import NetworkEvaluator, pick_device
from hansu.learning.export import export
from hansu.learning.finished_games import FinishedGames
from hansu.learning.first_weights import calibrate, start_from
from hansu.learning.gating import GatingMatch
from hansu.learning.known_positions import AccuracyCheck
from hansu.learning.learner import Learner
from hansu.learning.log import Log, Report
from hansu.learning.loss import losses
from hansu.learning.network import Network, make_network
from hansu.learning.playing import Pieces, Playing, Progress, plays_on_card
from hansu.learning.replay_buffer import (
    EMPTY,
    TRAINING,
    VALIDATION,
    ReplayBuffer,
    Samples,
    as_kind,
    sample_type,
)
from hansu.learning.run_folder import claim
from hansu.learning.selfplay_workers import SelfPlayWorkers
from hansu.learning.settings import Control, TrainingSettings, changed, preset, read_control
from hansu.learning.shown_games import show_games
from hansu.learning.stopping import Stop
from hansu.learning.unfinished_round import UnfinishedRound

MODEL = "model.onnx"
VALIDATION_BATCHES = 4
GATE_ELO = 400.0  # the most that one promotion adds


class Training:
    """A training run in a folder, new or resumed."""

    def __init__(
        self,
        game: Game,
        folder: Path,
        preset_name: str = "modern",
        device: str = "auto",
        seed: int = 0,
        changes: dict[str, Any] | None = None,  # of the preset's settings
        workers: int = 0,  # processes that play; without them this one does
        on: Literal["here", "ray"] = "here",  # where they play
        settings: Iterable[str] = (),  # more changes, as texts: "passes=2"
    ) -> None:
        self.game, self.folder, self.seed, self.workers = game, folder, seed, workers
        self._on = on
        self.device = pick_device(device)
        on_gpu = self.device.type == "cuda"
        on_card = plays_on_card(self.device)
        if workers and on == "here" and on_card:
            raise HansuError("all of self-play runs on the card: leave out --workers")
        chosen = preset(game, preset_name, on_gpu, on_card)
        wanted = replace(chosen, **{**changed(chosen, settings), **(changes or {})})
        self.features = game.make_features(wanted.mirror)
        wanted.checked(self.features)
        make_network(wanted.network, self.features, wanted.auxiliary)  # a wrong name: no folder
        facts = {"game": str(game), "preset": wanted.preset, "mirror": wanted.mirror}
        facts["auxiliary"] = wanted.auxiliary
        about = {**facts, "network": wanted.network, "settings": asdict(wanted)}
        # A run that is resumed on another machine keeps its network, whatever the preset there.
        same = [*facts, *({"network"} & (changes or {}).keys())]
        begun = claim(folder, about, same, older={"auxiliary": False})
        self.settings: TrainingSettings = replace(wanted, network=str(begun.get("network")))
        self.control = self.settings.control
        torch.manual_seed(seed)
        make = functools.partial(
            make_network, self.settings.network, self.features, self.settings.auxiliary
        )
        self.network = make().to(self.device)
        if self.device.type == "cuda":
            self.network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.best = make().to(self.device)
        self.best.load_state_dict(self.network.state_dict())
        self.optimiser = optimiser.make_optimiser(self.network, self.settings)
        self.round = self.step = self.games = 0
        self.elo = 0.0
        self._playing: Playing | SelfPlayWorkers | None = None
        self._in_progress: Pieces = []  # games to resume while there is no ``_playing``
        self._round: UnfinishedRound | None = None  # in progress or paused
        self._finished = FinishedGames()  # not in the replay buffer yet
        self._match: GatingMatch | None = None
        self._pauses, self._before = 0, 0.0
        self._calibrated = True
        replay_state = self._resume()
        self._apply_control(read_control(folder, self.control))
        self.replay_buffer = ReplayBuffer(
            *(folder / "replay", sample_type(self.features, self.settings.auxiliary)),
            *(self.settings.capacity, replay_state),
        )
        self.log = Log(folder, self.round)
        self._before = self._before or self.log.before  # an older checkpoint lacks it
        self._begin = time.perf_counter()
        chosen = self.settings
        self._learner = Learner(
            *(self.features, self.network, self.optimiser, self.device),
            *(chosen.historic, chosen.search_share, (chosen.ownership, chosen.moves_left)),
        )
        self._gate_evaluators: list[NetworkEvaluator] = []
        self._accuracy = AccuracyCheck(self.features, self.device)

    def run_round(
        self, progress: Progress = lambda what, share: None, stop: Stop | None = None
    ) -> Report | None:
        """Do one round: self-play, learning, gating match, checkpoint.

        Returns None if it was stopped before its end: everything is kept, and the next call, here
        or in another process, resumes it.
        """
        stop = stop or Stop()
        if self._round and not self._round.number and not self._finish_pretraining(progress, stop):
            return None
        if self._round is None:
            self._apply_control(read_control(self.folder, self.control))
            self._round = UnfinishedRound.begin(self.round + 1, self.seed)
        current = self._round
        work = (phase(current, progress) for phase in (self._play, self._learn, self._gate))
        if not self._run_steps(itertools.chain.from_iterable(work), stop):
            return None
        assert current.summary is not None
        gate = self._finish_gating() if self._match else {}
        self.round, self._round = current.number, None
        report = Report(
            round=self.round,
            seconds=round(self.seconds, 1),
            games=self.games,
            samples=len(self.replay_buffer),
            step=self.step,
            learning_rate=self.control.learning_rate,
            simulations=self.control.simulations,
            elo=round(self.elo, 1),
            accuracy=self._accuracy(self.player),
            **current.summary,
            **current.means,  # type: ignore[arg-type]
            **gate,
        )
        self.log.add(report)
        self._finish()
        return report

    def start_from(self, model: Network) -> None:
        """Start with the weights of a folded network, before anything else is done."""
        if not self.is_new:
            raise HansuError(f"{self.folder} has begun already: a model comes before round 1")
        start_from(self.network, model)
        self.best.load_state_dict(self.network.state_dict())
        self._calibrated = False  # the first samples are yet to come

    def pretrain(
        self,
        games: list[Samples],
        progress: Progress = lambda what, share: None,
        stop: Stop | None = None,
    ) -> bool:
        """Learn from the games of experts before the first round; they stay in the replay buffer.

        Returns whether it finished; ``run_round`` resumes it if not.
        """
        if not self.is_new:
            raise HansuError(f"{self.folder} has begun already: records come before round 1")
        self.close()  # no self-play meanwhile: the network is untrained
        self.replay_buffer.add([as_kind(samples, self.replay_buffer.kind) for samples in games])
        self._round = UnfinishedRound.begin(0, self.seed)
        self._round.steps = self._steps(sum(map(len, games)), self.settings.pretrain_passes)
        return self._finish_pretraining(progress, stop or Stop())

    def _finish_pretraining(self, progress: Progress, stop: Stop) -> bool:
        assert self._round is not None
        if not self._run_steps(self._learn(self._round, progress), stop):
            return False
        self.best.load_state_dict(self.network.state_dict())
        self._round = None
        self._finish()
        return True

    def prepare(self) -> None:
        """Compile and load what self-play needs, so that no time is counted for it."""
        playing = self._games_to_play()
        if not (self._round and self._round.begun):
            playing.begin(self.player)
        self._begin = time.perf_counter()

    def close(self) -> None:
        """End the workers, if any. What is on disk is enough to resume."""
        if self._playing:
            self._playing.close()
            self._playing = None
            if self.device.type == "cuda":
                gc.collect()  # the groups of games refer to themselves
                torch.cuda.empty_cache()  # the next ones ask how much memory is free

    @property
    def is_new(self) -> bool:
        """Whether the run has not begun."""
        return not self.step and self._round is None

    @property
    def unfinished(self) -> int | None:
        """The number of the round that was paused, if any."""
        return self._round.number if self._round else None

    @property
    def seconds(self) -> float:
        """The working time of the run, without pauses."""
        return self._before + time.perf_counter() - self._begin

    @property
    def player(self) -> Network:
        """The network of self-play: the newest, in the historic preset the best."""
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
            "seconds": round(self.seconds),
        }
        export(self.player, path, facts)

    # Work that can be paused after every step -----------------------------------------------------

    def _run_steps(self, steps: Iterable[bool], stop: Stop) -> bool:
        """Do all steps and return True, or pause when it is time to stop and return False.

        A step yields whether it was work. Some is always done, however little time there is.
        """
        worked = False
        for worked_now in steps:
            worked = worked or worked_now
            if stop.asked or (worked and stop()):
                self._pause()
                return False
        return True

    def _pause(self) -> None:
        assert self._round is not None
        if self._match:
            self._round.match, self._match = self._match.saved(), None
        if self._playing:
            self._in_progress = self._playing.pause(self._finished, self._round.is_playing)
            self.close()
        self._pauses += 1
        checkpoint.save(self.folder, self.round, self._state(), self._pauses)

    def _finish(self) -> None:
        """Write the model, and last the checkpoint: what a killed process missed is done again."""
        self._pauses = 0
        self.export(self.folder / MODEL)
        checkpoint.save(self.folder, self.round, self._state())

    # Self-play ------------------------------------------------------------------------------------

    def _play(self, current: UnfinishedRound, progress: Progress) -> Iterator[bool]:
        """Play until there are enough new samples, and add them to the replay buffer."""
        if current.summary is not None:
            return
        playing = self._games_to_play()
        if not current.begun:
            playing.begin(self.player)
            current.begun = True
        finished, samples = self._finished, self.settings.samples
        for worked in playing.play(finished, samples):
            progress("playing", min(1.0, finished.samples / samples))
            yield worked
        self.replay_buffer.add(finished.games)
        self.games += len(finished.games)
        player = f"{self.settings.network} #{current.number - 1}"
        show_games(self.folder, self.features, finished.shown, player)
        current.summary = finished.summary()
        current.steps = self._steps(finished.samples, self.settings.passes)
        self._finished = FinishedGames()

    def _games_to_play(self) -> Playing | SelfPlayWorkers:
        """Return the games in progress, or new ones."""
        if self._playing is None:
            how = (self.settings, self.control, self.device, (self.seed, self.round + 1))
            if self.workers or self._on == "ray":
                kind = ClusterWorkers if self._on == "ray" else SelfPlayWorkers
                self._playing = kind(self.workers, self.game, self.folder / "workers", *how)
            else:
                self._playing = Playing(self.features, *how)
            if self._round and self._round.is_playing:
                self._playing.resume(self.player, self._in_progress)
            else:
                self._playing.restore(self._in_progress)
        return self._playing

    # Learning -------------------------------------------------------------------------------------

    def _steps(self, samples: int, passes: float) -> int:
        return max(1, round(samples * passes / self.settings.batch))

    def _learn(self, current: UnfinishedRound, progress: Progress) -> Iterator[bool]:
        """Learn from the training set, then measure the loss on the validation set."""
        while len(current.losses) < current.steps:
            samples = self.replay_buffer.draw(TRAINING, self.settings.batch, current.rng)
            current.losses.append(self.learn_from(samples, current.rng))
            progress("learning", len(current.losses) / current.steps)
            yield True
        while len(current.checked) < VALIDATION_BATCHES and self.replay_buffer.count(VALIDATION):
            current.checked.append(self._validate(current.rng))
            yield True

    def learn_from(self, samples: Samples, rng: np.random.Generator) -> Tensor:
        """Do one step of the optimiser on some samples, each turned by a random symmetry.

        Returns [4] the loss, of policy and of value, and the entropy.
        """
        if not self._calibrated:
            batch = self._learner.batches(samples)
            calibrate(self.network, batch.planes, batch.vector)
            self._calibrated = True
        self.step += 1
        optimiser.set_rate(self.optimiser, self.control.learning_rate, self.step)
        return self._learner(samples, None if self.settings.historic else rng)

    def _validate(self, rng: np.random.Generator) -> tuple[float, float]:
        """Return policy and value loss on a batch of the validation set."""
        self.network.eval()
        with torch.inference_mode():
            samples = self.replay_buffer.draw(VALIDATION, self.settings.batch, rng)
            batch = self._learner.batches(samples)
            logits, values = self.network(batch.planes, batch.vector)
            found = losses(logits, values, batch, self.settings.historic)
        return float(found.policy), float(found.value)

    def _gate(self, current: UnfinishedRound, progress: Progress) -> Iterator[bool]:
        """Play the gating match of the current network against the best."""
        chosen = self.settings
        if current.number % chosen.gate_every:
            return
        self._match = GatingMatch(
            self.features,
            *self._gate_pair(),
            chosen.gate_games,
            chosen.gate_simulations,
            seed=self.seed + current.number,
            random_opening_plies=chosen.random_opening_plies,
        )
        if current.match:
            self._match.restore(current.match)
        for share in self._match.play():
            progress("comparing", share)
            yield True

    def _finish_gating(self) -> dict[str, Any]:
        """End the gating match: above the score the current network becomes the best."""
        assert self._match is not None
        result, self._match = self._match.result, None
        promoted = result.score > self.settings.gate_score
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

    def _gate_pair(self) -> tuple[NetworkEvaluator, NetworkEvaluator]:
        if not self._gate_evaluators:
            half = (self.settings.gate_games + 1) // 2  # in the other games it is not their turn
            self._gate_evaluators = [
                NetworkEvaluator(self.features, half, self.device) for _ in range(2)
            ]
        new, best = self._gate_evaluators
        new.use(self.network)
        best.use(self.best)
        return new, best

    # Resuming -----------------------------------------------------------------------------------

    def _apply_control(self, control: Control) -> None:
        """Use these settings of the control file from now on."""
        if self._playing and control != replace(self.control, learning_rate=control.learning_rate):
            self._in_progress = self._playing.saved()
            self.close()
        self.control = control

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
            "replay": self.replay_buffer.state,
            "in_progress": self._playing.saved() if self._playing else self._in_progress,
            "finished": self._finished.saved() if self._round else None,
            "unfinished_round": self._round.saved() if self._round else None,
            "pauses": self._pauses,
            "calibrated": self._calibrated,
            "seconds": self.seconds,
        }

    def _resume(self) -> dict[str, int] | None:
        """Restore the last checkpoint; return the state of the replay buffer then."""
        state = checkpoint.resume(self.folder)
        if state is None:
            return EMPTY
        for name in ("round", "step", "games", "elo"):
            setattr(self, name, state[name])
        self.network.load_state_dict(state["network"])
        self.best.load_state_dict(state["best"])
        optimiser.restore(self.optimiser, state["optimiser"])
        # An older checkpoint lacks the rest: all samples count, and new games begin.
        self.control = Control(**state.get("control", asdict(self.control)))
        self._in_progress = state.get("in_progress", [])
        self._pauses, self._before = state.get("pauses", 0), state.get("seconds", 0.0)
        self._calibrated = state.get("calibrated", True)
        if state.get("unfinished_round"):
            self._round = UnfinishedRound.restored(state["unfinished_round"], self.device)
            self._finished = FinishedGames.restored(state["finished"])
        return state.get("replay")
