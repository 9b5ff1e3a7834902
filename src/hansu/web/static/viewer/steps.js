// A small search, one step at a time: what happens, why, and the tree it makes.
import {diagram} from "./diagram.js";
import {bar, button, el} from "./element.js";
import {Growth} from "./growth.js";

const PAUSE = 1100;  // milliseconds between two steps

export class Steps {
  constructor(words, source, choose, mirror) {
    [this.words, this.source, this.choose, this.mirror] = [words, source, choose, mirror];
    this.body = el("div", {class: "sv-player"});
    this.root = el("section", {class: "sv-card"}, el("h3", null, words.t("steps")), this.body);
  }

  show(info) {
    if (this.told) return;
    this.body.replaceChildren(info.has_steps
      ? el("button", {type: "button", class: "sv-begin", onclick: () => this.begin()}, this.words.t("steps.begin"))
      : el("p", {class: "sv-note"}, this.words.t("steps.none")));
  }

  async begin() {
    const {words} = this;
    this.told = await this.source.steps();
    this.minimax = ["alphabeta", "negamax"].includes(this.told.algorithm);
    const count = this.told.steps.length;
    const step = (key, sign, to) => button(words.t(key), sign, () => { this.pause(); this.go(to()); });
    this.slider = el("input", {type: "range", min: 1, max: count, value: 1,
      "aria-label": words.t("steps.slider"),
      oninput: () => { this.pause(); this.go(Number(this.slider.value)); }});
    this.run = button(words.t("steps.play"), "▶", () => this.timer ? this.pause() : this.play());
    this.where = el("span", {class: "sv-note"});
    this.kind = el("h4");
    this.say = el("p");
    this.detail = el("div", {class: "sv-scroll"});
    this.picture = el("div", {class: "sv-diagram", tabindex: 0, role: "group",
      "aria-label": words.t("steps.diagram")});
    this.body.replaceChildren(
      el("p", {class: "sv-note"}, words.t(`steps.about.${this.told.algorithm}`, this.told)),
      el("div", {class: "sv-controls", role: "group"},
        step("steps.first", "|◀", () => 1), step("steps.back", "‹", () => this.at - 1), this.run,
        step("steps.on", "›", () => this.at + 1),
        this.minimax ? null : step("steps.phase", "»", () => this.nextSimulation()),
        step("steps.last", "▶|", () => count), this.slider, this.where),
      this.mirror, this.picture,
      el("div", {class: "sv-say", "aria-live": "polite"}, this.kind, this.say, this.detail));
    this.go(1);
  }

  nextSimulation() {
    const now = this.told.steps[this.at - 1].simulation;
    const next = this.told.steps.findIndex((step) => step.simulation > now);
    return next < 0 ? this.told.steps.length : next + 1;
  }

  play() {
    if (this.at === this.told.steps.length) this.go(1);
    this.timer = setInterval(() => {
      if (this.at === this.told.steps.length || !this.body.isConnected) this.pause();
      else this.go(this.at + 1);
    }, PAUSE);
    this.mark("steps.pause", "❚❚");
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.mark("steps.play", "▶");
  }

  mark(key, sign) {
    this.run.textContent = sign;
    this.run.title = this.words.t(key);
    this.run.setAttribute("aria-label", this.words.t(key));
  }

  go(at) {
    const {words, told: {steps}} = this;
    this.at = Math.max(1, Math.min(steps.length, at));
    const step = steps[this.at - 1];
    const growth = Growth.after(steps, this.at);
    this.slider.value = this.at;
    this.where.textContent = words.t(this.minimax ? "steps.count" : "steps.simulation",
      {step: this.at, steps: steps.length, simulation: step.simulation});
    this.kind.textContent = words.t(`kind.${step.kind}`);
    this.kind.className = `sv-kind sv-kind-${step.kind}`;
    this.say.textContent = this.sentence(step, growth);
    this.detail.replaceChildren(...this.details(step, growth));
    const {drawn, here} = diagram(growth, words, this.minimax);
    this.picture.replaceChildren(drawn);
    this.picture.scrollTo({left: here.x - this.picture.clientWidth / 2,
      top: here.y - this.picture.clientHeight / 2});
    this.choose(growth.path(growth.current));
  }

