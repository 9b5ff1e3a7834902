"""Tablebases against plain Python, search, another program and published counts."""

import csv
import functools
import itertools
import random

import numpy as np
import pytest

import hansu
from hansu.errors import HansuError
from hansu.games.microchess import proof, rules
from hansu.games.microchess.rules import Position
from hansu.games.microchess.solver import MicrochessSolver, folder_of, judge_of
from hansu.games.microchess.tablebase import retrograde
from hansu.games.microchess.tablebase.building import (
    Stopped,
    build,
    build_class,
    load_tables,
    make_tables,
    table_file,
)
from hansu.games.microchess.tablebase.classes import MaterialClass, material_classes
from hansu.games.microchess.tablebase.entries import DRAW, MATE, NEVER, WIN, rank_in
from hansu.games.microchess.tablebase.files import TableFile, write_table
from hansu.games.microchess.tablebase.indexing import position_at, squares_at
from hansu.games.microchess.tablebase.predecessors import NOT_A_POSITION, RUNNING, make_room
from hansu.games.microchess.tablebase.verdict import CHESS, Judge
from hansu.kernel import JIT, kernel
from hansu.search.negamax import search
from tests.games.microchess import plain_endings
from tests.games.microchess.oracle import FairyStockfish, oracle_fen

pytestmark = pytest.mark.skipif(not JIT, reason="far too slow in plain Python")
COMPETITION, ONLY_MATE = "microchess", "microchess:adjudication=off"
PIECES = 4  # of the largest tables
FIELDS = list(itertools.product("abcd", "12345"))


def solver_of(name):
    return MicrochessSolver(hansu.game(name), 64)


def fen_of(board, color):
    rows = []
    for rank in reversed(plain_endings.RANKS):
        row = ""
        for file in plain_endings.FILES:
            owner, kind = board.get((file, rank), ("", ""))
            row += kind if owner == "w" else kind.lower() if owner else "1"
        rows.append(row)
    return f"{'/'.join(rows)} {color} - - 0 1"


def with_turns_left(words, left):
    changed = words.copy()
    changed[Position._fields.index("max_turns")] = left
    return changed


@functools.cache
def plain_graph(kinds):
    """All positions of two kings and one of these pieces, or none. A pawn becomes any piece."""
    positions = plain_endings.all_positions("")
    for kind in kinds:
        positions |= plain_endings.all_positions(kind)
    return plain_endings.Graph(positions)


@pytest.mark.parametrize("name", [COMPETITION, ONLY_MATE])
@pytest.mark.parametrize(
    ("kinds", "turns"),
    [("R", (1, 3, 8)), pytest.param("QRBNP", range(1, 41), marks=pytest.mark.slow)],
)
def test_three_pieces_are_valued_as_by_going_through_all_moves(tablebases, name, kinds, turns):
    game, solver, graph = hansu.game(name), solver_of(name), plain_graph(kinds)
    table = graph.scores(max(turns), adjudicated=name == COMPETITION)
    moves, squares = np.empty((1, rules.MAX_MOVES), np.int64), np.empty(8, np.int64)
    path, loaded, undecided = np.zeros(1, np.uint64), solver.tablebase.loaded, 0
    for key, (board, color) in graph.positions.items():
        words = game.parse(fen_of(board, color)).words
        for left in turns:
            here = with_turns_left(words, left)
            lower, upper = proof.bounds_of_words(here, path, moves, squares, loaded)
            assert lower <= table[left][key] <= upper, (fen_of(board, color), left)
            undecided += lower < upper
    assert undecided < 0.03 * len(turns) * len(graph.positions)
    assert len(graph.positions) > 5_000 * len(kinds)


CASTLING = {"K": {"d1": "K", "a1": "R"}, "k": {"a5": "k", "d5": "r"}}
EN_PASSANT = [
    ({"b4": "P", "a4": "p"}, "b b3"),
    ({"b4": "P", "c4": "p"}, "b b3"),
    ({"c2": "p", "d2": "P"}, "w c3"),
    ({"a2": "p", "b2": "P"}, "w a3"),
]


