"""A figure of speed: what the six searches of a page reach, in one run of the page's own code."""

import contextlib
import functools
import math
import re
import tempfile
from pathlib import Path
from typing import Any

from docs.figures.counts import power
from docs.figures.words import COLORS, Figure, Word, chart

from hansu.display.chart import Curve

PAGE = Path(__file__).parent.parent / "tutorial" / "18_engine_speed.md"
CODE = re.compile(r'^```python(?: title="(\S+)")?\n(.*?)^```', re.MULTILINE | re.DOTALL)


@functools.cache
def speeds() -> dict[str, float]:
    """Return the nodes a second of each step. Unlike other figures this one is timed."""
    space: dict[str, Any] = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, code in CODE.findall(PAGE.read_text(encoding="utf-8")):
            if name:
                Path(name).write_text(code, encoding="utf-8")
            exec(compile(code, PAGE.name, "exec"), space)
    found: dict[str, float] = space["speeds"]
    return found


def engine_speed(word: Word) -> str:
    """Points: nodes a second by step."""
    points = [(step, math.log10(speed)) for step, speed in enumerate(speeds().values(), 1)]
    curve = Curve("", points, COLORS[0], filled=[True] * len(points))
    return chart(
        word("One search, six times", "같은 탐색을 여섯 번"),
        word("nodes a second, microchess, one core", "초당 노드 수, 마이크로체스, 코어 하나"),
        [curve],
        x_name=word("step", "단계"),
        y_text=power,
    )


FIGURES: dict[str, Figure] = {"engine_speed": engine_speed}
