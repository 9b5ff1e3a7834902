"""Notebooks are whole, without outputs, the same in both languages, and run from top to bottom."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.docs.blocks import DOCS

FOLDER = DOCS / "notebooks"
ENGLISH = sorted(path for path in FOLDER.glob("*.ipynb") if not path.name.endswith(".ko.ipynb"))
ALL = sorted(FOLDER.glob("*.ipynb"))


def _cells(path: Path, kind: str) -> list[dict[str, Any]]:
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in found if cell["cell_type"] == kind]


def _code(path: Path) -> list[str]:
    return [ast.dump(ast.parse("".join(cell["source"]))) for cell in _cells(path, "code")]


@pytest.mark.parametrize("path", ALL, ids=lambda p: p.name)
def test_outputs_are_stripped(path):
    cells = _cells(path, "code")
    assert len(cells) > 3
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)


@pytest.mark.parametrize("path", ENGLISH, ids=lambda p: p.name)
def test_it_is_written_in_korean_too(path):
    korean = path.with_suffix(".ko.ipynb")
    assert _code(korean) == _code(path)
    texts = _cells(korean, "markdown")
    assert len(texts) == len(_cells(path, "markdown"))
    assert all(re.search("[가-힣]", "".join(cell["source"])) for cell in texts)


@pytest.mark.parametrize("path", ALL, ids=lambda p: p.name)
def test_its_links_lead_somewhere(path):
    for cell in _cells(path, "markdown"):
        for target in re.findall(r"\]\(([^)#:]+)\)", "".join(cell["source"])):
            assert (FOLDER / target).exists(), target


def test_every_notebook_is_listed():
    for name in ("index.md", "index.ko.md"):
        listed = re.findall(r"\((\w+)\.ipynb\)", (FOLDER / name).read_text(encoding="utf-8"))
        assert sorted(listed) == [path.stem for path in ENGLISH]


@pytest.mark.slow
@pytest.mark.parametrize("path", ENGLISH, ids=lambda p: p.name)
def test_it_runs_from_top_to_bottom(path, tmp_path):
    """The Korean one has the same code."""
    nbclient = pytest.importorskip("nbclient", reason="needs pip install '.[notebooks]'")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel", reason="needs pip install '.[notebooks]'")
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    where = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(book, timeout=600, kernel_name="python3", resources=where).execute()
