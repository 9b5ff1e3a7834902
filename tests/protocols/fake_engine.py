"""A small engine of UCI or GTP that fails in the way it is asked to: ``fake_engine.py gtp mute``.

Its moves are fixed: ``d1d5`` (mate in the tests' microchess position) or ``E5``.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

PROTOCOL, HABIT, *REST = sys.argv[1:]
HAS_OTHERS = ("has children", "has daemons")  # it ignores the end of its input, and so do they
DAEMON = (
    "import os, time; os.fork() and os._exit(0); os.setsid(); os.fork() and os._exit(0);"
    "time.sleep(1000)"
)


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def garbage(endless=False):
    while True:
        sys.stdout.buffer.write(b"\xff\xfe\x00 garbage = ? info bestmove \x80\n" * 50)
        sys.stdout.buffer.flush()
        if not endless:
            return


def move(answer):
    """What happens when it is to move."""
    if HABIT == "dies":
        sys.stderr.write("line one\nsegmentation fault, as intended\n")
        sys.exit(3)
    elif HABIT == "dies once" and not Path(REST[0]).exists():
        Path(REST[0]).touch()
        sys.exit(3)
    elif HABIT == "silent":
        time.sleep(1000)
    elif HABIT == "garbage":
        garbage()
        time.sleep(1000)
    elif HABIT == "flood":
        garbage(endless=True)
    elif HABIT == "answers":
        answer(REST[0])
    else:
        answer("E5" if PROTOCOL == "gtp" else "d1d5")


def note(line):
    """Keep what was told, for the test to read."""
    if HABIT.startswith("notes"):
        with open(REST[0], "a", encoding="utf-8") as file:
            file.write(line)


def uci(line):
    note(line)
    word = line.split()[0] if line.strip() else ""
    if word == "uci":
        if HABIT == "garbage at first":
            garbage()
        else:
            if HABIT == "notes options":
                say("option name Level type spin default 20 min 0 max 20")
                say("option name Own type check default true")
            say("id name fake\nuciok")
    elif word == "isready":
        say("readyok")
    elif word == "go":
        if HABIT == "notes":
            say("info depth 7 nodes 1234 time 5 score cp 100 pv d1d5")
        move(lambda answer: say(f"bestmove {answer}"))


def gtp(line):
    note(line)
    number, word, *_ = [*line.split(), "", ""]
    if HABIT == "garbage at first":
        garbage()
    elif HABIT == "floods":
        while True:
            sys.stdout.write(f"{REST[0]}\n" * 50)
    elif HABIT == "refuses":
        say(f"?{number} not today\n")
    elif word == "list_commands":
        say(f"={number} time_settings\ntime_left\ngenmove\n")
    elif "." in line and HABIT == "notes whole":
        say(f"?{number} three integers expected\n")
    elif word == "genmove":
        move(lambda answer: say(f"={number} {answer}\n"))
    else:
        say(f"={number}\n")


if __name__ == "__main__":
    if HABIT == "has daemons":
        subprocess.run([sys.executable, "-c", DAEMON, *REST], env={}, check=True)
    if HABIT == "has children":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)", *REST])
    for line in sys.stdin:
        if HABIT == "mute":
            continue
        if line.split()[-1:] == ["quit"] and HABIT not in HAS_OTHERS:
            break
        {"uci": uci, "gtp": gtp}[PROTOCOL](line)
    if HABIT in HAS_OTHERS:
        time.sleep(1000)
    os._exit(0)
