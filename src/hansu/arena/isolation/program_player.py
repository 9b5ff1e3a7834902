"""``ProgramPlayer``: a seat at the board for a program of any language, in the same sandbox."""

from collections.abc import Callable
from typing import TypeVar

from hansu.agents.agent import Answer
from hansu.agents.agent_life import AgentLife
from hansu.agents.asking import ask
from hansu.arena.isolation.framing import FramingError, printable
from hansu.arena.isolation.launch import check_launch, launch
from hansu.arena.isolation.limits import MIB, SandboxLimits
from hansu.arena.isolation.process import SandboxProcess
from hansu.arena.isolation.sandboxed_player import SandboxedPlayer
from hansu.arena.isolation.view import find_program_view
from hansu.arena.player import Fault
from hansu.arena.precompile import precompile_rules
from hansu.errors import HansuError
from hansu.games.game import Game
from hansu.games.state import State
from hansu.protocols.manifest import Program, program_agent
from hansu.protocols.pipe import LINE
from hansu.search.limits import UNLIMITED, SearchHandle

T = TypeVar("T")


class SandboxPipe:
    """The lines of a program in the sandbox. What breaks a rule there is a Fault.

    The program only runs while it is asked, so whatever is there before a question was written
    after the answer to the one before.
    """

    name = "it"  # the evidence of a game begins with the player's name
    is_alive = True  # its death is a Fault

    def __init__(self, process: SandboxProcess) -> None:
        self.process = process
        self._unread = bytearray()
        self._size = 0  # bytes since the question

    def begin(self, may_have_written: bool) -> None:
        """Forget what came before a question; after a move nothing may have come."""
        self._unread += self.process.unread()
        said = bytes(self._unread).strip()
        self._unread.clear()
        self._size = 0
        if said and not may_have_written:
            raise FramingError(f"wrote after its turn: {printable(repr(said[:60]))}")

    def send(self, line: str) -> None:
        """Write a line."""
        self.process.send(f"{line}\n".encode())

    def receive(self, until: float) -> str:
        """Return its next line."""
        while (end := self._unread.find(b"\n")) < 0:
            if len(self._unread) > LINE:
                raise FramingError(f"sent a line of more than {LINE} bytes")
            data = self.process.receive(until)
            self._size += len(data)
            if self._size > self.process.limits.output_bytes:
                most = self.process.limits.output_bytes / MIB
                raise FramingError(f"sent more than {most:g} MiB for one answer")
            self._unread += data
        line = bytes(self._unread[:end])
        del self._unread[: end + 1]
        return line.decode(errors="replace").rstrip("\r")

    def ending(self) -> str:
        """Return nothing: how it ended is in the Fault."""
        return ""

    def last_words(self) -> str:
        """Return the last line that it wrote to its standard error."""
        return self.process.last_words()

    def close(self, politely: bool = True) -> None:
        """End it with all that it has started."""
        self.process.kill()


class ProgramPlayer(SandboxedPlayer):
    """A program that speaks UCI, GTP or our lines, in a process for as long as the match lasts."""

    def __init__(
        self,
        program: Program,
        game: Game,
        *,
        name: str,
        limits: SandboxLimits = SandboxLimits(),  # noqa: B008 - frozen
        require_isolation: bool = True,
    ) -> None:
        view = find_program_view(program.own, game)
        super().__init__(name, view, limits, require_isolation)
        self.program, self.game = program, game
        check_launch(name, require_isolation)
        self._life: AgentLife | None = None
        self._pipe: SandboxPipe | None = None
        self._has_moved = False  # since it was last told anything else
        self._make()

    def _make(self) -> None:
        """Make the agent that asks it, a new one for each process: it knows what it has told."""
        made = program_agent(self.program, self.name)
        made.game, made.run = self.game, self._run
        self._life = AgentLife(made)

    def load(self, color: bool) -> None:
        """Start the program and hear whether it speaks its protocol; raises HansuError, Fault."""
        if self.process is None:
            self._start()
        try:
            self._ask(lambda life: life.agent.reset(), self.limits.start_seconds)
        except Fault as fault:
            if fault.reason == "crash":
                raise HansuError(f"{self.name} cannot play: {fault.evidence}") from None
            raise

    def reset(self, color: bool, start: State, seed: int) -> None:
        """Start the program if it does not run, and begin a game."""
        precompile_rules(start.game)
        if self.process is not None:
            self.process.begin_game()
        else:
            self._start()
        self._ask(lambda life: life.begin_game(start, color, seed), self.limits.start_seconds)

    def act(
        self, state: State, seconds: float | None, handle: SearchHandle | None = None
    ) -> Answer:
        """Ask for a move; whoever stops the handle ends the process, as in ``IsolatedPlayer``."""
        with self._ended_by(handle):
            answer = self._ask(lambda life: ask(life.agent, state.copy(), UNLIMITED), seconds)
        self._has_moved = True
        return answer

    def end_game(self) -> None:
        """End the game; a program hears of it with the next one."""
        if self.process is not None:
            self._ask(lambda life: life.end_game(), self.limits.close_seconds)

    def close(self) -> None:
        """Kill the process; nothing is left of it."""
        super().close()
        self._pipe = None

    def _ask(self, work: Callable[[AgentLife], T], seconds: float | None) -> T:
        """Let the program run while the agent that asks it does something."""
        if self.process is None:
            raise Fault("crash", "its process has ended")
        assert self._pipe is not None
        assert self._life is not None
        try:
            with self.process.running(seconds):
                self._pipe.begin(may_have_written=not self._has_moved)
                self._has_moved = False
                return work(self._life)
        except BaseException as error:
            self.process = None  # killed
            if isinstance(error, Exception) and not isinstance(error, Fault):
                raise Fault("crash", printable(str(error))) from error
            raise

    def _start(self) -> None:
        """A new process that is confined and about to become the program."""
        first, *rest = self.program.command
        if first == str(self.program.own):
            first = self._inside(self.program.own)
        start = {"command": [first, *rest], "folder": self._inside(self.program.folder)}
        self.process = launch(self.view, self.limits, self.isolated, start)
        self._pipe = SandboxPipe(self.process)
        self._has_moved = False
        self._make()

    def _run(self, command: list[str]) -> SandboxPipe:
        assert self._pipe is not None
        return self._pipe
