"""A frozen competition: one archive from which another machine checks and counts everything.

competition.toml     the settings
entries.json         who submitted what, when, with which SHA-256; plans with their seeds
store/SHA-256/...    every submission
games/STAGE.jsonl    every game of each stage, in order
standings.json       what was counted
SHA256SUMS           of all the others, as ``sha256sum --check`` reads it
"""

import gzip
import hashlib
import io
import json
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hansu.arena.competition.bundle import Bundle
from hansu.arena.competition.register import Register
from hansu.arena.competition.settings import FILE, parse_competition
from hansu.arena.ratings import Rating
from hansu.arena.tournament.ledger import Ledger
from hansu.arena.tournament.plan import Plan
from hansu.arena.tournament.standings import CrossTable, rate, standings
from hansu.atomic_write import atomic_write
from hansu.errors import HansuError
from hansu.records.record import FAULTS, RESIGNED, GameRecord
from hansu.records.replay import state_at

SUMS = "SHA256SUMS"
LARGEST = 4 << 30  # bytes that an archive may unpack to


def freeze(register: Register, archive: Path) -> int:
    """Write the archive; return the number of files in it. Equal competitions give equal bytes."""
    files = {FILE: (register.folder / FILE).read_bytes()}
    stages = [register.event, *(f"{register.event} {d.name}" for d in register.settings.deadlines)]
    plans: dict[str, Any] = {}
    tables: dict[str, Any] = {}
    for number, stage in enumerate(stages):
        ledger = Ledger(register.database, stage)
        plan = ledger.find_plan()
        if plan is None:
            continue
        records = list(ledger.records().values())
        plans[str(number)] = {"stage": stage, "plan": json.loads(plan.as_json())}
        files[f"games/{number}.jsonl"] = "".join(f"{r.as_json()}\n" for r in records).encode()
        tables[str(number)] = _table(plan, records)
    entries = [asdict(entry) | {"agent": ""} for entry in register.entries().values()]
    files["entries.json"] = _json({"entries": entries, "stages": plans})
    files["standings.json"] = _json(tables)
    for digest in sorted({e["digest"] for e in entries if e["source"] != "staff"}):
        for path, content in register.store.read(digest).files.items():
            files[f"store/{digest}/{path}"] = content
    sums = [f"{hashlib.sha256(files[path]).hexdigest()}  {path}\n" for path in sorted(files)]
    files[SUMS] = "".join(sums).encode()
    atomic_write(archive, _packed(files), durable=True)
    return len(files)


def _table(plan: Plan, records: list[GameRecord]) -> dict[str, list[float]]:
    """Return the ratings that the games of a stage give, which anybody can count again."""
    if plan.agents:
        lines = standings(plan.agents, records, judged=False)
        return {line.agent: [line.score, *map(_rounded, line.rating)] for line in lines}
    names = sorted({name for record in records for name in (record.first, record.second)})
    rated: dict[str, Rating] = rate(CrossTable(names, records)) if len(names) > 1 else {}
    return {name: [0.0, *map(_rounded, rating)] for name, rating in rated.items()}


def _rounded(value: float) -> float:
    return round(value, 3) if abs(value) < 1e9 else 1e9


def _json(facts: Any) -> bytes:
    return (json.dumps(facts, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _packed(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=out, mode="wb", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for path in sorted(files):
            member = tarfile.TarInfo(path)
            member.size = len(files[path])
            archive.addfile(member, io.BytesIO(files[path]))
    return out.getvalue()


def verify(archive: Path) -> Iterator[str]:
    """Check an archive from top to bottom; yield what was checked. Raises HansuError.

    Nothing in it is run: sums, submissions, every move of every game by the rules, the table.
    """
    try:
        yield from _verified(_unpacked(archive))
    except HansuError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        what = f"it has no {error}" if isinstance(error, KeyError) else str(error)[:200]
        raise HansuError(f"{archive} is not what hansu competition freeze writes: {what}") from None


def _verified(files: dict[str, bytes]) -> Iterator[str]:
    _check_sums(files)
    yield f"{len(files)} files have the sums of {SUMS}"
    facts = json.loads(files["entries.json"])
    submissions = _check_store(files, facts["entries"])
    yield f"{submissions} submissions are what their SHA-256 says"
    parse_competition(files[FILE].decode(), FILE, Path(tempfile.gettempdir()))
    tables = json.loads(files["standings.json"])
    known = {e["participant"] for e in facts["entries"]}
    for number, stage in facts["stages"].items():
        plan = Plan.from_json(json.dumps(stage["plan"]))
        lines = files[f"games/{number}.jsonl"].decode().splitlines()
        records = [GameRecord.from_json(line) for line in lines]
        for place, record in enumerate(records, 1):
            _check_game(f"{stage['stage']}, game {place}", record, known)
        if _table(plan, records) != tables[number]:
            raise HansuError(f"{stage['stage']}: the games do not give the table that is there")
        yield f"{stage['stage']}: {len(records)} games follow the rules and give the table"


def _unpacked(archive: Path) -> dict[str, bytes]:
    files, total = dict[str, bytes](), 0
    try:
        with tarfile.open(archive, mode="r:gz") as opened:
            for member in opened:
                total += member.size
                if not member.isreg() or total > LARGEST:
                    raise HansuError(f"{archive} is no frozen competition")
                content = opened.extractfile(member)
                files[member.name] = content.read() if content else b""
    except (OSError, EOFError, tarfile.TarError, ValueError) as error:
        raise HansuError(f"{archive} cannot be read: {error}") from None
    return files


def _check_sums(files: dict[str, bytes]) -> None:
    if not {SUMS, FILE, "entries.json", "standings.json"} <= files.keys():
        raise HansuError("this is no frozen competition: files are missing")
    lines = [line.partition("  ") for line in files[SUMS].decode().splitlines()]
    told = {path: digest for digest, _, path in lines}
    found = {p: hashlib.sha256(c).hexdigest() for p, c in files.items() if p != SUMS}
    if told != found:
        wrong = sorted(p for p in told.keys() | found.keys() if told.get(p) != found.get(p))
        raise HansuError(f"{wrong[0]} is not what {SUMS} says")


def _check_store(files: dict[str, bytes], entries: list[dict[str, Any]]) -> int:
    digests = {entry["digest"] for entry in entries if entry["source"] != "staff"}
    for digest in digests:
        top = f"store/{digest}/"
        own = {path.removeprefix(top): c for path, c in files.items() if path.startswith(top)}
        if not own or Bundle(own).digest != digest:
            raise HansuError(f"submission {digest} is not what its name says")
    return len(digests)


def _check_game(which: str, record: GameRecord, known: set[str]) -> None:
    """Play a game again by its moves; raises HansuError where the rules do not lead there."""
    for player in (record.first, record.second):
        if player.partition("#")[0] not in known:
            raise HansuError(f"{which}: {player} is nobody of this competition")
    try:
        moves = [turn.move for turn in record.turns]
        state = state_at(record, len(moves) - (moves[-1:] == [RESIGNED]))
    except HansuError as error:
        raise HansuError(f"{which}: {error}") from None
    by_rule = record.outcome.reason not in (*FAULTS, "resignation")
    if state.text() != record.final or (by_rule and state.outcome() != record.outcome):
        raise HansuError(f"{which} does not end as its record says")
