"""Connect to a Ray cluster that asks everybody for its token."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hansu.errors import HansuError

SWITCH = "RAY_AUTH_MODE"  # of the token; Ray reads it when it is loaded
PATIENCE = 60.0  # seconds for the cluster to answer somebody without a token
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
    try:
        with _handlers_kept():
            _be_quiet()
            ray.init(address, log_to_driver=False, logging_level="ERROR", namespace="hansu")
    except ray.exceptions.AuthenticationError:
        raise HansuError(
            "no token for the Ray cluster is found here: copy ~/.ray/auth_token of its head to "
            f"this machine, or set RAY_AUTH_TOKEN; {RECIPE}"
        ) from None
    except ConnectionError as error:
        raise HansuError(_complaint(ray, address, error)) from None
    if _lets_anybody_in(ray.get_runtime_context().gcs_address):
        ray.shutdown()
        raise HansuError(
            "this Ray cluster lets anybody run anything on it: start all its nodes anew with "
            f"{SWITCH}=token; {RECIPE}"
        )


def _complaint(ray: Any, address: str, error: BaseException) -> str:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ray.exceptions.AuthenticationError):
            return "the Ray cluster refuses our token: it must be the one of its head"
        cause = cause.__cause__ or cause.__context__
    where = "on this machine" if address == "auto" else f"at {address}"
    return f"no Ray cluster answers {where}: start one with {SWITCH}=token ray start; {RECIPE}"


def _lets_anybody_in(address: str) -> bool:
    """Knock without a token."""
    words = ["-m", "ray.scripts.scripts", "health-check", "--address", address]
    others = {name: value for name, value in os.environ.items() if "RAY_AUTH" not in name}
    try:
        done = subprocess.run(
            [sys.executable, *words],
            env={**others, SWITCH: "disabled"},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        raise HansuError("the Ray cluster does not say whether it asks for a token") from None
    return done.returncode == 0 or "authenticat" not in done.stderr.lower()


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
