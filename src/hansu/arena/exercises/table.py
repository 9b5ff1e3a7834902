"""The exercises, by their page of the tutorial."""

from hansu.arena.exercises.exercise import Exercise, Match, Positions, Proof
from hansu.arena.exercises.puzzles import (
    against_the_evaluation,
    beyond_the_next_move,
    drawn_in_chess,
    fewest_replies,
    keep_the_value,
    most_captures,
    to_the_end,
    win_or_block,
)
from hansu.errors import HansuError

EXERCISES: dict[int, Exercise] = {
    exercise.number: exercise
    for exercise in (
        Positions(
            1,
            "Win, or block",
            "connect4",
            "In 20 positions one move wins at once, or stops the opponent from doing so: play it.",
            (
                "state.forward(move).outcome() tells whether a move wins.",
                "If you cannot win: after your move, can the opponent win at once?",
            ),
            win_or_block,
            20,
        ),
        Match(
            2,
            "Beat random",
            "connect4",
            "Score 33 points in 40 games of Connect Four against random.",
            (
                "The agent of exercise 1 is enough.",
                "Choose among equal moves with self.rng.choice, not always the first.",
            ),
            "random",
            40,
            33,
        ),
        Match(
            3,
            "An evaluation of your own",
            "othello",
            "Score 42 points in 60 games of Othello against random, looking one move ahead.",
            (
                "Counting discs is not enough: a disc that can be turned over is worth little.",
                "Nobody can turn over a disc in a corner. The squares beside it give it away.",
            ),
            "random",
            60,
            42,
        ),
        Match(
            4,
            "Two steps",
            "microchess",
            "Score 17 points in 20 games of microchess against one_step_search.",
            (
                "Find the worst reply to each of your moves; play the move whose worst is best.",
                "A move that ends the game has no reply: evaluate it at once.",
            ),
            "one_step_search",
            20,
            17,
        ),
        Positions(
            5,
            "Never give a point away",
            "tictactoe",
            "In 20 positions of tic-tac-toe play a move that keeps what the position is worth.",
            (
                "Search to the end of the game: 1 for a win, 0 for a draw, -1 for a loss.",
                "What is good for me is bad for you: value = max(-value(state.forward(move))).",
            ),
            keep_the_value,
            20,
        ),
        Positions(
            6,
            "Beyond the horizon",
            "microchess",
            "In 10 positions of microchess the tempting move is wrong: play one that stays good.",
            (
                "Search three plies, and evaluate there: state.game.evaluator.eval(state, color).",
                "Two plies see the recapture; three see what you get back for it.",
            ),
            beyond_the_next_move,
            10,
        ),
        Match(
            7,
            "Deeper in the same time",
            "microchess",
            "Score 41 points in 60 games of microchess against negamax:depth=2.",
            (
                "Alpha–beta to depth 3: stop looking at a move once a reply refutes it.",
                "Look at captures first: the sooner a good move is found, the more is pruned.",
            ),
            "negamax:depth=2",
            60,
            41,
            seconds=30.0,
        ),
        Positions(
            8,
            "Few replies",
            "microchess",
            "In 20 positions of microchess play a move that leaves the opponent the fewest moves.",
            (
                "The replies to a move: len(list(state.forward(move).legal_moves)).",
                "A move that ends the game by checkmate leaves none.",
            ),
            fewest_replies,
            20,
        ),
        Positions(
            9,
            "Against the evaluation",
            "connect4",
            "In 10 positions of Connect Four the best-looking move gives the game away: play one "
            "that does not.",
            (
                "Search four plies or more; a win is a win, whatever the evaluation says.",
                "Alpha–beta in plain Python is fast enough for six plies here.",
            ),
            against_the_evaluation,
            10,
        ),
        Match(
            10,
            "Spend where it matters",
            "connect4",
            "Score 28 points in 40 games of Connect Four against pure_mc:batches=1,batch=20.",
            (
                "Every move is an arm: hansu.playouts(state.forward(move), 1, seed) pulls it.",
                "Pull the arm with the highest mean + sqrt(2 ln N / n), some hundreds of times.",
            ),
            "pure_mc:batches=1,batch=20",
            40,
            28,
        ),
        Match(
            11,
            "Random games",
            "connect4",
            "Score 15 points in 20 games of Connect Four against one_step_search, without an "
            "evaluation.",
            (
                "hansu.win_rate_map(state, games, seed) plays random games after every move.",
                "Take the seed from self.rng.getrandbits(32).",
                "Three hundred games a move are too few to be sure of it; take a thousand.",
            ),
            "one_step_search",
            20,
            15,
        ),
        Match(
            12,
            "A tree of your own",
            "connect4",
            "Score 28 points in 40 games of Connect Four against pure_mc:batches=1,batch=40.",
            (
                "Four steps: select, expand, simulate, back up; the sign flips at every ply.",
                "A thousand simulations a move are enough; play the most visited move.",
            ),
            "pure_mc:batches=1,batch=40",
            40,
            28,
        ),
        Match(
            13,
            "Do not forget",
            "connect4",
            "Score 15 points in 20 games of Connect Four against "
            "mcts_memory:scope=game,n_simulations=50, which forgets.",
            (
                "A dictionary from tuple(state.move_stack) to games and points outlives a move.",
                "Keep the tree of exercise 12 in it, and 200 simulations a turn are enough.",
            ),
            "mcts_memory:scope=game,n_simulations=50",
            20,
            15,
        ),
        Match(
            14,
            "Learnt, not written",
            "othello",
            "Score 28 points in 40 games of Othello against one_step_search, with square values "
            "that were learnt.",
            (
                "Ten values, learnt from random games: squares that mirror each other are alike.",
                "Sum them at the leaves of alpha–beta, three plies deep.",
            ),
            "one_step_search",
            40,
            28,
        ),
        Match(
            15,
            "A network and a tree",
            "connect4",
            "Score 16 points in 20 games of Connect Four against mcts:n_simulations=300.",
            (
                "hansu.learning.model.find_model('shipped', game) is a trained network.",
                "PUCT: Q + c · P · sqrt(N) / (1 + n); thirty simulations a move are enough.",
            ),
            "mcts:n_simulations=300",
            20,
            16,
        ),
        Positions(
            16,
            "A draw that wins",
            "microchess",
            "In 10 positions of microchess a move wins at once that chess would call a draw: play "
            "it.",
            (
                "state.forward(move).outcome() knows our rules, adjudication included.",
                "A stalemate counts, and so does taking the last piece that could give mate.",
            ),
            drawn_in_chess,
            10,
        ),
        Positions(
            17,
            "Take the most",
            "go:size=7",
            "In 20 positions of go on 7x7 play a move that takes as many stones as any.",
            (
                "A string with a single liberty can be taken, by a play on that liberty.",
                "One play may take several strings. state.stones() shows all points at once.",
            ),
            most_captures,
            20,
        ),
        Match(
            18,
            "Seven plies",
            "microchess",
            "Score 16 points in 20 games of microchess against negamax:depth=3.",
            (
                "Compile the search, not only the rules: examples/compiled_alphabeta.py.",
                "Compile in prepare(start), which is off the clock.",
            ),
            "negamax:depth=3",
            20,
            16,
            seconds=10.0,
        ),
        Proof(
            19,
            "Prove it",
            "connect4",
            "Prove that your agent is stronger than pure_mc:batches=1,batch=20: a sequential test "
            "between 0 and 100 Elo must decide for you within 100 games.",
            (
                "The test stops when it is sure: the stronger the agent, the fewer the games.",
                "The agents of exercises 10 and 12 are strong enough.",
            ),
            "pure_mc:batches=1,batch=20",
            100,
        ),
        Positions(
            20,
            "To the end",
            "connect4",
            "In 10 late positions of Connect Four a search of four plies is wrong: search to the "
            "end, and play a move that keeps what the position is worth.",
            (
                "Alpha–beta without a depth: 1 for a win, 0 for a draw, -1 for a loss.",
                "Keep what is known by state.key: many orders of moves lead to one position.",
            ),
            to_the_end,
            10,
        ),
    )
}


def find_exercise(number: int) -> Exercise:
    """Return an exercise; raises HansuError for a number that has none.

    >>> find_exercise(5).title
    'Never give a point away'
    """
    if number not in EXERCISES:
        raise HansuError(f"there is no exercise {number}: they are 1 to {max(EXERCISES)}")
    return EXERCISES[number]
