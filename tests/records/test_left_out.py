"""Files of others, damaged or of another kind: what is understood is kept, the rest is said."""

import warnings

import pytest

import hansu
from hansu.errors import RecordWarning
from hansu.records.csv import read_csv
from hansu.records.formats import FORMATS, detect, read_games
from hansu.records.ggf import read_ggf
from hansu.records.headers import read_headers
from hansu.records.jsonl import read_jsonl, write_jsonl
from hansu.records.pgn import read_pgn
from hansu.records.problems import MAX_PROBLEMS
from hansu.records.reading import text_of
from hansu.records.sgf import read_sgf
from hansu.records.transcript import read_transcript
from hansu.records.wthor import read_wthor, write_wthor
from tests.small_games import SMALL_GAMES

MICROCHESS = '[Variant "Microchess"]\n'


def told(read, source):
    """The moves of every game, and where problems were found: (line, game)."""
    problems = []
    games = read(source, problems)
    return [" ".join(game.moves) for game in games], [(p.line, p.game) for p in problems]


# SGF ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "games", "problems"),
    [
        ("(;SZ[9]HA[0];B[ee];W[dd])", ["E5 D6"], []),
        ("(;SZ[9];B[ee]W[dd];B[cc])", ["E5 D6 C7"], []),
        ("(;SZ[9]\n;B[ee];W[]\n;B[];W[tt]\n;B[])", ["E5 pass pass"], [(3, 1)]),
        ("(;SZ[9];B[ee];W[dd]", ["E5 D6"], [(1, 1)]),
        ("(;SZ[9];B[ee];W[dd]\n;B[c", ["E5 D6"], [(2, 1)]),
        ("(;SZ[9];B[ee];W[dd]\n;C[a long com", ["E5 D6"], [(2, 1)]),
        ("(;SZ[9];B[ee]\n;W[ee];B[aa])\n(;SZ[9];B[aa])", ["E5", "A9"], [(2, 1)]),
        ("(;SZ[9];B[ee]\n;B[dd];W[aa])", ["E5 pass D6 A9"], [(2, 1)]),
        ("(;SZ[9];B[ee];W[dd]\n;AB[aa];B[cc])", ["E5 D6"], [(2, 1)]),
        ("(;SZ[9];B[ee]\n;AB[aa];B[cc];W[dd])", ["C7 D6"], [(2, 1)]),
        ("(;SZ[9];B[ee];W[];B[]\n;AE[ee])", ["E5 pass pass"], [(2, 1)]),
        ("(;SZ[9];B[ee];AE[aa]PL[W];W[dd])", ["E5 D6"], []),
        ("(;GM[1]SZ[9];B[ee]\n(;GM[1]SZ[9];B[dd])", ["E5", "D6"], [(2, 1)]),
        ("(;GM[1]SZ[9]\nC[hello;B[ee];W[dd])(;SZ[9];B[dd])", ["E5 D6", "D6"], [(2, 1)]),
        ("(;SZ[9];B[ee]);W[dd])\n(;SZ[9];B[dd])", ["E5", "D6"], [(1, 1)]),
        ("(;SZ[9]hello;B[ee]\n12;W[dd])", ["E5 D6"], [(1, 1), (2, 1)]),
        ("(;GM[2];B[ee])\n(;SZ[25];B[ee])\n(;SZ[9];B[ee])\n(;)", ["E5"], [(1, 1), (2, 2), (4, 4)]),
        ("(;SZ[9]KM[six];B[ee])", ["E5"], [(1, 1)]),
        ("(;SZ[9]AB[aa][zz];W[ee])", ["E5"], [(1, 1)]),
        ("(;GM[1];B[dd];W[pp])", ["D16 Q4"], []),  # 19x19, as the format has it
        ("(;GM[1];B[dd];W[])", ["D6 pass"], []),  # on either board
        ("(;SZ[9];B[ee]C[\\", ["E5"], [(1, 1)]),  # cut within an escape
        ("(;SZ[9]KM[6,5];B[ee](;W[dd](;B[aa])(;B[bb]))(;W[cc]))", ["E5 D6 A9"], []),
    ],
)
def test_sgf(text, games, problems):
    assert told(read_sgf, text) == (games, problems)


