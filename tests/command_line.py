"""Runs ``hansu`` as a person or a program does."""

import contextlib
import io
import subprocess
import sys
from unittest import mock

from hansu.__main__ import main


def hansu(*words: str, stdin: str = "", code: int | None = 0) -> subprocess.CompletedProcess[str]:
    """The command, in this process: starting one takes longer than most commands.

    It must end with this status; None takes any.
    """
    out, said, status = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch.multiple(sys, argv=["hansu", *words], stdin=io.StringIO(stdin)),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(said),
    ):
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
    assert code in (status, None), said.getvalue()
    return subprocess.CompletedProcess(words, status, out.getvalue(), said.getvalue())
