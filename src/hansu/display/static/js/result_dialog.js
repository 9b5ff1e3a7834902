// @ts-check
// How the game ended, for who played it: won or lost, why, and what next.
import {el} from "hansu/dom.js";
import {signButton} from "hansu/icons.js";
import {resultText} from "hansu/result.js";
import {t} from "hansu/words.js";

const PAUSE = 900; // milliseconds in which the last move and a winning line can be seen

export class ResultDialog {
  /** @param {HTMLElement} place it appears over */
  constructor(place) {
    this.place = place;
    /** @type {HTMLDialogElement | null} */
    this.dialog = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /**
   * @param {import("hansu/game.js").State} state
   * @param {string | null} seat the colour of the person, if one played against an agent
   * @param {(Node | null)[]} choices
   */
  open(state, seat, choices) {
    this.close();
    const {outcome} = state;
    if (!outcome) return;
    const how = seat ? verdict(outcome.winner, seat) : null;
    const dialog = this.dialog = el("dialog", {class: "outcome", "data-how": how, "aria-label": t("outcome")},
      signButton(t("close"), "close", () => this.close()),
      how ? el("h2", null, t(`outcome.${how}`)) : null,
      el("p", null, resultText(outcome, state.name)),
      el("div", {class: "choices"}, choices));
    dialog.addEventListener("keydown", (event) => { if (event.key === "Escape") this.close(); });
    this.timer = setTimeout(() => { this.place.append(dialog); dialog.show(); }, PAUSE);
  }

  close() {
    clearTimeout(this.timer);
    this.dialog?.remove();
    this.dialog = null;
  }
}

/**
 * @param {string | null} winner
 * @param {string} seat
 * @returns {"won" | "lost" | "drawn"}
 */
export const verdict = (winner, seat) => (!winner ? "drawn" : winner === seat ? "won" : "lost");