def test_a_part_of_a_game_does_not_end_as_the_whole_did():
    (record,) = read_sgf("(;SZ[5]RE[B+R]HR[resignation];B[cc];W[", [])
    assert record.moves == ["C3"]
    assert record.outcome == hansu.Outcome(hansu.BLACK, "unknown")
    (record,) = read_sgf("(;SZ[5]RE[?]HR[unfinished];B[cc];W[", [])
    assert record.outcome.reason == "unfinished"


@pytest.mark.parametrize(
    ("encoding", "name", "names_it"),
    [
        ("utf-8", "이세돌 古力", ""),
        ("utf-8-sig", "이세돌 古力", ""),
        ("utf-16", "이세돌 古力", ""),
        ("utf-32", "이세돌 古力", ""),
        ("cp949", "이세돌", ""),
        ("cp949", "김", ""),
        ("cp949", "이세돌", "CA[CP949]"),
        ("euc-kr", "이세돌", "CA[EUC-KR]"),
        ("gb2312", "古力", "CA[GB2312]"),
        ("big5", "王立誠", "CA[Big5]"),
        ("shift_jis", "ソ能表 ハシモト", ""),  # whose second bytes are \ and ]
        ("shift_jis", "能表ソ", "CA[Shift_JIS]"),
        ("latin-1", "Größe Ärger Zoé", ""),
        ("latin-1", "Größe Zoé", "CA[ISO-8859-1]"),
        ("latin-1", "Åke Çelik", ""),
        ("latin-1", "Zoé", "CA[nonsense]"),
        ("latin-1", "Zoé", "CA[punycode]"),
    ],
)
def test_names_in_the_encodings_that_one_meets(encoding, name, names_it):
    text = f"(;SZ[9]{names_it}PB[{name}];B[ee])\r\n"
    problems = []
    (record,) = read_sgf(text.encode(encoding), problems)
    assert (record.first, record.moves, problems) == (name, ["E5"], [])


def test_a_tail_that_is_cut_within_a_letter():
    content = "(;SZ[9]PB[이세돌];B[ee];C[좋은 수".encode()
    for cut in range(3):
        (record,) = read_sgf(content[: len(content) - cut], [])
        assert (record.first, record.moves) == ("이세돌", ["E5"])


# PGN ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "games", "problems"),
    [
        ("1. d4 a3\n2. Kd3 Kb4 *\n\n1. d3 *", ["d2d4 a4a3", "d2d3"], [(2, 1)]),
        (f"{MICROCHESS}\n1. d4 F5 2. Nb3 *", ["d2d4"], [(3, 1)]),
        ("1. d4\nhello a3 *", ["d2d4 a4a3"], [(2, 1)]),
        ("1.d4! a3?? $6 {good} ( 1... Kb4 ( {x} ) ) 2.Nb3+ ; rest\n*", ["d2d4 a4a3 c1b3"], []),
        ('1. d4 a3\n{open 2. Nb3\n\n[White "a"]\n\n1. d3 *', ["d2d4 a4a3", "d2d3"], [(2, 1)]),
        ('1. d4 (1. d3\n\n[White "a"]\n\n1. d3 *', ["d2d4", "d2d3"], [(1, 1)]),
        ("1. d4 a3) *", ["d2d4 a4a3"], [(1, 1)]),
        ('1. d4 *\n\n[White "a]\n[Black "b"]\n\n1. d3 *', ["d2d4", "d2d3"], [(3, 2)]),
        ("1. d4 1-0 1. d3 0-1", ["d2d4", "d2d3"], []),
        (
            '[Rules "microchess:max_turns=2"]\n\n1. d3 a3 2. d4 Kb4 *',
            ["d2d3 a4a3"],
            [(3, 1)],
        ),
        ("1. d4 *\n\n1. e4 e5 2. d4 *", ["d2d4"], [(3, 2)]),
        ('1. d4 *\n\n[GameType "20"]\n\n1. d3 *', ["d2d4"], [(3, 2)]),
        ('1. d4 *\n\n[Event "x"]\n\n*', ["d2d4"], [(3, 2)]),
        (f"{MICROCHESS}\n*", [""], []),
        ('[FEN "4/4/4/4/4 w - - 0 1"]\n\n1. d4 *\n\n1. d4 *', ["d2d4"], [(1, 1)]),
    ],
)
def test_pgn(text, games, problems):
    assert told(read_pgn, text) == (games, problems)


