"""Nobody can predict another player's random numbers, and every game can be played again."""

import random
import sqlite3

import pytest

import hansu
from hansu.arena.isolation.requirements import missing
from hansu.arena.seeds import event_seed, game_seed, player_seeds
from hansu.arena.tournament.schedule import games_of
from tests.arena.tournament.test_schedule import plan

GUESSES = 5_000


class Seeds(random.Random):
    """Tells the seed that its agent gets, as any agent may look at its own."""

    seen: list[int] = []  # noqa: RUF012 - of all agents

    def seed(self, seed=None, *_):
        if seed is not None:
            Seeds.seen.append(seed)
        super().seed(seed)


class Predictor(hansu.Agent):
    """Tries to find the opponent's seed from its own."""

    found: list[int] = []  # noqa: RUF012 - in all games

    def __init__(self, name, color):
        super().__init__(name, color)
        self.rng = Seeds()

    def reset(self):
        mine = Seeds.seen[-1]
        for guess in range(GUESSES):
            drawn = random.Random(guess)
            one_generator = drawn.getrandbits(63), drawn.getrandbits(63)
            hashed = player_seeds(guess), player_seeds(game_seed(guess, 0))
            for pair in (one_generator, *hashed):
                if mine in pair:
                    Predictor.found.append(pair[1 - pair.index(mine)])

    def act(self, state):
        return next(iter(state.legal_moves))


@pytest.mark.parametrize("play", [
    lambda: hansu.match("tictactoe", Predictor, "random", games=1),
    lambda: hansu.play_game("tictactoe", Predictor, "random"),
])  # fmt: skip
def test_an_agent_cannot_find_the_opponents_seed_from_its_own(play):
    Predictor.found.clear()
    play()
    assert Predictor.found == []


def test_a_seed_that_is_known_can_be_guessed():
    """So that the test above can fail: a short seed is the organiser's choice."""
    Predictor.found.clear()
    hansu.match("tictactoe", Predictor, "random", games=1, seed=7)
    assert Predictor.found == [player_seeds(game_seed(7, 0))[1]]


def test_all_seeds_of_an_event_differ():
    games = list(games_of(plan(agents=4, rounds=30), {}))
    seeds = [seed for game in games for seed in player_seeds(game.seed)]
    assert len(set(seeds)) == len(seeds) == 2 * len(games)
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert len({event_seed(None) for _ in range(100)}) == 100


def test_the_published_seed_plays_the_same_match_again():
    def played(**options):
        result = hansu.match("connect4", "random", "mcts:n_simulations=30", games=4, **options)
        return result.facts()["seed"], [game.moves for game in result.games], result.games

    seed, moves, games = played(openings="random:2")
    assert played(openings="random:2", seed=seed)[:2] == (seed, moves)
    assert played(openings="random:2")[1] != moves
    first = games[0]
    again = hansu.play_game(
        "connect4", first.first, first.second, position=first.start, seed=first.seed
    )
    assert again.moves == first.moves


def test_a_tournament_that_is_resumed_keeps_its_secret(tmp_path):
    def play(most):
        def stop():
            return done[-1] >= most

        done = [0]
        return hansu.tournament(
            "tictactoe", "random", "mcts:n_simulations=20", rounds=3, out=tmp_path / "cup",
            progress=lambda record, finished, planned: done.append(finished), stop=stop,
        )  # fmt: skip

    begun = play(2)
    finished = play(100)
    assert 2 <= len(begun.games) < len(finished.games) == 6
    assert begun.facts()["seed"] == finished.facts()["seed"]
    calm = hansu.tournament(
        "tictactoe", "random", "mcts:n_simulations=20", rounds=3, seed=finished.plan.seed
    )
    assert [g.moves for g in calm.games] == [g.moves for g in finished.games]
    with sqlite3.connect(tmp_path / "cup" / "tournament.sqlite") as database:
        (kept,) = database.execute("SELECT plan FROM tournaments").fetchone()
    assert str(finished.plan.seed) in kept
    assert f'"seed": "{finished.plan.seed}"' in (tmp_path / "cup" / "report.html").read_text()


@pytest.mark.parametrize("wrong", ["x", 1.5, 10**5000], ids=["text", "float", "huge"])
def test_what_is_no_seed_is_refused(wrong):
    with pytest.raises(hansu.HansuError, match="seed"):
        hansu.match("tictactoe", "random", "random", games=1, seed=wrong)


def test_the_attack_that_once_foretold_every_move(shared_data):
    if missing():
        pytest.skip("this machine cannot isolate")
    file = shared_data("attacks/predict.py")
    result = hansu.match("connect4", f"{file}:opponent=random", "random", games=1)
    assert "predicted" not in result.games[0].evidence
