"""Every example runs as it stands, and says what it should."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import hansu

EXAMPLES = Path(__file__).parent.parent / "examples"
SAYS = {
    "ten_lines": "TenLines is stronger",
    "own_evaluation": "Squares is stronger",
    "compiled_alphabeta": "CompiledAlphaBeta",
    "own_mcts": "OwnMcts against one_step_search",
    "train_network": "loss at first",
    "uci_engine": "wins",
    "tournament": "minimax",
    "million_games": "won",
    "notebook_widget": "visits",
    "own_game": "own_game:Nim",
}


def test_every_example_is_run():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(SAYS)


@pytest.mark.parametrize("name", SAYS)
def test_an_example_runs(name, tmp_path, monkeypatch, capsys):
    if name == "train_network":
        pytest.importorskip("torch", reason="needs pip install '.[learn]'")
    monkeypatch.chdir(tmp_path)
    program = EXAMPLES / f"{name}.py"
    if name == "own_game":  # its rules are the module itself, which must be the program's
        done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert SAYS[name] in done.stdout
        return
    monkeypatch.setattr(sys, "argv", [str(program)])
    runpy.run_path(str(program), run_name="__main__")
    assert SAYS[name] in capsys.readouterr().out


def test_the_compiled_search_finds_what_the_built_in_one_finds(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    from compiled_alphabeta import CompiledAlphaBeta

    for name, position in (("tictactoe", "XXO OOX ..."), ("connect4", "41155163127511567322425")):
        state = hansu.game(name).parse(position)
        move = CompiledAlphaBeta("own", state.turn).act(state)
        truth = hansu.solve(state, hansu.Limits(exact=True))
        right = [known.move for known in truth.moves if known.value == truth.value]
        assert move in right


def test_the_game_of_ones_own_keeps_the_laws(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    hansu.check_game("own_game:Nim")


def test_the_network_learns(monkeypatch):
    pytest.importorskip("torch", reason="needs pip install '.[learn]'")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    from train_network import train

    first, last = train()
    assert last < 0.97 * first
