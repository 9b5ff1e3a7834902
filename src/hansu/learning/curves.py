"""How a training run went: its log as curves, for notebooks, pages and documents."""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from hansu.display.chart import Chart, Curve, sheet
from hansu.display.markup import ACCENT, Markup
from hansu.display.text_chart import text_chart
from hansu.errors import HansuError
from hansu.learning.log import LOG, Epoch, read_reports
from hansu.statistics.stats import signed

TRAINING, VALIDATION = "#3b82c4", "#d9822b"  # distinct for colour-blind readers too


@dataclass(frozen=True)
class RunLog:
    """The log of a run; in a notebook it shows its curves."""

    title: str
    reports: tuple[Any, ...]
    in_text: ClassVar[tuple[tuple[str, str], ...]]  # title and column of the curves in a terminal

    def svg(self) -> str:
        """Return the curves as a standalone SVG."""
        return self._sheet(ground=True)

    def text(self) -> str:
        """Return the curves as text for a terminal."""
        drawn = [(title, self._points(field)) for title, field in self.in_text]
        unit = self._unit[1]
        return "\n\n".join(text_chart(title, points, unit) for title, points in drawn if points)

    def facts(self) -> dict[str, Any]:
        """Return how far the run has come, in numbers."""
        raise NotImplementedError

    def charts(self) -> list[Chart]:
        """Return the curves of the picture."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return self._sheet(ground=False)

    def _sheet(self, ground: bool) -> Markup:
        note = str(self).removeprefix(f"{self.title}: ")
        return sheet(self.charts(), self.title, note, ground=ground)

    @property
    def _unit(self) -> tuple[float, str]:
        return _unit(self.reports[-1].seconds)

    def _losses(self, title: str, training: str, validation: str) -> Chart:
        """Return the chart of a loss on the training set and on the validation set."""
        curves = [
            Curve("training", self._points(training), TRAINING),
            Curve("validation", self._points(validation), VALIDATION, True),
        ]
        return Chart(title, curves, self._unit[1])

    def _points(self, field: str) -> list[tuple[float, float]]:
        size = self._unit[0]
        points = [(report.seconds / size, getattr(report, field)) for report in self.reports]
        return [(t, y) for t, y in points if y is not None and math.isfinite(y)]


class TrainingLog(RunLog):
    """The rounds of a run of self-play."""

    in_text = (
        ("Policy loss", "policy_loss"),
        ("Value loss", "value_loss"),
        ("Entropy of the policy", "entropy"),
        ("Elo of the best model", "elo"),
        ("Accuracy where perfect play is known", "accuracy"),
    )

    def __str__(self) -> str:
        last = self.reports[-1]
        told = f"{self.title}: {last.round} rounds, {last.games:,} games in {_span(last.seconds)}"
        return f"{told}, {signed(last.elo)} Elo since the first model" if self._compared else told

    def facts(self) -> dict[str, Any]:
        """Return how far the run has come, in numbers."""
        last = self.reports[-1]
        names = {"rounds": last.round, "seconds": last.seconds}
        return {**names, "games": last.games, "elo": last.elo}

    def charts(self) -> list[Chart]:
        """Return the curves of the picture."""
        size, name = self._unit
        gates = [(r.seconds / size, r) for r in self.reports if r.gate_score is not None]
        scores = [(r.gate_score or 0.0, r.gate_error or 0.0) for _, r in gates]
        gate = Curve(
            "● new best  ○ not yet",
            [(t, score) for (t, _), (score, _) in zip(gates, scores, strict=True)],
            ACCENT,
            line=False,
            bars=[(score - error, score + error) for score, error in scores],
            filled=[bool(r.promoted) for _, r in gates],
        )
        elo = Curve("", self._points("elo"), ACCENT, stepped=True)
        entropy = Curve("", self._points("entropy"), ACCENT)
        speed = Curve("", self._points("simulations_per_second"), ACCENT)
        accuracy = Curve("", self._points("accuracy"), ACCENT)
        known = "Accuracy where perfect play is known"
        charts = [
            self._losses("Policy loss", "policy_loss", "validation_policy_loss"),
            self._losses("Value loss", "value_loss", "validation_value_loss"),
            Chart("Score against the best so far", [gate], name, "{:.0%}".format, level=0.5),
            Chart("Elo of the best model", [elo], name, "{:g}".format, zero=True),
            Chart("Entropy of the policy", [entropy], name),
            Chart("Simulations a second", [speed], name, _brief, zero=True),
            Chart(known, [accuracy], name, "{:.0%}".format),
        ]
        return [chart for chart in charts if any(curve.points for curve in chart.curves)]

    @property
    def _compared(self) -> bool:
        """Whether a match has told how strong the models are."""
        return any(report.gate_score is not None or report.elo for report in self.reports)

    def _points(self, field: str) -> list[tuple[float, float]]:
        return super()._points(field) if field != "elo" or self._compared else []


class EpochLog(RunLog):
    """The epochs of a run that learns from records."""

    in_text = (
        ("Training loss", "training_loss"),
        ("Validation loss", "validation_loss"),
        ("Right answers on the validation set", "accuracy"),
    )

    def __str__(self) -> str:
        last = self.reports[-1]
        return (
            f"{self.title}: {last.epoch} epochs in {_span(last.seconds)}, the best was "
            f"{last.best_epoch} with a validation loss of {self._best_loss:.5g}"
        )

    def facts(self) -> dict[str, Any]:
        """Return how far the run has come, in numbers."""
        last = self.reports[-1]
        names = {"epochs": last.epoch, "seconds": last.seconds, "best_epoch": last.best_epoch}
        return {**names, "validation_loss": self._best_loss}

    @property
    def _best_loss(self) -> float:
        best = self.reports[-1].best_epoch
        return next((r.validation_loss for r in self.reports if r.epoch == best), math.nan)

    def charts(self) -> list[Chart]:
        """Return the curves of the picture."""
        right = Curve("", self._points("accuracy"), ACCENT)
        return [
            self._losses("Loss", "training_loss", "validation_loss"),
            Chart("Right answers on the validation set", [right], self._unit[1], "{:.0%}".format),
        ]


def training_log(folder: str | Path) -> RunLog:
    """Return the log of a run's folder, as ``hansu train`` and ``hansu learn`` write it.

    >>> training_log("nowhere")
    Traceback (most recent call last):
    ...
    hansu.errors.HansuError: there is no training run in nowhere: no log.csv, or an empty one
    """
    if not isinstance(folder, str | Path):
        raise HansuError(f"{folder!r} is not the name of a folder")
    reports = read_reports(Path(folder) / LOG)
    if not reports:
        raise HansuError(f"there is no training run in {folder}: no {LOG}, or an empty one")
    about = _about(Path(folder) / "run.json")
    words = [str(about[key]) for key in ("game", "preset", "network", "net") if key in about]
    what = ", ".join(words) or Path(folder).name
    if isinstance(reports[0], Epoch):
        return EpochLog(f"Learning {what} from records", tuple(reports))
    return TrainingLog(f"Training {what}", tuple(reports))


def _about(path: Path) -> dict[str, Any]:
    """Return the facts of ``run.json``; nothing if it cannot be read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _unit(seconds: float) -> tuple[float, str]:
    return (3600.0, "h") if seconds > 3 * 3600 else (60.0, "min") if seconds > 180 else (1.0, "s")


def _brief(number: float) -> str:
    """Return a large number in short form.

    >>> _brief(2_500_000), _brief(400)
    ('2.5 M', '400')
    """
    for size, sign in ((1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:g}{sign}"
    return f"{number:g}"


def _span(seconds: float) -> str:
    unit, name = _unit(seconds)
    return f"{seconds / unit:.3g} {name}"
