"""What shows itself in a notebook: well-formed, offline, and never trusting a text."""

import json
import re
import xml.etree.ElementTree as xml
from dataclasses import asdict, replace

import pytest

import hansu
from hansu.arena.match_result import MatchGame, MatchResult
from hansu.display.chart import Axis, Chart, Curve, sheet
from hansu.display.markup import joined, tag
from hansu.errors import HansuError
from hansu.games.state import Outcome
from hansu.learning.log import LOG, Epoch, Log, Report, read_reports
from hansu.records.record import GameRecord
from hansu.search.info import Line, SearchInfo
from tests import command_line
from tests.small_games import SMALL_GAMES

EVIL = '<img src=x onerror="alert(1)">&'
REPORT = Report(
    **{"round": 1, "seconds": 60.0, "games": 10, "samples": 100, "step": 5},
    **{"simulations_per_second": 1e3, "turns_per_game": 7.0, "first_won": 0.5},
    **{"loss": 2.0, "policy_loss": 1.5, "value_loss": 0.5, "entropy": 1.0},
    **{"validation_policy_loss": None, "validation_value_loss": None},
    **{"learning_rate": 1e-3, "simulations": 32},
)


def checked(markup: str) -> xml.Element:
    """The markup as a tree: well-formed, nothing from elsewhere, no script, no trusted text."""
    root = xml.fromstring(f"<div>{markup}</div>")
    for element in root.iter():
        assert element.tag.rpartition("}")[2] not in ("img", "image", "script", "link", "use")
        assert not {name for name in element.attrib if name.endswith(("href", "src"))}
        assert not any(re.search(r"url\((?!#)|@import", v) for v in element.attrib.values())
    return root


def words(root: xml.Element) -> str:
    return " ".join(text for text in root.itertext())


def played(score: float, number: int) -> MatchGame:
    winner = {1.0: True, 0.5: None, 0.0: False}[score]
    outcome = Outcome(winner, "line")
    record = GameRecord("tictactoe", EVIL, "b", str(number), True, 0, outcome=outcome)
    return MatchGame(number, True, record)


def test_markup_escapes_whatever_is_not_markup():
    assert tag("td", EVIL, title=EVIL).count("<") == 2
    assert joined("a<b", tag("i", "c"), None) == "a&lt;b<i>c</i>"


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_a_state_brings_its_own_ground(name):
    state = hansu.game(name).start()
    root = checked(state._repr_svg_())
    assert len(list(root.iter())) == len(list(checked(state.svg()).iter())) + 1


def test_a_match_shows_its_verdict_and_error_bar():
    result = MatchResult("tictactoe", EVIL, "b")
    result.played = [played(score, i) for i, score in enumerate([1, 0.5, 1, 1, 0, 1, 1, 1])]
    root = checked(result._repr_html_())
    shown = words(root)
    assert result.verdict in shown
    assert "+255 ± ∞" in shown  # four openings that were not played both ways: no pair
    circle = next(e for e in root.iter() if e.tag == "circle")
    bar = [e for e in root.iter() if e.tag == "line" and e.get("stroke-width") == "3"]
    assert float(bar[0].get("x1")) < float(circle.get("cx")) < float(bar[0].get("x2"))


def test_a_match_without_games_shows_itself_too():
    assert "no game" in words(checked(MatchResult("tictactoe", EVIL, "b")._repr_html_()))


@pytest.mark.parametrize("prior", [None, 0.25])
@pytest.mark.parametrize("visits", [0, 30])
def test_a_search_shows_its_moves_as_bars(prior, visits):
    lines = [
        Line(i, f"{EVIL}{i}", 0.1 * i, visits, prior, (f"{EVIL}{i}", "b")) for i in range(9, 0, -1)
    ]
    shown = words(checked(SearchInfo(tuple(lines * 2), 100, 0.5)._repr_html_()))
    assert f"{EVIL}9 b" in shown
    assert ("prior" in shown) == (prior is not None)
    assert "and 6 more" in shown


def write_run(folder, reports):
    log = Log(folder, 0)
    for report in reports:
        log.add(report)


def test_a_training_log_reads_back_what_was_written(tmp_path):
    reports = [
        replace(REPORT, round=i, seconds=60.0 * i, elo=10.0 * i, validation_policy_loss=1.0 / i)
        for i in range(1, 8)
    ]
    reports[4] = replace(reports[4], gate_score=0.6, gate_error=0.1, gate_games=20, promoted=True)
    write_run(tmp_path, reports)
    assert read_reports(tmp_path / LOG) == reports
    assert [type(v) for v in asdict(read_reports(tmp_path / LOG)[4]).values()] == [
        type(v) for v in asdict(reports[4]).values()
    ]
    log = hansu.training_log(tmp_path)
    for picture in (log.svg(), log._repr_html_()):
        root = checked(picture)
        shown = words(root)
        assert "7 rounds" in shown
        assert "+70 Elo" in shown
        curves = [e.get("points").split() for e in root.iter() if e.tag.endswith("polyline")]
        assert sorted(map(len, curves)) == [7, 7, 7, 7, 7, 14]  # steps have a corner for each point


