// @ts-check
// Questions that are asked over the page: which piece, and whether it is meant.
import {el} from "hansu/dom.js";
import {t} from "hansu/words.js";

/** @typedef {import("hansu/board.js").Move} Move */

/**
 * Choose among moves that differ in the piece they bring: the strongest comes first.
 * @param {Element} root
 * @param {string} game
 * @param {Move[]} moves weakest first, as rules list them
 * @param {(move: Move) => void} choose
 * @param {() => void} ended
 */
export function choosePiece(root, game, moves, choose, ended) {
  const dialog = el("dialog", {class: "chooser", "aria-label": t("promotion")},
    el("p", null, t("promotion")),
    el("div", {class: "choices"}, [...moves].reverse().map((move) => {
      const name = t(`piece.${move.piece}`);
      return el("button", {title: name, onclick: () => { dialog.close(); choose(move); }},
        el("img", {src: piecePicture(game, move.piece ?? ""), alt: name, width: 64, height: 64}));
    })));
  dialog.addEventListener("close", () => { dialog.remove(); ended(); });
  root.append(dialog);
  dialog.showModal();
  const [board, own] = [root, dialog].map((each) => each.getBoundingClientRect());
  dialog.style.left = `${2 * (board.left - own.left) + board.width - own.width}px`; // over the board
}

/** @param {string} game @param {string} piece */
export const piecePicture = (game, piece) =>
  `/api/pieces/${game}/${piece}.svg?pieces=${document.documentElement.dataset.pieces ?? "classic"}`;

/**
 * Ask whether something is meant.
 * @param {string} question
 * @param {string} yes
 * @param {() => void} act
 */
export function askWhether(question, yes, act) {
  const dialog = el("dialog", {class: "question", "aria-label": question},
    el("p", null, question),
    el("div", {class: "choices"},
      el("button", {class: "main", onclick: () => { dialog.close(); act(); }}, yes),
      el("button", {onclick: () => dialog.close()}, t("cancel"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
