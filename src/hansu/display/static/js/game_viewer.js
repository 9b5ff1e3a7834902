// @ts-check
// A recorded game to step through by click, key or slider: on the page and in reports.
import {Chart, worst} from "hansu/chart.js";
import {announce, el, signButton} from "hansu/dom.js";
import {colorName, evidenceText, moveText, playerName, resultText} from "hansu/result.js";
import {fixed, number, t} from "hansu/words.js";

const PAUSE = 700; // milliseconds between two moves of a game that plays by itself

/**
 * @typedef {object} Facts
 * @property {string} name of the game
 * @property {string} white
 * @property {string} black
 * @property {string} first the colour that moved first
 * @property {string[]} played
 * @property {number[]} seconds
 * @property {(number | null)[]} values
 * @property {Record<string, [number, number]>[]} tallies
 * @property {import("hansu/result.js").Outcome | null} outcome
 * @property {import("hansu/result.js").Evidence | null} evidence
 * @property {string[]} boards
 *
 * @typedef {{root: HTMLElement, show: (svg: string) => void}} Picture
 *
 * @typedef {object} Wishes
 * @property {Picture} picture where boards are shown
 * @property {(Node | null)[]} [controls]
 * @property {(turn: number) => void} [turned] is told the turn that is shown
 * @property {boolean} [flip]
 */

export class GameViewer {
  /** @param {Facts} facts @param {Wishes} wishes */
  constructor(facts, {picture, controls = [], turned = () => {}, flip = false}) {
    this.facts = facts;
    this.picture = picture;
    this.turned = turned;
    this.flip = flip;
    this.turn = 0;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    this.chart = new Chart((turn) => this.go(turn));
    const last = facts.played.length;
    const step = (/** @type {string} */ key, /** @type {string} */ sign, /** @type {() => number} */ to) =>
      signButton(t(key), sign, () => this.go(to()));
    this.run = signButton(t("replay.run"), "▶", () => this.toggle());
    this.slider = el("input", {type: "range", min: 0, max: last, "aria-label": t("moves"),
      oninput: () => this.go(Number(this.slider.value))});
    this.moves = this.moveList();
    this.bars = {white: this.bar("white"), black: this.bar("black")};
    this.above = el("div");
    this.below = el("div");
    this.seat();
    this.root = el("div", {class: "game", "data-game": facts.name},
      el("div", {class: "table"}, this.above, picture.root, this.below,
        el("div", {class: "stepping", role: "toolbar", "aria-label": t("controls")},
          step("replay.first", "|◀", () => 0), step("replay.back", "‹", () => this.turn - 1),
          this.run, step("replay.forward", "›", () => this.turn + 1),
          step("replay.last", "▶|", () => last), this.slider)),
      el("div", {class: "side"},
        el("p", {class: "status over"}, facts.outcome && resultText(facts.outcome, facts.name),
          evidenceText(facts.evidence)),
        controls.length ? el("div", {class: "controls"}, controls) : null,
        this.moves, this.chart.root));
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    addEventListener("keydown", this.keys);
  }

  close() {
    removeEventListener("keydown", this.keys);
    clearInterval(this.timer);
  }

  moveList() {
    const {facts} = this;
    const costly = new Set(worst(facts.values).map(({i}) => i));
    const seconds = (/** @type {number} */ i) => (facts.seconds[i]
      ? t("seconds", {seconds: fixed(facts.seconds[i], 2)}) : null);
    return el("ol", {class: "moves", "aria-label": t("moves")},
      [t("replay.start"), ...facts.played].map((move, i) => el("li", {
        class: costly.has(i - 1) ? "costly" : null, title: i ? seconds(i - 1) : null},
      el("button", {onclick: () => this.go(i)}, i ? el("span", {class: "no"}, `${i}`) : null,
        el("span", {class: "move"}, moveText(move))))));
  }

  /** @param {"white" | "black"} color */
  bar(color) {
    const {facts} = this;
    const tally = el("span", {class: "tally"});
    return {tally, root: el("div", {class: `player ${color}`, title: colorName(color, facts.name)},
      el("i", {class: "stone"}), el("span", {class: "who"}, el("b", null, playerName(facts[color]))), tally)};
  }

  // Each player on their own side of the board.
  seat() {
    this.above.replaceChildren(this.bars[this.flip ? "white" : "black"].root);
    this.below.replaceChildren(this.bars[this.flip ? "black" : "white"].root);
  }

  /** @param {string[]} boards the same game from the other side */
  turnRound(boards) {
    this.facts = {...this.facts, boards};
    this.flip = !this.flip;
    this.seat();
    this.go(this.turn);
  }

  /** @param {number} turn */
  go(turn) {
    const {facts} = this;
    this.turn = Math.max(0, Math.min(facts.played.length, turn));
    this.picture.show(facts.boards[this.turn]);
    this.slider.value = String(this.turn);
    const items = [...this.moves.children];
    for (const item of items) item.removeAttribute("aria-current");
    const current = /** @type {HTMLElement} */ (items[this.turn]);
    current.setAttribute("aria-current", "step");
    this.moves.scrollTop = current.offsetTop - this.moves.offsetTop - this.moves.clientHeight / 2;
    this.chart.show(facts, this.turn);
    this.showTallies();
    if (this.turn) announce(t("replay.at", {turn: this.turn, move: moveText(facts.played[this.turn - 1])}));
    if (this.turn === facts.played.length && this.timer) this.toggle();
    this.turned(this.turn);
  }

  // What each side has by now, and the time it has used.
  showTallies() {
    const {facts, turn} = this;
    for (const [side, color] of /** @type {const} */ (["white", "black"]).entries()) {
      const own = facts.first === color ? 0 : 1;
      const used = facts.seconds.slice(0, turn).filter((_, i) => i % 2 === own)
        .reduce((a, b) => a + b, 0);
      const told = Object.entries(facts.tallies[turn])
        .map(([what, both]) => `${t(`tally.${what}`)} ${number(both[side], 1)}`);
      if (facts.seconds.some(Boolean)) told.push(t("seconds", {seconds: fixed(used, 1)}));
      this.bars[color].tally.textContent = told.join("  ");
    }
  }

  toggle() {
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = undefined;
    } else {
      if (this.turn === this.facts.played.length) this.go(0);
      this.timer = setInterval(() => this.go(this.turn + 1), PAUSE);
    }
    this.run.textContent = this.timer ? "❚❚" : "▶";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return; // the browser's
    const at = event.target instanceof Element ? event.target : document.body;
    if (at.closest("input, textarea, select, [data-cell]")) return;
    if (event.key === " ") {
      if (at.closest("button, a, summary")) return;
      this.toggle();
    } else {
      const to = {ArrowLeft: this.turn - 1, ArrowRight: this.turn + 1, Home: 0,
        End: this.facts.played.length}[event.key];
      if (to === undefined) return;
      this.go(to);
    }
    event.preventDefault();
  }
}
