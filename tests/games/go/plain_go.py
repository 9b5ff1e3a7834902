"""Go on small boards in plain Python, written a second time. A board is a tuple of ``.xo``."""


def neighbours(point, width, points):
    x = point % width
    near = (point - width, point + width, *([point - 1] if x else []))
    near += (point + 1,) if x < width - 1 else ()
    return [other for other in near if 0 <= other < points]


def string_of(stones, point, width):
    found, todo = {point}, [point]
    while todo:
        for near in neighbours(todo.pop(), width, len(stones)):
            if stones[near] == stones[point] and near not in found:
                found.add(near)
                todo.append(near)
    return found


def has_liberty(stones, string, width):
    return any(stones[near] == "." for at in string for near in neighbours(at, width, len(stones)))


def after_move(stones, point, color, width):
    """Return the board after a stone, without the captured ones; None for self-capture."""
    changed = [*stones]
    changed[point] = color
    for near in neighbours(point, width, len(stones)):
        if changed[near] not in (color, "."):
            string = string_of(changed, near, width)
            if not has_liberty(changed, string, width):
                for at in string:
                    changed[at] = "."
    own = string_of(changed, point, width)
    return tuple(changed) if has_liberty(changed, own, width) else None


def lead(stones, width):
    """Return Black's area less White's."""
    total, seen = 0, set()
    for point, stone in enumerate(stones):
        if stone != ".":
            total += 1 if stone == "x" else -1
        elif point not in seen:
            region = string_of(stones, point, width)
            seen |= region
            colors = {
                stones[near] for at in region for near in neighbours(at, width, len(stones))
            } - {"."}
            if len(colors) == 1:
                total += len(region) if colors == {"x"} else -len(region)
    return total


def worth(stones, color, width, left, alpha, beta, passed=False, seen=frozenset()):
    """Return the best lead for the side to move, between alpha and beta.

    ``seen`` are the boards that were there with each side to move, ``left`` the turns left.
    """
    sign, other = (1, "o") if color == "x" else (-1, "x")
    if left == 0:
        return sign * lead(stones, width)
    seen |= {(stones, color)}
    boards = [after_move(stones, p, color, width) for p, s in enumerate(stones) if s == "."]
    best = -len(stones)
    if passed:
        best = sign * lead(stones, width)
    for after in sorted((b for b in boards if b and (b, other) not in seen), key=_stones):
        if best >= beta:
            return best
        alpha = max(alpha, best)
        best = max(best, -worth(after, other, width, left - 1, -beta, -alpha, False, seen))
    if not passed and best < beta:
        after = worth(stones, other, width, left - 1, -beta, -max(alpha, best), True, seen)
        best = max(best, -after)
    return best


def _stones(board):
    return board.count(".")
