"""The laws that every game must satisfy, checked on random games.

The positions are those of random games. Check a game of your own the same way:

>>> import hansu
>>> hansu.check_game("tictactoe")
"""

import pickle
import random
from typing import Any

import numpy as np

from hansu.errors import HansuError, MoveError, UnknownName
from hansu.games.card_check import check_on_card
from hansu.games.features import Symmetry
from hansu.games.game import BLACK, WHITE, Game, game
from hansu.games.rules_on_words import PLY, SECOND, policy_on_words, rules_on_words
from hansu.games.state import State
from hansu.kernel import seeded

DEVICES = ("cpu", "cuda")
NONSENSE = ("", " ", "zz", "a0", "i9", "99999999999999999999", "\0", "é", "-1", "resign!")


class LawBroken(HansuError):
    """A game that does not keep a law: which one, and after which moves."""


def check_game(which: str | Game, games: int = 10, seed: int = 0, device: str = "cpu") -> None:
    """Play random games and check every law at every turn; raises LawBroken at the first breach.

    With ``device="cuda"`` also check that the compiled functions can run on a GPU: that needs the
    extra ``gpu``, but no card.
    """
    checked = game(which)
    if device not in DEVICES:
        raise UnknownName("device", device, DEVICES)
    if device == "cuda":
        check_on_card(checked)
    rng = random.Random(seed)
    seen: dict[int, bytes] = {}
    for _ in range(games):
        state = checked.start()
        while True:
            try:
                _check_position(state, seen, rng)
            except LawBroken as breach:
                moves = " ".join(_move_texts(state)) or "none"
                raise LawBroken(f"{checked}: {breach} (moves played: {moves})") from None
            if state.is_game_over():
                break
            if len(state.move_stack) > checked.max_turns:
                raise LawBroken(f"{checked}: a game lasts longer than max_turns")
            state.push(rng.choice(list(state.legal_moves)))
        _check_symmetries(checked, state)


def _check_position(state: State, seen: dict[int, bytes], rng: random.Random) -> None:
    _check_ending(state)
    _check_words(state)
    _check_texts(state)
    _check_copies(state)
    _check_moves(state, rng)
    _check_evaluation(state)
    _check_actions(state)
    _check_heavy_move(state, rng)
    planes = state.game.features.planes(state).tobytes() + bytes([state.turn])
    if seen.setdefault(state.key, planes) != planes:
        raise LawBroken("two different positions have the same key")


def _law(kept: bool, law: str) -> None:
    if not kept:
        raise LawBroken(law)


def _check_ending(state: State) -> None:
    outcome = state.outcome()
    moves = list(state.legal_moves)
    _law((outcome is not None) == state.is_game_over(), "a game has an outcome exactly if over")
    _law(outcome is not None or bool(moves), "a running game has a legal move")
    if outcome is not None:
        _law(outcome.winner in (WHITE, BLACK, None), "the winner is White, Black or nobody")
        _law(outcome.reason in state.game.rules.ENDINGS[1:], "the reason is one of ENDINGS")


def _check_words(state: State) -> None:
    move_ids = list(state.move_ids())
    _law(len(set(move_ids)) == len(move_ids), "legal moves are distinct")
    _law(len(move_ids) <= state.game.rules.MAX_MOVES, "there are at most MAX_MOVES moves")
    _law(all(move_id >= 0 for move_id in move_ids), "the number of a move is not negative")
    _law(
        [state.move_id(state.move_from_id(c)) for c in move_ids] == move_ids,
        "move_id and move_from_id are inverse",
    )
    _law(int(state.words[PLY]) == len(state.move_stack), "words[0] counts the turns played")
    second = state.turn != state.game.first_color
    _law(int(state.words[SECOND]) == second, "words[1] says whether the second player is to move")


def _check_texts(state: State) -> None:
    text = state.text()
    again = state.game.parse(text)
    _law(again.text() == text, f"text {text!r} is read back as {again.text()!r}")
    _law(again.turn == state.turn, f"text {text!r} forgets whose turn it is")
    _law(again.key == state.key, f"text {text!r} is read back as another position")
    _law(sorted(again.move_ids()) == sorted(state.move_ids()), f"text {text!r} loses legal moves")
    for move in state.legal_moves:
        written = state.move_text(move)
        _law(state.parse_move(written) == move, f"move {written!r} is not read back")
    for text in NONSENSE:
        try:
            state.parse_move(text)
        except MoveError:
            continue
        except Exception as error:
            raise LawBroken(f"parse_move({text!r}) raises {error!r}, not MoveError") from error
    _law("<svg" in state.svg(legal=True, arrows=list(state.legal_moves)[:1]), "svg() is a picture")
    _law(bool(str(state).strip()), "str() is a board")


