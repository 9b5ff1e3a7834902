// @ts-check
// On a board without opponent: analyse the position with any agent, or with several side by side.
import {el, kept} from "hansu/dom.js";
import {heatMap} from "hansu/heat_map.js";
import {expected, ownershipMap} from "hansu/ownership_map.js";
import {Picker, agentsFor} from "hansu/picker.js";
import {Search} from "hansu/search.js";
import {term} from "hansu/term.js";
import {number, t} from "hansu/words.js";

const SECONDS = [1, 3, 10, 30, 60];
const REST = 200; // milliseconds after a move before points are counted

export class Analysis {
  /**
   * @param {import("hansu/picker.js").Offer} offer
   * @param {string} game
   * @param {(wish: import("hansu/server.js").Message) => boolean} say whether it was sent
   * @param {(search: number | null) => void} open a search to look into
   * @param {import("hansu/board.js").Board} board
   * @param {() => void} begun is told that an analysis begins
   */
  constructor(offer, game, say, open, board, begun) {
    this.say = say;
    this.open = open;
    this.board = board;
    /** @type {import("hansu/ownership_map.js").Owners | null} */
    this.counted = null; // of the position on the board
    /** @type {import("hansu/search.js").Info | null} */
    this.found = null; // by the first agent, of that position
    this.begun = begun;
    this.picker = new Picker(t("analysis.who"),
      agentsFor(offer, game), [], "engine", "analyst");
    this.seconds = el("select", {id: "analysis-seconds"}, SECONDS.map((s) =>
      el("option", {value: s, selected: s === 3}, t("seconds", {seconds: number(s)}))),
    el("option", {value: ""}, t("analysis.unlimited")));
    this.always = el("input", {type: "checkbox", id: "always"});
    this.heat = remembered("heat", () => this.showHeat(this.found));
    this.owners = remembered("owners", () => this.askOwners());
    this.points = el("p", {class: "soft", "aria-live": "polite"});
    const hasOwners = offer.games.find((each) => each.name === game)?.agrees;
    this.position = el("textarea", {id: "position-now", rows: 2, readonly: true,
      "aria-label": t("position.now")});
    /** @type {Map<string, Search>} */
    this.beside = new Map(); // what further agents have found
    this.besides = el("div", {class: "besides"});
    this.first = ""; // the agent whose search the page shows beside the board
    this.root = el("section", {class: "analysis", "aria-label": t("analysis.title")},
      this.picker.root,
      el("div", {class: "row"},
        el("label", {class: "field"}, el("span", null, t("analysis.seconds")), this.seconds),
        el("div", null,
          el("label", {class: "switch"}, this.always, el("span", null, t("analysis.always"))),
          el("div", {class: "explained"}, el("label", {class: "switch"}, this.heat,
            el("span", null, t("analysis.heat"))), term("heat", "?")),
          hasOwners ? el("div", {class: "explained"}, el("label", {class: "switch"}, this.owners,
            el("span", null, t("analysis.owners"))), term("owners", "?")) : null)),
      this.points,
      el("div", {class: "controls"},
        el("button", {id: "analyse", class: "main", onclick: () => this.begin()},
          t("analysis.look")),
        el("button", {id: "beside", onclick: () => this.begin(true)}, t("analysis.beside")),
        el("button", {id: "stop", onclick: () => say({type: "stop"})}, t("analysis.stop"))),
      this.position, this.besides);
  }

  /** @param {boolean} [beside] the analyses in progress */
  begin(beside = false) {
    const seconds = this.seconds.value ? Number(this.seconds.value) : null;
    const isSent = this.say({type: "analyze", agent: this.picker.value(), seconds, beside});
    if (beside || !isSent) return; // without a line, what was found stays
    this.clear();
    this.begun();
  }

  /** Ask who is likely to own which point, once the board has come to rest. */
  askOwners() {
    clearTimeout(this.resting);
    this.counted = null;
    this.points.textContent = "";
    if (this.owners.checked) this.resting = setTimeout(() => this.say({type: "owners"}), REST);
    else ownershipMap(this.board, null);
  }

  /**
   * @param {{played: string[], node?: number} | null} state
   * @param {import("hansu/ownership_map.js").Owners} owners perhaps of another position
   */
  showOwners(state, owners) {
    const isHere = owners.turn === state?.played.length && owners.node === state.node;
    if (!this.owners.checked || !isHere) return;
    this.counted = owners;
    ownershipMap(this.board, owners);
    const {black, white} = expected(owners);
    this.points.textContent = t("analysis.owners.sum",
      {black: number(black, 1), white: number(white, 1)});
  }

  /** @param {import("hansu/search.js").Info | null} found what is known of the position shown */
  showHeat(found) {
    this.found = found;
    heatMap(this.board, this.heat.checked ? found : null);
  }

  clear() {
    this.beside.clear();
    this.besides.replaceChildren();
    this.first = "";
  }

  /**
   * Take what a further agent has found; false if it is the first one's.
   * @param {{who?: string, id: number | null, info: import("hansu/search.js").Info}} said
   */
  take({who = "", id, info}) {
    if (!this.first || who === this.first) {
      this.first = who;
      return false;
    }
    let panel = this.beside.get(who);
    if (!panel) {
      panel = new Search(this.open, true, undefined, who);
      this.beside.set(who, panel);
      this.besides.append(panel.root);
    }
    panel.show(info, id);
    return true;
  }

  /**
   * The board has changed.
   * @param {{position: string, outcome: unknown}} state
   * @param {boolean} moved
   */
  follow(state, moved) {
    this.position.value = state.position;
    if (moved) this.clear();
    this.showHeat(moved ? null : this.found); // the board was drawn anew
    if (this.owners.checked && (moved || !this.counted)) this.askOwners();
    else if (this.counted) ownershipMap(this.board, this.counted);
    if (moved && this.always.checked && !state.outcome) this.begin();
  }
}

/**
 * A switch that is as it was left, also when the page is shown again.
 * @param {string} name
 * @param {() => void} changed
 */
function remembered(name, changed) {
  const box = el("input", {type: "checkbox", id: name, checked: kept.get(name) === "on",
    onchange: () => { kept.set(name, box.checked ? "on" : "off"); changed(); }});
  return box;
}
