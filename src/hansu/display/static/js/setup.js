// @ts-check
// Choosing: which game under which rules, against whom, on what clock, from where.
import {BoardEditor} from "hansu/board_editor.js";
import {complain, el, kept} from "hansu/dom.js";
import {Fields, Picker, agentsFor} from "hansu/picker.js";
import {colorName} from "hansu/result.js";
import {ask, messageOf} from "hansu/server.js";
import {helpField} from "hansu/teaching.js";
import {number, t} from "hansu/words.js";

/** @type {[number | null, number][]} */
const CLOCKS = [[null, 0], [60, 0], [180, 2], [300, 0], [600, 5], [1800, 0]];
const THINK = [0.1, 0.3, 1, 3, 10];

export class Setup {
  /**
   * @param {Element} root
   * @param {"play" | "watch" | "analysis"} kind against an agent, two agents, with nobody
   * @param {import("hansu/picker.js").Offer} offer
   * @param {URLSearchParams} wish
   * @param {(table: {id: string, key: string}) => void} opened
   */
  constructor(root, kind, offer, wish, opened) {
    this.root = root;
    this.kind = kind;
    this.offer = offer;
    this.wish = wish;
    this.opened = opened;
    this.closed = false;
    /** @type {Picker[]} */
    this.pickers = [];
    const name = wish.get("game") || kept.get("game") || offer.games[0].name;
    this.game = offer.games.find((game) => game.name === name) || offer.games[0];
    this.specific = el("div", {class: "specific"});
    this.go = el("button", {class: "main", type: "submit"}, t(`${kind}.begin`));
    this.rules = new Fields("rule", this.game.rules, this.game.name);
    this.position = el("textarea");
    this.form = this.build();
    this.root.replaceChildren(this.form);
    this.showSpecific();
    if (wish.has("begin")) this.begin();
  }

  close() { this.closed = true; }

  build() {
    const {kind} = this;
    return el("form", {class: `setup ${kind}`, onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.begin();
    }},
    el("header", null, el("h1", null, t(`${kind}.title`)),
      el("p", {class: "soft"}, t(`${kind}.about`))),
    el("fieldset", {class: "cards"}, el("legend", null, t("game")),
      this.offer.games.map((game) => this.card(game))),
    this.specific, el("div", null, this.go));
  }

  /** @param {import("hansu/picker.js").GameOffer} game */
  card(game) {
    const chosen = game === this.game;
    return el("label", {class: "card"},
      el("input", {type: "radio", name: "game", value: game.name, checked: chosen,
        onchange: () => { this.game = game; this.wish = new URLSearchParams(); this.showSpecific(); }}),
      el("img", {src: `/api/boards/${game.name}.svg`, alt: "", width: 96, height: 96}),
      el("span", null, t(`game.${game.name}`)));
  }

  // What depends on the game.
  showSpecific() {
    const {game, kind} = this;
    kept.set("game", game.name);
    const able = agentsFor(this.offer, game.name, kind === "play");
    this.rules = new Fields("rule", game.rules, game.name);
    this.position = el("textarea", {id: "position", rows: 3, spellcheck: "false",
      placeholder: t(`position.${game.name}`)});
    this.position.value = this.wish.get("position") || "";
    const both = kind === "watch";
    const pick = (/** @type {string} */ label, /** @type {string} */ seat) =>
      new Picker(label, able, this.offer.files, this.wish.get(seat), seat);
    this.pickers = kind === "play" ? [pick(t("opponent"), "agent")]
      : both ? ["white", "black"].map((seat) => pick(colorName(seat, game.name), seat)) : [];
    this.specific.replaceChildren(
      ...this.pickers.map((picker) => picker.root),
      ...(kind === "play" ? [this.colors()] : []),
      ...(kind === "analysis" ? [] : [el("div", {class: "row"},
        this.select("clock", CLOCKS.map(([seconds, increment], i) => [i, clockName(seconds, increment)]),
          both ? 0 : kept.get("clock") || 0),
        this.select("think", THINK.map((s) => [s, t("seconds", {seconds: number(s, 1)})]),
          kept.get("think") || (both ? 0.3 : 1)))]),
      ...(kind === "play" ? [helpField()] : []),
      ...(game.agrees && kind !== "watch" ? [el("label", {class: "switch"},
        el("input", {type: "checkbox", name: "agreement", checked: true}),
        el("span", null, t("agreement.wanted")))] : []),
      ...(game.rules.length ? [el("details", null, el("summary", null, t("rules")),
        this.rules.root)] : []),
      el("details", {open: kind === "analysis" || Boolean(this.position.value)},
        el("summary", null, t("position")),
        el("label", {for: "position"}, t("position.about")), this.position),
      ...(kind === "analysis" && game.pieces.length
        ? [new BoardEditor(game, () => this.rules.values(), this.position).root] : []));
    this.rules.set(this.wish.get("rules"));
  }

  colors() {
    const last = this.wish.get("color") || "first";
    const {first} = this.game;
    const names = {white: colorName("white", this.game.name),
      black: colorName("black", this.game.name), random: t("color.random")};
    const checked = last === "first" ? first : last;
    return el("fieldset", {class: "choice"}, el("legend", null, t("color")),
      Object.entries(names).map(([value, name]) => el("label", null,
        el("input", {type: "radio", name: "color", value, checked: value === checked}),
        el("span", null, name, value === first ? ` · ${t("color.begins")}` : ""))));
  }

  /**
   * @param {string} name
   * @param {[number, string][]} choices
   * @param {string | number} chosen
   */
  select(name, choices, chosen) {
    return el("label", {class: "field"}, el("span", null, t(name)),
      el("select", {name, onchange: (/** @type {Event} */ event) =>
        kept.set(name, /** @type {HTMLSelectElement} */ (event.target).value)},
        choices.map(([value, text]) => el("option",
          {value, selected: String(value) === String(chosen)}, text))));
  }

  async begin() {
    const data = new FormData(this.form);
    const [seconds, increment] = CLOCKS[Number(data.get("clock") || 0)];
    const [one, two] = this.pickers.map((picker) => picker.value());
    let color = data.get("color");
    if (color === "random") color = Math.random() < 0.5 ? "white" : "black";
    const seats = {play: color === "white" ? {black: one} : {white: one},
      watch: {white: one, black: two}, analysis: {}}[this.kind];
    const wanted = {
      game: this.game.name, rules: this.rules.values(), position: this.position.value, ...seats,
      clock: {seconds, increment}, think: Number(data.get("think") || 1),
      delay: this.kind === "watch" ? 0.5 : 0, help: data.get("help") ?? "none",
      agreement: !this.game.agrees || this.kind === "watch" || data.has("agreement"),
    };
    this.go.disabled = true;
    this.go.textContent = t("preparing");
    try {
      const table = await ask("/api/tables", wanted);
      if (!this.closed) this.opened(table); // the visitor has not left this page
    } catch (error) {
      if (this.closed) return;
      complain(messageOf(error));
      this.go.disabled = false;
      this.go.textContent = t(`${this.kind}.begin`);
    }
  }
}

/** @param {number | null} seconds @param {number} increment */
function clockName(seconds, increment) {
  if (seconds === null) return t("clock.none");
  return increment ? t("clock.plus", {minutes: seconds / 60, increment})
    : t("clock.minutes", {minutes: seconds / 60});
}
