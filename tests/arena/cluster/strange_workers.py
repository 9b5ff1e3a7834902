"""Workers that do what no honest machine does, on the nodes that a file names."""

import dataclasses
import json
import os
import signal
import threading
import time
from pathlib import Path

from hansu.arena.cluster.worker import GameWorker
from hansu.records.record import GameRecord

ORDERS = "HANSU_TEST_ORDERS"  # a file: a line for each node that is to be strange


def is_strange() -> bool:
    import ray

    return ray.get_runtime_context().get_node_id() in Path(os.environ[ORDERS]).read_text()


class Liar(GameWorker):
    """Each time another lie."""

    lies = 0

    def play(self, asked, archives):
        answer = super().play(asked, archives)
        if not is_strange():
            return answer
        self.lies += 1
        facts = json.loads(answer)
        record = GameRecord.from_json(facts["record"])
        if self.lies % 3 == 0:
            return {"won": "me"}
        if self.lies % 3 == 1:
            facts["key"] = "0" * 64
        record.turns = record.turns[:-1]
        return json.dumps({**facts, "record": record.as_json()})


class Doubler(GameWorker):
    """Answers with the result of the game before."""

    last = ""

    def play(self, asked, archives):
        before, self.last = self.last, super().play(asked, archives)
        return before if is_strange() and before else self.last


class Forger(GameWorker):
    """Lets another agent play: always the first side's."""

    def play(self, asked, archives):
        if not is_strange():
            return super().play(asked, archives)
        answer = super().play(dataclasses.replace(asked, second=asked.first), archives)
        return json.dumps({**json.loads(answer), "key": asked.key})


class Sleeper(GameWorker):
    """Hangs, and takes every thread with it."""

    def play(self, asked, archives):
        if is_strange():
            os.kill(os.getpid(), signal.SIGSTOP)
        return super().play(asked, archives)


class Mortal(GameWorker):
    """Dies in the middle of some games."""

    def play(self, asked, archives):
        if is_strange() and asked.game.number % 5 == 2 and _once(asked.game.number):
            threading.Timer(0.01, os._exit, [1]).start()
            time.sleep(10)
        return super().play(asked, archives)


def _once(number: int) -> bool:
    """Whether nobody has asked for this number before."""
    try:
        Path(f"{os.environ[ORDERS]}.{number}").touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
