"""The two hot questions of Othello's searches, answered for four lines through the board together.

``to_play`` and ``flips`` are the rules' ``squares_to_play`` and ``turned`` as vectors of four
words: one for each direction of a step (right, down left, down, down right). The interpreter runs
the rules instead.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from hansu.games.othello.rules import INNER, squares_to_play, turned
from hansu.kernel import bit
from hansu.kernel.tiers import in_python

STEPS = ((1, 0), (-1, 1), (0, 1), (1, 1))  # files, ranks: to higher numbers
SHIFTS = [files + 8 * ranks for files, ranks in STEPS]
THROUGH = [int(INNER), int(INNER), -1, int(INNER)]  # squares that a run can go through

WORD = ir.IntType(64)
LANES = ir.VectorType(WORD, len(STEPS))


def _ray(square: int, files: int, ranks: int) -> int:
    """Return the squares from one to the border in a direction, without itself."""
    found, file, rank = 0, square % 8 + files, square // 8 + ranks
    while 0 <= file < 8 and 0 <= rank < 8:
        found |= 1 << (file + 8 * rank)
        file, rank = file + files, rank + ranks
    return found


RAYS_ON = [[_ray(square, *step) for step in STEPS] for square in range(64)]
RAYS_BACK = [[_ray(square, -step[0], -step[1]) for step in STEPS] for square in range(64)]


def _constant(numbers: list[int]) -> Any:
    return ir.Constant(LANES, [ir.Constant(WORD, number) for number in numbers])


def _same(builder: Any, word: Any) -> Any:
    """Return a word in all lanes."""
    empty = ir.Constant(LANES, ir.Undefined)
    first = builder.insert_element(empty, word, ir.IntType(32)(0))
    order = ir.Constant(ir.VectorType(ir.IntType(32), len(STEPS)), [0] * len(STEPS))
    return builder.shuffle_vector(first, empty, order)


def _call(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments)


def _union(builder: Any, lanes: Any) -> Any:
    return _call(builder, "llvm.vector.reduce.or.v4i64", WORD, lanes)


def _rays(builder: Any, name: str, rays: list[list[int]], square: Any) -> Any:
    """Return the rays of a square, from a table in the compiled code."""
    if name not in builder.module.globals:
        kind = ir.ArrayType(LANES, 64)
        table = ir.GlobalVariable(builder.module, kind, name)
        table.initializer = ir.Constant(kind, [_constant(row) for row in rays])
        table.global_constant, table.linkage, table.align = True, "internal", 32
    table = builder.module.globals[name]
    place = builder.gep(table, [WORD(0), square], inbounds=True)
    return builder.load(place, align=32)


@intrinsic
def _to_play(typing_context: Any, mine: Any, theirs: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        own, other = _same(builder, args[0]), _same(builder, args[1])
        through = builder.and_(other, _constant(THROUGH))
        one, two = _constant(SHIFTS), _constant([2 * shift for shift in SHIFTS])
        ends = []
        for shift in (builder.shl, builder.lshr):
            run = builder.and_(through, shift(own, one))
            run = builder.or_(run, builder.and_(through, shift(run, one)))
            pairs = builder.and_(through, shift(through, one))
            for _ in range(2):
                run = builder.or_(run, builder.and_(pairs, shift(run, two)))
            ends.append(shift(run, one))
        found = _union(builder, builder.or_(*ends))
        return builder.and_(found, builder.not_(builder.or_(args[0], args[1])))

    return types.uint64(types.uint64, types.uint64), codegen


@intrinsic
def _flips(typing_context: Any, square: Any, mine: Any, theirs: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        own, other = _same(builder, args[1]), _same(builder, args[2])
        zero, one = _constant([0] * 4), _constant([1] * 4)
        # On: adding 1 carries through their discs to the first other square of the ray.
        ray = _rays(builder, "othello.rays_on", RAYS_ON, args[0])
        carried = builder.add(builder.or_(other, builder.not_(ray)), one)
        end = builder.and_(builder.and_(carried, own), ray)
        is_end = builder.zext(builder.icmp_unsigned("!=", end, zero), LANES)
        on = builder.and_(builder.sub(end, is_end), ray)
        # Back: the first other square of the ray is the highest.
        ray = _rays(builder, "othello.rays_back", RAYS_BACK, args[0])
        others = builder.or_(builder.and_(ray, builder.not_(other)), one)
        highest = _call(builder, "llvm.ctlz.v4i64", LANES, others, ir.IntType(1)(1))
        first = builder.lshr(_constant([1 << 63] * 4), highest)
        end = builder.and_(builder.and_(first, own), ray)
        back = builder.and_(ray, builder.sub(zero, builder.shl(end, one)))
        return _union(builder, builder.or_(on, back))

    return types.uint64(types.uint64, types.uint64, types.uint64), codegen


def _plain_flips(square: Any, mine: Any, theirs: Any) -> Any:
    return turned(bit(square), np.uint64(mine), np.uint64(theirs))


to_play: Any = in_python(_to_play, squares_to_play)
"""``to_play(mine, theirs)``: the empty squares where a disc would turn some of theirs over."""

flips: Any = in_python(_flips, _plain_flips)
"""``flips(square, mine, theirs)``: what a disc of mine on an empty square would turn over."""
