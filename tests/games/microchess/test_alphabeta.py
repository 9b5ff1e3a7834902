"""The alpha-beta search of microchess and its network, against plain programs."""

import random

import chess
import numpy as np
import pytest

import hansu
from hansu.games.microchess import alphabeta, nnue, rules
from hansu.games.microchess.alphabeta import LATE, NO_MOVE, PROVED, REPEATED, WIN
from hansu.games.microchess.depth_search import MicrochessDepthSearch
from hansu.games.rules_on_words import rules_on_words
from hansu.kernel import JIT
from hansu.search.deepening import deepen
from hansu.search.limits import Budget, SearchHandle
from hansu.search.negamax import search as negamax
from tests.games.microchess.positions import random_positions, random_setup

GAME = hansu.game("microchess")
unpack = rules_on_words(rules).unpack
compiled = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")

KINDS = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING)


def cell(square: int, color: bool) -> int:
    """Cells count from the far left, as the side sees the board."""
    file, rank = chess.square_file(square), chess.square_rank(square)
    return 4 * (4 - rank) + file if color else 4 * rank + 3 - file


def rows_of(state, color: bool) -> list[int]:
    """The inputs of a side's view, by the words of ``nnue``."""
    king = min(state.pieces(chess.KING, color))
    rows = [
        ((cell(king, color) * 12 + KINDS.index(piece.piece_type) + 6 * (piece.color != color)) * 20)
        + cell(square, color)
        for square, piece in state.piece_map().items()
    ]
    rights = [
        bool(state.castling_rights & chess.BB_RANKS[0 if side else 4])
        for side in (color, not color)
    ]
    rows += [nnue.CASTLING + at for at, has in enumerate(rights) if has]
    turns = 80 - len(state.move_stack)
    rows.append(nnue.TURNS + sum(turns > most for most in nnue.TURN_STEPS))
    quiet = 50 - state.halfmove_clock
    rows.append(nnue.QUIET + sum(quiet > most for most in nnue.QUIET_STEPS))
    return rows


