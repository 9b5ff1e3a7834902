"""``hansu doctor`` says the same as a person and as a program would ask."""

import json
import subprocess
import sys

from hansu.arena.isolation.requirements import missing, requirements
from tests.command_line import hansu


def test_doctor_tells_what_is_there_and_what_is_not():
    done = hansu("doctor", "--json", code=None)
    told = json.loads(done.stdout)
    assert told["isolation"] == (done.returncode == 0) == (not missing())
    assert [fact["name"] for fact in told["facts"]] == [fact.name for fact in requirements()]
    assert all(fact["remedy"] for fact in told["facts"])


def test_doctor_is_readable():
    out = hansu("doctor", code=None).stdout
    assert all(fact.name.split()[0] in out for fact in requirements())


def test_doctor_says_what_to_install_where_bubblewrap_is_missing(tmp_path):
    code = "import hansu.cli.main as m; m.main()"
    command = [sys.executable, "-c", code, "doctor", "--json"]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, env={"PATH": str(tmp_path)}
    )
    facts = {fact["name"]: fact for fact in json.loads(done.stdout)["facts"]}
    assert done.returncode == 1
    assert not facts["bubblewrap"]["ok"]
    assert "bubblewrap" in facts["bubblewrap"]["remedy"]
