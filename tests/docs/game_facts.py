"""What the code knows of a game, as the table at the top of its page."""

from dataclasses import fields

import hansu
from hansu.games.game import WHITE, Game
from hansu.options import value_text

HEADINGS = {
    "Rules": "규칙",
    "Notation": "표기",
    "Positions as text": "글로 쓴 국면",
    "Observation planes": "관측 평면",
    "Actions": "행동",
    "Endings": "종료",
    "Symmetry": "대칭",
    "Known truths": "알려진 사실",
    "Strongest programs": "가장 강한 프로그램",
}
LABELS = {
    "name": "이름",
    "moves first": "먼저 두는 쪽",
    "options": "옵션",
    "longest game": "가장 긴 대국",
    "observation": "관측",
    "actions": "행동",
    "symmetries": "대칭",
    "endings": "종료",
    "file formats": "파일 형식",
}
WORDS = {
    "White": "백",
    "Black": "흑",
    "none": "없음",
    "identity": "그대로",
    "mirror": "좌우 반사",
    "flip": "상하 반사",
    "half turn": "180° 회전",
    "transpose": "대각선 반사",
    "quarter turn": "90° 회전",
    "three-quarter turn": "270° 회전",
    "anti-transpose": "반대 대각선 반사",
}


def table(game: Game, korean: bool) -> str:
    """Return the table of a game, in Markdown."""

    def word(text: str) -> str:
        return WORDS[text] if korean else text

    features = game.features
    planes, height, width = features.shape
    more = features.vector_size
    turns = [word(symmetry.name) for symmetry in features.symmetries]
    seen = (
        f"평면 {planes}개, {height} × {width}"
        if korean
        else f"{planes} planes of {height} × {width}"
    )
    if more:
        seen += f", 숫자 {more}개" if korean else f", and {more} numbers"
    rows = {
        "name": f"`{game.name}`",
        "moves first": word("White" if game.first_color == WHITE else "Black"),
        "options": options(game) or word("none"),
        "longest game": f"{game.max_turns}수" if korean else f"{game.max_turns} turns",
        "observation": seen,
        "actions": str(features.actions),
        "symmetries": f"{len(turns)}: {', '.join(turns)}",
        "endings": ", ".join(f"`{ending}`" for ending in game.rules.ENDINGS[1:]),
        "file formats": ", ".join(f"`{name}`" for name in ("jsonl", "csv", *game.formats)),
    }
    lines = [f"| {LABELS[label] if korean else label} | {text} |" for label, text in rows.items()]
    return "\n".join(["| | |", "|---|---|", *lines])


def options(game: Game) -> str:
    """Return the options as they are written, with their defaults."""
    chosen = game.options
    return ", ".join(f"`{f.name}={value_text(getattr(chosen, f.name))}`" for f in fields(chosen))


if __name__ == "__main__":  # python -m tests.docs.game_facts: to paste into the pages
    from hansu.games.game import GAMES

    for name in GAMES:
        for korean in (False, True):
            print(table(hansu.game(name), korean), end="\n\n")