def test_a_loss_that_is_no_number_leaves_a_gap(tmp_path):
    losses = [2.0, float("nan"), float("inf"), 1.0]
    reports = [
        replace(REPORT, round=i, seconds=9.0 * i, policy_loss=loss, gate_score=0.0, gate_error=0.1)
        for i, loss in enumerate(losses, 1)
    ]
    write_run(tmp_path, reports)
    root = checked(hansu.training_log(tmp_path).svg())
    curves = [e.get("points").split() for e in root.iter() if e.tag.endswith("polyline")]
    assert sorted(map(len, curves)) == [2, 4, 4, 4, 8]
    assert sum(e.tag.endswith("circle") for e in root.iter()) == 4


def test_a_run_without_matches_tells_no_elo(tmp_path):
    write_run(tmp_path, [replace(REPORT, round=i, seconds=60.0 * i, elo=0.0) for i in (1, 2, 3)])
    log = hansu.training_log(tmp_path)
    assert "Policy loss" in words(checked(log.svg()))
    for told in (words(checked(log.svg())), log.text(), str(log)):
        assert "Elo" not in told
        assert "nothing yet" not in told


def test_a_search_that_has_just_begun_shows_itself():
    info = SearchInfo((), 0, 0.0)
    assert "0 nodes" in words(checked(info._repr_html_()))
    assert info.facts()["move"] is None


def test_a_run_of_one_round_can_be_drawn(tmp_path):
    (tmp_path / "run.json").write_text('{"game": "<script>"}')
    write_run(tmp_path, [REPORT])
    assert "Training <script>" in words(checked(hansu.training_log(tmp_path).svg()))


def test_learning_from_records_can_be_drawn(tmp_path):
    (tmp_path / "run.json").write_text('{"game": "othello", "net": "historic"}')
    log = Log(tmp_path, 0, Epoch)
    for i in range(1, 6):
        log.add(Epoch(i, 30.0 * i, 10 * i, 0.5 / i, 0.1 + abs(i - 4), 0.6, min(i, 4)))
    found = hansu.training_log(tmp_path)
    shown = words(checked(found.svg()))
    assert "Learning othello, historic from records" in shown
    assert "5 epochs in 150 s, the best was 4 with a validation loss of 0.1" in shown
    root = checked(found._repr_html_())
    curves = [e.get("points").split() for e in root.iter() if e.tag.endswith("polyline")]
    assert sorted(map(len, curves)) == [5, 5, 5]
    told = json.loads(command_line.hansu("curves", str(tmp_path), "--json").stdout)
    assert (told["epochs"], told["best_epoch"]) == (5, 4)
    said = command_line.hansu("curves", str(tmp_path)).stdout
    assert "Validation loss" in said
    assert (tmp_path / "curves.svg").exists()


@pytest.mark.parametrize("content", ["", "round\n", "round,seconds\n1,soon\n", "round\nx\n"])
def test_what_is_no_log_is_one_sentence(tmp_path, content):
    (tmp_path / LOG).write_text(content)
    with pytest.raises(HansuError, match=r"log\.csv"):
        hansu.training_log(tmp_path)


@pytest.mark.parametrize("values", [[0.0], [-3.0, 5.0], [1e-6, 2e-6], [0.999, 1.001], [0, 12345]])
def test_an_axis_holds_its_values_between_round_numbers(values):
    axis = Axis.over(values)
    assert axis.low <= min(values) <= max(values) <= axis.high
    assert 2 <= len(axis.ticks) <= 8
    assert all(0 <= axis.share(value) <= 1 for value in values)


def test_curves_stay_inside_their_chart():
    curve = Curve(
        "a", [(0, 3.0), (5, -2.0), (9, 14.0)], "#000000", bars=[(2, 4), (-3, -1), (13, 15)]
    )
    root = checked(sheet([Chart("t", [curve]), Chart("empty", [])], "t"))
    _, _, width, height = map(float, root[0].get("viewBox").split())
    line = next(e for e in root.iter() if e.tag.endswith("polyline"))
    for point in line.get("points").split():
        x, y = map(float, point.split(","))
        assert 0 < x < width / 2
        assert 0 < y < height
