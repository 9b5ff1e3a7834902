// @ts-check
// What a tournament or a match came to: the tables that the page and the report show.
import {el} from "hansu/dom.js";
import {range, scale, ticks} from "hansu/plot.js";
import {evidenceText, reasonText} from "hansu/result.js";
import {counted, fixed, number, percent, signed, t} from "hansu/words.js";

/**
 * @typedef {object} Standing
 * @property {number} rank
 * @property {string} agent
 * @property {number} score
 * @property {number} games
 * @property {number} wins
 * @property {number} draws
 * @property {number} losses
 * @property {number} rating
 * @property {number | null} error
 * @property {number} [sonneborn_berger]
 * @property {number} [buchholz]
 * @property {string} [href] what is known of the agent
 * @property {number} byes
 * @property {number} [accuracy]
 * @property {number} [judged_moves]
 * @property {number} [blunders_per_game]
 * @property {number | null} [score_lost_per_move]
 * @property {number} [scored_moves]
 *
 * @typedef {object} Match
 * @property {number} games
 * @property {number} wins
 * @property {number} draws
 * @property {number} losses
 * @property {number} score
 * @property {number} elo
 * @property {number | null} elo_error
 * @property {number | null} elo_low
 * @property {number | null} elo_high
 * @property {number | null} normalised_elo
 * @property {number | null} normalised_elo_error
 * @property {number} los
 * @property {number} distinct_games
 * @property {number | null} as_first
 * @property {number | null} as_second
 * @property {number[]} pentanomial
 * @property {string} conclusion
 * @property {string} leader
 *
 * @typedef {object} Listed a game to choose from
 * @property {number} number from 0
 * @property {string} first
 * @property {string} second
 * @property {number} score
 * @property {string} reason
 * @property {number} turns
 *
 * @typedef {{game: number, agent: string, reason: string,
 *   facts: import("hansu/result.js").Evidence}} Fault
 */

const CHART = 24; // height of an error bar's row, in pixels

/** @param {number} x points, of which half ones are written as ½ */
export const points = (x) => (x % 1 ? `${Math.floor(x) || ""}½` : String(x));

const sum = (/** @type {number[]} */ xs) => xs.reduce((a, b) => a + b, 0);

// Null stands for what has no number: no whole pair of games yet.
const unbounded = (/** @type {number | null} */ x, sign = "") => (x === null ? `${sign}∞` : signed(x));

/** @param {number | null} elo @param {number | null} error */
export const withError = (elo, error) =>
  `${unbounded(elo)} ± ${error === null ? "∞" : signed(error).replace("+", "")}`;

/** @param {string} title @param {Node} inside what may be wider than the page */
export const region = (title, inside) => el("section", null, el("h2", null, title), el("div",
  {class: "scroll", tabindex: 0, role: "region", "aria-label": title}, inside));

/** @param {[string, string][]} rows */
const facts = (rows) => el("table", {class: "facts"}, el("tbody", null, rows.map(([name, value]) =>
  el("tr", null, el("th", {scope: "row"}, name), el("td", null, value)))));

/**
 * What the games of two agents say.
 * @param {Match} match
 * @param {boolean} finished
 */
export function matchTable(match, finished) {
  const side = (/** @type {number | null} */ score) => (score === null ? "–" : percent(score));
  const sure = Math.min(Math.max(match.los, 1 - match.los), 0.999);
  const verdict = t(`match.verdict.${match.conclusion}`, {agent: match.leader,
    sure: percent(sure, 1), games: number(match.games), distinct: number(match.distinct_games)});
  return facts([
    [t(finished ? "match.verdict" : "match.verdict.so_far"), verdict],
    [t("match.score"),
      `${percent(match.score, 1)} (+${match.wins} =${match.draws} −${match.losses})`],
    [t("match.elo"), t("match.elo.interval", {elo: withError(match.elo, match.elo_error),
      low: unbounded(match.elo_low, "−"), high: unbounded(match.elo_high, "+")})],
    [t("match.normalised"), match.normalised_elo === null ? "–"
      : withError(match.normalised_elo, match.normalised_elo_error)],
    [t("match.superiority"), percent(match.los, 1)],
    [t("match.pentanomial"), `[${match.pentanomial.join(", ")}]`],
    [t("match.sides"), `${side(match.as_first)} / ${side(match.as_second)}`],
    [t("match.distinct"), `${match.distinct_games} / ${match.games}`],
  ]);
}

/**
 * Everybody in order, with ratings on one scale.
 * @param {Standing[]} rows
 * @param {string} format of the tournament
 */
