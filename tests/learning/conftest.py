"""What all tests of learning share."""

import sys

import pytest


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """The other processors have other tests to run."""
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)


@pytest.fixture
def no_tensorboard(monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer for each of hundreds of runs takes most of the time."""
    monkeypatch.setattr("hansu.learning.log._tensorboard", lambda *_: None)
