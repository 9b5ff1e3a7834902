// @ts-check
// Choosing an opponent: a level, or for the curious any agent with its options.
import {el, kept} from "hansu/dom.js";
import {Picker, agentsFor} from "hansu/picker.js";
import {levelName} from "hansu/player_name.js";
import {number, t} from "hansu/words.js";

const USUAL = 3; // the level of a first game

export class Opponent {
  /**
   * @param {import("hansu/picker.js").Offer} offer
   * @param {import("hansu/picker.js").GameOffer} game
   * @param {string | null} chosen an agent with its options
   * @param {Node | null} think how long agents may think
   */
  constructor(offer, game, chosen, think) {
    this.levels = game.levels;
    this.memory = `opponent:${game.name}`;
    const last = chosen ?? kept.get(this.memory) ?? this.levels[USUAL - 1].agent;
    const at = this.levels.find((level) => level.agent === last);
    this.level = at ?? this.levels[USUAL - 1];
    this.picker = new Picker(t("opponent"), agentsFor(offer, game.name, true), offer.files,
      at ? null : last, "agent");
    this.about = el("p", {class: "level-name", "aria-live": "polite"});
    this.choice = el("fieldset", {class: "levels"}, el("legend", null, t("level")),
      el("div", {class: "level-row"}, this.levels.map((level) => this.option(level))), this.about);
    this.advanced = el("details", {class: "advanced", open: !at, ontoggle: () => this.show()},
      el("summary", null, t("advanced")), this.picker.root, think);
    this.show();
  }

  /** @param {import("hansu/picker.js").Level} level */
  option(level) {
    return el("label", {title: t(level.name)},
      el("input", {type: "radio", name: "level", value: level.level, checked: level === this.level,
        "aria-label": levelName(level.level), onchange: () => { this.level = level; this.show(); }}),
      el("span", null, `${level.level}`));
  }

  show() {
    const {level} = this;
    this.choice.hidden = this.advanced.open; // one or the other
    this.about.replaceChildren(el("b", null, t(level.name)), level.rating === null ? ""
      : el("span", {class: "soft"}, t("level.rating", {rating: number(level.rating)})));
  }

  /** What the server takes. */
  value() {
    if (this.advanced.open) return this.picker.value();
    const [agent, given] = this.level.agent.split(/:(.*)/s);
    return {agent, options: Object.fromEntries((given ?? "").split(",").filter(Boolean)
      .map((part) => part.split("=")).map(([name, value]) => [name, Number(value)]))};
  }

  /** Remember the choice for the next game. */
  remember() {
    const {agent, options} = this.value();
    const told = Object.entries(options).map(([name, value]) => `${name}=${value}`).join(",");
    kept.set(this.memory, this.advanced.open ? (told ? `${agent}:${told}` : agent)
      : this.level.agent);
  }
}
