"""What the server refuses, each by a name for which the page has words in every language."""

from hansu.errors import HansuError, MoveError, OptionError, PositionError, RecordError
from hansu.terminal_text import one_line
from hansu.web.why import why_facts

REFUSALS = {
    "not_your_turn": "it is not your turn",
    "nothing_to_take_back": "there is nothing to take back yet",
    "nobody_can_resign": "nobody here can resign: two agents are playing",
    "not_agreed": "the opponent disagrees: play on, or undo the change",
    "no_stone": "there is no stone on {point}",
    "play_on_first": "play on first: then what is left on the board counts",
    "no_study": "only an analysis board without a clock has variations",
    "no_owners": "only a game with territory has owners of points",
    "no_such_position": "there is no such position any more",
    "too_many_variations": "{most} moves are the most that an analysis can have",
    "comments_too_long": "{most} letters are the most that all comments can have",
    "agent_to_move": "wait until the agent has moved",
    "the_game_is_over": "the game is over",
    "both_passed": "both have passed: agree on the dead stones, or play on",
    "nothing_to_agree_on": "there is nothing to agree on now",
    "spectating": "you are spectating: only the player who started this game can move",
    "connected_already": "already connected",
    "no_such_game": "there is no such game any more",
    "library_here": "the library is shown on the computer that serves it only",
    "nothing_is_kept": "this server keeps no games: start it with --data",
    "server_full": "the server is full: try again later",
    "too_many_agents": "all agents that need a process of their own are busy: try again later",
    "too_many_requests": "too many requests are waiting: try again later",
    "too_long_to_read": "reading this takes too long: send less of it",
    "too_long_to_show": "{turns} turns are too many to show: {most} at most",
    "too_many_waiting": "too many tournaments are waiting: try again later",
    "too_many_games": "{games} games are too many: {most} at most",
    "no_such_puzzle": "there is no such puzzle",
    "agent_not_ready": "{agent} could not get ready: {evidence}",
    "agent_failed": "{agent} cannot analyse this position: {evidence}",
    "too_many_analyses": "{most} agents can analyse a position at the same time, no more",
    "no_such_review": "this review is no longer kept: review the game again",
    "too_many_reviews": "too many reviews are running: try again later",
    "search_gone": "this search is no longer kept: analyse again",
    "token": "this needs the token that the server printed when it started",
    "participant_token": "this needs your personal token: the organiser has it for you",
    "competition_only": "this server is busy with a competition: start one of your own",
    "too_large": "no more than {most} KiB can be sent",
}

MOST_LETTERS = 500  # of a sentence


class Refusal(HansuError):
    """Not now, or not for you.

    >>> str(Refusal("too_large", most=1024))
    'no more than 1024 KiB can be sent'
    """

    def __init__(self, rule: str, **values: object) -> None:
        self.rule, self.values = rule, {name: str(value) for name, value in values.items()}
        super().__init__(REFUSALS[rule].format(**values))

    def facts(self) -> dict[str, object]:
        """Return what the page needs to say it in its own words."""
        return {"rule": self.rule, "values": self.values}


def sentence(error: Exception) -> str:
    """Return what an error says in one line, also where it repeats what a visitor has sent."""
    told = one_line(str(error))
    return told if len(told) <= MOST_LETTERS else f"{told[: MOST_LETTERS - 3]}..."


def rule_facts(error: Exception) -> dict[str, object]:
    """Return the name by which the page finds words of its own for an error, and the values."""
    if isinstance(error, Refusal):
        return error.facts()
    kinds: dict[type[HansuError], str] = {
        PositionError: "position",
        RecordError: "record",
        OptionError: "option",
        MoveError: "move",
    }
    known = next((rule for kind, rule in kinds.items() if isinstance(error, kind)), "")
    why = why_facts(sentence(error)) if isinstance(error, PositionError | RecordError) else {}
    more = {"why": why} if why.get("kind") else {}
    return {"rule": getattr(error, "rule", "") or known, **more}
