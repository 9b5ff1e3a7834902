"""Every word of the page is there in every language, and none is left over."""

import json
import random
import re
from dataclasses import fields
from itertools import product
from typing import get_args

import chess
import pytest

from hansu.arena.competition.register import Status
from hansu.arena.tournament import report
from hansu.arena.tournament.plan import Format
from hansu.display.page import STATIC, modules
from hansu.games import dictionary
from hansu.games.assets import game_folder
from hansu.games.dictionary import is_plural_form, languages
from hansu.games.game import GAMES, game
from hansu.learning.settings import Control
from hansu.records.evidence import EVIDENCE
from hansu.web import shared_games, viewer_file
from hansu.web.catalogue import catalogue
from hansu.web.folders import CURVES
from hansu.web.refusals import REFUSALS
from hansu.web.why import sentences

WORDS = {language: dictionary.words(language) for language in languages()}
SCRIPTS = "\n".join(file.read_text(encoding="utf-8") for file in sorted(STATIC.rglob("*.js")))
STEPS = ("select", "expand", "simulate", "evaluate", "end", "back_up", "enter", "leaf", "back")
STEPS += ("cut_off", "leave", "proved")
TERMS = ("visits", "value", "prior", "line", "nodes", "tree", "bound", "heat", "owners")
TERMS += ("accuracy", "mistakes", "select", "expand", "simulate", "evaluate", "back_up", "cut_off")
RULES = ("goal", "moves", "end", "decision")
SAME_EVERYWHERE = {"PGN", "SGF", "GGF", "JSON lines", "MCTS", "GNU Go", "GRhino"}
SAME_EVERYWHERE |= {"Stockfish", "Fairy-Stockfish", "{who}: {why}", "{color} {move}"}
SAME_EVERYWHERE |= {"X", "O", "Elo ± 95%", "{elo} ({low} ~ {high})", "{agent}: {move}, {value}"}


def pieces_shown(name):
    """What stands on the cells of a game's board, in some positions of random games."""
    found, rng = set(), random.Random(1)
    for _ in range(3):
        state = game(name).start()
        while not state.is_game_over() and len(state.move_stack) < 60:
            found |= set(re.findall(r'data-piece="(\w+)"', state.svg(cells=True)))
            state.push(rng.choice(list(state.legal_moves)))
    return found


def families():
    """The keys that the page puts together from what the server tells it."""
    offer = catalogue()
    colors = list(chess.COLOR_NAMES)
    pieces = {piece for name in GAMES for piece in pieces_shown(name)}
    kinds = [chess.piece_name(kind) for kind in chess.PIECE_TYPES]  # promoted ones are rare
    pieces |= {f"{color}_{kind}" for color, kind in product(colors, kinds)}
    own = {key for key in WORDS["en"] if re.fullmatch(r"(color|reason|rule|result)\.\w+\.\w+", key)}
    endings = {(name, reason) for name in GAMES for reason in game(name).rules.ENDINGS}
    reasons = {reason for name, reason in endings if f"reason.{name}.{reason}" not in own}
    reasons |= {"resignation", "timeout", "illegal_move", "crash", "disqualified", "unfinished"}
    reasons |= {"unknown", "agreement"}
    tallies = {what for name in GAMES for what in game(name).start().tally()}
    rules = {(name, field.name) for name in GAMES for field in fields(game(name).options)}
    options = [option for agent in offer["agents"] for option in agent["options"]]
    return {
        *(f"game.{name}" for name in GAMES),
        *(f"position.{name}" for name in GAMES),
        *(f"about.{name}" for name in GAMES),
        *(f"rules.{name}.{part}" for name in GAMES for part in RULES),
        *(f"rules.{part}" for part in RULES),
        *(f"rules.{name}.counted" for name in GAMES if game(name).counted() is not None),
        *("home.title", "rules.title"),
        *(f"agent.{agent['name']}" for agent in offer["agents"]),
        *(f"agent.{agent['name']}.about" for agent in offer["agents"]),
        *(f"option.{option['name']}" for option in options),
        *(f"choice.{choice}" for option in options for choice in option["choices"]),
        *("option.device", "choice.cpu", "choice.cuda"),  # offered where there is a card
        *(f"rule.{rule}" for name, rule in rules if f"rule.{name}.{rule}" not in own),
        *(f"format.{name}" for each in offer["games"] for name in each["formats"]),
        *(level["name"] for each in offer["games"] for level in each["levels"]),
        *(f"piece.{piece}" for piece in pieces if piece),
        *(f"reason.{reason}" for reason in reasons if reason),
        *(f"tally.{what}" for what in tallies),
        *(f"looks.{name}" for name in ("board", "pieces")),
        *(f"looks.board.{look}" for look in ("classic", "cool", "dark", "contrast")),
        *(f"looks.pieces.{look}" for look in ("classic", "modern")),
        *(f"term.{term}" for term in TERMS),
        *(f"search.{term}" for term in ("visits", "value", "prior", "line")),
        *(f"outcome.{how}" for how in ("won", "lost", "drawn")),
        "warning.check",
        *(f"counted.{what}" for what in tallies - {"captures"}),
        *own,
        *("language.name", "pass", "swap"),
        *(f"color.{color}" for color in colors),
        *(f"{page}.{part}" for page in ("play", "watch") for part in ("about", "begin", "title")),
        *(f"analysis.{part}" for part in ("about", "begin", "title")),
        *(f"agreement.{wish}" for wish in ("agree", "play_on", "count")),
        *(f"arena.{seat}" for seat in "ab"),
        *(f"arena.{kind}" for kind in ("match", "tournament")),
        *(f"arena.{kind}.begin" for kind in ("match", "tournament")),
        *(f"format.{name}" for name in get_args(Format)),
        *(f"format.{name}.about" for name in get_args(Format)),
        *(f"match.{state}" for state in ("waiting", "playing", "over", "stopped", "failed")),
        *(f"training.{field.name}" for field in fields(Control)),
        *(f"training.{curve}" for curve in CURVES if f'"{curve}"' in SCRIPTS),
        *(f"training.on.{what}" for what in ("training", "validation")),
        *(f"training.time.{unit}" for unit in ("hours", "minutes", "seconds")),
        *(f"duration.{unit}" for unit in ("hours", "minutes", "seconds")),
        *(f"puzzles.{what}.{goal}" for what in PUZZLES for goal in ("win", "draw")),
        *(f"closed.{why}" for why in ("gone", "full", "hello")),
        *(f"error.{rule}" for rule in ("superko", "self_capture", "the_point_is_taken")),
        *(f"error.{rule}" for rule in ("not_legal", *REFUSALS)),
        *(f"error.{kind}" for kind in ("position", "record", "option", "move", "message")),
        *(f"evidence.{kind}" for kind in EVIDENCE),
        *(f"why.{kind}" for kind in sentences()),
        *(f"move.{move}" for move in ("pass", "passed", "resign", "swap")),
        *(f"match.verdict.{end}" for end in ("repeated", "decided", "ahead", "open")),
        *(f"tournament.{what}" for what in ("accuracy", "blunders", "score_lost")),
        *(f"competition.{unit}" for unit in ("days", "hours", "minutes", "seconds")),
        *(f"competition.status.{status}" for status in get_args(Status)),
        *(f"report.{who}{any}" for who in ("agent", "opponent") for any in ("", ".any")),
        *(f"viewer.steps.about.{name}" for name in ("mcts", "puct", "alphabeta", "negamax")),
        *(f"viewer.kind.{kind}" for kind in STEPS),
        *(f"viewer.say.leave.{result}" for result in ("exact", "fail_high", "fail_low")),
    }


