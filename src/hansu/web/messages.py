"""The messages of the page, checked; what does not fit is reported in one sentence."""

import functools
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, TypeVar

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import PydanticCustomError

from hansu.arena.review import STRONGEST
from hansu.arena.tournament.plan import Format
from hansu.errors import HansuError
from hansu.search.view import SearchView
from hansu.terminal_text import one_line

Name = Annotated[str, Field(max_length=64)]
Whole = Annotated[int, Field(ge=-(2**53), le=2**53)]  # as every reader of JSON knows them


def _scalar(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    """Say once what an option may be; pydantic complains of each kind by itself."""
    try:
        return check(value)
    except ValidationError:
        raise PydanticCustomError("scalar", SCALAR) from None


SCALAR = "should be a usual number, true, false, null or a text of up to 64 letters"
Scalar = Annotated[bool | Whole | float | Name | None, WrapValidator(_scalar)]
Options = Annotated[dict[Name, Scalar], Field(max_length=20)]
Text = Annotated[str, Field(max_length=20_000)]
Row = Annotated[list[Name], Field(min_length=1, max_length=19)]


class Strict(BaseModel):
    """Nothing but what is listed."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class AgentChoice(Strict):
    """An agent of the list with its options."""

    agent: Annotated[str, Field(max_length=500)]
    options: Options = {}


class ClockChoice(Strict):
    """A time control in seconds. None: no limit."""

    seconds: float | None = Field(default=None, ge=1, le=24 * 3600)
    increment: float = Field(default=0.0, ge=0, le=3600)


class NewSession(Strict):
    """A game to set up; a seat without an agent is a person's."""

    game: Name
    rules: Options = {}
    position: Text = ""
    moves: Annotated[list[Name], Field(max_length=1000)] = []  # already played from there
    record: Annotated[str, Field(max_length=2**19)] = ""  # in their place, a game to analyse
    at: Annotated[int, Field(ge=0, le=100_000)] = 0  # the position of the record to begin at
    white: AgentChoice | None = None
    black: AgentChoice | None = None
    clock: ClockChoice = ClockChoice()
    think: float = Field(default=1.0, ge=0.01, le=60)  # seconds for each move of an agent
    delay: float = Field(default=0.0, ge=0, le=10)  # seconds to wait after each move
    agreement: bool = True  # people agree on dead stones where the game has such; else all live
    help: Literal["none", "blunders", "mistakes", "everything"] = "none"  # warn before bad moves


class SetUp(Strict):
    """A position as text, or as it is set up by hand: what stands on each cell, row by row."""

    game: Name
    rules: Options = {}
    position: Text = ""
    rows: Annotated[list[Row], Field(min_length=1, max_length=19)] | None = None
    turn: Literal["white", "black"] | None = None


class NewTournament(Strict):
    """A tournament to be played on the server; one of two agents is a match."""

    game: Name
    rules: Options = {}
    agents: Annotated[list[AgentChoice], Field(min_length=2, max_length=16)]
    format: Format = "round-robin"
    rounds: int = Field(default=1, ge=1, le=100)
    seconds: float = Field(default=30.0, ge=1, le=400)  # per player per game


class NewControl(Strict):
    """What to change while training runs, and nothing else; the trainer's own rules check it."""

    learning_rate: float | None = None
    simulations: Whole | None = None
    cpuct: float | None = None
    resign_below: float | None = None


class Question(Strict):
    """What the search viewer wants to know, of the place where some moves lead."""

    search: Whole = Field(ge=0)  # its number
    about: Literal["info", "children", "board", "steps"]
    moves: Annotated[list[Name], Field(max_length=200)] = []

    def ask(self, view: SearchView) -> Callable[[], Any]:
        """Return a function that answers it."""
        given = (self.moves,) if self.about in ("children", "board") else ()
        return functools.partial(getattr(view, self.about), *given)


class NewReview(Strict):
    """A recorded game, as a line of JSON, and the agent that reviews it."""

    record: Annotated[str, Field(max_length=2**19)]
    agent: AgentChoice = AgentChoice(agent=STRONGEST)
    seconds: float = Field(default=0.5, ge=0.01, le=10)  # for each position


class KeptGame(Strict):
    """A recorded game, as a line of JSON, to be kept."""

    record: Annotated[str, Field(max_length=2**19)]


class LookAt(Strict):
    """A position of a reviewed game, by the turns before it."""

    turn: int = Field(ge=0, le=2**31)


class Hello(Strict):
    """The first message: what the visitor may do."""

    type: Literal["hello"]
    key: Name = ""
    token: Annotated[str, Field(max_length=128)] = ""


class Look(Strict):
    """How this visitor wants to see the board."""

    type: Literal["look"]
    flip: bool = False
    area: bool = False
    turn: Annotated[int, Field(ge=0, le=100_000)] | None = None  # an earlier position


class Move(Strict):
    """A move in the game's notation."""

    type: Literal["move"]
    move: Name
    sure: bool = False  # also if the teacher warns of it


class Plain(Strict):
    """A command without arguments."""

    type: Literal["undo", "resign", "hint", "stop", "agree", "play_on", "count", "owners"]


class Mark(Strict):
    """A stone of a string that is dead, or not after all."""

    type: Literal["mark"]
    point: Name


class Go(Strict):
    """Show another position of an analysis."""

    type: Literal["go"]
    node: Whole


class Comment(Strict):
    """What to say about a position of an analysis."""

    type: Literal["comment"]
    node: Whole
    text: Text


class Prune(Strict):
    """Make a line of an analysis the main line, or remove it from a move on."""

    type: Literal["promote", "remove"]
    node: Whole


class Pace(Strict):
    """For games between agents: pause or resume, and seconds after each move."""

    type: Literal["pace"]
    paused: bool = False
    delay: float = Field(default=0.0, ge=0, le=10)


class Analyze(Strict):
    """Analyse the position on the board with an agent."""

    type: Literal["analyze"]
    agent: AgentChoice
    seconds: float | None = Field(default=5.0, ge=0.01, le=3600)  # None: until it is stopped
    beside: bool = False  # beside the analyses in progress, of other agents


M = TypeVar("M", bound=Strict)
Message = Hello | Look | Move | Mark | Plain | Go | Comment | Prune | Pace | Analyze
_MESSAGE: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])


def read_message(text: str | bytes) -> Message:
    """Return a message of the page; raises HansuError.

    >>> read_message('{"type": "move", "move": "d2d4"}')
    Move(type='move', move='d2d4', sure=False)
    """
    try:
        return _MESSAGE.validate_json(text)
    except ValidationError as error:
        wrong: Any = error.errors(include_url=False, include_context=False, include_input=False)
        raise HansuError(complaint(wrong)) from None


async def body_of(request: Request, kind: type[M]) -> M:
    """Return what a request sends, checked; raises RequestValidationError."""
    try:
        return kind.model_validate_json(await request.body())
    except ValidationError as error:
        wrong: Any = error.errors(include_url=False, include_context=False, include_input=False)
        found = [{**each, "loc": ("body", *each["loc"])} for each in wrong]
        raise RequestValidationError(found) from None


def complaint(wrong: Sequence[Any]) -> str:
    """Say in one sentence what does not fit, the first of it."""
    where = ".".join(str(part)[:40] for part in wrong[0]["loc"])
    what = f"{where + ': ' if where else ''}{wrong[0]['msg'][:200]}"
    return f"this message cannot be read: {one_line(what)}"
