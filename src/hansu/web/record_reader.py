"""Read the files of visitors: ``python -m hansu.web.record_reader``, a process of the server.

Whatever a file holds, it costs the server itself nothing, and no more memory and time than this
process is given. Question and answer are a line of JSON each, followed by so many bytes.
"""

import contextlib
import json
import os
import sys
from typing import Any, BinaryIO

from hansu.errors import HansuError
from hansu.records.reading import text_of
from hansu.records.record import GameRecord
from hansu.web.recorded_games import read_upload, replay_facts
from hansu.web.refusals import Refusal
from hansu.web.shared_games import shared_game

MORE_MEMORY = 768 * 2**20  # bytes beyond what the process begins with
NICENESS = 5  # people at their tables come first


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until nobody asks any more."""
    while line := questions.readline():
        question = json.loads(line)
        content = questions.read(question["bytes"])
        facts, body = answer(question, content)
        answers.write(json.dumps({**facts, "bytes": len(body)}).encode() + b"\n" + body)
        answers.flush()


def answer(question: dict[str, Any], content: bytes) -> tuple[dict[str, Any], bytes]:
    """Return how it went and what was found: facts, or one sentence."""
    try:
        if question["about"] == "share":
            record = GameRecord.from_json(text_of(content))
            return {"rule": ""}, shared_game(record, question["form"], question["language"])
        if question["about"] == "games":
            found = read_upload(content, question["name"])
        else:
            found = replay_facts(content, question["flip"])
        text = json.dumps(found, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return {"rule": ""}, text.encode()
    except Refusal as error:
        return error.facts(), b""
    except HansuError as error:
        return {"rule": "record"}, str(error).encode(errors="replace")
    except (MemoryError, RecursionError):
        return Refusal("too_long_to_read").facts(), b""
    except (UnicodeError, ValueError, ArithmeticError) as error:  # halves of characters, and so on
        return {"rule": "record"}, f"this file cannot be shown: {error}"[:300].encode()


def limit_myself() -> None:
    """Let everybody else go first, and take no more memory than is allowed."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        os.nice(NICENESS)
        with open("/proc/self/statm", "rb") as file:
            own = int(file.read().split()[5]) * resource.getpagesize()
        most = own + MORE_MEMORY
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


if __name__ == "__main__":
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed is no answer
    limit_myself()
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        serve(sys.stdin.buffer, answers)
