// @ts-check
// After two passes: which stones are dead, and what the board then comes to.
import {announce, el} from "hansu/dom.js";
import {playerName} from "hansu/player_name.js";
import {colorName} from "hansu/result.js";
import {number, t} from "hansu/words.js";

/**
 * @typedef {object} AgreementFacts
 * @property {string[]} stones
 * @property {string[]} dead
 * @property {number} lead
 * @property {boolean} accepted
 * @property {boolean} resumed
 *
 * @typedef {import("hansu/game.js").State} State
 */

export class Agreement {
  /** @param {(wish: import("hansu/server.js").Message) => void} say */
  constructor(say) {
    this.said = "";
    this.score = el("p", {class: "score"});
    this.refusal = el("p", {class: "bad", id: "refusal"});
    const button = (/** @type {string} */ type, /** @type {string} */ kind) =>
      el("button", {id: `do-${type}`, class: kind, onclick: () => say({type})}, t(`agreement.${type}`));
    this.agree = button("agree", "main");
    this.count = button("count", "");
    this.buttons = el("div", {class: "controls"}, this.agree, button("play_on", ""), this.count);
    this.root = el("section", {class: "agreement", hidden: true, "aria-label": t("agreement.title")},
      el("h2", null, t("agreement.title")), el("p", {class: "soft"}, t("agreement.about")),
      this.score, this.refusal, this.buttons);
  }

  /**
   * @param {State} state
   * @param {boolean} may whether this visitor decides; others spectate
   */
  show(state, may) {
    const {agreement} = state;
    const shown = this.root.hidden;
    this.root.hidden = !agreement;
    if (!agreement) return;
    const opponent = [state.white, state.black].find((name) => name !== "human");
    this.score.textContent = leadText(state, agreement);
    this.refusal.textContent = t("agreement.refused", {name: playerName(opponent ?? "")});
    this.refusal.hidden = agreement.accepted;
    this.buttons.hidden = !may;
    this.agree.disabled = !agreement.accepted;
    this.count.hidden = !agreement.resumed;
    const now = [agreement.dead.join(), agreement.accepted].join();
    if (now !== this.said || shown) {
      announce([shown ? t("agreement.title") : "", deadText(agreement.dead), this.score.textContent,
        agreement.accepted ? "" : this.refusal.textContent].filter(Boolean).join(". "));
    }
    this.said = now;
  }
}

/** @param {string[]} dead */
function deadText(dead) {
  return dead.length ? t("agreement.dead", {stones: dead.join(" ")}) : t("agreement.none");
}

/** @param {State} state @param {AgreementFacts} agreement */
function leadText(state, {lead}) {
  const [white, black] = state.tally.area;
  const values = {black: number(black, 1), white: number(white, 1), margin: number(Math.abs(lead), 1),
    color: colorName(lead > 0 ? "black" : "white", state.name)};
  return t(lead ? "agreement.lead" : "agreement.even", values);
}

/**
 * What a cell is called while dead stones are agreed on.
 * @param {AgreementFacts} agreement
 */
export function vitality(agreement) {
  const [stones, dead] = [new Set(agreement.stones), new Set(agreement.dead)];
  return (/** @type {string} */ name) =>
    (stones.has(name) ? t(dead.has(name) ? "cell.dead" : "cell.alive") : "");
}
