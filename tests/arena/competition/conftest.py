"""Competitions to try things with."""

import pytest

from hansu.arena.competition.bundle import Bundle, unpack_submission
from hansu.arena.competition.intake import check_next
from hansu.arena.competition.register import Register
from hansu.arena.competition.settings import FILE, read_competition
from hansu.arena.competition.template import new_competition
from tests.arena.tournament.conftest import server  # noqa: F401 - a fixture

AGENT = """import hansu

class Mine(hansu.Agent):
    def act(self, state):
        moves = list(state.legal_moves)
        return {choice}
"""
FIRST = AGENT.format(choice="moves[0]")
LAST = AGENT.format(choice="moves[-1]")
RANDOM = AGENT.format(choice="self.rng.choice(moves)")
MIDDLE = AGENT.format(choice="moves[len(moves) // 2]")
CRASHING = AGENT.format(choice="moves[1 // 0]")
HURRIED = AGENT.format(choice="moves[0 if state.white_remain_sec > 5 else 1 // 0]")


# The same in a language that starts at once: where it does not matter what an agent is written in.
SHELL = """#!/bin/sh
while read -r word first rest; do
    case $word in
        hansu | new) echo ready ;;
        legal) set -- "$first" $rest ;;
        go) {choice} ;;
        quit) exit ;;
    esac
done
"""
SHELL_FIRST = SHELL.format(choice='echo "$1"')
SHELL_LAST = SHELL.format(choice='shift $(($# - 1)); echo "$1"')
SHELL_MIDDLE = SHELL.format(choice='shift $(($# / 2)); echo "$1"')
SHELL_SECOND = SHELL.format(choice='[ $# -gt 1 ] && shift; echo "$1"')


def one_file(source: str) -> Bundle:
    """A submission of one file, as it is taken in."""
    return unpack_submission(
        "agent" if source.startswith("#!") else "a.py", source.encode(), 1 << 20
    )


@pytest.fixture
def make(tmp_path):
    """Makes the folder of a competition in tic-tac-toe; pairs of texts change its settings."""

    def folder(*changes, name="cup", staff=False):
        place = tmp_path / name
        file = new_competition(place, "tictactoe")
        text = file.read_text().replace("precision = 30 ", "precision = 2000 ")
        text = text if staff else text[: text.index("[[staff]]")]
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        (place / FILE).write_text(text)
        return place

    return folder


@pytest.fixture
def register(make):
    """Makes a register of a new competition, with some participants whose agents were checked.

    Programs of the shell above are known to play and are let in without a check.
    """

    def enter(agents, *changes, **how):
        place = make(*changes, **how)
        made = Register(place, read_competition(place))
        for name, source in agents.items():
            entry = made.submit(name, one_file(source), "command")
            if source.startswith("#!"):
                made.decide(entry, "accepted", {"findings": []})
        while check_next(place, made):
            pass
        return made

    return enter


@pytest.fixture
def small_rounds(monkeypatch):
    """Rounds of two encounters at least instead of four, also in processes that are forked."""
    monkeypatch.setattr("hansu.arena.competition.rating.SMALLEST", 2)