def random_ending(rng, game, pieces):
    """A random legal position with some pieces, now and then with castling or en passant."""
    while True:
        placed, turn, rights, skipped = {}, rng.choice("wb"), "-", "-"
        if rng.random() < 0.3:
            rights = rng.choice("Kk")
            placed |= CASTLING[rights]
        elif rng.random() < 0.3 and pieces > 3:
            pair, words = rng.choice(EN_PASSANT)
            placed |= pair
            turn, skipped = words.split()
        missing = [king for king in "Kk" if king not in placed.values()]
        more = pieces - len(placed) - len(missing)
        empty = [name for name in map("".join, FIELDS) if name not in placed]
        kinds = missing + [rng.choice("QRBNPqrbnp") for _ in range(more)]
        placed |= dict(zip(rng.sample(empty, len(kinds)), kinds, strict=True))
        rows = ["".join(placed.get(file + rank, "1") for file in "abcd") for rank in "54321"]
        try:
            state = game.parse(f"{'/'.join(rows)} {turn} {rights} {skipped} {rng.randrange(10)} 1")
        except HansuError:
            continue
        if not state.is_game_over():
            return state


def plain_score(state, left):
    """By going through all moves, with the game's own ending and result."""
    outcome = state.outcome()
    if outcome is not None:
        if outcome.reason == "checkmate":
            return -(left + 2)
        return 0 if outcome.winner is None else 1 if outcome.winner == state.turn else -1
    return max(-plain_score(state.forward(move), left - 1) for move in state.legal_moves)


@pytest.mark.parametrize("count", [60, pytest.param(3000, marks=pytest.mark.slow)])
def test_solving_a_position_gives_what_all_moves_to_the_turn_limit_give(tablebases, count):
    rng, seen_castling, seen_en_passant = random.Random(4), 0, 0
    for _ in range(count):
        left = rng.choice([1, 2, 2, 3])
        limits = f"max_turns={left},no_progress={rng.choice(['none', '50', '12'])}"
        state = random_ending(rng, hansu.game(f"microchess:{limits}"), rng.choice([3, 4, 4, 5]))
        truth = hansu.solve(state, hansu.Limits(exact=True), threads=1)
        assert truth.score == plain_score(state, left), state.text()
        for move in truth.moves:
            assert move.score == -plain_score(state.forward(move.move), left - 1), state.text()
        seen_castling += bool(state.castling_rights)
        seen_en_passant += state.has_legal_en_passant()
    assert seen_castling
    assert seen_en_passant


@pytest.mark.parametrize("count", [40, pytest.param(2000, marks=pytest.mark.slow)])
def test_mates_are_those_of_alpha_beta_search(tablebases, count):
    rng, game = random.Random(1), hansu.game("microchess:max_turns=none")
    solver, found = solver_of(str(game)), 0
    while found < count:
        state = random_ending(rng, game, PIECES)
        if state.castling_rights or state.ep_square is not None:
            continue
        bounds = solver.bounds(state)
        if not bounds.exact or abs(bounds.lower) < 2:
            continue
        plies = solver.plies(state, bounds.lower)
        if plies is None or plies > 6:
            continue
        found += 1
        chess_state = hansu.game("microchess:adjudication=off").parse(state.text())
        deep = search(chess_state, plies, prune=True).lines[0].value
        assert deep == (1.0 if bounds.lower > 0 else 0.0), state.text()
        if plies > 2:
            shallow = search(chess_state, plies - 2, prune=True).lines[0].value
            assert 0.0 < shallow < 1.0, state.text()


class MateSearch(FairyStockfish):
    """The same program, asked for mates."""

    def mate_in(self, fen, depth):
        """Moves to mate, less than 0 if it is mated, or None."""
        self._tell(f"position fen {fen}", f"go depth {depth}")
        lines = [line.split() for line in self._read_until("bestmove") if " score " in line]
        last = lines[-1]
        kind, number = last[last.index("score") + 1 : last.index("score") + 3]
        return int(number) if kind == "mate" else None


@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.slow)])
def test_mates_are_those_of_fairy_stockfish(tablebases, count):
    rng, game = random.Random(2), hansu.game("microchess:max_turns=none,no_progress=none")
    solver, found, same = solver_of(str(game)), 0, 0
    with MateSearch() as engine:
        while found < count:
            state = random_ending(rng, game, PIECES)
            if state.ep_square is not None:
                continue
            bounds = solver.bounds(state)
            plies = solver.plies(state, bounds.lower) if bounds.exact else None
            if plies is None or plies > 9:
                continue
            found += 1
            moves = (plies + 1) // 2 if bounds.lower > 0 else -(plies // 2)
            said = engine.mate_in(oracle_fen(state), plies + 7)
            assert said is not None, state.text()
            assert (said > 0) == (moves > 0), state.text()
            assert abs(said) >= abs(moves), state.text()  # it need not find the shortest
            same += said == moves
    assert same >= 0.8 * count


