// @ts-check
// What an agent is thinking: its moves as bars, and pointed out on the board.
import {bar, el, kept} from "hansu/dom.js";
import {playerName} from "hansu/player_name.js";
import {moveText} from "hansu/result.js";
import {forgetTerm, term} from "hansu/term.js";
import {number, percent, short, signed, t} from "hansu/words.js";

const ROWS = 8;

/**
 * @typedef {{text: string, names: string[], visits: number, value: number, prior: number | null,
 *   proved?: boolean, score?: number | null}} SearchLine
 * @typedef {{lines: SearchLine[], nodes: number, seconds: number, depth: number | null}} Info
 */

/** @param {SearchLine} line */
export function valueText(line) {
  if (!line.proved) return percent(line.value);
  const score = typeof line.score === "number" ? ` ${signed(line.score)}` : "";
  return `${percent(line.value)} ${t("search.proved")}${score}`;
}

export class Search {
  /**
   * @param {(search: number | null) => void} open
   * @param {boolean} may whether this visitor can look into searches
   * @param {() => void} [changed] whether an opponent's thinking is shown
   * @param {string} [who] the agent, where there are several
   */
  constructor(open, may, changed = () => {}, who = "") {
    /** @type {number | null} */
    this.id = null;
    this.may = may;
    this.into = el("button", {id: who ? null : "look-into", hidden: true, onclick: () => open(this.id)},
      t("insight.open"));
    this.isSecret = false;
    this.shows = el("input", {type: "checkbox", id: "thinking",
      onchange: () => {
        kept.set("thinking", this.shows.checked ? "on" : "off");
        this.clear();
        changed();
      }});
    this.choice = el("label", {class: "switch", hidden: true}, this.shows,
      el("span", null, t("search.opponent")));
    this.body = el("div", {class: "lines"});
    this.rows = el("tbody");
    this.columns = ""; // that the table has
    this.cost = el("p", {class: "soft"});
    this.title = el("h2");
    this.who = who;
    this.root = el("section", {id: who ? null : "search",
      "aria-label": who ? playerName(who) : t("search.title")}, this.title,
    who ? null : this.choice, this.cost, this.body, this.into);
    this.clear();
  }

  /**
   * Against a person an agent's thoughts are its own, unless they are asked for or it is a lesson.
   * @param {boolean} plays
   * @param {boolean} teaches
   */
  offer(plays, teaches) {
    this.choice.hidden = !plays;
    this.shows.checked = (kept.get("thinking") ?? (teaches ? "on" : "off")) === "on";
    this.isSecret = plays && !this.shows.checked;
  }

  clear() {
    this.showTitle(this.who);
    this.cost.textContent = t("search.none");
    this.into.hidden = true;
    this.body.replaceChildren();
    this.columns = "";
  }

  get isEmpty() { return !this.columns; }

  /** @param {string} who the agent that has searched; none: whoever thinks here */
  showTitle(who) { this.title.textContent = who ? playerName(who) : t("search.title"); }

  /** Nothing has been found yet, but somebody is looking. */
  begin() {
    this.clear();
    this.cost.textContent = t("search.begun");
  }

  /** What was begun has been refused. */
  giveUp() { if (this.isEmpty) this.clear(); }

  /**
   * Show a search; one that the server keeps under a number can be inspected, also while it runs.
   * @param {Info} info
   * @param {number | null} id
   * @param {string} [who] whose analysis it is
   */
  show(info, id, who = this.who) {
    this.id = id;
    this.showTitle(who);
    this.into.hidden = !this.may;
    const most = Math.max(1, ...info.lines.map((line) => line.visits));
    const known = info.lines.some((line) => line.prior !== null);
    const visited = info.lines.some((line) => line.visits);
    const columns = [...(visited ? ["visits"] : []), "value", ...(known ? ["prior"] : []), "line"];
    const seconds = short(info.seconds);
    this.cost.replaceChildren(info.nodes // none: it was known
      ? term("nodes", t("search.cost", {nodes: number(info.nodes), seconds}))
      : t("seconds", {seconds}));
    if (this.columns !== columns.join()) { // a word under the pointer stays
      this.columns = columns.join();
      this.body.replaceChildren(el("table", null,
        el("thead", null, el("tr", null, el("th", {scope: "col"}, t("search.move")),
          columns.map((name) => el("th", {scope: "col"}, term(name, t(`search.${name}`)))))),
        this.rows));
    }
    this.rows.replaceChildren(...info.lines.slice(0, ROWS).map((line) => this.row(line, most, visited)));
    forgetTerm();
  }

  /**
   * @param {Info["lines"][number]} line
   * @param {number} most visits of a move
   * @param {boolean} visited whether any move has visits
   */
  row(line, most, visited) {
    const later = line.names.slice(1).map(moveText).join(" "); // more than the width may show
    return el("tr", null,
      el("th", {scope: "row"}, moveText(line.names[0])),
      visited ? el("td", null, bar(line.visits / most, number(line.visits), "visits")) : null,
      el("td", null, visited && !line.visits ? null
        : bar(line.value, valueText(line), "value")),
      line.prior === null ? null : el("td", null, bar(line.prior, percent(line.prior), "prior")),
      el("td", {class: "variation", title: later}, later));
  }
}
