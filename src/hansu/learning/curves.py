"""How a training run went: its log as curves, for notebooks, pages and documents."""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hansu.display.chart import Chart, Curve, sheet
from hansu.display.markup import ACCENT, Markup
from hansu.display.text_chart import text_chart
from hansu.errors import HansuError
from hansu.learning.log import LOG, Report, read_reports

LEARNT, CHECKED = "#3b82c4", "#d9822b"  # a pair that colour-blind readers can tell apart


@dataclass(frozen=True)
class TrainingLog:
    """The rounds of a run; in a notebook it shows its curves."""

    title: str
    reports: tuple[Report, ...]

    def svg(self) -> str:
        """The curves as a picture of its own, which any browser shows."""
        return self._sheet(ground=True)

    def text(self) -> str:
        """The curves in a terminal's characters."""
        unit, name = _unit(self.reports[-1].seconds)
        times = [report.seconds / unit for report in self.reports]
        curves = [
            ("Policy loss", "policy_loss"),
            ("Value loss", "value_loss"),
            ("Entropy of the policy", "entropy"),
            ("Elo of the best model", "elo"),
        ]
        drawn = [(title, self._points(times, field)) for title, field in curves]
        return "\n\n".join(text_chart(title, points, name) for title, points in drawn if points)

    def _repr_html_(self) -> str:
        return self._sheet(ground=False)

    def __str__(self) -> str:
        last = self.reports[-1]
        return (
            f"{self.title}: {last.round} rounds, {last.games:,} games in {_span(last.seconds)}, "
            f"{last.elo:+.0f} Elo since the first model"
        )

    def _sheet(self, ground: bool) -> Markup:
        unit, name = _unit(self.reports[-1].seconds)
        times = [report.seconds / unit for report in self.reports]

        def loss(title: str, field: str) -> Chart:
            learnt = Curve("learnt from", self._points(times, field), LEARNT)
            checked = self._points(times, f"validation_{field}")
            return Chart(title, [learnt, Curve("held back", checked, CHECKED, True)], name)

        gates = [
            (t, r) for t, r in zip(times, self.reports, strict=True) if r.gate_score is not None
        ]
        gate = Curve(
            "● new best  ○ not yet",
            [(t, r.gate_score or 0.0) for t, r in gates],
            ACCENT,
            line=False,
            errors=[r.gate_error or 0.0 for _, r in gates],
            filled=[bool(r.promoted) for _, r in gates],
        )
        elo = Curve("", self._points(times, "elo"), ACCENT, stepped=True)
        entropy = Curve("", self._points(times, "entropy"), ACCENT)
        speed = Curve("", self._points(times, "simulations_per_second"), ACCENT)
        charts = [
            loss("Policy loss", "policy_loss"),
            loss("Value loss", "value_loss"),
            Chart("Score against the best so far", [gate], name, "{:.0%}".format, level=0.5),
            Chart("Elo of the best model", [elo], name, "{:g}".format, zero=True),
            Chart("Entropy of the policy", [entropy], name),
            Chart("Simulations a second", [speed], name, _brief, zero=True),
        ]
        return sheet(charts, self.title, str(self).removeprefix(f"{self.title}: "), ground=ground)

    def _points(self, times: list[float], field: str) -> list[tuple[float, float]]:
        heights = [getattr(report, field) for report in self.reports]
        return [
            (t, y)
            for t, y in zip(times, heights, strict=True)
            if y is not None and math.isfinite(y)
        ]


def training_log(folder: str | Path) -> TrainingLog:
    """The log of a run's folder, as ``hansu train`` writes it.

    >>> training_log("nowhere")
    Traceback (most recent call last):
    ...
    hansu.errors.HansuError: there is no training run in nowhere: no log.csv, or an empty one
    """
    reports = read_reports(Path(folder) / LOG)
    if not reports:
        raise HansuError(f"there is no training run in {folder}: no {LOG}, or an empty one")
    about = _about(Path(folder) / "run.json")
    words = [str(about[key]) for key in ("game", "preset", "network") if key in about]
    return TrainingLog("Training " + (", ".join(words) or Path(folder).name), tuple(reports))


def _about(path: Path) -> dict[str, Any]:
    """What the run says about itself; a log without that is still worth seeing."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _unit(seconds: float) -> tuple[float, str]:
    return (3600.0, "h") if seconds > 3 * 3600 else (60.0, "min") if seconds > 180 else (1.0, "s")


def _brief(number: float) -> str:
    """A number that may be large.

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
