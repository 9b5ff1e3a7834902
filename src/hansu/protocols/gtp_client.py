"""A GTP engine as a plain object: one question, one answer, always with a deadline."""

from hansu.protocols.pipe import LineEngine, Pipe
from hansu.protocols.program import START_SECONDS, EngineFailure

LINES = 1000  # of one answer, at most, and as many that answer nothing


class GtpRefusal(EngineFailure):
    """The engine answered a command with an error (``? ...``)."""


class GtpEngine(LineEngine):
    """A running GTP engine.

    An error answer is a GtpRefusal, after which it can be asked again. Everything else that goes
    wrong is an EngineFailure, and the engine is ended.
    """

    protocol = "GTP"

    def __init__(self, pipe: Pipe) -> None:
        super().__init__(pipe)
        self._number = 0
        try:
            self.commands = frozenset(self.ask("list_commands").split())
        except GtpRefusal as refusal:
            self.close()
            raise EngineFailure(str(refusal)) from None

    @property
    def title(self) -> str:
        """What the engine calls itself."""
        return f"{self.ask('name')} {self.ask('version')}"

    def ask(self, command: str, seconds: float = START_SECONDS) -> str:
        """Return the engine's answer to a command, without its mark."""
        if not self.is_alive:
            raise EngineFailure(f"{self.name} is not running")
        self._number += 1
        with self._question(command, f"answer {command!r}", seconds) as deadline:
            return self._ask(command, deadline)
        raise AssertionError("a question is answered or fails")

    def _ask(self, command: str, deadline: float) -> str:
        self.pipe.send(f"{self._number} {command}")
        others = 0  # lines that do not answer: banners, and late answers
        while True:
            first = self.pipe.receive(deadline)
            mark, number = first[:1], first[1:].split(" ")[0].split("\t")[0]
            if mark in ("=", "?") and number in ("", str(self._number)):
                break
            others += 1
            if others > LINES:
                raise ValueError(repr(first[:80]))
        lines = [first[1 + len(number) :].strip()]
        while line := self.pipe.receive(deadline).rstrip():
            lines.append(line)
            if len(lines) > LINES:
                raise ValueError("an answer without end")
        answer = "\n".join(lines).strip()
        if mark == "?":
            raise GtpRefusal(f"{self.name} refused {command!r}: {answer}")
        return answer
