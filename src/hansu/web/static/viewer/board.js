// The board, and the way from the searched position to what it shows, to be walked along.
import {button, el} from "./element.js";

const KEPT = 300;  // pictures

export class Board {
  constructor(words, source) {
    [this.words, this.source] = [words, source];
    [this.walk, this.ply] = [[], 0];
    this.pictures = new Map();
    this.picture = el("div", {class: "sv-board"});
    this.mirrors = [];  // small copies, where the board itself may be out of sight
    this.caption = el("p", {class: "sv-caption", "aria-live": "polite"});
    this.chips = el("ol", {class: "sv-walk", "aria-label": words.t("walk")});
    const step = (key, sign, to) => button(words.t(key), sign, () => this.go(to()));
    this.controls = el("div", {class: "sv-controls", role: "group"},
      step("walk.first", "|◀", () => 0), step("walk.back", "‹", () => this.ply - 1),
      step("walk.on", "›", () => this.ply + 1), step("walk.last", "▶|", () => this.walk.length));
    this.root = el("section", {class: "sv-card sv-place", "aria-label": words.t("board")},
      this.picture, this.controls, this.caption, this.chips);
  }

  show(info) {
    this.turn = info.turn;
    this.pictures.clear();
    this.go(this.ply);
  }

  // Walk along some moves, standing after the first few of them.
  async follow(walk, ply) {
    this.walk = walk;
    await this.go(ply);
  }

  async go(ply) {
    this.ply = Math.max(0, Math.min(this.walk.length, ply));
    this.draw();
    const moves = this.walk.slice(0, this.ply);
    const picture = await this.ask(moves);
    if (moves.length !== this.ply || moves.some((move, i) => move !== this.walk[i])) return;
    for (const place of [this.picture, ...this.mirrors]) {
      if (picture) place.innerHTML = picture;  // hansu's own drawing
      else place.replaceChildren(el("p", {class: "sv-note"}, this.words.t("board.absent")));
    }
  }

  mirror() {
    const made = el("div", {class: "sv-board sv-mirror", "aria-hidden": "true"});
    this.mirrors.push(made);
    return made;
  }

  async ask(moves) {
    const key = moves.join("\n");
    if (!this.pictures.has(key)) {
      if (this.pictures.size >= KEPT) this.pictures.delete(this.pictures.keys().next().value);
      this.pictures.set(key, await this.source.board(moves));
    }
    return this.pictures.get(key);
  }

  draw() {
    const {words, walk, ply} = this;
    const other = this.turn === "white" ? "black" : "white";
    const who = words.color(ply % 2 ? other : this.turn);
    this.caption.textContent = (ply ? words.t("board.after", {moves: walk.slice(0, ply).join(" ")})
      : words.t("board.root")) + " · " + words.t("board.to_move", {who});
    this.chips.replaceChildren(...[words.t("walk.start"), ...walk].map((text, i) => el("li", null,
      el("button", {type: "button", "aria-current": i === ply ? "step" : null,
        onclick: () => this.go(i)}, text))));
    const [first, back, on, last] = this.controls.children;
    first.disabled = back.disabled = ply === 0;
    on.disabled = last.disabled = ply === walk.length;
  }
}
