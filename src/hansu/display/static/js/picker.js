// @ts-check
// Choosing an agent or rules: lists and inputs made from what the server offers.
import {el, kept} from "hansu/dom.js";
import {has, ofGame, t} from "hansu/words.js";

/**
 * @typedef {object} Fact an option or a rule
 * @property {string} name
 * @property {string} kind "switch", "choice", "number" or "text"
 * @property {any} default
 * @property {Record<string, any>} [defaults] in games where it has another one
 * @property {string[]} choices
 *
 * @typedef {{name: string, plays: string[], options: Fact[]}} AgentOffer
 *
 * @typedef {{level: number, name: string, rating: number | null, agent: string}} Level an opponent,
 *   its name a key of the dictionary
 *
 * @typedef {object} GameOffer
 * @property {string} name
 * @property {string} first
 * @property {Fact[]} rules
 * @property {boolean} passes
 * @property {boolean} agrees
 * @property {string[]} formats
 * @property {Level[]} levels weakest first
 * @property {string[]} pieces by their names, to set a position up
 *
 * @typedef {object} Offer what the server offers
 * @property {GameOffer[]} games
 * @property {AgentOffer[]} agents
 * @property {string[]} files
 * @property {string[]} variations the formats of records that keep variations and comments
 * @property {Record<string, string>} languages
 * @property {boolean} token
 * @property {boolean} library whether games are kept, and may be listed
 * @property {boolean} competition whether this server shows one, and nothing else
 */

/**
 * The agents that play a game, with the defaults that they have there (and against a person).
 * @param {Offer} offer @param {string} game @param {boolean} [person]
 * @returns {AgentOffer[]}
 */
export function agentsFor(offer, game, person = false) {
  const usual = (/** @type {Fact} */ fact) => ({...fact,
    default: person && fact.name === "resign" ? true : fact.defaults?.[game] ?? fact.default});
  return offer.agents.filter((agent) => agent.plays.includes(game))
    .map((agent) => ({...agent, options: agent.options.map(usual)}));
}

// An agent, weakest first, with its options explained.
export class Picker {
  /**
   * @param {string} label
   * @param {AgentOffer[]} agents
   * @param {string[]} files
   * @param {string | null} chosen
   * @param {string} memory the name under which the browser keeps the choice
   * @param {string} [usual]
   */
  constructor(label, agents, files, chosen, memory, usual = "random") {
    this.agents = agents;
    this.memory = memory;
    this.fields = new Fields("option", [], null);
    const text = chosen || kept.get(memory) || usual;
    const [name, given] = files.includes(text) ? [text] : text.split(/:(.*)/s);
    const known = agents.some((agent) => agent.name === name) || files.includes(name);
    this.about = el("p", {class: "soft"});
    this.options = el("div");
    const option = (/** @type {string} */ value, /** @type {string} */ text) =>
      el("option", {value, selected: value === (known ? name : usual)}, text);
    this.label = el("span", null, label);
    this.list = el("select", {"aria-label": label, onchange: () => this.change()},
      agents.map((agent, i) => option(agent.name, `${i + 1}. ${t(`agent.${agent.name}`)}`)),
      files.length ? el("optgroup", {label: t("own_agents")},
        files.map((file) => option(file, file))) : null);
    this.root = el("div", {class: "picker"}, el("label", {class: "field"}, this.label, this.list),
      this.about, this.options);
    this.change(given);
  }

  /** @param {string | null} [given] */
  change(given = null) {
    const agent = this.agents.find((each) => each.name === this.list.value);
    this.fields = new Fields("option", agent?.options || [], null);
    this.fields.set(given);
    this.about.textContent = agent ? t(`agent.${agent.name}.about`) : t("own_agents.about");
    this.options.replaceChildren(...(agent?.options.length ? [el("details", null,
      el("summary", null, t("options")), this.fields.root)] : []));
    if (agent) kept.set(this.memory, agent.name);
  }

  /**
   * Under another name: it has moved up.
   * @param {string} label
   */
  call(label) {
    this.label.textContent = label;
    this.list.setAttribute("aria-label", label);
  }

  value() { return {agent: this.list.value, options: this.fields.values()}; }
}

// Inputs for options or rules: only what differs from the default is said.
export class Fields {
  /** @param {string} family @param {Fact[]} facts @param {string | null} game */
  constructor(family, facts, game) {
    this.inputs = facts.map((fact) => /** @type {const} */ ([fact, input(fact)]));
    this.root = el("div", {class: "fields"}, this.inputs.map(([fact, field]) =>
      el("label", {class: fact.kind}, el("span", null, ofGame(family, game, fact.name)), field)));
  }

  /**
   * "size=5,komi=0.5", as the command line takes it.
   * @param {string | null} text
   */
  set(text) {
    for (const part of (text || "").split(",").filter(Boolean)) {
      const [name, value] = part.split("=");
      const [fact, field] = this.inputs.find(([each]) => each.name === name) || [];
      if (field && "checked" in field && fact?.kind === "switch") {
        field.checked = ["on", "true", "yes", "1"].includes(value);
      } else if (field) field.value = value;
    }
  }

  values() {
    /** @type {Record<string, unknown>} */
    const said = {};
    for (const [fact, field] of this.inputs) {
      /** @type {string | number | boolean | null} */
      let value = fact.kind === "switch" && "checked" in field ? field.checked : field.value.trim();
      if (value === "") value = null;
      else if (fact.kind === "number" && !Number.isNaN(Number(value))) value = Number(value);
      if (value !== fact.default) said[fact.name] = value;
    }
    return said;
  }
}

/** @param {Fact} fact */
function input(fact) {
  if (fact.kind === "switch") return el("input", {type: "checkbox", checked: fact.default});
  if (fact.kind === "choice") {
    return el("select", null, fact.choices.map((choice) => el("option",
      {value: choice, selected: choice === fact.default},
      has(`choice.${choice}`) ? t(`choice.${choice}`) : choice)));
  }
  return el("input", {type: "text", value: fact.default ?? "", placeholder: t("none"),
    inputmode: fact.kind === "number" ? "decimal" : "text", autocomplete: "off"});
}
