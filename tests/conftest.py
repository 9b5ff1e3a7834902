"""What all tests share."""

import gc
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# Compiling happens inside the first example: a deadline would measure the compiler.
settings.register_profile("hansu", deadline=None)
settings.load_profile("hansu")

# Collecting and compiling make millions of small objects, hardly any of them garbage.
gc.set_threshold(100_000, 20, 100)

ROOT = Path(__file__).parent.parent
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
BROWSER_FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--renderer-process-limit=1",  # none is started in advance for a page that never comes
]


@pytest.fixture(autouse=True, scope="session")
def no_tablebases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the user's tablebases out of the tests: agents play by them where they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HANSU_TABLEBASES", str(tmp_path_factory.mktemp("tablebases")))
        yield


@pytest.fixture(autouse=True, scope="session")
def own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the games of the tests out of the user's library."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session")
def built_tablebases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build microchess tables: the competition's to four pieces, chess's to three.

    All processes of the tests share them: whoever comes first builds them.
    """
    import hansu
    from hansu.file_lock import locked

    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder, built = shared / "tablebases", shared / "tablebases-are-built"
    with (shared / "tablebases.lock").open("w") as lock, locked(lock.fileno()):
        if not built.exists():
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("HANSU_TABLEBASES", str(folder))
                for name, pieces in (("microchess", 4), ("microchess:adjudication=off", 3)):
                    hansu.game(name).build_tables(pieces, 1024, 2, lambda *_: None, lambda: False)
            built.touch()
    return folder


@pytest.fixture
def tablebases(built_tablebases: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the built tables those of the user."""
    monkeypatch.setenv("HANSU_TABLEBASES", str(built_tablebases))
    return built_tablebases


def pytest_configure() -> None:
    """Let the programs that tests start hear signals, even where the tests themselves do not.

    ``make test &`` in a script ignores Ctrl+C and ``nohup`` a hang-up. What is ignored is ignored
    by all children too; what is handled is not inherited.
    """
    for name in ("SIGINT", "SIGHUP", "SIGTERM"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda number, frame: None)


def pytest_collection_finish() -> None:
    """Leave thousands of tests and all libraries out of every collection of garbage from now on."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def shared_data() -> Callable[[str], Path]:
    """Records, positions and oracles that are not part of the project; tests skip without them."""
    folder = Path(os.environ.get("HANSU_DATA", ROOT.parent / "shared" / "data"))

    def find(name: str) -> Path:
        if not (folder / name).exists():
            pytest.skip(f"no test data {name} in {folder}; set HANSU_DATA to its folder")
        return folder / name

    return find


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A real browser, one for all tests of a process."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs pip install playwright")
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("no Chromium here (on Debian: apt-get install chromium); or set CHROMIUM")
    sync_api.expect.set_options(timeout=90_000)  # however busy the machine is
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=BROWSER_FLAGS)
        yield launched
        launched.close()