PUZZLES = ("goal", "right", "solved")


def literals():
    """The keys that stand in the scripts, also those that the viewer completes."""
    found = set(re.findall(r"""["']([a-z][\w]*(?:\.\w+)*)["']""", SCRIPTS))
    viewer = ("viewer", "viewer.say", "viewer.moves")
    return found | {f"{family}.{key}" for family in viewer for key in found}


def file_words(language):
    """What a language itself says, without what it takes from English."""
    folders = [dictionary.WORDS, *(game_folder(name) / "words" for name in GAMES)]
    files = [folder / f"{language}.json" for folder in folders]
    return {key: 1 for file in files for key in json.loads(file.read_text(encoding="utf-8"))}


def test_words_of_one_game_lie_in_its_folder():
    for name in GAMES:
        for language in WORDS:
            file = game_folder(name) / "words" / f"{language}.json"
            assert f"game.{name}" in json.loads(file.read_text(encoding="utf-8"))


def test_all_languages_have_the_same_words():
    english = WORDS["en"]
    assert {"en", "ko"} <= set(WORDS)
    for language, words in WORDS.items():
        own = set(file_words(language))
        assert {key for key in own if not is_plural_form(key)} == {
            key for key in file_words("en") if not is_plural_form(key)
        }, language
        for key, text in words.items():
            assert text.strip(), (language, key)
            same = english.get(key) or english[key.rpartition(".")[0]]
            wanted, given = (set(re.findall(r"\{\w+\}", t)) for t in (same, text))
            assert given == wanted, (language, key)


def test_korean_is_korean():
    left = {
        key: text
        for key, text in WORDS["ko"].items()
        if not re.search("[가-힣]", text) and text not in SAME_EVERYWHERE
    }
    assert left == {}


def test_no_word_is_missing():
    named = set(re.findall(r"""\bt\(\s*["']([\w.]+)["']""", SCRIPTS))
    assert named
    assert (named | families()) - set(WORDS["en"]) == set()


def test_no_word_is_left_over():
    whole = {key.rpartition(".")[0] if is_plural_form(key) else key for key in WORDS["en"]}
    assert whole - families() - literals() == set()


@pytest.mark.parametrize(
    ("main", "held"),
    [
        ("report.js", report.WORDS),
        ("search_file.js", viewer_file.WORDS),
        ("game_file.js", shared_games.WORDS),
    ],
)
def test_a_file_holds_the_words_of_its_modules(main, held):
    code = "\n".join(modules(main).values())
    named = re.findall(r"""\b(?:t|counted|has|ofGame|step)\([`"']([a-z_]+)""", code)
    named += re.findall(r"""\bt\([^()]*\? "([a-z_]+)\.""", code)
    known = {key.split(".")[0] for key in WORDS["en"]}
    assert len(set(named) & known) > 3
    assert set(named) & known - set(held) == set()


@pytest.mark.parametrize("language", sorted(WORDS))
def test_agents_are_explained_in_a_sentence(language):
    for key, text in WORDS[language].items():
        if key.startswith("agent.") and key.endswith(".about"):
            assert text.endswith("."), key