@kernel
def read_ranks(room, planes, side, goal, ranks):
    for rights in range(4):
        start, end = room.starts[rights], room.starts[rights + 1]
        for at in range(start, end):
            is_mover = (at - start >= (end - start) // 2) == (side == 1)
            entry = planes[0, at], planes[1, at], planes[2, at]
            ranks[at] = rank_in(*entry, is_mover, goal)


@kernel
def first_wrong(tables, room, ranks, goal):
    """Return the section and place of an entry that its moves contradict, or -1."""
    for rights in range(4):
        for at in range(room.starts[rights], room.starts[rights + 1]):
            if room.kinds[at] != RUNNING:
                continue
            place = at - room.starts[rights]
            second = squares_at(room.counts, place, rights, room.squares[0])
            pos = position_at(room.counts, room.squares[0], second, rights)
            rank = retrograde.foresee(tables, room, ranks, pos, goal, -1, NEVER)
            if not (goal.is_met and rank == 0):
                rank = min(rank + 1, NEVER)
            if ranks[at] != rank:
                return rights, place
    return -1, -1


SMALL = [str(which) for pieces in (2, 3, 4) for which in material_classes(pieces)]
QUICK = ["KRvKR", "KRvKB", "KPvKP", "KRPvK"]


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SMALL],
)
def test_no_entry_contradicts_the_entries_that_its_moves_lead_to(tablebases, name):
    which, game = class_named(name), hansu.game(COMPETITION)
    judge, folder = judge_of(game), folder_of(game)
    known = load_tables(which.next_classes, folder, judge.text)
    planes = TableFile(table_file(folder, which), which, judge.text).planes()
    room = make_room(which.counts, which.starts)
    for rights in range(4):
        retrograde.classify(room, rights, 0, which.size(rights))
    ranks = np.empty(which.entries, np.uint8)
    for goal in (MATE, WIN, DRAW):
        for side, sign in enumerate((judge.sign(which), -judge.sign(which))):
            is_met = (False, sign > 0, sign >= 0)[goal]
            read_ranks(room, planes, side, goal, ranks)
            wrong = first_wrong(known, room, ranks, retrograde.Goal(side, goal, is_met))
            assert wrong == (-1, -1)


def class_named(name):
    white, black = name.split("v")
    return MaterialClass.of(white[1:], black[1:])


