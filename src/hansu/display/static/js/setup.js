// @ts-check
// Choosing: which game under which rules, against whom, on what clock, from where.
import {BoardEditor} from "hansu/board_editor.js";
import {complain, el, kept} from "hansu/dom.js";
import {Opponent} from "hansu/opponent.js";
import {Fields, Picker, agentsFor} from "hansu/picker.js";
import {colorName} from "hansu/result.js";
import {ask, messageOf} from "hansu/server.js";
import {helpField} from "hansu/teaching.js";
import {number, t} from "hansu/words.js";

/** @type {[number | null, number][]} */
const CLOCKS = [[null, 0], [60, 0], [180, 2], [300, 0], [600, 5], [1800, 0]];
const REPLY = 0.4; // seconds before an opponent's move at least: one sees one's own first
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
    /** @type {Opponent | null} */
    this.opponent = null;
    this.specific = el("div", {class: "specific"});
    this.more = el("div");
    this.about = el("p", {class: "about"});
    this.go = el("button", {class: "main", type: "submit"}, t(`${kind}.begin`));
    this.rules = new Fields("rule", this.game.rules, this.game.name);
    this.position = el("textarea");
    this.form = this.build();
    this.root.replaceChildren(wish.has("begin") ? this.waiting() : this.form);
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
    el("div", {class: "chosen-game"},
      el("fieldset", {class: "cards"}, el("legend", null, t("game")),
        this.offer.games.map((game) => this.card(game))), this.about),
    el("div", {class: "choices-of-game"}, this.specific, el("div", null, this.go), this.more));
  }

  // The board's place, until the server has laid it.
  waiting() {
    const {name} = this.game;
    return el("div", {class: "game waiting"}, el("h1", {class: "unseen"}, t("table.title")),
      el("div", {class: "table"}, el("div", {class: "board empty", "aria-busy": true})),
      el("div", {class: "side"}, el("p", {class: "status", role: "status"}, t("begins")),
        el("p", null, t(`about.${name}`))));
  }

  /** @param {import("hansu/picker.js").GameOffer} game */
  card(game) {
    const chosen = game === this.game;
    return el("label", {class: "card"},
      el("input", {type: "radio", name: "game", value: game.name, checked: chosen,
        onchange: () => { this.game = game; this.wish = new URLSearchParams(); this.showSpecific(); }}),
      el("img", {loading: "lazy", src: `/api/boards/${game.name}.svg`, alt: "", width: 96, height: 96}),
      el("span", null, t(`game.${game.name}`)));
  }

  // What depends on the game.
  showSpecific() {
    const {game, kind} = this;
    kept.set("game", game.name);
    this.rules = new Fields("rule", game.rules, game.name);
    this.position = el("textarea", {id: "position", rows: 3, spellcheck: "false",
      placeholder: t(`position.${game.name}`)});
    this.position.value = this.wish.get("position") || "";
    this.about.replaceChildren(t(`about.${game.name}`), " ",
      el("a", {href: `#/rules/${game.name}`}, t("rules.title")));
    const think = this.select("think", THINK.map((s) => [s, t("seconds", {seconds: number(s, 1)})]),
      kept.get("think") || (kind === "watch" ? 0.3 : 1));
    const clock = this.select("clock", CLOCKS.map(([seconds, increment], i) =>
      [i, clockName(seconds, increment)]), kind === "watch" ? 0 : kept.get("clock") || 0);
    this.opponent = kind === "play"
      ? new Opponent(this.offer, game, this.wish.get("agent"), think) : null;
    this.pickers = kind === "watch" ? ["white", "black"].map((seat) =>
      new Picker(colorName(seat, game.name), agentsFor(this.offer, game.name), this.offer.files,
        this.wish.get(seat), seat)) : [];
    this.specific.replaceChildren(
      ...this.pickers.map((picker) => picker.root),
      ...(this.opponent ? [this.opponent.choice, this.colors(), clock, helpField()] : []),
      ...(kind === "watch" ? [el("div", {class: "row"}, clock, think)] : []));
    this.more.replaceChildren(
      ...(this.opponent ? [this.opponent.advanced] : []),
      ...(game.rules.length || game.agrees ? [el("details", null, el("summary", null, t("rules")),
        game.agrees && kind !== "watch" ? el("label", {class: "switch"},
          el("input", {type: "checkbox", name: "agreement", checked: true}),
          el("span", null, t("agreement.wanted"))) : null, this.rules.root)] : []),
      el("details", {open: kind === "analysis" || Boolean(this.position.value)},
        el("summary", null, t("position")),
        el("label", {for: "position"}, t("position.about")), this.position),
      ...(kind === "analysis" && game.pieces.length
        ? [new BoardEditor(game, () => this.rules.values(), this.position).root] : []));
    this.rules.set(this.wish.get("rules") ?? kept.get(`rules:${game.name}`));
  }

  colors() {
    const last = this.wish.get("color") || kept.get("color") || "first";
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

  /**
   * The next game begins with the same choices; where that one was asked for, they are not the
   * visitor's own.
   * @param {FormDataEntryValue | null} color
   */
  remember(color) {
    if (this.wish.has("begin")) return;
    this.opponent?.remember();
    if (color) kept.set("color", color === this.game.first ? "first" : String(color));
    kept.set(`rules:${this.game.name}`, Object.entries(this.rules.values())
      .map(([name, value]) => `${name}=${value}`).join(","));
  }

  async begin() {
    const data = new FormData(this.form);
    const [seconds, increment] = CLOCKS[Number(data.get("clock") || 0)];
    const one = this.opponent?.value() ?? this.pickers[0]?.value();
    const two = this.pickers[1]?.value();
    let color = data.get("color");
    this.remember(color);
    if (color === "random") color = Math.random() < 0.5 ? "white" : "black";
    const seats = {play: color === "white" ? {black: one} : {white: one},
      watch: {white: one, black: two}, analysis: {}}[this.kind];
    const wanted = {
      game: this.game.name, rules: this.rules.values(), position: this.position.value, ...seats,
      clock: {seconds, increment}, think: Number(data.get("think") || 1),
      delay: Number(this.wish.get("delay") ?? (this.kind === "watch" ? 0.5 : REPLY)),
      help: data.get("help") ?? "none",
      agreement: !this.game.agrees || this.kind === "watch" || data.has("agreement"),
    };
    this.go.disabled = true;
    this.go.textContent = t("begins");
    try {
      const table = await ask("/api/tables", wanted);
      if (!this.closed) this.opened(table); // the visitor has not left this page
    } catch (error) {
      if (this.closed) return;
      complain(messageOf(error));
      this.root.replaceChildren(this.form);
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
