// The root's moves as bars: visits, value and prior, each with the variation that follows.
import {bar, el} from "./element.js";

const ROWS = 10;

export class Moves {
  constructor(words, choose) {
    [this.words, this.choose] = [words, choose];
    this.all = false;
    this.chosen = null;
    this.body = el("div", {class: "sv-scroll"});
    this.root = el("section", {class: "sv-card sv-moves"}, el("h3", null, words.t("moves")),
      this.body, el("p", {class: "sv-note"}, words.t("moves.note")));
  }

  show(info) {
    this.info = info;
    const {words} = this;
    const most = Math.max(1, ...info.lines.map((line) => line.visits));
    const visited = info.lines.some((line) => line.visits);
    const guided = info.lines.some((line) => line.prior !== null);
    const columns = ["move", ...(visited ? ["visits"] : []), "value", ...(guided ? ["prior"] : [])];
    const lines = this.all ? info.lines : info.lines.slice(0, ROWS);
    const rows = lines.map((line) => el("tr", {"aria-current": line.move === this.chosen,
      onclick: () => this.choose(line)},
      el("th", {scope: "row"}, el("button", {type: "button"}, line.move)),
      visited ? el("td", null, bar(line.visits / most, words.whole.format(line.visits), "sv-visits")) : null,
      el("td", null, visited && !line.visits ? null
        : bar(line.value, words.share.format(line.value), "sv-value")),
      guided ? el("td", null, bar(line.prior, words.share.format(line.prior), "sv-prior")) : null,
      el("td", {class: "sv-line"}, line.variation.slice(1).join(" "))));
    const head = [...columns.map((name) => el("th", {scope: "col"}, words.t(`moves.${name}`))),
      el("th", {scope: "col", class: "sv-line"}, words.t("moves.line"))];
    const more = info.lines.length - lines.length;
    this.body.replaceChildren(
      el("table", null, el("thead", null, el("tr", null, head)), el("tbody", null, rows)),
      ...(more > 0 ? [el("button", {type: "button", onclick: () => this.open()},
        words.t("moves.all", {count: info.lines.length}))] : []));
  }

  open() {
    this.all = true;
    this.show(this.info);
  }

  mark(move) {
    this.chosen = move;
    for (const row of this.body.querySelectorAll("tbody tr")) {
      row.setAttribute("aria-current", row.querySelector("button").textContent === move);
    }
  }
}