def mate_counts(which, planes):
    """Positions, wins, losses and draws over both sides to move, mirrored boards counted too."""
    size, kings = which.size(0), 6
    king = np.arange(size) // (size // 2 // kings) % kings
    weight = np.where(king // 2 == 2, 2, 4)  # on the middle rank both boards have a place
    mate = planes[0][:size].astype(int)
    return weight, mate


PUBLISHED = "microchess/solved_classes_huynd2210.tsv"


@pytest.mark.parametrize("pieces", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_wins_and_losses_are_as_many_as_published(shared_data, pieces):
    """Classes without pawns: the published ones have other rules for them."""
    with shared_data(PUBLISHED).open() as file:
        rows = {class_named(row["class"]): row for row in csv.DictReader(file, delimiter="\t")}
    wanted = [which for which in rows if which.pieces <= pieces and not which.pawns]
    judge, built, checked = Judge(CHESS), {}, 0
    for n in range(2, pieces + 1):
        for which in material_classes(n):
            if which.pawns or not any(which == one or _leads_to(one, which) for one in wanted):
                continue
            known = make_tables({one: built[one] for one in which.next_classes})
            built[which] = build_class(which, known, judge.sign(which))
            if which in rows:
                checked += 1
                assert_published(which, built[which], rows[which])
    assert checked == len(wanted)


def _leads_to(one, which):
    return any(which == other or _leads_to(other, which) for other in one.next_classes)


def assert_published(which, planes, row):
    """Each placement counts four times there, for all rights to castle."""
    weight, mate = mate_counts(which, planes)
    legal = legal_places(which)
    wins = int(weight[legal & (mate > 0) & (mate % 2 == 0)].sum())
    losses = int(weight[legal & (mate % 2 == 1)].sum())
    total = int(weight[legal].sum())
    found = {"positions": total, "win": wins, "loss": losses, "draw": total - wins - losses}
    assert {name: 4 * number for name, number in found.items()} == {
        name: int(row[name]) for name in found
    }, which


def legal_places(which):
    room = make_room(which.counts, which.starts)
    retrograde.classify(room, 0, 0, which.size(0))
    return room.kinds[: which.size(0)] != NOT_A_POSITION


def test_known_positions(shared_data, tablebases):
    game = hansu.game("microchess:max_turns=none,no_progress=none,adjudication=off")
    checked = 0
    with shared_data("microchess/known_positions.tsv").open() as file:
        for row in csv.DictReader(file, delimiter="\t"):
            fen, said = row["fen"], row["value_for_side_to_move"]
            try:
                state = game.parse(fen)
            except HansuError:
                continue
            if state.is_game_over() or "mate in" not in said:
                continue
            truth = hansu.solve(state)
            assert (truth.value, truth.plies) == (1.0, 2 * int(said.split()[-1]) - 1)
            checked += 1
    assert checked == 2


# Counters -----------------------------------------------------------------------------------------


def test_mate_that_the_turn_limit_or_no_progress_cuts_off_is_not_promised(tablebases):
    fen, mate = "k3/4/4/4/K2R w - - {} 1", 9
    for turns, quiet in ((9, 0), (8, 0), (80, 41), (80, 42)):
        game = hansu.game(f"microchess:max_turns={turns},adjudication=off")
        truth = hansu.solve(game.parse(fen.format(quiet)), hansu.Limits(nodes=1))
        in_time = mate <= min(turns, 50 - quiet)
        assert truth.value == (1.0 if in_time else 0.5 if mate > turns else None)
        assert truth.proved == (in_time or mate > turns)


def test_a_lead_in_material_wins_whatever_the_counters(tablebases):
    state = hansu.game("microchess:max_turns=2").parse("k3/4/4/4/K2R w - - 48 30")
    truth = hansu.solve(state)
    assert (truth.value, truth.score, truth.plies) == (1.0, 1, None)


def test_positions_that_come_back_are_not_promised_a_way_through_them(tablebases):
    """A fifth time ends the game: after four, the table's way to mate may be closed."""
    game = hansu.game("microchess:adjudication=off,max_turns=none")
    state, solver = game.parse("k3/4/4/4/K2R w - - 0 1"), solver_of(str(game))
    assert solver.bounds(state).exact
    for _ in range(3):
        for text in ("d1d2", "a5a4", "d2d1", "a4a5"):
            state.push(state.parse_move(text))
    assert solver.bounds(state).exact
    for text in ("d1d2", "a5a4"):
        state.push(state.parse_move(text))
    assert not solver.bounds(state).exact


# Files --------------------------------------------------------------------------------------------


def three_pieces(folder, **options):
    return build(Judge(CHESS), folder, 3, 64, **options)


def test_a_build_that_was_stopped_is_resumed_and_a_sound_table_is_left_alone(tmp_path):
    calls = iter([False, True, True])
    with pytest.raises(Stopped):
        three_pieces(tmp_path, threads=1, stopped=lambda: next(calls))
    there = set(tmp_path.glob("*.table"))
    assert not set(tmp_path.glob("*.part"))
    done = three_pieces(tmp_path)
    assert done.classes == 6
    assert done.new == 6 - len(there)
    assert three_pieces(tmp_path).new == 0


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content + b"more",
        lambda content: b"hansu chess tb 9" + content[16:],
        lambda content: content[:30] + bytes([content[30] ^ 1]) + content[31:],
        lambda content: b"x" * len(content),
    ],
)
def test_a_file_that_is_not_whole_or_of_another_version_is_built_again(tmp_path, damage):
    three_pieces(tmp_path)
    file = tmp_path / "KRvK.table"
    sound = file.read_bytes()
    file.write_bytes(damage(sound))
    with pytest.raises(HansuError, match="KRvK"):
        TableFile(file, class_named("KRvK"), CHESS)
    assert three_pieces(tmp_path).new == 1
    assert file.read_bytes() == sound


def test_a_damaged_block_is_noticed_when_it_is_read(tmp_path):
    three_pieces(tmp_path)
    file = tmp_path / "KRvK.table"
    content = bytearray(file.read_bytes())
    content[-9] ^= 0xFF
    file.write_bytes(content)
    with pytest.raises(HansuError, match=r"KRvK.table is damaged"):
        TableFile(file, class_named("KRvK"), CHESS).planes()


def test_what_is_written_is_read(tmp_path):
    which = class_named("KRvKN")
    planes = np.random.default_rng(1).integers(0, 256, (3, which.entries), np.uint8)
    write_table(tmp_path / "a.table", which, "any", planes)
    assert (TableFile(tmp_path / "a.table", which, "any").planes() == planes).all()
    with pytest.raises(HansuError):
        TableFile(tmp_path / "a.table", which, "other")


def test_a_disk_that_cannot_be_written_is_said_in_a_sentence(tmp_path):
    (tmp_path / "folder").write_text("a file")
    with pytest.raises(HansuError, match="cannot write the table of KvK"):
        three_pieces(tmp_path / "folder")


def test_too_little_memory_is_said_before_anything_is_built(tmp_path):
    with pytest.raises(HansuError, match="--memory"):
        build(Judge(CHESS), tmp_path, 6, 16)
    assert not list(tmp_path.iterdir())
