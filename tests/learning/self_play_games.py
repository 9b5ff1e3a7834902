"""Games of self-play with arbitrary numbers instead of a network, for tests."""

import zlib

import hansu
from hansu.learning.replay_buffer import game_samples, sample_type
from hansu.learning.self_play import SelfPlay, SelfPlayOptions
from hansu.search.puct import PuctParams
from tests.search.networks import arbitrary

OPTIONS = SelfPlayOptions(12, 3, -2.0, 0.0, 2, full_share=0.6, quick_simulations=5)
PARAMS = PuctParams(1.5, 32, 0.25, 0.8, 1)


def played_games(name, games, options=OPTIONS, params=PARAMS, steps=400, seed=4):
    """Yield a group of games, stepped so often, and the number of each game that is over."""
    game = hansu.game(name)
    evaluate = arbitrary(game)
    play = SelfPlay(game.features, games, options, params, seed, parallel=False)
    for _ in range(steps):
        play.step()
        play.trees.answers[:] = evaluate(play.trees.leaves)
        for number in play.finished():
            yield play, number
        play.restart()


def checksum(name, **how):
    """Return a checksum of all samples of some games."""
    found = 0
    for play, number in played_games(name, 6, **how):
        samples = game_samples(play.trajectories, number, sample_type(play.features))
        found = zlib.crc32(samples.tobytes(), found)
    return found
