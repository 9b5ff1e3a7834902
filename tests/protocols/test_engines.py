"""Real engines as agents: they play by our rules, from any position, and repeat themselves."""

import random
import sys

import chess
import chess.engine
import pytest

import hansu
from hansu.games.state import Timing
from hansu.protocols.gtp_agents import Grhino
from hansu.protocols.gtp_client import GtpEngine
from hansu.protocols.pipe import EnginePipe
from hansu.protocols.uci_agents import VARIANT, CompactBoard, chess_board, moves_of_chess
from hansu.protocols.uci_client import UciEngine
from hansu.records.record import TimeControl
from tests.games.microchess.positions import is_double_step, random_positions
from tests.protocols.engines import FAKE, needs

ENGINES = [
    pytest.param("microchess", "stockfish:move_time=0.01", marks=needs("stockfish")),
    pytest.param("microchess", "fairy_stockfish:move_time=0.01", marks=needs("fairy-stockfish")),
    pytest.param("go:size=5,komi=0.5", "gnugo:level=1", marks=needs("gnugo")),
    pytest.param("othello", "grhino:level=1", marks=needs("gtp-rhino")),
]


@pytest.mark.parametrize(("game", "who"), ENGINES)
def test_an_engine_plays_a_match_by_the_rules(game, who):
    result = hansu.match(game, who, "random", games=4, openings="random:5", seed=3)
    assert result.disqualified == []
    assert result.score > 0.5


@pytest.mark.parametrize(("game", "who"), ENGINES)
def test_an_engine_that_is_killed_in_a_game_loses_it_and_plays_the_next(game, who):
    agent = hansu.agent(game, who)
    turns = []

    class Saboteur(hansu.Agent):
        def act(self, state):
            turns.append(1)
            if len(turns) == 3:
                agent.engine.close(politely=False)
            return self.rng.choice(list(state.legal_moves))

    result = hansu.match(game, agent, Saboteur, games=2, seed=1)
    assert [row["reason"] for row in result.disqualified] == ["crash"]
    assert result.games[0].outcome.reason == "crash"
    assert result.games[1].evidence == ""


def test_numbers_and_switches_are_sent_as_what_they_are(tmp_path):
    """In Python 1 == True, and 0 == False."""
    notes = tmp_path / "notes"
    engine = UciEngine(EnginePipe([sys.executable, str(FAKE), "uci", "notes options", str(notes)]))
    for value in (1, 0, "1", 2, "0"):
        engine.configure({"Level": value})
    for value in (False, True, "false"):
        engine.configure({"Own": value})
    engine.close()
    sent = [line.split()[-1] for line in notes.read_text().splitlines() if "setoption" in line]
    assert sent == ["1", "0", "1", "2", "0", "false", "true", "false"]


@needs("stockfish")
@pytest.mark.parametrize("level", [0, 1])
def test_the_lowest_levels_of_stockfish(level):
    who = f"stockfish:level={level},move_time=0.01"
    record = hansu.play_game("microchess", who, "first_move", max_turns=4, seed=1)
    assert record.evidence == ""


SET_UP = chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK  # such arise in no game


class PassAgent(hansu.Agent):
    def act(self, state):
        return state.pass_move


# Stockfish on the small board --------------------------------------------------------------------


def test_stockfish_is_offered_all_moves_that_chess_knows():
    kinds = set()
    for state in random_positions(3000, seed=4):
        board, offered = chess_board(state), moves_of_chess(state)
        assert board.status() & ~SET_UP == chess.STATUS_VALID
        assert all(move in board.legal_moves for move in offered)
        missing = set(state.legal_moves) - set(offered.values())
        for move in missing:
            kind = (
                "castling" * state.is_castling(move)
                or "in passing" * (state.is_en_passant(move) and state.turn == chess.WHITE)
                or "long step" * (is_double_step(state, move) and state.turn == chess.BLACK)
                or "lesser promotion" * (move.promotion not in (None, chess.QUEEN))
            )
            assert kind, f"{move} in {state.text()}"
            kinds.add(kind)
    assert kinds == {"castling", "in passing", "long step", "lesser promotion"}


