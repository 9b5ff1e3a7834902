// @ts-check
// What the page and the report of a tournament share besides its tables: conditions, games by pair.
import {el} from "hansu/dom.js";
import {gameList} from "hansu/tournament.js";
import {counted, number, t} from "hansu/words.js";

/**
 * @typedef {object} Conditions
 * @property {string} format
 * @property {{rounds: number, seconds: number | null, increment: number, move_seconds: number | null,
 *   openings: string | null, seed: string | null}} terms the seed once the games are over
 * @property {Record<string, string>} isolation how each agent ran
 * @property {string[]} machines that played
 * @property {number} games that have been played
 * @property {number} distinct_games
 * @property {unknown} match
 * @property {string} version
 */

// How agents run: the level of isolation, and the words for it.
const LEVELS = {
  isolated: "report.isolation.isolated",
  process: "report.isolation.process",
  trusted: "report.isolation.trusted",
};

/** @param {Conditions} data under which conditions was played, in words */
export function conditions({format, match, terms, isolation}) {
  const seconds = (/** @type {number} */ value) => ({seconds: number(value, 3)});
  const ran = (/** @type {string} */ level, /** @type {string} */ words) => {
    const names = Object.keys(isolation).filter((name) => isolation[name] === level);
    return names.length ? t(words, {names: names.join(", ")}) : "";
  };
  return [
    match && format === "round-robin" ? t("format.match") : t(`format.${format}`),
    counted("report.rounds", terms.rounds),
    terms.seconds === null ? t("clock.none") : t("report.clock", seconds(terms.seconds)),
    terms.increment ? t("report.increment", seconds(terms.increment)) : "",
    terms.move_seconds === null ? "" : t("report.move_seconds", seconds(terms.move_seconds)),
    terms.openings ? t("report.openings", {name: terms.openings}) : t("report.start"),
    terms.seed === null ? "" : t("report.seed", {seed: terms.seed}),
    ...Object.entries(LEVELS).map(([level, words]) => ran(level, words)),
  ].filter(Boolean).join(" · ");
}

/** @param {Conditions} data where the games come from, and how they are counted */
export function provenance({version, match, machines, games, distinct_games: distinct}) {
  return [
    t("report.distinct", {distinct: number(distinct), games: number(games)}),
    machines.length ? t("report.machines", {machines: machines.join("; ")}) : "",
    t("report.made", {version}), t(match ? "report.elo.match" : "report.elo.ratings"),
  ].filter(Boolean).join(" ");
}

/** The games, to be chosen from by who played. */
export class GamesByPair {
  /**
   * @param {string | null} name of the game they are games of
   * @param {(number: number) => import("hansu/dom.js").Attributes} open a link or a listener
   */
  constructor(name, open) {
    this.name = name;
    this.open = open;
    /** @type {import("hansu/tournament.js").Listed[]} */
    this.games = [];
    this.list = el("div");
    this.tally = el("p", {class: "soft", role: "status"});
    this.filters = ["agent", "opponent"].map((which) => el("select", {id: `filter-${which}`,
      "aria-label": t(`report.${which}`), onchange: () => this.fill()}));
    this.root = el("section", {id: "games"}, el("h2", null, t("report.list")),
      el("div", {class: "filters"}, this.filters, this.tally), this.list);
  }

  /** @param {import("hansu/tournament.js").Listed[]} games @param {string[]} names of the agents */
  show(games, names) {
    this.games = games;
    this.filters.forEach((filter, i) => {
      const {value} = filter;
      filter.replaceChildren(el("option", {value: ""}, t(`report.${["agent", "opponent"][i]}.any`)),
        ...names.map((name) => el("option", {value: name, selected: name === value}, name)));
    });
    this.fill();
  }

  /** @param {string} us @param {string} them */
  choose(us, them) {
    [this.filters[0].value, this.filters[1].value] = [us, them];
    this.fill();
    this.root.scrollIntoView({behavior: "smooth"});
  }

  fill() {
    const wanted = this.filters.map((filter) => filter.value).filter(Boolean);
    const chosen = this.games.filter((game) =>
      wanted.every((agent) => game.first === agent || game.second === agent));
    this.tally.textContent = t("tournament.games",
      {done: number(chosen.length), all: number(this.games.length)});
    this.list.replaceChildren(gameList(chosen, this.name, this.open));
  }
}