def plain_value(state, network: nnue.Network) -> int:
    """The network as one would write it with NumPy."""
    sums = [
        network.bias.astype(int) + network.first[rows_of(state, color)].astype(int).sum(0)
        for color in (state.turn, not state.turn)
    ]
    hidden = np.clip(np.concatenate(sums), 0, nnue.ONE_SUM) ** 2
    bucket = min(max((len(state.piece_map()) - 2) // 2, 0), nnue.BUCKETS - 1)
    total = int(hidden @ network.second[bucket].astype(int)) // nnue.ONE_SUM
    value = (total + int(network.last_bias[bucket])) * nnue.UNIT // (nnue.ONE_SUM * nnue.ONE_WEIGHT)
    return min(max(value, -nnue.LARGEST), nnue.LARGEST)


def own_value(state) -> int:
    pos = unpack(state.words)
    return int(nnue.evaluate(pos, nnue.shipped_network(), *nnue.fresh_room()))


def turned(state):
    """The same position with the sides exchanged and the board turned."""
    other = GAME.start()
    other.clear()
    for square, piece in state.piece_map().items():
        place = chess.square(3 - chess.square_file(square), 4 - chess.square_rank(square))
        other.set_piece_at(place, chess.Piece(piece.piece_type, not piece.color))
    other.turn = not state.turn
    for here, there in ((chess.A1, chess.D5), (chess.D5, chess.A1)):
        if state.castling_rights & chess.BB_SQUARES[here]:
            other.castling_rights |= chess.BB_SQUARES[there]
    other.halfmove_clock = state.halfmove_clock
    return other


def positions(count: int, seed: int):
    """Positions of games and set-up ones, with no more pieces than a game has."""
    rng = random.Random(seed)
    found = [state for state in random_positions(count, seed) if not state.is_game_over()]
    while len(found) < count:
        state = GAME.parse(random_setup(rng).fen())
        if not state.is_game_over() and len(state.piece_map()) <= 12:
            found.append(state)
    return found


def test_the_value_is_that_of_the_network_written_plainly():
    network = nnue.shipped_network()
    for state in positions(60, seed=1):
        assert own_value(state) == plain_value(state, network)


def test_sides_exchanged_a_position_has_the_same_value():
    values = set()
    for state in positions(60, seed=2):
        fresh = GAME.parse(state.fen())
        assert own_value(fresh) == own_value(turned(fresh))
        values.add(own_value(fresh))
    assert len(values) > 30


def test_no_number_of_the_network_can_run_over():
    """Sums of so many rows fit into their 16 bits, however the pieces stand."""
    network = nnue.shipped_network()
    pieces = network.first[: nnue.CASTLING].reshape(nnue.CELLS, -1, nnue.WIDTH)
    most = np.sort(np.abs(pieces.astype(int)), axis=1)[:, -nnue.MOST :].sum(1).max()
    rest = np.abs(network.first[nnue.CASTLING :].astype(int)).max(0).sum()
    assert most + rest + np.abs(network.bias.astype(int)).max() < 2**15


@compiled
@pytest.mark.parametrize("depth", [2, 4])
def test_a_proved_value_is_true(depth):
    """Who is said to win wins in so many turns, by a search without a network or a table."""
    proved = 0
    for state in positions(150, seed=3):
        search = MicrochessDepthSearch(1)
        work = np.array([0, 2**62], np.int64)
        for found in search.value_moves(state, depth, list(state.legal_moves), True, work):
            if abs(found.value) <= PROVED:
                continue
            plies = WIN - abs(int(found.value))
            after = state.forward(found.move)
            over = after.outcome()
            if over is not None:
                truth = (over.winner == state.turn) - (over.winner == after.turn)
            else:
                truth = -negamax(after, plies - 1, prune=True).value * 2 + 1
            assert truth * found.value > 0.99 * abs(found.value), state.fen()
            proved += 1
    assert proved > 50


@compiled
def test_a_mate_is_found_and_the_shortest_is_chosen():
    state = GAME.parse("k3/4/1K2/4/3R w - - 0 1")
    found = deepen(state, MicrochessDepthSearch(1), Budget(depth=6), SearchHandle())
    assert found.lines[0].text == "d1d5"
    assert found.lines[0].value == pytest.approx(1.0)
    assert found.lines[0].variation == ("d1d5",)


@compiled
def test_a_repeated_position_counts_for_the_side_with_more_material():
    """The game is adjudicated, so going to and fro is good for who is ahead."""
    text = "startpos moves " + " ".join(["c1a2 b5d4 a2c1 d4b5"] * 3)
    state = GAME.parse(text)
    work = np.array([0, 2**62], np.int64)
    search = MicrochessDepthSearch(1)
    memory = search.memory(state, work)
    pieces = ("k3/p3/4/4/K2R w - - 8 1", "k2r/4/4/4/K3 w - - 8 1", "k2r/4/4/4/K2R w - - 8 1")
    leads = [int(alphabeta.lead(unpack(GAME.parse(fen).words))) for fen in pieces]
    assert leads == [1, -1, 0]
    pos, wide = unpack(state.words), alphabeta.INFINITY
    assert alphabeta.is_repeated(pos, np.uint64(state.key), memory)
    assert alphabeta.search_words(state.words, 3, -wide, wide, 1, memory) == 0  # equal material
    once = GAME.parse("startpos moves c1a2 b5d4 a2c1 d4b5")
    memory = search.memory(once, work)
    assert not alphabeta.is_repeated(unpack(once.words), np.uint64(once.key), memory)
    assert REPEATED < PROVED


def test_close_to_a_limit_the_table_tells_the_turns_apart():
    def key(fen: str, played: int, height: int = 0, contempt: int = 0) -> int:
        words = GAME.parse(fen).words.copy()
        words[0] = played
        return int(alphabeta.table_key_of_words(words, height, contempt))

    quiet, late = "k3/p3/4/3P/K3 w - - 3 1", "k3/p3/4/3P/K3 w - - 45 1"
    assert key(quiet, 2) == key(quiet, 80 - LATE - 2)
    assert len({key(quiet, played) for played in range(80 - LATE, 80, 2)}) == LATE // 2
    assert key(quiet, 2) != key(late, 2)
    assert key(quiet, 2) == key(quiet, 2, height=3)
    assert len({key(quiet, 2), key(quiet, 2, 0, 9), key(quiet, 2, 1, 9), key(quiet, 2, 2, 9)}) == 3


@compiled
@pytest.mark.parametrize(("fen", "value"), [("1K2", 0), ("3K", -(WIN - 1))])
def test_at_the_last_turn_the_search_knows_who_will_be_adjudicated(fen, value):
    """Only a king that can take the pawn saves the game."""
    state = GAME.parse(f"3k/4/4/p3/{fen} w - - 0 1")
    words = state.words.copy()
    words[0] = 79
    memory = MicrochessDepthSearch(1).memory(state, np.array([0, 2**62], np.int64))
    memory = memory._replace(path=np.zeros(200, np.uint64))
    wide = alphabeta.INFINITY
    assert alphabeta.search_words(words, 2, -wide, wide, 0, memory) == value


@compiled
def test_fixed_work_gives_the_same_result():
    state = GAME.parse("startpos moves d2d4 b5c3")
    found = [
        deepen(state, MicrochessDepthSearch(4), Budget(nodes=20_000), SearchHandle())
        for _ in range(2)
    ]
    assert [line.value for line in found[0].lines] == [line.value for line in found[1].lines]
    assert found[0].nodes <= 20_000
    assert found[0].depth >= 5


@compiled
def test_the_variation_is_legal():
    state = GAME.start()
    found = deepen(state, MicrochessDepthSearch(4), Budget(depth=8), SearchHandle())
    line = found.lines[0].variation
    assert len(line) >= 4
    for text in line:
        state.push(state.parse_move(text))


def test_no_move_is_no_legal_move():
    assert all(NO_MOVE not in state.move_ids() for state in positions(20, seed=4))


@compiled
@pytest.mark.parametrize(
    "name",
    ["microchess:max_turns=none", "microchess:adjudication=off", "microchess:no_progress=none"],
)
def test_other_rule_sets_are_searched_under_their_rules(name):
    game = hansu.game(name)
    found = deepen(game.start(), game.make_depth_search(1), Budget(depth=6), SearchHandle())
    assert found.depth == 6
    assert {line.move for line in found.lines} == set(game.start().legal_moves)