@pytest.mark.parametrize(
    "text",
    [
        "1. f5 d6 2. c3 d3 *",
        '[Event "WOC"]\n[Black "a"]\n\n1. F5 D6 2. C3 D3 33-31\n',
        '[Event "WOC"]\n\n1. d3 c3 2. c4 e3 *\n',
        '[Variant "Othello"]\n\n1. d3 c3 *\n',
        '[GameType "Othello"]\n\n1. d3 c3 *\n',
        '[Event "WOC"]\n\n*\n',
        '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n\n1. d4 *',
    ],
)
def test_pgn_of_another_game_is_no_empty_game_of_microchess(text):
    with pytest.raises(hansu.HansuError, match=r"line \d, game 1: .*(microchess|FEN field)"):
        read_pgn(3 * f"{text}\n\n", [])


def test_pgn_with_results_only_says_when_there_are_moves():
    text = '[Game "othello"]\n[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. f5 d6 1-0\n'
    problems = []
    (record,) = read_headers(text, problems)
    assert record.moves == []
    assert [str(p) for p in problems] == ["line 6, game 1: the 2 moves from 'f5' on are not read"]


# The other formats -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "games", "problems"),
    [
        ("f5d6c3\nhello\n4453 -2", ["f5 d6 c3", "4 4 5 3"], [(2, 2)]),
        ("1. F5 2. D6 3. C3 34-30", ["f5 d6 c3"], []),
        ("F5 d6 C3 Smith Jones", ["f5 d6 c3"], []),
        ("1.f5 d6 2.c3", ["f5 d6 c3"], []),
        ("f5 d6 ?? c3", ["f5 d6"], [(1, 1)]),
        ("\n\nf5d6c\n", ["f5 d6"], [(3, 1)]),
        ("4 4 5 3", ["4 4 5 3"], []),
        ("4,4,5,3", ["4 4 5 3"], []),
        ('"4453"\n,4,5', ["4 4 5 3", "4 5"], []),
        ("36,12\n4453", ["3 6", "4 4 5 3"], [(1, 1)]),
        ("f5, d6; c3", ["f5 d6 c3"], []),
        ('"f5-d6-c3" 34-30', ["f5 d6 c3"], []),
        ("4444444", ["4 4 4 4 4 4"], [(1, 1)]),
        ("b2a1b2a2", ["b2 a1"], [(1, 1)]),
        ("\ufeff4453\r\n", ["4 4 5 3"], []),
    ],
)
def test_transcripts(text, games, problems):
    assert told(read_transcript, text) == (games, problems)
    assert detect(text.encode()).name == "transcript"


@pytest.mark.parametrize("word", ["--", "pa", "PA", "ps", "PS", "pass", "Pass"])
def test_passes_are_read_in_every_writing(word):
    played = hansu.play_game("othello", "random", "one_step_search", seed=3)
    assert "pass" in played.moves
    line = "".join(played.moves).replace("pass", word)
    (record,) = read_transcript(line)
    assert record.moves == played.moves
    (record,) = read_transcript(" ".join(played.moves).replace("pass", word).upper())
    assert record.moves == played.moves
    colors = zip("BW" * len(played.moves), played.moves, strict=False)
    moves = "".join(f"{color}[{move.replace('pass', word)}]" for color, move in colors)
    (record,) = read_ggf(f"(;GM[Othello]{moves};)")
    assert record.moves == played.moves


