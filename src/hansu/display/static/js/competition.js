// @ts-check
// A competition as it runs: leaderboard, history, cross-table, games; read-only for spectators.
import {el, refill} from "hansu/dom.js";
import {OwnPage} from "hansu/participant.js";
import {Polling} from "hansu/polling.js";
import {ProjectorPage} from "hansu/projector.js";
import {historyChart} from "hansu/rating_history.js";
import {ask} from "hansu/server.js";
import {crossTable, region, standings} from "hansu/tournament.js";
import {listed, replayOf} from "hansu/tournament_page.js";
import {counted, number, t} from "hansu/words.js";

/**
 * @typedef {object} Facts
 * @property {string} title
 * @property {string} name of the game
 * @property {number} now
 * @property {{name: string, at: number}[]} deadlines
 * @property {number} games
 * @property {number} participants
 * @property {number} waiting
 * @property {any[]} standings
 * @property {(import("hansu/tournament.js").Listed & {stage: string})[]} playing
 * @property {{name: string, games: number}[]} finals
 */

const PATH = "/api/competition";
const MOST_CROSS = 40; // more names than this make a table that nobody reads

/**
 * @param {Element} root
 * @param {string} [kind]
 * @param {string} [name]
 */
export function competitionPage(root, kind, name) {
  if (kind === "me") return new OwnPage(root);
  if (kind === "projector") return new ProjectorPage(root, PATH, countdown);
  if (kind === "player" && name) return new PlayerPage(root, decodeURIComponent(name));
  return new CompetitionPage(root);
}

class CompetitionPage {
  /** @param {Element} root */
  constructor(root) {
    this.main = el("div", {class: "specific"});
    this.more = el("div", {class: "specific"});
    this.polling = new Polling(PATH, (facts) => this.show(facts));
    root.replaceChildren(el("div", {class: "setup wide"}, this.polling.trouble, this.main,
      this.more));
    this.clock = setInterval(() => this.tick(), 1000);
    this.counter = el("p", {class: "countdown", role: "timer"});
    this.ahead = 0; // how far the server's clock is ahead of ours, in seconds
    /** @type {Facts | null} */
    this.facts = null;
    this.games = -1;
  }

  close() {
    this.polling.close();
    clearInterval(this.clock);
  }

  /** @param {Facts} facts */
  show(facts) {
    this.ahead = facts.now - Date.now() / 1000;
    this.facts = facts;
    refill(this.main, el("header", null, el("h1", null, facts.title),
      el("p", {class: "soft"}, [t(`game.${facts.name}`),
        counted("competition.participants", facts.participants),
        counted("competition.games", facts.games),
        facts.waiting ? counted("competition.waiting", facts.waiting) : ""]
        .filter(Boolean).join(", ")), this.counter),
    el("p", null, el("a", {class: "button", href: "#/competition/me"}, t("competition.mine")), " ",
      el("a", {class: "button", href: "#/competition/projector"}, t("competition.projector"))),
    facts.standings.length ? region(t("competition.leaderboard"), leaderboard(facts.standings))
      : el("p", {class: "soft"}, t("competition.nobody")),
    ...["rating", ...facts.finals.map(({name}) => name)].map((stage) => listed(
      t("tournament.playing"), facts.playing.filter((game) => game.stage === stage), facts.name,
      replayOf(`${PATH}/games/${encodeURIComponent(stage)}/`)) ?? ""));
    this.tick();
    const games = facts.finals.reduce((sum, final) => sum + final.games, facts.games);
    if (games !== this.games) this.showMore(facts);
    this.games = games;
  }

