"""The log of a run: a line a round or epoch in ``log.csv``, and event files for TensorBoard."""

import csv
import io
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, get_type_hints

from hansu.atomic_write import atomic_write
from hansu.errors import HansuError

LOG = "log.csv"


@dataclass(frozen=True)
class Report:
    """The results of a round."""

    round: int
    seconds: float  # since the very beginning, pauses left out
    games: int  # played so far
    samples: int  # in the replay buffer
    step: int  # of the optimiser, so far
    simulations_per_second: float
    turns_per_game: float
    first_won: float  # share of this round's games, a draw counting a half
    loss: float
    policy_loss: float
    value_loss: float
    entropy: float
    validation_policy_loss: float | None
    validation_value_loss: float | None
    learning_rate: float
    simulations: int
    false_resignations: float | None = None  # share of would-be resignations that were not lost
    gate_score: float | None = None
    gate_error: float | None = None
    gate_games: int | None = None
    gate_distinct: int | None = None
    promoted: bool | None = None
    elo: float = 0.0  # of the best model, the first one being 0
    accuracy: float | None = None  # of first choices, in positions where perfect play is known


@dataclass(frozen=True)
class Epoch:
    """The results of an epoch of learning from records."""

    epoch: int
    seconds: float  # since the very beginning, pauses left out
    step: int  # of the optimiser, so far
    training_loss: float
    validation_loss: float
    accuracy: float | None  # on the validation set, where that has a meaning
    best_epoch: int


class Log:
    """The reports of a run, on disk."""

    def __init__(self, folder: Path, rounds: int, kind: type[Any] = Report) -> None:
        """Continue after so many rounds; what a killed process wrote beyond them is dropped.

        ``kind`` is the dataclass of the reports; its first field numbers the rounds.
        """
        self.path = folder / LOG
        self._columns = [field.name for field in fields(kind)]
        found = self.read()
        if found and self._columns[0] not in found[0]:
            raise HansuError(f"{self.path} is not the log of such a run: choose another folder")
        rows = [row for row in found if int(row[self._columns[0]]) <= rounds]
        content = io.StringIO()
        writer = csv.DictWriter(content, self._columns)
        writer.writeheader()
        writer.writerows(rows)
        atomic_write(self.path, content.getvalue())
        self.before = float(rows[-1]["seconds"]) if rows else 0.0
        self._board = _tensorboard(folder, int(rows[-1]["step"]) + 1 if rows else 0)

    def read(self) -> list[dict[str, str]]:
        """Return all rows so far."""
        return read_rows(self.path)

    def add(self, report: Any) -> None:
        """Add a line."""
        numbers = asdict(report)
        with self.path.open("a", newline="", encoding="utf-8") as file:
            csv.DictWriter(file, self._columns).writerow(numbers)
        if self._board is not None:
            for name, value in numbers.items():
                if isinstance(value, int | float):
                    self._board.add_scalar(name, value, report.step)
            self._board.flush()


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return all rows of a log as they are written, without a last line that is cut off."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if None not in row.values()]


def read_reports(path: Path) -> list[Report] | list[Epoch]:
    """Return all rounds of a log so far, or all epochs of one of learning from records.

    Columns that an older log lacks have their defaults.
    """
    try:
        rows = read_rows(path)
        if not rows or "round" in rows[0]:
            return [_report(Report, row) for row in rows]
        if "epoch" in rows[0]:
            return [_report(Epoch, row) for row in rows]
    except (OSError, ValueError, TypeError, csv.Error) as error:
        raise HansuError(f"{path} is not the log of a training run: {error}") from None
    raise HansuError(f"{path} is not a log as `hansu train` or `hansu learn` writes it")


def _report(kind: type[Any], row: dict[str, str]) -> Any:
    kinds = get_type_hints(kind)
    return kind(**{name: _value(kinds[name], row[name]) for name in kinds if name in row})


def _value(kind: Any, text: str) -> Any:
    """Return the value of a cell: a number, a boolean or None."""
    if text == "":
        return None
    if text in ("True", "False"):
        return text == "True"
    return int(text) if kind in (int, int | None) else float(text)


def _tensorboard(folder: Path, step: int) -> Any:
    """Return a writer of event files; it hides what a killed process wrote from this step on."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    board: Any = SummaryWriter  # not typed
    return board(str(folder / "tensorboard"), purge_step=step)
