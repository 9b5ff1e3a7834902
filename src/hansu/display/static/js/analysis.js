// @ts-check
// On a board without opponent: analyse the position with any agent.
import {el} from "hansu/dom.js";
import {Picker, agentsFor} from "hansu/picker.js";
import {number, t} from "hansu/words.js";

const SECONDS = [1, 3, 10, 30, 60];

export class Analysis {
  /**
   * @param {import("hansu/picker.js").Offer} offer
   * @param {string} game
   * @param {(wish: import("hansu/server.js").Message) => void} say
   */
  constructor(offer, game, say) {
    this.say = say;
    this.picker = new Picker(t("analysis.who"),
      agentsFor(offer, game), [], "engine", "analyst");
    this.seconds = el("select", {id: "analysis-seconds"}, SECONDS.map((s) =>
      el("option", {value: s, selected: s === 3}, t("seconds", {seconds: number(s)}))));
    this.always = el("input", {type: "checkbox", id: "always"});
    this.position = el("textarea", {id: "position-now", rows: 2, readonly: true,
      "aria-label": t("position.now")});
    this.root = el("section", {class: "analysis", "aria-label": t("analysis.title")},
      this.picker.root,
      el("div", {class: "row"},
        el("label", {class: "field"}, el("span", null, t("analysis.seconds")), this.seconds),
        el("label", {class: "switch"}, this.always, el("span", null, t("analysis.always")))),
      el("div", {class: "controls"},
        el("button", {id: "analyse", class: "main", onclick: () => this.begin()},
          t("analysis.look")),
        el("button", {id: "stop", onclick: () => say({type: "stop"})}, t("analysis.stop"))),
      this.position);
  }

  begin() {
    this.say({type: "analyze", agent: this.picker.value(), seconds: Number(this.seconds.value)});
  }

  /**
   * The board has changed.
   * @param {{position: string, outcome: unknown}} state
   * @param {boolean} moved
   */
  follow(state, moved) {
    this.position.value = state.position;
    if (moved && this.always.checked && !state.outcome) this.begin();
  }
}
