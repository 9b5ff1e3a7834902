"""The commands as a person or a program uses them."""

import json
import re
import subprocess
import sys

import pytest

from hansu.games.game import GAMES
from hansu.kernel.gpu import has_card
from tests.command_line import hansu


def test_the_command_is_there():
    command = [sys.executable, "-m", "hansu", "perft", "tictactoe", "3", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["nodes"] == 9 * 8 * 7


def test_show_draws_the_board_and_lists_the_moves(tmp_path):
    picture = tmp_path / "board.svg"
    out = hansu("show", "tictactoe", "-p", "b2a1", "--svg", str(picture)).stdout
    assert "2 . X ." in out
    assert "legal moves (7): b1 c1 a2 c2 a3 b3 c3" in out
    assert picture.read_text().startswith("<svg")


def test_show_tells_how_a_game_ended():
    facts = json.loads(hansu("show", "connect4", "-p", "1212121", "--json").stdout)
    assert facts == {
        "game": "connect4",
        "position": "1212121",
        "turn": "black",
        "legal_moves": [],
        "over": True,
        "winner": "white",
        "reason": "line",
    }


def test_a_bad_line_gets_an_error_line_and_the_others_an_answer():
    done = hansu("show", "connect4", "--json", "-p", "-", stdin="4\n49\n44\n", code=2)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line.get("position") for line in lines] == ["4", None, "44"]
    assert "error" in lines[1]


def test_a_position_may_come_from_a_file(tmp_path):
    (tmp_path / "game.txt").write_text("f5d6\n")
    out = hansu("show", "othello", "-p", f"@{tmp_path / 'game.txt'}", "--json").stdout
    assert json.loads(out)["turn"] == "black"


def test_perft_counts_and_divides():
    out = hansu("perft", "tictactoe", "4", "--divide", "--json").stdout
    answer = json.loads(out)
    assert answer["nodes"] == 3024 == sum(answer["divide"].values())


def test_bench_counts_random_games():
    command = ("bench", "tictactoe", "--seconds", "0.05")
    facts = json.loads(hansu(*command, "--json").stdout)
    assert 5 * facts["games"] <= facts["plies"] <= 9 * facts["games"]
    assert facts["plies_per_second"] == pytest.approx(facts["plies"] / facts["seconds"], rel=1e-3)
    assert 0.55 < facts["first_won"] < 0.75
    assert re.match(r"[\d,]+ plies/s, [\d,]+ games/s on cpu \(", hansu(*command).stdout)


@pytest.mark.skipif(has_card(), reason="there is a card here")
def test_bench_says_that_there_is_no_card():
    told = hansu("bench", "tictactoe", "--device", "cuda", code=2).stderr
    assert re.fullmatch(r"hansu: device=cuda needs .*\n", told)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--device", "tpu"), "there is no device 'tpu'"),
        (("--playout", "clever"), "there is no playout policy 'clever'"),
    ],
)
def test_bench_refuses_what_it_cannot_do(options, said):
    assert said in hansu("bench", "tictactoe", *options, code=2).stderr


def test_a_game_is_played_in_the_terminal():
    out = hansu("play", "tictactoe", "--terminal", "--seed", "3", stdin="b2\nzz\nundo\na1\nquit\n")
    assert "white b2" in out.stdout
    assert "'zz' is not a cell" in out.stdout
    assert "Good-bye." in out.stdout


def test_with_nobody_at_the_keyboard_the_game_is_played_to_its_end():
    words = ("play", "connect4", "--terminal", "--agent", "random", "--seed", "3")
    out = hansu(*words, stdin="4\n").stdout
    assert "random plays for you" in out
    assert re.fullmatch(r"(White|Black) wins \(line\) after \d+ turns\.", out.splitlines()[-1])


MINE = """import hansu

class Mine(hansu.Agent):
    ready = False

    def prepare(self, start):
        self.ready = True

    def act(self, state):
        ANSWER
"""


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("assert self.ready; return state.legal_moves[0]", ""),
        ("return hansu.RESIGN", "White wins (resignation) after 1 turn."),
        ("return 99", "White wins (illegal move)"),
        ("raise ValueError('on purpose')", "White wins (crash)"),
    ],
)
def test_the_terminal_has_the_judge_of_the_arena(tmp_path, answer, told):
    file = tmp_path / "mine.py"
    file.write_text(MINE.replace("ANSWER", answer))
    words = ("play", "tictactoe", "--terminal", "--agent", str(file))
    out = " ".join(hansu(*words, stdin="b2\nquit\n").stdout.split())
    assert told in out
    assert ("Good-bye." in out) == (not told)
    assert ("ValueError: on purpose" in out) == ("crash" in told)
    assert ("answered 99: it is not legal here" in out) == ("illegal" in told)


def test_watch_tells_a_line_a_turn_and_the_result():
    lines = hansu(
        "watch", "connect4", "mcts:n_simulations=50", "random", "--json"
    ).stdout.splitlines()
    turns = [json.loads(line) for line in lines]
    assert [turn["turn"] for turn in turns[:-1]] == list(range(1, len(turns)))
    assert turns[-1]["turns"] == len(turns) - 1
    assert turns[-1]["reason"] in ("line", "board_full")


def test_watch_shows_the_board_the_clocks_and_the_verdict():
    out = hansu("watch", "tictactoe", "minimax", "malfunction:p=1", "--seconds", "60").stdout
    assert re.search(r"^white [abc][123]\b", out, re.MULTILINE)
    assert "seconds     white 60.0, black 60.0" in out
    assert "score minimax 1 : 0 malfunction:p=1, 1 turn, crash" in out
    assert "disqualified: malfunction:p=1: RuntimeError" in out


