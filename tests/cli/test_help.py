"""The help: groups, examples that can be read, plain types, completion."""

import shlex

import pytest
import typer.main

from hansu.cli.completion import complete_agent, complete_game
from hansu.cli.examples import EXAMPLES
from hansu.cli.main import COMMANDS, app
from tests.command_line import hansu

COMMAND = typer.main.get_command(app)


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_every_example_can_be_read(name):
    for line in EXAMPLES[name]:
        first, *words = shlex.split(line)
        assert first == name
        made = COMMAND.commands[name].make_context(name, words)  # raises for what is unknown
        assert made.params
        assert f"hansu {line}"[:60] in " ".join(hansu(name, "--help").stdout.split())


def test_commands_are_grouped():
    told = hansu("--help").stdout
    places = [told.index(f"─ {panel} ") for panel in COMMANDS]
    assert places == sorted(places)
    listed = {each.__name__ for panel in COMMANDS.values() for each in panel}
    beside = {"benchmark", "new", "competition", "memory"}
    assert listed | beside == set(COMMAND.commands)


@pytest.mark.parametrize("name", sorted(COMMAND.commands))
def test_types_are_plain_words(name):
    told = hansu(name, "--help").stdout
    for odd in ("<str>", "<bool>", "<int", "<float", "<path>", "range"):
        assert odd not in told.split("Examples")[0].replace("a range", ""), odd


def test_games_agents_and_their_options_are_completed():
    assert complete_game("") == sorted(complete_game(""))
    assert "microchess" in complete_game("")
    assert complete_game("hex:swap=off,") == ["hex:swap=off,size="]
    assert complete_game("nothing:") == complete_agent("nothing:x") == []
    assert "mcts" in complete_agent("mc")
    assert complete_agent("mcts:n_simulations=5,search_t") == [
        "mcts:n_simulations=5,search_time=",
    ]
    assert complete_agent("uci:/bin/x") == []
