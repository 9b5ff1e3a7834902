// @ts-check
// What one can do in a game: take back, ask for a hint, pass, resign, save and so on.
import {askWhether} from "hansu/chooser.js";
import {el} from "hansu/dom.js";
import {icon} from "hansu/icons.js";
import {copyLink, formatName} from "hansu/share.js";
import {number, t} from "hansu/words.js";

const SPEEDS = [0, 0.25, 0.5, 1, 2, 5];

/**
 * @typedef {import("hansu/game.js").State} State
 * @typedef {import("hansu/game.js").Color} Color
 */

export class Controls {
  /** @param {import("hansu/game.js").Game} game */
  constructor(game) {
    this.game = game;
    this.shown = "";
    this.root = el("div", {class: "controls", role: "toolbar", "aria-label": t("controls")});
  }

  /** @param {Record<string, unknown> & {type: string}} wish */
  say(wish) { this.game.line.say(wish); }

  /** @param {State} state @param {Color[]} people */
  show(state, people) {
    const {game} = this;
    const {may, mine, look} = game;
    const pass = game.pass();
    const over = Boolean(state.outcome || state.agreement || !state.moves.length);
    const now = JSON.stringify([may, people, over, mine, pass, look.area, look.turn !== null,
      !state.played.length, state.paused, state.delay, Boolean(state.outcome), game.opened,
      game.study?.annotated]);
    if (this.shown === now) return; // a button under the finger stays
    this.shown = now;
    const focus = document.activeElement?.id;
    this.root.replaceChildren(...this.buttons(state, people, over).flatMap((part) => part || []));
    const same = focus ? document.getElementById(focus) : null;
    if (same && this.root.contains(same)) same.focus();
  }

  /** @param {State} state @param {Color[]} people @param {boolean} over */
  buttons(state, people, over) {
    const {game} = this;
    const {may, mine, look} = game;
    const pass = game.pass();
    const live = look.turn === null;
    const plain = (/** @type {string} */ type) => () => this.say({type});
    return [
      ...(state.outcome ? this.next(state) : []),
      may && people.length && button("undo", "undo", plain("undo"), !state.played.length),
      may && people.length && button("hint", "hint", plain("hint"), !mine || over || !live),
      may && people.length && (pass || this.facts(state).passes)
        && button(pass?.text ?? "pass", "pass", () => this.say({type: "move", move: pass?.text}),
          !mine || !pass || !live),
      may && people.length && !game.study && !state.outcome && button("resign", "resign",
        () => askWhether(t("resign.sure"), t("resign"), plain("resign")), over),
      button("flip", "flip", () => game.flip()),
      "area" in state.tally && button("area", "area", () => {
        look.area = !look.area; game.sayLook(); }, over, look.area),
      may && !people.length && this.pace(state),
      this.save(state),
      el("a", {class: "button", href: ["#/watch", "#/play", "#/analysis"][people.length]},
        icon("add"), t("new_game")),
    ];
  }

  /**
   * What comes after a game.
   * @param {State} state
   */
  next(state) {
    const {game} = this;
    const again = game.may && Boolean(game.opened?.white) !== Boolean(game.opened?.black);
    return [
      again ? el("button", {class: "main", onclick: () => game.rematch()},
        t("rematch")) : null,
      state.played.length ? el("a", {class: "button", href: `${this.replay()}&review=1`},
        t("review.title")) : null,
    ];
  }

  replay() {
    return `#/replay?from=${encodeURIComponent(`/api/tables/${this.game.id}/record/jsonl`)}`;
  }

  /** @param {State} state */
  facts(state) {
    const found = this.game.offer.games.find((game) => game.name === state.name);
    return found ?? {passes: false, formats: ["jsonl"]};
  }

  /** @param {State} state */
  pace(state) {
    const say = (/** @type {Record<string, unknown>} */ change) =>
      this.say({type: "pace", paused: state.paused, delay: state.delay, ...change});
    return el("span", {class: "pace"},
      button(state.paused ? "go_on" : "pause", state.paused ? "play" : "pause",
        () => say({paused: !state.paused}), Boolean(state.outcome)),
      el("label", null, t("speed"), el("select", {id: "speed",
        onchange: (/** @type {Event} */ event) =>
          say({delay: Number(/** @type {HTMLSelectElement} */ (event.target).value)})},
      SPEEDS.map((s) => el("option", {value: s, selected: s === state.delay},
        s ? t("speed.seconds", {seconds: number(s, 2)}) : t("speed.full"))))));
  }

  /** @param {State} state */
  save(state) {
    const {id} = this.game;
    return el("details", {class: "menu"},
      el("summary", {class: "button"}, icon("save"), t("save")),
      el("div", {class: "list"},
        this.facts(state).formats.map((format) => el("a", {download: true,
          href: `/api/tables/${id}/record/${format}`},
        formatName(format, this.game.offer, Boolean(this.game.study?.annotated)))),
        el("a", {href: this.replay()}, t("replay_this")),
        el("button", {onclick: () => copyLink(`/table/${id}`)}, t("share"))));
  }
}

/**
 * @param {string} name
 * @param {import("hansu/icons.js").Sign} sign
 * @param {() => void} act
 * @param {boolean} [off]
 * @param {boolean | null} [pressed]
 */
function button(name, sign, act, off = false, pressed = null) {
  return el("button", {id: `do-${name}`, onclick: act, disabled: off, "aria-pressed": pressed},
    icon(sign), t(name));
}
