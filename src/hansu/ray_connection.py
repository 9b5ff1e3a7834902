"""Connect to a Ray cluster that asks everybody for its token."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hansu.errors import HansuError

SWITCH = "RAY_AUTH_MODE"  # of the token; Ray reads it when it is loaded
PATIENCE = 60.0  # seconds for the cluster to answer a knock
REACH = 10.0  # seconds to reach its head
RECIPE = "docs/cluster.md has the commands"


def load_ray() -> Any:
    """Return the module ``ray``, with tokens switched on."""
    os.environ[SWITCH] = "token"
    try:
        import ray
    except ModuleNotFoundError:
        raise HansuError("playing on a cluster needs Ray: pip install 'hansu[cluster]'") from None
    return ray


def connect() -> None:
    """Connect this process to the cluster of ``RAY_ADDRESS``, or the one on this machine.

    Raises:
        HansuError: There is none, it refuses our token, or it asks nobody for one.
    """
    ray = load_ray()
    if ray.is_initialized():
        return
    address = os.environ.get("RAY_ADDRESS", "auto")
    if "://" in address:
        raise HansuError(f"RAY_ADDRESS is {address}, but HOST:PORT of the head is expected")
    if not _has_token():
        raise HansuError(
            "no token for the Ray cluster is found here: copy ~/.ray/auth_token of its head to "
            f"this machine, or set RAY_AUTH_TOKEN; {RECIPE}"
        )
    where = "on this machine" if address == "auto" else f"at {address}"
    nobody = f"no Ray cluster answers {where}: start one with {SWITCH}=token ray start; {RECIPE}"
    if address != "auto" and not _is_reached(address):
        raise HansuError(nobody)
    _check_doors(address, nobody)
    try:
        with _handlers_kept():
            _be_quiet()
            ray.init(address, log_to_driver=False, logging_level="ERROR", namespace="hansu")
    except (ConnectionError, ray.exceptions.RayError):
        raise HansuError(nobody) from None


def _has_token() -> bool:
    """Whether Ray will find a token."""
    named = os.environ.get("RAY_AUTH_TOKEN") or os.environ.get("RAY_AUTH_TOKEN_PATH")
    return bool(named) or (Path.home() / ".ray" / "auth_token").is_file()


def _is_reached(address: str) -> bool:
    """Whether anybody listens there; Ray itself would try for a quarter of an hour."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=REACH):
            return True
    except (OSError, ValueError, OverflowError):
        return False


def _check_doors(address: str, nobody: str) -> None:
    """Knock as ourselves, who must be let in, and as a stranger without a token, who must not."""
    strange = {name: value for name, value in os.environ.items() if "RAY_AUTH" not in name}
    strange |= {SWITCH: "disabled"}
    words = ["-m", "ray.scripts.scripts", "health-check", "--address", address]
    knocks = [
        subprocess.Popen(
            [sys.executable, *words],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for environment in (dict(os.environ), strange)
    ]
    try:
        ours, strangers = [knock.communicate(timeout=PATIENCE)[1].lower() for knock in knocks]
    except subprocess.TimeoutExpired:
        raise HansuError(nobody) from None
    finally:
        for knock in knocks:
            knock.kill()
            knock.wait()
    if knocks[0].returncode:
        refused = "the Ray cluster refuses our token: it must be the one of its head"
        raise HansuError(f"{refused}; {RECIPE}" if "authenticat" in ours else nobody)
    if knocks[1].returncode == 0 or "authenticat" not in strangers:
        raise HansuError(
            "this Ray cluster lets anybody run anything on it: start all its nodes anew with "
            f"{SWITCH}=token; {RECIPE}"
        )


def _be_quiet() -> None:
    """Keep Ray's pages about a machine that died out of standard output: it is ours."""
    from ray._private import worker

    worker.print_to_stdstream = lambda *_, **__: None


@contextmanager
def _handlers_kept() -> Iterator[None]:
    """Keep our own signal handlers: Ray sets one that ends the program."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():  # elsewhere Ray sets none
            signal.signal(signal.SIGTERM, before)
