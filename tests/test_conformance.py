"""The product's contract in one place: public names, command-line flags, JSON keys, options."""

import json
import subprocess
import sys
from dataclasses import fields

import pytest

import hansu
from hansu.agents.registry import named_agent
from hansu.options import split_options
from tests.command_line import hansu as run

# Python ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "game",
        "agent",
        "Agent",
        "State",
        "Outcome",
        "Game",
        "WHITE",
        "BLACK",
        "RESIGN",
        "check_game",
        "match",
        "play_game",
        "tournament",
        "Environment",
        "SearchInfo",
    ],
)
def test_public_names(name):
    assert getattr(hansu, name, None) is not None
    assert name in dir(hansu)


def test_importing_hansu_is_light():
    heavy = "numba numpy chess torch onnxruntime typer rich fastapi sgfmill"
    code = f"import sys, hansu; print([m for m in {heavy.split()} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("microchess", {}),
        ("go", {"size": 9, "komi": 7}),
        ("othello", {}),
        ("connect4", {"no_center_opening": True}),
        ("tictactoe", {}),
    ],
)
def test_the_state_that_agents_see(name, options):
    game = hansu.game(name, **options)
    state = game.start()
    assert game.parse(state.text()).text() == state.text()
    move = next(iter(state.legal_moves))
    assert state.parse_move(state.move_text(move)) == move
    after = state.forward(move)
    state.push(move)
    assert state.text() == after.text()
    assert state.pop() == move
    assert state.turn in (hansu.WHITE, hansu.BLACK)
    assert state.color == state.turn
    assert str(state)
    assert state.svg().startswith("<svg")
    assert state._repr_svg_().startswith("<svg")
    assert state.is_game_over() is False
    assert state.outcome() is None
    assert state.white_remain_sec == state.black_remain_sec == 400
    assert game.evaluator.eval(state, hansu.WHITE) >= 0
    assert -1 <= game.evaluator.eval_2(state, hansu.WHITE) <= 1
    assert game.evaluator.win_or_lose(state, hansu.WHITE) == 0.5


def test_an_agent_has_what_the_contract_names():
    agent = hansu.agent(hansu.game("tictactoe"), "random", color=hansu.BLACK)
    assert (agent.color, agent.turn, agent.opponent_color) == (False, False, True)
    assert 0 <= agent.rng.random() < 1
    agent.reset()
    agent.act(hansu.game("tictactoe").start())
    agent.close()


# Command line ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "flags"),
    [
        ("games", "--json"),
        ("show", "--position --svg --json"),
        ("perft", "--position --divide --json"),
        ("play", "--terminal"),
        ("watch", "--json --seconds --move-seconds --increment --position"),
        ("match", "--games --json --sprt --concurrency --seed --openings --seconds --move-seconds"),
        ("benchmark", "--games --json"),
        ("agents", "--json"),
        ("new", "agent"),
        ("check", "--json"),
        ("doctor", "--json"),
        ("analyze", "--position --agent --seconds --json"),
        ("tournament", "--rounds --out --json --untrusted"),
        ("export", "--to --out"),
        ("replay", "--game --at --debug --json"),
        ("uci", "--agent"),
        ("gtp", "--game --agent"),
        ("train", "--minutes --out --preset --set --json"),
        ("learn", "--draws --epochs --minutes --out --device --json"),
        ("serve", "--port --no-browser"),
        ("competition", ""),
        ("solve", "--json"),
    ],
)
def test_commands_and_their_flags(command, flags):
    page = run(command, "--help").stdout
    missing = [flag for flag in flags.split() if flag not in page]
    assert not missing


MATCH_KEYS = (
    "games wins draws losses score elo elo_error distinct_games as_first as_second disqualified"
)


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("show tictactoe --position b2", "game position turn legal_moves over winner reason"),
        ("perft tictactoe 3", "nodes seconds"),
        ("match tictactoe random random --games 2", MATCH_KEYS),
        (
            "analyze tictactoe --position b2 --agent minimax --seconds 1",
            "move value lines nodes seconds",
        ),
        (
            "tournament tictactoe random first_move --rounds 1 --out OUT",
            "games scheduled standings disqualified",
        ),
    ],
)
def test_json_keys(words, keys, tmp_path):
    answer = json.loads(run(*words.replace("OUT", str(tmp_path)).split(), "--json").stdout)
    assert set(keys.split()) <= set(answer)


def test_show_answers_a_line_for_each_line():
    out = run("show", "connect4", "--json", "--position", "-", stdin="4\n44\n").stdout
    assert [json.loads(line)["position"] for line in out.splitlines()] == ["4", "44"]


# Agents and their options ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "random",
        "first_move",
        "malfunction:p=0.5",
        "human",
        "one_step_search",
        "two_step_search",
        "greedy",
        "winning_moves",
        "minimax:depth=3",
        "negamax:depth=4",
        "abp_negamax:depth=6",
        "brute:playouts=100000",
        "pure_mc:batches=30,batch=30,choose=batch",
        "mcts:n_simulations=1000000,search_time=10,max_depth=6,exploration_coef=1.0,"
        "action_score=visits,reward_amplify=on,playout=light,resign=off",
        "mcts_dev:n_simulations=5000,search_time=10000",
        "mcts_memory:memory=/tmp/m,min_visits=30,scope=always",
        "self_learning:cpuct=1.0,n_simulations=100000,search_time=10,max_depth=32,model=shipped",
        "record_learning:depth=5,late_depth=7",
        "stockfish:level=20,move_time=1",
        "fairy_stockfish:level=20,move_time=1",
        "gnugo:level=10,move_time=1",
        "grhino:level=3,move_time=1",
        "engine",
    ],
)
def test_agents_and_their_options(text):
    """Each can be made with the options of the contract, whose values here are the defaults."""
    name, _ = split_options(text)
    made = named_agent(text, "microchess")
    plain = named_agent(name, "microchess")
    for field in fields(made.options):
        if field.name not in ("memory", "depth"):
            assert getattr(made.options, field.name) == getattr(plain.options, field.name)