@pytest.mark.parametrize(
    ("text", "games", "problems"),
    [
        ("(;GM[Othello]B[f5]W[d6]B[c", ["f5 d6"], [(1, 1)]),
        ("(;GM[Othello]B[f5]W[d6]", ["f5 d6"], [(1, 1)]),
        ("\n(;GM[Othello]B[f5]W[d6]W[c3];)", ["f5 d6"], [(2, 1)]),
        ("(;GM[Othello]B[f5]W[a1]B[c3];)", ["f5"], [(1, 1)]),
        ("(;GM[Othello]B[f5]);W[d6];)", ["f5"], [(1, 1)]),
        ("(;GM[Chess]B[f5];)\n(;GM[Othello]B[f5];)", ["f5"], [(1, 1)]),
        ("(;GM[Othello]BO[10 *]B[f5];)\n(;GM[Othello]BO[]B[f5];)\n(;GM[Othello]B[f5];)", ["f5"],
         [(1, 1), (2, 2)]),
    ],
)  # fmt: skip
def test_ggf(text, games, problems):
    assert told(read_ggf, text) == (games, problems)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_with_any_delimiter(delimiter):
    text = '\ufeff"Game",Moves\nconnect4,4 4 5\nconnect4,4 9\nconnect4\nconnect4,"4\n'
    assert told(read_csv, text.replace(",", delimiter)) == (
        ["4 4 5", "4"],
        [(3, 2), (4, 3), (5, None)],
    )
    assert detect(text.replace(",", delimiter).encode()).name == "csv"


def test_json_lines_with_a_broken_one():
    good = write_jsonl([hansu.play_game("tictactoe", "first_move", "first_move")])
    broken = good[: len(good) // 2] + "\n"
    games, problems = told(read_jsonl, good + broken + "\n" + good + good[:-9])
    assert len(games) == 2
    assert problems == [(2, 2), (5, 4)]


def test_wthor_that_is_cut_off():
    records = [hansu.play_game("othello", "random", "random", seed=seed) for seed in range(3)]
    content = write_wthor(records)
    for cut in (1, 67, 68, 100):
        problems = []
        games = read_wthor(content[:-cut], problems)
        assert [game.moves for game in games] == [r.moves for r in records[: 2 - cut // 69]]
        assert "games may be missing" in str(problems[0])
    assert len(read_wthor(content + b"more", problems)) == 3
    damaged = bytearray(content)
    damaged[16 + 68 + 8 + 30] = 99  # the 31st move of the second game
    games, problems = told(read_wthor, bytes(damaged))
    assert [len(game.split()) for game in games] == [
        len(records[0].moves),
        30 + games[1].count("pass"),
        len(records[2].moves),
    ]
    assert problems == [(None, 2)]


# What is said ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("content", [b"", b" \r\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_an_error(name, content, tmp_path):
    kind = FORMATS[name]
    with pytest.raises(hansu.HansuError):
        kind.read(content, [])
    file = tmp_path / f"games{kind.suffix}"
    file.write_bytes(content)
    with pytest.raises(hansu.HansuError, match=r"games\.[a-z]+: the file is empty"):
        read_games(file, [])


def test_without_a_list_it_is_a_warning():
    with pytest.warns(RecordWarning, match="line 2, game 2: 'hello' is not a transcript"):
        assert len(read_transcript("44\nhello\n")) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(read_transcript("44\n45\n")) == 2


def test_there_is_an_end_to_it():
    problems = []
    read_transcript("44\n" + 5000 * "hello\n", problems)
    assert len(problems) == MAX_PROBLEMS + 1
    assert str(problems[-1]) == f"and {5000 - MAX_PROBLEMS} more problems"
    with pytest.raises(hansu.HansuError, match=r"line 1, game 1: .* \(and 4999 more problems\)"):
        read_transcript(5000 * "hello\n", problems)


# Positions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", SMALL_GAMES)
def test_a_position_may_have_a_bom_and_blanks_around_it(game, tmp_path):
    chosen = hansu.game(game)
    state = chosen.start()
    state.push(next(iter(state.legal_moves)))
    for text in (f"\ufeff{state.text()}", f" \t{state.text()}\r\n", f"\n\ufeff {state.text()}\n"):
        assert chosen.parse(text).text() == state.text()
    file = tmp_path / "openings.txt"
    file.write_text(f"{state.text()}\n", encoding="utf-8-sig")
    record = hansu.match(game, "first_move", "first_move", games=1, openings=str(file)).games[0]
    assert record.start == state.text()


def test_text_of_several_files_put_together():
    assert text_of("\ufeff44\r\n\ufeff45\r") == "44\n45\n"
