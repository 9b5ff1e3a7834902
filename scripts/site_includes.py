"""For the site: pages that show files of the project, such as model cards and examples.

A line ``{{ path/from/the/project.md }}`` in a page stands for that file. The links of a page become
links of the site; what is not on the site, such as a source file, stays as text. A program is
shown as code.
"""

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
INCLUDE = re.compile(r"^\{\{ (\S+\.(?:md|py)) \}\}$", re.MULTILINE)
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
PLACES = {  # where a file of the project is on the site
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/README.md": "benchmarks/index.md",
    "benchmarks/strength.md": "benchmarks/strength.md",
}
MODELS = "src/hansu/learning/models/"


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Replace the lines that stand for files: MkDocs calls this for every page."""
    return include(markdown, page.file.src_uri)


def include(markdown: str, page: str) -> str:
    """Return a page with the files that it names, seen from the page's own place."""
    titled = re.search(r"^# ", markdown, re.MULTILINE) is not None
    return INCLUDE.sub(lambda found: _content(found[1], page, titled), markdown)


def _content(source: str, page: str, titled: bool) -> str:
    text = (ROOT / source).read_text(encoding="utf-8")
    if source.endswith(".py"):
        return f'```python title="{source}"\n{text}```'
    if titled:  # one title is enough
        text = re.sub(r"\A# .*\n+", "", text)

    def relinked(link: re.Match[str]) -> str:
        words, target, anchor = link.groups()
        if re.match(r"\w+:", target):
            return link[0]
        place = site_place(posixpath.normpath(posixpath.join(posixpath.dirname(source), target)))
        if place is None:
            return words
        return f"[{words}]({posixpath.relpath(place, posixpath.dirname(page))}{anchor or ''})"

    return LINK.sub(relinked, text)


def site_place(file: str) -> str | None:
    """Return where a file of the project is on the site; None where it is not."""
    if file.startswith("docs/") and (ROOT / file).is_file():
        return file.removeprefix("docs/")
    if file.startswith(MODELS) and file.endswith(".md"):
        return f"learning/models/{file.removeprefix(MODELS)}"
    return PLACES.get(file)
