"""Our files in other programs: python-chess, sgfmill, gnugo."""

import io
import shutil
import subprocess

import chess.pgn
import pytest
from sgfmill import sgf, sgf_moves

import hansu
from hansu.records.pgn import write_pgn
from hansu.records.sgf import write_sgf
from tests.records.random_games import random_record

GNUGO = shutil.which("gnugo", path="/usr/games:/usr/local/bin:/usr/bin:/opt/homebrew/bin")


@pytest.mark.parametrize("seed", range(15))
def test_pgn_opens_in_python_chess(seed):
    record = random_record("microchess", seed)
    game = chess.pgn.read_game(io.StringIO(write_pgn([record])))
    assert game.errors == []
    played = [move for move in record.moves if move != "resign"]
    assert [move.uci() for move in game.mainline_moves()] == played
    assert game.end().board().fen() == record.final
    assert game.headers["Result"] == (
        "*" if record.outcome.reason == "unfinished" else record.outcome.result()
    )
    assert chess.pgn.read_headers(io.StringIO(write_pgn([record])))["FEN"] == record.start
    if record.control.seconds == 400 and played:
        used = sum(turn.seconds for turn in record.turns[::2])
        clocks = [node.clock() for node in game.mainline()][::2]
        assert clocks[-1] == pytest.approx(400 - used, abs=0.01)


@pytest.mark.parametrize("seed", range(15))
def test_sgf_opens_in_sgfmill(seed):
    record = random_record("go:size=9", seed)
    game = sgf.Sgf_game.from_bytes(write_sgf([record]).encode())
    state = hansu.game("go").parse(record.final)
    board, plays = sgf_moves.get_setup_and_moves(game)
    for color, where in plays:
        if where is not None:
            board.play(*where, color)
    stones = {"b": hansu.BLACK, "w": hansu.WHITE, None: None}
    for row in range(9):
        for column in range(9):
            point = (8 - row) * 9 + column
            assert stones[board.get(row, column)] == state.stones()[point]
    assert game.get_komi() == 7
    assert game.get_player_name("b") == record.first
    winner = {"b": hansu.BLACK, "w": hansu.WHITE, None: None}[game.get_winner()]
    assert winner == record.outcome.winner


@pytest.mark.skipif(GNUGO is None, reason="gnugo is not installed")
def test_sgf_opens_in_gnugo(tmp_path):
    commands, states = [], []
    for seed in range(20):
        record = random_record("go:size=9", seed)
        file = tmp_path / f"{seed}.sgf"
        file.write_text(write_sgf([record]), encoding="utf-8")
        commands += [f"loadsgf {file}", "list_stones black", "list_stones white"]
        states.append(hansu.game("go").parse(record.final))
    done = subprocess.run(
        [GNUGO, "--mode", "gtp"],
        input="\n".join([*commands, "quit\n"]),
        capture_output=True,
        text=True,
        timeout=60,
    )
    answers = [answer.strip() for answer in done.stdout.split("\n\n") if answer.strip()]
    for number, state in enumerate(states):
        loaded, black, white = answers[3 * number : 3 * number + 3]
        assert loaded == f"= {'black' if state.turn == hansu.BLACK else 'white'}"
        for color, answer in ((hansu.BLACK, black), (hansu.WHITE, white)):
            own = {state.move_text(p) for p, c in enumerate(state.stones()) if c == color}
            assert set(answer.removeprefix("=").split()) == own