def test_match_answers_in_one_line_and_leaves_standard_output_to_it():
    out = hansu("match", "connect4", "one_step_search", "random", "--games", "4", "--json").stdout
    (line,) = out.splitlines()
    answer = json.loads(line)
    assert answer["games"] == 4
    assert answer["wins"] + answer["draws"] + answer["losses"] == 4


def test_benchmark_is_match():
    out = hansu("benchmark", "tictactoe", "minimax", "random", "--games", "4").stdout
    assert "verdict" in out
    assert "likelihood of superiority" in out


def test_analyze_lists_every_move():
    out = hansu("analyze", "connect4", "-p", "4455", "-a", "abp_negamax:depth=5", "--json").stdout
    answer = json.loads(out)
    assert answer["move"] in ("3", "6")
    assert answer["value"] == 1.0
    assert len(answer["lines"]) == 7


def test_lists_can_be_read_by_people_and_programs():
    assert "mcts_memory" in hansu("agents").stdout
    names = [row["agent"] for row in json.loads(hansu("agents", "--json").stdout)]
    assert names[0] == "random"
    games = {row["game"] for row in json.loads(hansu("games", "--json").stdout)}
    assert games == set(GAMES)


def test_a_new_agent_works_and_nothing_is_overwritten(tmp_path):
    file = tmp_path / "my_agent.py"
    told = hansu("new", "agent", str(file)).stdout
    assert "class MyAgent" in told
    assert f"hansu check {file}\n" in told
    assert "exists already" in hansu("new", "agent", str(file), code=2).stderr
    assert "try my_agent.py" in hansu("new", "agent", str(tmp_path / "my-agent"), code=2).stderr


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("show checkers", "there is no game 'checkers'; the games are connect4, go"),
        ("show tictactoe -p XXXXXXXXX", "cannot arise"),
        ("show tictactoe:size=4", "no tictactoe option 'size'"),
        ("show tictactoe -p @no/such/file", "cannot read no/such/file"),
        ("show tictactoe --svg /no/such/folder/x.svg", "cannot write"),
        ("watch tictactoe random alphago", "there is no agent 'alphago'"),
        ("watch tictactoe random random --turns 3", "no turn limit"),
        ("match tictactoe random random --sprt x", "ELO0,ELO1"),
        ("match tictactoe random random --sprt 10,0", "elo0 below elo1"),
        ("uci --game connect4", "UCI is for microchess, not for connect4"),
        ("gtp --game connect4", "no GTP program plays connect4"),
        ("analyze tictactoe -p XXX.OO...", "the game is over, White wins (line)"),
    ],
)
def test_a_mistake_is_one_clear_sentence(words, part):
    error = hansu(*words.split(), code=2).stderr
    assert part in error
    assert len(error.strip().splitlines()) == 1


def test_the_curves_of_a_run_are_drawn(tmp_path):
    columns = [
        "round,seconds,games,samples,step,simulations_per_second,turns_per_game,first_won,loss",
        "policy_loss,value_loss,entropy,validation_policy_loss,validation_value_loss",
        "learning_rate,simulations,elo",
    ]
    rows = [
        "1,30,9,60,4,1000,7,0.5,2,1.5,0.5,1,,,0.01,32,12",
        "2,60,18,120,8,1000,7,0.5,1,1,0.2,1,1,0.3,0.01,32,40",
    ]
    (tmp_path / "log.csv").write_text("\n".join([",".join(columns), *rows, ""]))
    answer = json.loads(hansu("curves", str(tmp_path), "--json").stdout)
    assert answer["rounds"] == 2
    assert answer["elo"] == 40
    assert (tmp_path / "curves.svg").read_text().startswith("<svg")
    _, _, elo = hansu("curves", str(tmp_path)).stdout.partition("Elo of the best model")
    assert [line.split()[0] for line in elo.split("\n")[1:6:4]] == ["40", "12"]
    assert "no training run" in hansu("curves", str(tmp_path / "none"), code=2).stderr


def test_an_analysis_is_written_as_a_page(tmp_path):
    page = tmp_path / "search.html"
    words = (
        "analyze",
        "tictactoe",
        "-p",
        "b2a1",
        "--agent",
        "mcts_dev:n_simulations=200",
        "--json",
    )
    answer = json.loads(hansu(*words, "--html", str(page), "--language", "ko").stdout)
    assert f'"move": "{answer["move"]}"' in page.read_text(encoding="utf-8")
    assert (
        "languages are en, ko"
        in hansu(*words, "--html", str(page), "--language", "x", code=2).stderr
    )
    assert "cannot write" in hansu(*words, "--html", str(tmp_path / "no" / "x.html"), code=2).stderr


def test_agents_show_the_levels_of_engine_with_their_ratings():
    rows = json.loads(hansu("agents", "--json").stdout)
    (engine,) = (row for row in rows if row["agent"] == "engine")
    assert set(engine["levels"]) == set(GAMES)
    first, *_, last = engine["levels"]["othello"]
    assert (first["name"], last["name"]) == ("Newcomer", "Full strength")
    assert first["rating"] < last["rating"]
    out = hansu("agents").stdout
    assert f"{last['rating']}±{last['error']}" in out


def test_an_analysis_says_what_is_proved_unless_another_agent_is_chosen():
    out = hansu("analyze", "tictactoe", "-p", "XX.OO....").stdout
    assert "engine plays c1" in out
    assert re.search(r"c1 +100.0%  proved \+3", out)
    assert re.search(r"c2 +50.0%  proved \+0", out)
    facts = json.loads(hansu("analyze", "tictactoe", "-p", "XX.OO....", "--json").stdout)
    assert facts["proved"]
