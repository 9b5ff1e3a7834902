"""How games end, who wins then, and the rule set's parameters."""

import collections
import random

import chess
import pytest

import hansu
from hansu.games.microchess.state import MicrochessState
from hansu.games.microchess.tables import SQUARES

GAME = hansu.game("microchess")


def outcome(fen, **options):
    found = hansu.game("microchess", **options).parse(fen).outcome()
    return found and (found.winner, found.reason)


@pytest.mark.parametrize(
    ("fen", "winner", "reason"),
    [
        ("8/8/8/8/k7/8/K7/2b5 b - - 0 14", hansu.BLACK, "insufficient_material"),  # 4 to 7
        ("k3/4/4/4/3K w - - 0 1", None, "insufficient_material"),
        ("k3/1Q2/1K2/4/4 b - - 0 1", hansu.WHITE, "checkmate"),
        ("4/4/4/1K1p/3k b - - 7 6", hansu.BLACK, "stalemate"),  # the stalemated side has a pawn
        ("k3/2K1/4/1Q2/4 b - - 0 1", None, None),  # a4 is free
        ("k3/2Q1/2K1/4/4 b - - 0 1", hansu.WHITE, "stalemate"),
        ("k3/p3/P3/4/3K w - - 49 60", None, None),
        ("k3/p3/P3/4/3K w - - 50 60", None, "no_progress"),
        ("k3/p3/P3/1R2/3K w - - 50 60", hansu.WHITE, "no_progress"),
        ("k1r1/p3/P3/1B2/3K w - - 77 60", hansu.BLACK, "no_progress"),
    ],
)
def test_how_a_position_ends(fen, winner, reason):
    assert outcome(fen) == (reason and (winner, reason))


def test_mate_wins_even_with_less_material():
    mated = "kn2/R2b/1K2/1N2/2q1 b - - 0 7"  # 20 for Black, 12 for White
    assert outcome(mated) == (hansu.WHITE, "checkmate")


def test_checkmate_comes_before_the_other_rules():
    assert outcome("k3/1Q2/1K2/4/4 b - - 50 99", max_turns=1) == (hansu.WHITE, "checkmate")


def test_adjudication_off_leaves_draws_drawn():
    assert outcome("8/8/8/8/k7/8/K7/2b5 b - - 0 14", adjudication=False) == (
        None,
        "insufficient_material",
    )
    assert outcome("k3/1Q2/1K2/4/4 b - - 0 1", adjudication=False) == (hansu.WHITE, "checkmate")


def test_the_material_table_decides_who_wins():
    fen = "k2r/p3/P3/4/BB1K w - - 50 60"  # rook and pawn against two bishops and a pawn
    assert outcome(fen) == (hansu.WHITE, "no_progress")
    assert outcome(fen, material="p1n3b2r5q10k4") == (hansu.BLACK, "no_progress")
    assert outcome(fen, material="p1n3b3r6q9k0") == (None, "no_progress")


def play_until_over(state, moves):
    for turn, text in enumerate(moves, 1):
        state.push(state.parse_move(text))
        if state.is_game_over():
            return turn
    return None


CIRCLE = ["c1a2", "b5d4", "a2c1", "d4b5"]


def test_the_fifth_occurrence_ends_the_game():
    state = GAME.start()
    assert play_until_over(state, CIRCLE * 5) == 16  # the start occurs at turns 0, 4, 8, 12, 16
    assert state.outcome() == hansu.Outcome(None, "repetition")
    assert state.is_fivefold_repetition()
    assert not state.is_repetition(6)
    assert state.pop() == chess.Move.from_uci("d4b5")
    assert state.outcome() is None


@pytest.mark.parametrize(("repetitions", "turns"), [(2, 4), (3, 8), (None, None)])
def test_how_often_a_position_may_occur_is_a_rule(repetitions, turns):
    state = hansu.game("microchess", repetitions=repetitions).start()
    assert play_until_over(state, CIRCLE * 5) == turns


def test_a_position_with_other_castling_rights_is_another_one():
    state = hansu.game("microchess", repetitions=3).start()
    rook = ["a1a2", "b5d4", "a2a1", "d4b5"]  # the first time round costs White's right
    assert play_until_over(state, rook * 4) == 9  # a1a2 for the third time without the right


def test_more_material_wins_a_repeated_position():
    state = GAME.parse("knbr/p3/4/3P/R1NK w Kk - 0 1")
    assert play_until_over(state, CIRCLE * 5) == 16
    assert state.outcome() == hansu.Outcome(hansu.BLACK, "repetition")


def random_line(state, rng, turns, avoid):
    """Play random moves that do not end the game by another rule than the one in question."""
    while len(state.move_stack) < turns:
        moves = list(state.legal_moves)
        rng.shuffle(moves)
        for move in moves:
            after = state.forward(move)
            found = after.outcome()
            if (found is None or found.reason == avoid) and list(after.legal_moves):
                state = after
                break
        else:
            return None
        if state.is_game_over():
            break
    return state


def test_fifty_turns_without_progress_end_the_game():
    game = hansu.game("microchess", repetitions=None, max_turns=None)
    state = game.parse("k3/p3/P3/4/R2K w K - 0 1")
    rng = random.Random(1)
    quiet = 0
    while not state.is_game_over():
        moves = [move for move in state.legal_moves if not state.is_zeroing(move)]
        moves = [move for move in moves if list(state.forward(move).legal_moves)]
        state.push(rng.choice(moves))
        quiet += 1
    assert (quiet, state.outcome().reason, state.outcome().winner) == (50, "no_progress", True)


