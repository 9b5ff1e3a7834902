"""Pictures that move."""

import xml.etree.ElementTree as ElementTree

import pytest

import hansu
from hansu.display.animated_svg import animated_svg
from hansu.games.game import GAMES

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_position_is_shown_once_in_its_turn(name):
    state = hansu.game(name).start()
    pictures = [state.svg()]
    for _ in range(3):
        state.push(next(iter(state.legal_moves)))
        pictures.append(state.svg())
    moving = animated_svg(pictures, "a &amp; b")
    root = ElementTree.fromstring(moving)
    assert root.find(f"{SVG}title").text == "a & b"
    frames = [group for group in root if group.find(f"{SVG}animate") is not None]
    assert [frame.get("display") for frame in frames] == ["none", "none", "none", "inline"]
    starts = [
        max(float(key) for key, value in _timeline(frame) if value == "inline") for frame in frames
    ]
    assert starts == sorted(starts)
    assert len(moving) < sum(map(len, pictures))


def _timeline(frame):
    moves = frame.find(f"{SVG}animate")
    return zip(moves.get("keyTimes").split(";"), moves.get("values").split(";"), strict=True)