  // What is asked for only when games have been added.
  async showMore(/** @type {Facts} */ facts) {
    const stages = facts.finals.map(({name}) => encodeURIComponent(name));
    const [history, cross, games, ...both] = await Promise.all([ask(`${PATH}/history`),
      ask(`${PATH}/cross`), ask(`${PATH}/games/rating`),
      ...stages.map((stage) => ask(`${PATH}/finals/${stage}`)),
      ...stages.map((stage) => ask(`${PATH}/games/${stage}`))]).catch(() => []);
    if (this.polling.closed || !history) return;
    const [finals, played] = [both.slice(0, stages.length), both.slice(stages.length)];
    const chart = historyChart(history.lines, cross.names);
    refill(this.more,
      ...finals.flatMap((final, i) => [finalTable(facts.finals[i].name, final),
        listed(t("competition.final.games", {name: facts.finals[i].name}), played[i].played,
          facts.name, replayOf(`${PATH}/games/${stages[i]}/`)) ?? ""]),
      chart ? region(t("competition.history"), chart) : "",
      cross.names.length && cross.names.length <= MOST_CROSS
        ? region(t("tournament.cross"), crossTable(cross.names, filled(cross))) : "",
      listed(t("arena.played"), games.played, facts.name, replayOf(`${PATH}/games/rating/`)) ?? "");
  }

  tick() {
    if (this.facts) this.counter.textContent = countdown(this.facts, this.ahead);
  }
}

/**
 * How long it is until the next deadline.
 * @param {Facts} facts
 * @param {number} ahead how far the server's clock is ahead of ours, in seconds
 */
export function countdown({deadlines}, ahead) {
  const now = Date.now() / 1000 + ahead;
  const next = deadlines.find(({at}) => at > now);
  if (next) return t("competition.countdown", {name: next.name, left: duration(next.at - now)});
  return deadlines.length ? t("competition.closed") : "";
}

// One participant, as spectators know them.
class PlayerPage {
  /** @param {Element} root @param {string} name */
  constructor(root, name) {
    const path = `${PATH}/games/rating?player=${encodeURIComponent(name)}`;
    const list = el("div");
    this.polling = new Polling(path, ({played, found}) => refill(list,
      el("p", {class: "soft"}, counted("competition.games", found)),
      listed(t("arena.played"), played, null, replayOf(`${PATH}/games/rating/`)) ?? ""));
    root.replaceChildren(el("div", {class: "setup wide"},
      el("header", null, el("h1", null, name),
        el("p", null, el("a", {href: "#/competition"}, t("competition.title")))),
      this.polling.trouble, list));
  }

  close() { this.polling.close(); }
}

/** @param {any[]} rows */
function leaderboard(rows) {
  const lines = rows.map((row) => ({...row, score: row.wins + row.draws / 2, byes: 0,
    agent: row.staff ? row.participant : `${row.participant} · ${row.version}`,
    href: `#/competition/player/${encodeURIComponent(row.participant)}`}));
  return standings(lines, "rating");
}

/** @param {string} name @param {any} final */
function finalTable(name, final) {
  const names = final.standings.map((/** @type {{agent: string}} */ {agent}) => agent);
  const lines = final.standings.map((/** @type {any} */ row) => ({...row, score: row.points}));
  return el("section", null, el("h2", null, t("competition.final", {name})),
    el("p", {class: "soft"}, [t(`format.${final.format}`), t("tournament.games",
      {done: number(final.games), all: number(final.scheduled)})].join(", ")),
    el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": name},
      standings(lines, final.format)),
    names.length <= MOST_CROSS ? el("div", {class: "scroll", tabindex: 0, role: "region",
      "aria-label": t("tournament.cross")}, crossTable(names, final.cross)) : null);
}

/**
 * The cells of a cross-table, of which most may be empty.
 * @param {{names: string[], cells: [number, number, number, number][]}} cross
 */
export function filled({names, cells}) {
  /** @type {number[][][]} */
  const table = names.map(() => names.map(() => []));
  for (const [a, b, points, games] of cells) {
    const mean = points / games;
    table[a][b] = Array(games).fill(mean);
    table[b][a] = Array(games).fill(1 - mean);
  }
  return table;
}

/**
 * Seconds as days, hours, minutes and seconds, of which two are told.
 * @param {number} seconds
 */
export function duration(seconds) {
  const left = Math.max(0, Math.floor(seconds));
  const parts = /** @type {[string, number][]} */ ([["days", Math.floor(left / 86400)],
    ["hours", Math.floor(left / 3600) % 24], ["minutes", Math.floor(left / 60) % 60],
    ["seconds", left % 60]]);
  const first = parts.findIndex(([, count]) => count > 0);
  return parts.slice(first < 0 ? 3 : first).slice(0, 2)
    .map(([unit, count]) => counted(`competition.${unit}`, count)).join(" ");
}
