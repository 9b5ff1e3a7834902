// @ts-check
// Choosing an agent or rules: lists and inputs made from what the server offers.
import {el, kept} from "hansu/dom.js";
import {has, ofGame, t} from "hansu/words.js";

// An agent, weakest first, with its options explained.
export class Picker {
  // ``memory``: under which name the browser keeps the choice.
  constructor(label, agents, files, chosen, memory, usual = "random") {
    Object.assign(this, {agents, memory});
    const text = chosen || kept.get(memory) || usual;
    const [name, given] = files.includes(text) ? [text] : text.split(/:(.*)/s);
    const known = agents.some((agent) => agent.name === name) || files.includes(name);
    this.about = el("p", {class: "soft"});
    this.options = el("div");
    const option = (value, text) => el("option", {value, selected: value === (known ? name : usual)},
      text);
    this.label = el("span", null, label);
    this.list = el("select", {"aria-label": label, onchange: () => this.change()},
      agents.map((agent, i) => option(agent.name, `${i + 1}. ${t(`agent.${agent.name}`)}`)),
      files.length ? el("optgroup", {label: t("own_agents")},
        files.map((file) => option(file, file))) : null);
    this.root = el("div", {class: "picker"}, el("label", {class: "field"}, this.label, this.list),
      this.about, this.options);
    this.change(given);
  }

  change(given = null) {
    const agent = this.agents.find((each) => each.name === this.list.value);
    this.fields = new Fields("option", agent?.options || []);
    this.fields.set(given);
    this.about.textContent = agent ? t(`agent.${agent.name}.about`) : t("own_agents.about");
    this.options.replaceChildren(...(agent?.options.length ? [el("details", null,
      el("summary", null, t("options")), this.fields.root)] : []));
    if (agent) kept.set(this.memory, agent.name);
  }

  // Under another name: it has moved up.
  call(label) {
    this.label.textContent = label;
    this.list.setAttribute("aria-label", label);
  }

  value() { return {agent: this.list.value, options: this.fields.values()}; }
}

// Inputs for options or rules: only what differs from the default is said.
export class Fields {
  constructor(family, facts, game) {
    this.inputs = facts.map((fact) => [fact, input(fact)]);
    this.root = el("div", {class: "fields"}, this.inputs.map(([fact, field]) =>
      el("label", {class: fact.kind}, el("span", null, ofGame(family, game, fact.name)), field)));
  }

  // "size=5,komi=0.5", as the command line takes it.
  set(text) {
    for (const part of (text || "").split(",").filter(Boolean)) {
      const [name, value] = part.split("=");
      const [fact, field] = this.inputs.find(([each]) => each.name === name) || [];
      if (fact?.kind === "switch") field.checked = ["on", "true", "yes", "1"].includes(value);
      else if (field) field.value = value;
    }
  }

  values() {
    const said = {};
    for (const [fact, field] of this.inputs) {
      let value = fact.kind === "switch" ? field.checked : field.value.trim();
      if (value === "") value = null;
      else if (fact.kind === "number" && !Number.isNaN(Number(value))) value = Number(value);
      if (value !== fact.default) said[fact.name] = value;
    }
    return said;
  }
}

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
