"""Files that appear at once and whole."""

import os
from pathlib import Path

import pytest

from hansu.atomic_write import atomic_write


def test_who_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    file = tmp_path / "a.txt"
    atomic_write(file, "old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        atomic_write(file, "new", durable=True)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(("content", "written"), [("둘\r\n", "둘\r\n".encode()), (b"\0", b"\0")])
def test_what_is_written_is_what_is_there(content, written, tmp_path):
    atomic_write(tmp_path / "file", content, durable=True)
    assert Path(tmp_path / "file").read_bytes() == written


def test_a_folder_that_is_not_there_is_an_ordinary_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        atomic_write(tmp_path / "no" / "file", "")