export function standings(rows, format) {
  const ends = rows.flatMap(({rating, error}) => [rating - (error ?? 0), rating + (error ?? 0)]);
  const [low, high] = range(ends) ?? [0, 1];
  const room = Math.max(20, (high - low) * 0.04);
  const place = scale([low - room, high + room], [0, 100]);
  const at = (/** @type {number} */ elo) => `${place(elo).toFixed(2)}%`;
  const marks = ticks(low - room, high + room);
  const labels = marks.filter((_, i) => marks.length < 4 || i % 2 === 0); // they need room
  const swiss = format === "swiss";
  const tied = format !== "rating"; // whether there are tie-breaks
  const judged = rows.some((row) => row.accuracy !== undefined);
  const titles = ["", t("tournament.agent"), t("tournament.score"), "+ = −", t("tournament.elo")];
  const rating = (/** @type {Standing} */ row) => {
    const error = row.error ?? 0;
    return el("svg", {role: "img", "aria-label": `${withError(row.rating, row.error)} Elo`},
      marks.map((x) => el("rect", {class: "tick", x: at(x), y: -8, width: 1, height: CHART + 16})),
      el("line", {x1: at(row.rating - error), x2: at(row.rating + error), y1: CHART / 2, y2: CHART / 2}),
      el("circle", {cx: at(row.rating), cy: CHART / 2, r: 5}));
  };
  return el("table", {class: "facts standings"},
    el("thead", null, el("tr", null, titles.map((text) => (text
      ? el("th", {scope: "col"}, text) : el("td"))),
      el("td", {class: "rating"}, el("svg", {"aria-hidden": true},
        labels.map((x) => el("text", {x: at(x), y: 15}, signed(x))))),
      tied ? el("th", {scope: "col"},
        t(swiss ? "tournament.buchholz" : "tournament.sonneborn_berger")) : null,
      judged ? ["accuracy", "blunders", "score_lost"].map((what) => el("th", {scope: "col"},
        t(`tournament.${what}`))) : null)),
    el("tbody", null, rows.map((row) => el("tr", null,
      el("td", null, String(row.rank)), el("th", {scope: "row"},
        row.href ? el("a", {href: row.href}, row.agent) : row.agent),
      el("td", null, `${points(row.score)} / ${row.games}`,
        row.byes ? ` (${t("tournament.byes", {count: row.byes})})` : null),
      el("td", null, `${row.wins} ${row.draws} ${row.losses}`, shares(row)),
      el("td", null, withError(row.rating, row.error)), el("td", {class: "rating"}, rating(row)),
      tied ? el("td", null, points(swiss ? row.buchholz ?? 0
        : Math.round(2 * (row.sonneborn_berger ?? 0)) / 2)) : null,
      judged ? [el("td", null, row.accuracy === undefined ? "" : t("tournament.accuracy.of",
        {share: percent(row.accuracy, 1), count: number(row.judged_moves ?? 0)})),
        el("td", null, row.blunders_per_game === undefined ? "" : fixed(row.blunders_per_game, 2)),
        el("td", null, typeof row.score_lost_per_move !== "number" ? "" : t("tournament.score_lost.of",
          {lost: fixed(row.score_lost_per_move, 2), count: number(row.scored_moves ?? 0)}))]
        : null))));
}

// Won, drawn and lost as parts of a bar.
function shares(/** @type {Standing} */ {wins, draws, losses}) {
  const parts = /** @type {[string, number][]} */ ([["wins", wins], ["draws", draws], ["losses", losses]]);
  return el("div", {class: "shares", "aria-hidden": "true"}, parts.map(([kind, count]) => {
    const part = el("i", {class: kind});
    part.style.flexGrow = String(count);
    return part;
  }));
}

/**
 * Points of each agent against each.
 * @param {string[]} names
 * @param {number[][][]} cross
 * @param {((us: string, them: string) => void) | null} [choose] what to do with a pair
 */
export function crossTable(names, cross, choose = null) {
  const cell = (/** @type {string} */ us, /** @type {string} */ them, /** @type {number[]} */ scores) => {
    if (!scores.length) return el("td", null, us === them ? "–" : "");
    const share = sum(scores) / scores.length;
    const text = `${points(sum(scores))} / ${scores.length}`;
    const title = `${us} – ${them}: ${scores.map(points).join(" ")}`;
    const made = el("td", {title}, choose
      ? el("button", {type: "button", "aria-label": title, onclick: () => choose(us, them)}, text) : text);
    const depth = Math.round(8 + 56 * Math.abs(share - 0.5));
    const tone = share < 0.5 ? "--lost" : "--won";
    made.style.background = `color-mix(in srgb, var(${tone}) ${depth}%, var(--card))`;
    return made;
  };
  return el("table", {class: "facts cross"},
    el("thead", null, el("tr", null, el("td"),
      names.map((_, i) => el("th", {scope: "col"}, String(i + 1))))),
    el("tbody", null, names.map((us, i) => el("tr", null,
      el("th", {scope: "row"}, `${i + 1}. ${us}`),
      names.map((them, j) => cell(us, them, cross[i][j]))))));
}

/** @param {{agents: string[], sure: boolean} | null} cycle agents who beat each other in a circle */
export function cycleText(cycle) {
  if (!cycle) return null;
  const chain = [...cycle.agents, cycle.agents[0]].join(" → ");
  return el("p", null, t(cycle.sure ? "tournament.cycle.sure" : "tournament.cycle.points", {chain}));
}

/**
 * Games lost by breaking the rules, each with what opens it.
 * @param {Fault[]} found
 * @param {(number: number) => import("hansu/dom.js").Attributes} open a link or a listener for a game
 */
export function faultList(found, open) {
  if (!found.length) return null;
  return el("section", null, el("h2", null, t("match.faults")),
    el("ul", {class: "faults"}, found.map((fault) => {
      const to = open(fault.game - 1);
      return el("li", null, el(to.href ? "a" : "button", to,
        t("tournament.game", {number: number(fault.game)})),
      `: ${fault.agent}, ${reasonText(null, fault.reason)} – `, evidenceText(fault.facts));
    })));
}

/**
 * Games to choose from.
 * @param {Listed[]} games
 * @param {string | null} name of the game they are games of
 * @param {(number: number) => import("hansu/dom.js").Attributes} open a link or a listener for a game
 */
export function gameList(games, name, open) {
  return el("ol", {class: "games"}, games.map((game) => {
    const to = open(game.number);
    const unfinished = game.reason === "unfinished";
    return el("li", null, el(to.href ? "a" : "button", {class: "button", ...to},
      el("span", null, `${game.number + 1}. ${game.first} – ${game.second}`),
      unfinished ? null : el("span", null, `${points(game.score)} – ${points(1 - game.score)}`),
      el("small", null, [unfinished ? t("match.playing")
        : reasonText(name, game.reason, {turns: number(game.turns)}),
      counted("replay.turns", game.turns)].join(", "))));
  }));
}