  sentence(step, growth) {
    const {words} = this;
    const say = (key, gaps) => words.t(`say.${key}`, gaps);
    const move = (number) => growth.get(number).move;
    const window = {alpha: words.value(step.alpha ?? null, "−∞"), beta: words.value(step.beta ?? null)};
    switch (step.kind) {
      case "select": {
        const chosen = step.options.find((option) => option.node === step.chosen);
        return chosen && !step.untried
          ? say("select", {move: chosen.move, bound: words.precise.format(chosen.bound)})
          : say("select.untried", {move: move(step.chosen), untried: step.untried});
      }
      case "expand": return say("expand", {count: step.children.length});
      case "simulate": {
        const gaps = {plies: step.moves.length, reward: words.precise.format(step.reward)};
        return step.outcome ? say("simulate", {...gaps, outcome: words.outcome(step.outcome)})
          : say("simulate.judged", gaps);
      }
      case "evaluate": return say("evaluate", {value: words.share.format((1 + step.value) / 2)});
      case "end": return say("end", {outcome: words.outcome(step.outcome)});
      case "back_up": return say("back_up");
      case "enter": return step.node ? say("enter", {move: step.move, ...window}) : say("enter.root");
      case "leaf": return step.outcome
        ? say("leaf", {outcome: words.outcome(step.outcome), value: words.value(step.value)})
        : say("leaf.judged", {value: words.value(step.value)});
      case "back": return say(step.better ? "back.better" : "back", {move: move(step.child),
        value: words.value(step.value), best: words.value(step.best), ...window});
      case "cut_off": return say("cut_off", {best: words.value(step.best), beta: window.beta,
        pruned: step.pruned.join(" ")});
      case "leave": return say(`leave.${step.result}`, {value: words.value(step.value)});
    }
    throw new Error(`an unknown step: ${step.kind}`);
  }

  details(step, growth) {
    const {words} = this;
    if (step.kind === "select" && step.options.length) return [this.options(step)];
    if (step.kind === "expand") return [list(step.children.map((child) => child.prior === undefined
      ? child.move : `${child.move} ${words.share.format(child.prior)}`))];
    if (step.kind === "simulate") return [list(step.moves)];
    if (step.kind === "back_up") return [this.updates(step, growth)];
    if (step.kind === "cut_off") return [list(step.pruned)];
    const {window} = growth.get(growth.current);
    return this.minimax && window ? [this.window(window)] : [];
  }

  options(step) {
    const {words} = this;
    const guided = step.options[0].prior !== undefined;
    const best = Math.max(...step.options.map((option) => option.bound));
    const sorted = [...step.options].sort((a, b) => b.bound - a.bound).slice(0, 12);
    const columns = ["steps.option", "moves.visits", "moves.value",
      ...(guided ? ["moves.prior"] : []), "steps.bound"];
    return el("table", null,
      el("thead", null, el("tr", null, columns.map((key) => el("th", {scope: "col"}, words.t(key))))),
      el("tbody", null, sorted.map((option) => el("tr", {"aria-current": option.node === step.chosen},
        el("th", {scope: "row"}, option.move), el("td", null, words.whole.format(option.visits)),
        el("td", null, words.share.format(option.value)),
        guided ? el("td", null, words.share.format(option.prior)) : null,
        el("td", null, bar(option.bound / Math.max(1e-9, best), words.precise.format(option.bound), "sv-visits"))))));
  }

  updates(step, growth) {
    const {words} = this;
    const columns = ["steps.option", "moves.visits", "moves.value"];
    return el("table", null,
      el("thead", null, el("tr", null, columns.map((key) => el("th", {scope: "col"}, words.t(key))), el("th", null, "+"))),
      el("tbody", null, step.updates.map((update) => el("tr", null,
        el("th", {scope: "row"}, growth.get(update.node).move || words.t("steps.root")),
        el("td", null, words.whole.format(update.visits)), el("td", null, words.share.format(update.value)),
        el("td", null, words.precise.format(update.gained))))));
  }

  // The window on the scale of all values, from a loss to a win.
  window([alpha, beta]) {
    const {words} = this;
    const at = (value, infinite) => value === null ? infinite : Math.max(0, Math.min(1, (value + 1) / 2));
    const [low, high] = [at(alpha, 0), at(beta, 1)];
    const open = el("i");
    open.style.left = `${100 * low}%`;
    open.style.width = `${Math.max(1, 100 * (high - low))}%`;
    const label = words.t("steps.window", {alpha: words.value(alpha, "−∞"), beta: words.value(beta)});
    return el("div", null, el("div", {class: "sv-window", role: "img", "aria-label": label}, open),
      el("p", {class: "sv-note"}, label));
  }
}

function list(texts) { return el("p", {class: "sv-moves-list"}, texts.join(" ")); }