def test_the_turn_limit_counts_from_where_the_game_started():
    game = hansu.game("microchess", repetitions=None, no_progress=None)
    state = game.parse("k3/p3/P3/4/R2K w K - 0 70")  # its move number says 138 turns already
    state = random_line(state, random.Random(3), 80, "max_turns")
    assert len(state.move_stack) == 80
    assert state.outcome() == hansu.Outcome(hansu.WHITE, "max_turns")
    assert list(state.legal_moves)  # adjudication does not empty the list
    state.pop()
    assert state.outcome() is None


def test_without_limits_a_game_goes_on():
    game = hansu.game("microchess", max_turns=None, repetitions=None, no_progress=None)
    state = game.parse("k3/p3/P3/4/R2K w - - 900 1")
    assert play_until_over(state, ["a1a2", "a5b5", "a2a1", "b5a5"] * 60) is None


@pytest.mark.parametrize("repetitions", [2, 3, 4])
def test_positions_repeat_when_their_fens_do(repetitions):
    """Few pieces and a short limit, so that random games do repeat and do run out of turns."""
    limits = {"repetitions": repetitions, "max_turns": 60, "no_progress": 55}
    rng, reasons = random.Random(repetitions), collections.Counter()
    for _ in range(150):
        fen = rng.choice(["k2r/4/p3/P3/R2K w Kk - 0 1", "k2r/p1p1/4/1P1P/R2K b Kk - 7 1"])
        state, fens = hansu.game("microchess", **limits).parse(fen), collections.Counter()
        while True:
            fens[position := " ".join(state.fen().split()[:4])] += 1
            found = state.outcome()
            if found and found.reason in ("checkmate", "stalemate", "insufficient_material"):
                break
            no_progress, turns = state.halfmove_clock >= 55, len(state.move_stack) == 60
            expected = "no_progress" if no_progress else "max_turns" if turns else None
            if not no_progress and fens[position] == repetitions:
                expected = "repetition"
            assert (found and found.reason) == expected, state.fen()
            reasons[expected] += 1
            if found:
                break
            quiet = [move for move in state.legal_moves if not state.is_zeroing(move)]
            few = quiet[: rng.randrange(2, 5)]
            state.push(rng.choice(few if few and rng.random() < 0.95 else [*state.legal_moves]))
    assert reasons["repetition"] > 10
    assert repetitions < 4 or min(reasons["max_turns"], reasons["no_progress"]) > 0, reasons


def test_insufficient_material_is_python_chess_definition():
    rng = random.Random(7)
    seen = {True: 0, False: 0}
    for _ in range(3000):
        squares = rng.sample(SQUARES, 2 + rng.randrange(4))
        kinds = [chess.KING, chess.KING] + [
            rng.choice([chess.KNIGHT, chess.BISHOP, chess.BISHOP, chess.QUEEN, chess.PAWN])
            for _ in squares[2:]
        ]
        colors = [chess.WHITE, chess.BLACK] + [rng.random() < 0.5 for _ in squares[2:]]
        pieces = {
            square: chess.Piece(kind, color)
            for square, kind, color in zip(squares, kinds, colors, strict=True)
        }
        usual = chess.Board(None)
        usual.set_piece_map(pieces)
        state = hansu.game("microchess").start()
        state.clear()
        state.set_piece_map(pieces)
        state.turn = rng.random() < 0.5
        expected = usual.is_insufficient_material()
        assert state.is_insufficient_material() == expected
        if list(state.legal_moves):
            found = state.outcome()
            assert (found is not None and found.reason == "insufficient_material") == expected
            seen[expected] += 1
    assert min(seen.values()) > 200


def test_options_have_a_text_form_and_are_checked():
    text = "microchess:max_turns=none,no_progress=20,material=p1n3b3r5q9k0"
    assert str(hansu.game(text)) == text
    assert hansu.game("microchess", material="k4q10r5b3n3p1") == GAME
    assert hansu.game("microchess").max_turns == 80


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"max_turns": 0}, "max_turns: 0 is not none or 1 to 10000"),
        ({"no_progress": -3}, "no_progress: -3 is not none"),
        ({"repetitions": 1}, "repetitions: 1 is not none or 2 to 255"),
        ({"material": "p1n3"}, "material: 'p1n3' must give each of p n b r q k a number"),
        ({"material": "p1n3b3r5q10k999"}, "from 0 to 255"),
        ({"material": "p1p1p1p1p1p1"}, "each of p n b r q k"),
        ({"max_turns": "many"}, "max_turns: 'many' is not a whole number"),
        ({"handicap": 1}, "there is no microchess option 'handicap'"),
    ],
)
def test_wrong_options_are_refused_in_one_sentence(options, complaint):
    with pytest.raises(hansu.HansuError, match=complaint) as error:
        hansu.game("microchess", **options)
    assert "\n" not in str(error.value)


def test_a_lone_board_has_the_usual_rules():
    assert MicrochessState().game == GAME
    assert isinstance(MicrochessState(), chess.Board)