@needs("stockfish")
@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("4/1P2/3k/4/K3 w - - 0 1", "b4b5q"),  # White's last rank
        ("3k/4/K3/2p1/4 b - - 0 1", "c2c1q"),  # Black's
    ],
)
def test_stockfish_finds_the_move(position, move):
    record = hansu.play_game(
        "microchess", *_seats("stockfish:move_time=0.1", position), position=position, max_turns=1
    )
    assert record.moves == [move]


def _seats(who, position):
    return (who, "random") if " w " in position else ("random", who)


# Fairy-Stockfish -------------------------------------------------------------------------------


@needs("fairy-stockfish")
@pytest.mark.parametrize("who", ["fairy_stockfish", f"uci:fairy-stockfish;VariantPath={VARIANT}"])
def test_fairy_stockfish_knows_every_rule(who):
    """It may only answer one move, and it does: castling, promotion, in passing and all."""
    agent = hansu.agent("microchess", who)
    agent.reset()
    for position, text in [
        ("k2r/p2p/4/P2P/R2K w K - 0 1", "d1b1"),
        ("k2r/p2p/4/P2P/R2K b k - 0 1", "a5c5"),
        ("k3/4/4/1p2/R2K b - - 0 1", "b2a1n"),
        ("k2r/2P1/4/4/3K w - - 0 1", "c4d5r"),
        ("k3/4/4/pP1K/4 w - a3 0 2", "b2a3"),
        ("k3/4/4/3P/K3 w - - 0 1", "d2d4"),
        ("k3/p3/4/4/3K b - - 0 1", "a4a2"),
    ]:
        state = hansu.game("microchess").parse(position)
        move = state.parse_move(text)
        board = CompactBoard.of(state)
        limit = chess.engine.Limit(time=0.05)
        answer, _ = agent.engine.play(board, limit, 5.0, None, root_moves=[move])
        assert answer == move
    agent.release()


# GTP -------------------------------------------------------------------------------------------


@needs("gnugo")
def test_gnugo_repeats_its_games_with_a_seed():
    unhurried = "gnugo:level=1,move_time=60"  # short of time it lowers its level
    games = [
        hansu.play_game("go:size=5", unhurried, "random", seed=seed).moves for seed in (1, 1, 2)
    ]
    assert games[0] == games[1] != games[2]


@needs("gnugo")
def test_gnugo_takes_dead_stones_off_before_it_passes():
    """White's stone is dead but would count as alive, and so would the point beside it."""
    position = "xxxxx/x.x.x/xxxxx/....x/o...x black to move"
    record = hansu.play_game("go", "gnugo", PassAgent, position=position)
    assert hansu.game("go").parse(record.final).stone_at("A1") is not hansu.WHITE
    assert record.outcome.reason == "two_passes"


@needs("gnugo")
def test_gnugo_says_which_stones_are_dead():
    state = hansu.game("go", size=5).parse("..x../o.x../..x../..x../..x..")
    for _ in range(2):
        state.push(state.pass_move)
    judge = hansu.agent(state.game, "gnugo:level=1")
    judge.reset()
    try:
        assert [state.move_text(point) for point in judge.dead_stones(state)] == ["A4"]
    finally:
        judge.close()
        judge.release()


@needs("gnugo")
def test_gnugo_starts_from_stones_on_the_board():
    position = "x...o/.x.o./..x../.o.x./o...x white to move"
    record = hansu.play_game("go:size=5", "random", "gnugo:level=1", position=position)
    assert record.evidence == ""


