"""The code blocks of a page of the site, and how they are run.

```python title="my_agent.py"   run, after it is saved where the page's commands find it
```pycon                        run as a doctest
```text title="Output"          what the Python block before it prints
```console                      ``$ command`` lines are run and must succeed; what follows a line,
                                if anything does, is what it prints, with ``...`` for anything
```sh                           commands that set a machine up, wait for a person or work on the
                                reader's own files: they are not run, but they must exist

Blocks of a page share one namespace and one folder, from top to bottom.
"""

import ast
import contextlib
import doctest
import io
import re
import shlex
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.command_line import hansu

DOCS = Path(__file__).parent.parent.parent / "docs"
FENCE = re.compile(r"^( *)```(\w+)([^\n]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
TITLE = re.compile(r'title="([^"]*)"')
OUTPUT = ("Output", "출력")
LOOSELY = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A fenced block, without its fence."""

    language: str
    title: str
    text: str
    line: int

    def commands(self) -> list[tuple[str, str]]:
        """Return the commands of a console block, each with what it prints."""
        parts = re.split(r"^\$ (.*)\n?", self.text, flags=re.MULTILINE)
        return list(zip(parts[1::2], parts[2::2], strict=True))

    def meaning(self) -> Any:
        """Return what the block does, whatever the language of its comments and docstrings."""
        if self.language == "python":
            return self.title, _without_docstrings(self.text)
        if self.language == "pycon":
            examples = doctest.DocTestParser().get_examples(self.text)
            return [(ast.dump(ast.parse(e.source)), e.want) for e in examples]
        if self.language == "sh":
            return [line.partition("#")[0].rstrip() for line in self.text.splitlines()]
        return self.text


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page."""
    text = page.read_text(encoding="utf-8")
    found = []
    for fence in FENCE.finditer(text):
        title = TITLE.search(fence[3])
        line = text.count("\n", 0, fence.start(4)) + 1
        inside = textwrap.dedent(fence[4])
        found.append(Block(fence[2], title[1] if title else "", inside, line))
    return found


def run_page(page: Path) -> int:
    """Run the blocks of a page in the current folder; return how many there were to run."""
    with _imports_from(Path.cwd()):
        return _run_blocks(page)


@contextlib.contextmanager
def _imports_from(folder: Path) -> Iterator[None]:
    """Import what a page saves in its folder, as a shell there does; forget it at the end."""
    before = sys.path.copy()
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path[:] = before
        for name, module in list(sys.modules.items()):
            if Path(getattr(module, "__file__", None) or "/").absolute().is_relative_to(folder):
                del sys.modules[name]


def _run_blocks(page: Path) -> int:
    space: dict[str, Any] = {"__name__": "__main__"}
    printed, ran = "", 0
    for block in blocks(page):
        where = f"{page.name}:{block.line}"
        match block.language:
            case "python":
                printed = _run_python(block, where, space)
            case "pycon":
                _run_doctest(block, where, space)
            case "console":
                for command, wanted in block.commands():
                    _check_output(where, _run_command(command), wanted)
            case "text" if block.title in OUTPUT:
                _check_output(where, printed, block.text)
            case _:
                continue
        ran += 1
    return ran


def _run_python(block: Block, where: str, space: dict[str, Any]) -> str:
    if block.title.endswith(".py"):
        Path(block.title).write_text(block.text, encoding="utf-8")
    out = io.StringIO()
    lines = "\n" * (block.line - 1) + block.text  # a traceback then names the page's line
    with contextlib.redirect_stdout(out):
        exec(compile(lines, where, "exec"), space)
    return out.getvalue()


def _run_doctest(block: Block, where: str, space: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(block.text, space, where, where, block.line - 1)
    runner, report = doctest.DocTestRunner(optionflags=LOOSELY), io.StringIO()
    failed, tried = runner.run(test, out=report.write, clear_globs=False)
    space.update(test.globs)
    assert tried, f"{where}: there is no >>> in this block"
    assert not failed, report.getvalue()


def _run_command(command: str) -> str:
    words = shlex.split(command, comments=True)
    assert words[0] == "hansu", f"{command}: only hansu is run; others belong in a block 'sh'"
    return hansu(*words[1:]).stdout


def _check_output(where: str, got: str, wanted: str) -> None:
    if not wanted.strip():
        return
    same = doctest.OutputChecker().check_output(wanted.strip(), got.strip(), LOOSELY)
    assert same, f"{where}: expected\n{wanted}\ngot\n{got}"


def _without_docstrings(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and _is_text(body[0]) and not isinstance(node, ast.If):
            body[:] = body[1:] or [ast.Pass()]
    return ast.dump(tree)


def _is_text(node: ast.AST) -> bool:
    constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return constant and isinstance(node.value.value, str)


def pages(korean: bool = False) -> list[Path]:
    """Return the pages of the site in one language."""
    return [p for p in sorted(DOCS.rglob("*.md")) if p.name.endswith(".ko.md") == korean]
