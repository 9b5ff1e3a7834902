// @ts-check
// The root's moves as bars: visits, value and prior, each with the variation that follows.
import {bar, el} from "hansu/dom.js";
import {term} from "hansu/term.js";
import {exactPercent, number, t} from "hansu/words.js";

const ROWS = 10;

/** @typedef {import("hansu/viewer/viewer.js").Info} Info */
/** @typedef {import("hansu/viewer/viewer.js").Line} Line */

export class Moves {
  /** @param {(line: Line) => void} choose */
  constructor(choose) {
    this.choose = choose;
    this.all = false;
    /** @type {string | null} */
    this.chosen = null;
    /** @type {Info | null} */
    this.info = null;
    this.columns = ""; // that the table has
    this.rows = el("tbody");
    this.table = el("table");
    this.more = el("div");
    this.body = el("div", {class: "sv-scroll"}, this.table, this.more);
    this.root = el("section", {class: "sv-card sv-moves"}, el("h3", null, t("viewer.moves")),
      this.body, el("p", {class: "sv-note"}, t("viewer.moves.note")));
  }

  /** @param {Info} info */
  show(info) {
    this.info = info;
    const most = Math.max(1, ...info.lines.map((line) => line.visits));
    const visited = info.lines.some((line) => line.visits);
    const hasPrior = info.lines.some((line) => line.prior !== null);
    const columns = ["move", ...(visited ? ["visits"] : []), "value", ...(hasPrior ? ["prior"] : [])];
    const lines = this.all ? info.lines : info.lines.slice(0, ROWS);
    const rows = lines.map((line) => el("tr", {"aria-current": line.move === this.chosen,
      onclick: () => this.choose(line)},
      el("th", {scope: "row"}, el("button", {type: "button"}, line.move)),
      visited ? el("td", null, bar(line.visits / most, number(line.visits), "sv-visits")) : null,
      el("td", null, visited && !line.visits ? null
        : bar(line.value, exactPercent(line.value) + (line.proved ? ` ${t("viewer.moves.proved")}` : ""),
          "sv-value")),
      line.prior !== null ? el("td", null, bar(line.prior, exactPercent(line.prior), "sv-prior")) : null,
      el("td", {class: "sv-line"}, line.variation.slice(1).join(" "))));
    const more = info.lines.length - lines.length;
    if (this.columns !== columns.join()) { // a word under the pointer stays
      this.columns = columns.join();
      this.table.replaceChildren(el("thead", null, el("tr", null, columns.map((name) =>
        el("th", {scope: "col"}, name === "move" ? t("viewer.moves.move")
          : term(name, t(`viewer.moves.${name}`)))),
      el("th", {scope: "col", class: "sv-line"}, term("line", t("viewer.moves.line"))))), this.rows);
    }
    this.rows.replaceChildren(...rows);
    this.more.replaceChildren(
      ...(more > 0 ? [el("button", {type: "button", onclick: () => this.open()},
        t("viewer.moves.all", {count: info.lines.length}))] : []));
  }

  open() {
    this.all = true;
    if (this.info) this.show(this.info);
  }

  /** @param {string} move */
  mark(move) {
    this.chosen = move;
    for (const row of this.body.querySelectorAll("tbody tr")) {
      row.setAttribute("aria-current", String(row.querySelector("button")?.textContent === move));
    }
  }
}