@needs("gtp-rhino")
def test_grhino_starts_from_any_board_and_says_nothing_of_passes():
    # White has no move here: Black moves twice in a row.
    position = "XOOOOOO-" + "-" * 56 + " O"
    state = hansu.game("othello").parse(position)
    assert [state.move_text(move) for move in state.legal_moves] == ["pass"]
    record = hansu.play_game("othello", "grhino", "grhino", position=position)
    assert record.evidence == ""
    assert record.moves == ["pass", "h1"]


@needs("gtp-rhino")
def test_a_move_that_was_taken_back_is_noticed():
    agent = hansu.agent("othello", "grhino:level=1")
    agent.reset()
    rng, state = random.Random(1), hansu.game("othello").start()
    while not state.is_game_over():
        assert agent.act(state) in state.legal_moves
        state.push(rng.choice(state.legal_moves))
        if rng.random() < 0.3:
            state.pop()
    agent.release()


# Our own engines as engines ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "who"),
    [
        ("microchess", f"uci:{sys.executable} -m hansu uci --agent one_step_search"),
        ("go:size=5", f"gtp:{sys.executable} -m hansu gtp --agent one_step_search"),
        ("othello", f"gtp:{sys.executable} -m hansu gtp --game othello --agent one_step_search"),
    ],
)
def test_our_engines_play_as_well_behind_a_pipe(game, who):
    result = hansu.match(game, who, "random", games=4, openings="random:3")
    assert result.disqualified == []
    assert len({record.outcome.reason for record in result.games} & {"crash", "timeout"}) == 0


@needs("gnugo")
def test_a_gtp_engine_can_be_asked_again_after_a_refusal():
    engine = GtpEngine(EnginePipe(["gnugo", "--mode", "gtp"]))
    with pytest.raises(hansu.HansuError, match="gnugo refused 'play black Z9': invalid"):
        engine.ask("play black Z9")
    assert engine.ask("name") == "GNU Go"
    engine.close()
    with pytest.raises(hansu.HansuError, match="not running"):
        engine.ask("name")


def hurried(game: str, **timing: float) -> hansu.State:
    """A start position in a game whose moves may take so long."""
    state = hansu.game(game).start()
    state.timing = Timing(**timing)
    return state


@needs("gnugo")
def test_gnugo_lowers_its_level_where_time_is_short_and_hears_no_clock():
    """With a clock GNU Go chooses another level by itself, and loses on time."""
    agent = hansu.agent("go", "gnugo", seed=1)
    agent.reset()
    asked = []
    ask = agent.engine.ask
    agent.engine.ask = lambda command, *more: asked.append(command) or ask(command, *more)
    agent.act(hurried("go", move_seconds=0.3))
    agent.act(hurried("go"))  # a whole game's clock: the level of the option
    agent.release()
    assert [command for command in asked if command.startswith("level")] == ["level 1", "level 10"]
    assert not [command for command in asked if command.startswith("time_")]


@needs("gtp-rhino")
def test_grhino_starts_at_a_lower_level_where_time_is_short():
    agent = hansu.agent("othello", "grhino", seed=1)
    agent.reset()
    agent.act(hurried("othello", move_seconds=0.2))
    assert "--level=2" in agent.command()
    agent.reset()
    assert "--level=3" in agent.command()
    agent.act(hurried("othello"))
    assert "--level=3" in agent.command()
    agent.release()


@needs("gtp-rhino")
def test_grhino_has_a_level_for_its_time_before_the_game_begins(monkeypatch):
    """To start it again in the first move of each game takes longer than the move may."""
    started = []
    start = Grhino.start
    monkeypatch.setattr(
        Grhino, "start", lambda agent: started.append(agent.command()[1]) or start(agent)
    )
    hansu.match("othello", "grhino", "random", games=2, control=TimeControl(None, 0.08))
    assert set(started) == {"--level=1"}
    started.clear()
    hansu.play_game("othello", "grhino", "random", seconds=2)
    assert set(started) == {"--level=1"}
