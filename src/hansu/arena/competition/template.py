"""The folder that a competition begins with."""

from pathlib import Path

from hansu.arena.competition.settings import FILE, parse_competition
from hansu.errors import HansuError

SUBMISSIONS = "submissions"
FINALS = "finals"  # shows the games of finals while they are played

TEMPLATE = """\
# A competition of hansu. Run it with:  hansu compete {folder}
# Stop it with Ctrl+C at any moment; the same command goes on. Restart it after a change here.

title = "{title}"
game = "{game}"              # with options: "go:size=9,komi=7"; hansu games lists them
openings = "random:4"        # random first plies, or a file with a position per line

[time]                       # seconds per player per game
seconds = 60
increment = 0                # added after each move
# move_seconds = 5           # for each move

[submissions]
per_day = 10                 # of one participant, in any 24 hours
names = []                   # such as ["kim", "lee"]; empty: any name
requirements = ["numpy"]     # packages that submissions may name, installed here
max_kib = 1024               # of one submission
anonymous = false            # true: the page shows made-up names

[limits]                     # of one agent; breaking one loses the game
memory_mib = 2048
threads = 4
start_seconds = 30           # for imports and reset, off the clock

[rating]
precision = 30               # Elo: closer than this, neighbours of the table count as equal

[final]                      # played at each deadline by the versions received until then
format = "round-robin"       # everyone meets everyone; or "swiss", or "gauntlet" against staff
rounds = 1                   # each pairing plays both colours in each round
points = [1, 0.5, 0]         # win, draw, loss

[marks]                      # hansu competition marks
rule = "rank"                # or "points", or "staff": how many of the staff one beats
most = 100
least = 0

# The last deadline closes the competition; without any it runs on, rating only.
# [[deadline]]
# name = "final"
# at = 2026-12-01T18:00:00+09:00

[[staff]]                    # opponents that you provide, weakest first
name = "staff-random"
agent = "random"

[[staff]]
name = "staff-search"
agent = "one_step_search"
"""


def new_competition(folder: Path, game: str = "connect4", title: str = "") -> Path:
    """Write a folder to start from; return its ``competition.toml``. Raises HansuError."""
    file = folder / FILE
    title = title or folder.resolve().name
    if not title.isprintable() or '"' in title or "\\" in title:
        raise HansuError(f"{title!r} is no title: a line without quotation marks is expected")
    text = TEMPLATE.format(folder=folder, game=game, title=title)
    parse_competition(text)
    try:
        (folder / SUBMISSIONS).mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise HansuError(f"{file} exists already: choose another folder") from None
    except OSError as error:
        raise HansuError(f"cannot write {file}: {error.strerror}") from None
    return file
