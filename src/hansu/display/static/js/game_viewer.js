// @ts-check
// A recorded game to step through by click, key or slider: on the page and in reports.
import {Chart, worst} from "hansu/chart.js";
import {announce, el} from "hansu/dom.js";
import {icon, signButton} from "hansu/icons.js";
import {Paths, listTree, markCurrent, moveButton, plainTree} from "hansu/move_tree.js";
import {playerName} from "hansu/player_name.js";
import {colorName, evidenceText, moveText, resultText} from "hansu/result.js";
import {counted, fixed, number, t} from "hansu/words.js";

const PAUSE = 700; // milliseconds between two moves of a game that plays by itself

/**
 * @typedef {object} Facts
 * @property {string} name of the game
 * @property {string} white
 * @property {string} black
 * @property {string} first the colour that moved first
 * @property {string[]} played
 * @property {string[]} [names] of these moves, as people write them
 * @property {import("hansu/move_tree.js").Tree} [tree] with variations, where there are such
 * @property {number[]} seconds
 * @property {(number | null)[]} values
 * @property {Record<string, [number, number]>[]} tallies
 * @property {import("hansu/result.js").Outcome | null} outcome
 * @property {import("hansu/result.js").Evidence | null} evidence
 * @property {string[]} boards of all places
 *
 * @typedef {{root: HTMLElement, show: (svg: string) => void}} Picture
 *
 * @typedef {object} Wishes
 * @property {Picture} picture where boards are shown
 * @property {(Node | null)[]} [controls]
 * @property {(turn: number) => void} [turned] is told the place that is shown
 * @property {boolean} [flip]
 */

export class GameViewer {
  /** @param {Facts} facts @param {Wishes} wishes */
  constructor(facts, {picture, controls = [], turned = () => {}, flip = false}) {
    this.facts = facts;
    this.picture = picture;
    this.turned = turned;
    this.flip = flip;
    this.turn = 0; // the place: a turn of the game, or beyond them one of a variation
    this.paths = new Paths(facts.tree ?? plainTree(facts.names ?? facts.played));
    this.texts = this.paths.tree.played ?? ["", ...facts.played]; // as the game writes them
    /** @type {HTMLElement[]} */
    this.items = [];
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    this.chart = new Chart((turn) => this.go(turn));
    const last = facts.played.length;
    const step = (/** @type {string} */ key, /** @type {import("hansu/icons.js").Sign} */ sign,
      /** @type {() => number} */ to) =>
      signButton(t(key), sign, () => this.go(to()));
    this.run = signButton(t("replay.run"), "play", () => this.toggle());
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
          step("replay.first", "first", () => 0),
          step("replay.back", "back", () => this.paths.tree.parents[this.turn]),
          this.run, step("replay.forward", "forward", () => this.forward()),
          step("replay.last", "last", () => this.paths.last(this.turn)), this.slider)),
      el("div", {class: "side"},
        el("p", {class: "status over"}, facts.outcome && resultText(facts.outcome, facts.name),
          evidenceText(facts.evidence)),
        controls.length ? el("div", {class: "controls"}, controls) : null,
        this.moves, facts.tree?.unshown
          ? el("p", {class: "soft"}, counted("replay.unshown", facts.tree.unshown)) : null,
        this.chart.root));
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    addEventListener("keydown", this.keys);
  }

  close() {
    removeEventListener("keydown", this.keys);
    clearInterval(this.timer);
  }

  moveList() {
    const {facts, paths} = this;
    const costly = new Set(worst(facts.values).map(({i}) => i));
    const seconds = (/** @type {number} */ i) => (facts.seconds[i]
      ? t("seconds", {seconds: fixed(facts.seconds[i], 2)}) : null);
    return el("ol", {class: "moves tree", "aria-label": t("moves")}, listTree(paths, (place) => {
      this.items[place] = el("li", {class: costly.has(place - 1) ? "costly" : null,
        "data-move": place ? this.texts[place] : null,
        title: place && place < paths.tree.main ? seconds(place - 1) : null},
      moveButton(paths, place, () => this.go(place)));
      return this.items[place];
    }));
  }

  forward() { return this.paths.forward(this.turn) ?? this.turn; }

  /** The moves that lead to the board that is shown, as the game writes them. */
  walked() {
    return this.paths.to(this.turn).map((place) => this.texts[place]);
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
    this.turn = Math.max(0, Math.min(facts.boards.length - 1, turn));
    const left = this.paths.leaves(this.turn);
    this.picture.show(facts.boards[this.turn]);
    this.slider.value = String(left);
    markCurrent(this.moves, this.items[this.turn]);
    this.chart.show({...facts, names: this.paths.tree.names.slice(1)}, left);
    this.showTallies();
    if (this.turn) {
      announce(t("replay.at", {turn: this.paths.depth[this.turn],
        move: moveText(this.paths.tree.names[this.turn])}));
    }
    if (this.forward() === this.turn && this.timer) this.toggle();
    this.turned(this.turn);
  }

  // What each side has by now, and the time it has used.
  showTallies() {
    const {facts, turn} = this;
    for (const [side, color] of /** @type {const} */ (["white", "black"]).entries()) {
      const own = facts.first === color ? 0 : 1;
      const used = facts.seconds.slice(0, this.paths.leaves(turn)).filter((_, i) => i % 2 === own)
        .reduce((a, b) => a + b, 0);
      const told = Object.entries(facts.tallies[turn])
        .map(([what, both]) => `${t(`tally.${what}`)} ${number(both[side], 1)}`);
      if (facts.seconds.some(Boolean)) told.push(t("seconds", {seconds: fixed(used, 1)}));
      this.bars[color].tally.replaceChildren(...told.map((each) => el("span", null, each)));
    }
  }

  toggle() {
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = undefined;
    } else {
      if (this.forward() === this.turn) this.go(0);
      this.timer = setInterval(() => this.go(this.forward()), PAUSE);
    }
    this.run.replaceChildren(icon(this.timer ? "pause" : "play"));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const at = event.target instanceof Element ? event.target : document.body;
    if (event.key === " " && !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey) {
      if (at.closest("input, textarea, select, [data-cell], button, a, summary")) return;
      event.preventDefault();
      this.toggle();
    } else {
      const to = this.paths.byKey(event, this.turn);
      if (to !== undefined) this.go(to);
    }
  }
}
