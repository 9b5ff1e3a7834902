"""What a session does not do, each by a name for which the page has words in every language."""

from hansu.errors import HansuError

REFUSALS = {
    "not_your_turn": "it is not your turn",
    "nothing_to_take_back": "there is nothing to take back yet",
    "nobody_can_resign": "nobody here can resign: two agents are playing",
    "not_agreed": "the opponent does not agree: play on, or take it back",
    "play_on_first": "play on first: then what is left on the board counts",
    "agent_to_move": "wait until the agent has moved",
    "the_game_is_over": "the game is over",
    "both_passed": "both have passed: agree on the dead stones, or play on",
    "nothing_to_agree_on": "there is nothing to agree on now",
    "looking_on": "you are looking on: only who started this game can move",
    "met_already": "we have met already",
}


class Refusal(HansuError):
    """Not now, or not for you.

    >>> str(Refusal("not_your_turn"))
    'it is not your turn'
    """

    def __init__(self, rule: str) -> None:
        super().__init__(REFUSALS[rule])
        self.rule = rule