def _check_copies(state: State) -> None:
    for other in (state.copy(), pickle.loads(pickle.dumps(state))):
        same = other.text() == state.text() and other.key == state.key
        _law(same and np.array_equal(other.words, state.words), "a copy equals its original")


def _check_moves(state: State, rng: random.Random) -> None:
    """Make every legal move and take it back; compare the text after one of them."""
    text, key, words, move_ids = state.text(), state.key, state.words.copy(), list(state.move_ids())
    play = rules_on_words(state.game.rules).play
    for move_id in move_ids:
        move = state.move_from_id(move_id)
        after = state.forward(move)
        unchanged = state.key == key and np.array_equal(state.words, words)
        _law(unchanged, "forward leaves the state as it was")
        _law(len(after.move_stack) == len(state.move_stack) + 1, "forward records its move")
        same = np.array_equal(after.words, play(words, move_id))
        _law(same, "a state and the compiled rules lead to the same position")
        _law(after.pop() == move, "pop returns the move it takes back")
        restored = after.key == key and np.array_equal(after.words, words)
        _law(restored, "pop restores the position")
        _law(list(after.move_ids()) == move_ids, "pop restores the legal moves")
    if move_ids:
        after = state.forward(state.move_from_id(rng.choice(move_ids)))
        _law(state.text() == text, "forward leaves the state as it was")
        after.pop()
        _law(after.text() == text, "pop restores the position")


def _check_evaluation(state: State) -> None:
    white, black = (state.game.evaluator.eval(state, color) for color in (WHITE, BLACK))
    _law(0.0 <= white <= 1.0, f"an evaluation lies in [0, 1], not at {white}")
    _law(abs(white + black - 1.0) < 1e-9, "the evaluations of both players add up to 1")


def _check_actions(state: State) -> None:
    features = state.game.features
    planes = features.planes(state)
    _law(planes.shape == features.shape, "planes have the shape that features name")
    _law(bool(np.isfinite(planes).all()), "planes are finite")
    legal = set(state.move_ids())
    for move in state.legal_moves:
        action = features.action(state, move)
        _law(0 <= action < features.actions, "actions are numbered from 0 below features.actions")
        back = features.move(state, action)
        _law(state.move_id(back) in legal, "an action of a legal move stands for a legal move")
        _law(features.action(state, back) == action, "action and move are inverse")


def _check_heavy_move(state: State, rng: random.Random) -> None:
    pick, rules = state.game.heavy_move, state.game.rules
    if pick is None:
        return
    moves = np.empty(rules.MAX_MOVES, np.int64)
    generator = seeded(rng.getrandbits(63))
    move = int(policy_on_words(rules, pick)(state.words, state.path, moves, generator))
    outcome = state.outcome()
    if outcome is None:
        _law(move in state.move_ids(), f"heavy_move picks a legal move, not {move}")
    else:
        named = rules.ENDINGS[-move] if -len(rules.ENDINGS) < move < 0 else str(move)
        _law(named == outcome.reason, f"heavy_move returns minus the ending, not {named}")


def _check_symmetries(game: Game, state: State) -> None:
    """Play the same game turned or mirrored: it must look and continue turned or mirrored."""
    start = game.start()
    flat = (game.features.shape[0], -1)
    for symmetry in game.features.symmetries:
        planes = game.features.planes(start)
        turned = planes.reshape(flat)[:, symmetry.cells].reshape(planes.shape)
        if np.array_equal(planes, turned):  # else the start itself is not symmetric
            _check_symmetry(game, state, symmetry)


def _check_symmetry(game: Game, state: State, symmetry: Symmetry) -> None:
    features = game.features
    new_of = np.argsort(symmetry.actions)  # where an old action goes to
    plain, turned = game.start(), game.start()

    def mapped(actions: Any) -> set[int]:
        return {int(new_of[action]) for action in actions}

    for move in state.move_stack:
        theirs = {features.action(turned, m) for m in turned.legal_moves}
        ours = mapped(features.action(plain, m) for m in plain.legal_moves)
        _law(ours == theirs, f"{game}: the {symmetry.name} maps legal moves to legal moves")
        action = features.action(plain, move)
        if features.move(plain, action) != move:
            return  # several moves share an action (under-promotions)
        turned.push(features.move(turned, int(new_of[action])))
        plain.push(move)
        shape = (features.shape[0], -1)
        expected = features.planes(plain).reshape(shape)[:, symmetry.cells]
        same = np.array_equal(expected, features.planes(turned).reshape(shape))
        _law(same, f"{game}: the {symmetry.name} maps planes to planes")


def _move_texts(state: State) -> list[str]:
    replayed = state.copy()
    texts = []
    for _ in state.move_stack:
        move = replayed.pop()
        texts.append(replayed.move_text(move))
    return texts[::-1]
