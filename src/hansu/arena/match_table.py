"""A match in a notebook: verdict, points, and the Elo difference with its error."""

from typing import TYPE_CHECKING

from hansu.display.markup import ACCENT, BAD, EVEN, GOOD, Markup, bar, tag
from hansu.statistics.elo import score_of
from hansu.statistics.stats import shown, signed

if TYPE_CHECKING:
    from hansu.arena.match_result import MatchResult

LEFT = "text-align:left"
TICKS = (-800, -400, -200, -100, 0, 100, 200, 400, 800)  # Elo
WIDTH, MIDDLE = 320.0, 14.0


def match_table(result: "MatchResult") -> Markup:
    """Return the whole table; names are escaped."""
    count = len(result.played)
    head = tag(
        "caption",
        tag("strong", f"{result.a} against {result.b}"),
        f", {result.game}",
        style=f"{LEFT};padding:4px 0;color:inherit",
    )
    if not count:
        return tag("table", head, tag("tr", tag("td", "no game has been played yet")))
    shares = [
        (result.wins / count, GOOD),
        (result.draws / count, EVEN),
        (result.losses / count, BAD),
    ]
    words = f"{result.wins} won, {result.draws} drawn, {result.losses} lost"
    return tag(
        "table",
        head,
        _row("verdict", tag("strong", result.verdict)),
        _row("won, drawn, lost", bar(shares, f"{WIDTH:g}px", words)),
        _row("Elo, 95 %", _elo(result)),
        *(_row(name, value) for name, value in result.rows() if name != "verdict"),
    )


def _row(name: str, value: str) -> Markup:
    return tag("tr", tag("th", name, style=LEFT, scope="row"), tag("td", value, style=LEFT))


def _elo(result: "MatchResult") -> Markup:
    """Draw the difference on the scale of the expected score, which has room for all."""
    stats = result.stats
    low, high = stats.elo_interval

    def at(value: float) -> float:
        return WIDTH * score_of(value)

    ticks = [tick for tick in TICKS if abs(tick) in (0, 100, 400)]
    return tag(
        "svg",
        *(
            tag("line", x1=at(t), x2=at(t), y1=4, y2=24, stroke="currentColor", opacity=0.25)
            for t in TICKS
        ),
        *(
            tag("text", f"{t:+d}" if t else "0", x=at(t), y=37, font_size=11, opacity=0.75)
            for t in ticks
        ),
        tag(
            "line",
            x1=at(low),
            x2=at(high),
            y1=MIDDLE,
            y2=MIDDLE,
            stroke=ACCENT,
            stroke_width=3,
            stroke_linecap="round",
        ),
        tag("circle", cx=at(stats.elo), cy=MIDDLE, r=6, fill=ACCENT),
        viewBox=f"0 0 {WIDTH:g} 40",
        width=WIDTH,
        height=40,
        role="img",
        aria_label=f"{signed(stats.elo)} ± {shown(stats.elo_error)} Elo",
        text_anchor="middle",
        fill="currentColor",
        style="display:block",
    )
