"""At the end of a go game an agent believes what will be counted, and loses nothing by passing."""

import pytest

import hansu
from hansu.games.go.ownership import dead_stones
from hansu.web.agreement import Agreement, as_counted, proposal

# Every stone alive, White is ahead; but B4 and H3 are dead, and without them Black is.
DISPUTED = (
    "(;FF[4]GM[1]SZ[9]KM[7]AB[ea][eb][ec][ed][ee][ef][eg][eh][ei][bc][cg][hg]"
    "AW[fa][fb][fc][fd][fe][ff][fg][fh][fi][bf][hd]PL[B])"
)
AGENTS = ["self_learning:n_simulations=400", "mcts:n_simulations=4000"]


def disputed(komi=7):
    game = hansu.game("go", size=9, komi=komi)
    state = game.parse(DISPUTED.replace("KM[7]", f"KM[{komi}]"))
    state.push(state.pass_move)
    return state


def without_dead(drawn, side, **options):
    state = hansu.game("go", **options).parse(f"{drawn} {side} to move")
    return state, state.counted_without(dead_stones(state))


def test_the_agreement_counts_what_the_search_is_told():
    state = disputed()
    seen = as_counted(state, [], resumed=False)
    assert [state.move_text(p) for p in sorted(proposal(state, []))] == ["B4", "H3"]
    for each in (state, seen):
        each.push(each.pass_move)
    assert state.outcome().winner == hansu.WHITE  # the rules: every stone is alive
    settled = Agreement(state, proposal(state, []), hansu.WHITE).outcome()
    assert (settled.winner, settled.margin) == (hansu.BLACK, 2.0)
    assert (seen.outcome().winner, seen.outcome().margin) == (settled.winner, settled.margin)


@pytest.mark.parametrize("name", AGENTS)
def test_nobody_passes_into_a_count_that_loses(name):
    state = disputed()
    agent = hansu.agent(state.game, name, seed=1)
    assert agent.act(as_counted(state, [], resumed=False)) != state.pass_move
    agent.reset()
    assert agent.act(state) == state.pass_move  # by the rules alone that wins


@pytest.mark.parametrize(
    ("name", "size", "komi"),
    [
        *(("mcts:n_simulations=40", *how) for how in ((5, 0.5), (5, 24.5), (7, -60.0), (9, 3.0))),
        *(("self_learning:n_simulations=20", 9, komi) for komi in (-90.0, 3.0, 6.5, 90.0)),
    ],
)
def test_a_pass_that_ends_a_game_never_loses_it(name, size, komi):
    """Random boards after a pass, also hopeless ones: passing too is no way to lose."""
    game = hansu.game("go", size=size, komi=komi)
    agent = hansu.agent(game, name, seed=1)
    played = hansu.agent(game, "random", seed=size)
    state = game.start()
    for _ in range(2 * size * size // 3):
        state.push(played.act(state))
    state.push(state.pass_move)
    for seen in (state, as_counted(state, [], resumed=False), as_counted(state, [], resumed=True)):
        over = seen.forward(seen.pass_move).outcome()
        agent.reset()
        if over.winner == (not seen.turn) and len(seen.legal_moves) > 1:
            assert agent.act(seen) != seen.pass_move


def test_once_there_was_no_agreement_only_captured_stones_count():
    state, _ = without_dead("..xo./..xo./.oxox/..xo./..xo.", "white", size=5, komi=0.5)
    seen = as_counted(state, [], resumed=True)
    own = state.counted_without([state.point("B3")])
    assert seen.area() == own.area() != as_counted(state, [], resumed=False).area()


def test_marks_go_with_their_stones():
    state, seen = without_dead("..x../o.x../..x../..x../..x..", "black", size=5, komi=0.5)
    assert (seen.area().black, state.area().black) == (25, 15)
    seen.push(seen.parse_move("A3"))
    seen.push(seen.parse_move("B4"))  # a second stone: nobody has called both dead
    assert seen.area().white == 2
