"""A caller can bound how much of a file is read, and is told that there is more."""

import pytest

import hansu
from hansu.records.formats import FORMATS, read_content
from hansu.records.problems import Most
from hansu.web.recorded_games import MOST, read_upload

GAME_OF = {"pgn": "microchess", "sgf": "go:size=5", "ggf": "othello", "wthor": "othello"}


def file_of(name: str, count: int) -> tuple[bytes, str]:
    game = GAME_OF.get(name, "tictactoe")
    record = hansu.play_game(game, "random", "random", seed=1)
    content = FORMATS[name].write([record] * count)
    return content.encode() if isinstance(content, str) else content, FORMATS[name].suffix


@pytest.mark.parametrize("name", FORMATS)
def test_a_reader_stops_after_so_many_games_and_says_so(name):
    content, suffix = file_of(name, 5)
    problems = []
    games = read_content(content, content, suffix, problems, Most(games=3))
    assert len(games) == 3
    (problem,) = problems
    assert str(problem).endswith("game 4: only the 3 games before it are read")
    problems.clear()
    assert len(read_content(content, content, suffix, problems, Most(games=5))) == 5
    assert problems == []


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "headers"])
def test_a_reader_stops_after_so_many_turns(name):
    content, suffix = file_of(name, 5)
    problems = []
    assert len(read_content(content, content, suffix, problems, Most(turns=1))) == 1
    assert len(problems) == 1


def test_broken_games_count_as_well_and_come_after_it():
    content = b"b2a1\n" + b"b2b2\n" * 10
    problems = []
    assert len(read_content(content, content, ".txt", problems, Most(games=4))) == 4
    assert len(problems) == 4
    assert "only the 4 games" in str(problems[0])
    with pytest.raises(hansu.HansuError, match="line 1"):
        read_content(b"x\n" * 10, b"x\n" * 10, ".txt", problems, Most(games=4))


@pytest.mark.parametrize(
    ("content", "name"), [(b"4\n" * 500_000, "a.txt"), (b"(;B[aa])" * 125_000, "a.sgf")]
)
def test_an_upload_of_very_many_games_is_read_in_part(content, name):
    facts = read_upload(content, name)
    assert facts["found"] == len(facts["games"]) == MOST.games
    assert "only the 1,000 games before it are read" in facts["left_out"][0]["text"]
    assert facts["more"] == 0
