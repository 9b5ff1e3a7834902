// @ts-check
// A small search, one step at a time: what happens, why, and the tree it makes.
import {diagram} from "hansu/viewer/diagram.js";
import {bar, el} from "hansu/dom.js";
import {icon, signButton} from "hansu/icons.js";
import {term} from "hansu/term.js";
import {gameOf} from "hansu/viewer/board.js";
import {Growth} from "hansu/viewer/growth.js";
import {outcomeText, valueText} from "hansu/viewer/text.js";
import {exactPercent, fixed, number, t} from "hansu/words.js";

const EXPLAINED = ["select", "expand", "simulate", "evaluate", "back_up", "cut_off"];

const PAUSE = 1100;  // milliseconds between two steps

/** @typedef {import("hansu/viewer/growth.js").Step} Step */
/** @typedef {import("hansu/viewer/growth.js").Growth} Tree */

export class Steps {
  /**
   * @param {import("hansu/viewer/viewer.js").Source} source
   * @param {(path: string[]) => void} choose
   * @param {HTMLElement} mirror
   */
  constructor(source, choose, mirror) {
    this.source = source;
    this.choose = choose;
    this.mirror = mirror;
    this.game = "";
    this.at = 1;
    /** @type {Step[] | null} */
    this.told = null;
    this.minimax = false;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    this.slider = el("input", {type: "range", min: 1, value: 1,
      "aria-label": t("viewer.steps.slider"),
      oninput: () => { this.pause(); this.go(Number(this.slider.value)); }});
    this.run = signButton(t("viewer.steps.play"), "play", () => this.timer ? this.pause() : this.play());
    this.where = el("span", {class: "sv-note"});
    this.kind = el("h4");
    this.say = el("p");
    this.detail = el("div", {class: "sv-scroll"});
    this.picture = el("div", {class: "sv-diagram", tabindex: 0, role: "group",
      "aria-label": t("viewer.steps.diagram")});
    this.body = el("div", {class: "sv-player"});
    this.root = el("section", {class: "sv-card"}, el("h3", null, t("viewer.steps")), this.body);
  }

  /** @param {import("hansu/viewer/viewer.js").Info} info */
  show(info) {
    this.game = gameOf(info);
    if (this.told) return;
    this.body.replaceChildren(info.has_steps
      ? el("button", {type: "button", class: "sv-begin", onclick: () => this.begin()},
        t("viewer.steps.begin"))
      : el("p", {class: "sv-note"}, t("viewer.steps.none")));
  }

  async begin() {
    const told = await this.source.steps();
    if (!told) return;
    this.told = told.steps;
    this.minimax = ["alphabeta", "negamax"].includes(told.algorithm);
    const count = told.steps.length;
    this.slider.max = String(count);
    const step = (/** @type {string} */ key, /** @type {import("hansu/icons.js").Sign} */ sign,
      /** @type {() => number} */ to) =>
      signButton(t(`viewer.${key}`), sign, () => { this.pause(); this.go(to()); });
    this.body.replaceChildren(
      el("p", {class: "sv-note"}, t(`viewer.steps.about.${told.algorithm}`, told)),
      el("div", {class: "sv-controls", role: "group"},
        step("steps.first", "first", () => 1), step("steps.back", "back", () => this.at - 1), this.run,
        step("steps.on", "forward", () => this.at + 1),
        this.minimax ? null : step("steps.phase", "phase", () => this.nextSimulation()),
        step("steps.last", "last", () => count), this.slider, this.where),
      this.mirror, this.picture,
      el("div", {class: "sv-say", "aria-live": "polite"}, this.kind, this.say, this.detail));
    this.go(1);
  }

  nextSimulation() {
    const steps = this.told ?? [];
    const now = steps[this.at - 1].simulation;
    const next = steps.findIndex((step) => step.simulation > now);
    return next < 0 ? steps.length : next + 1;
  }

  play() {
    const last = this.told?.length;
    if (this.at === last) this.go(1);
    this.timer = setInterval(() => {
      if (this.at === last || !this.body.isConnected) this.pause();
      else this.go(this.at + 1);
    }, PAUSE);
    this.mark("steps.pause", "pause");
  }

  pause() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.mark("steps.play", "play");
  }

  /** @param {string} key @param {import("hansu/icons.js").Sign} sign */
  mark(key, sign) {
    this.run.replaceChildren(icon(sign));
    this.run.title = t(`viewer.${key}`);
    this.run.setAttribute("aria-label", t(`viewer.${key}`));
  }

  /** @param {number} at */
  go(at) {
    const steps = this.told ?? [];
    this.at = Math.max(1, Math.min(steps.length, at));
    const step = steps[this.at - 1];
    const growth = Growth.after(steps, this.at);
    this.slider.value = String(this.at);
    this.where.textContent = t(this.minimax ? "viewer.steps.count" : "viewer.steps.simulation",
      {step: this.at, steps: steps.length, simulation: step.simulation});
    const kind = t(`viewer.kind.${step.kind}`);
    this.kind.replaceChildren(EXPLAINED.includes(step.kind) ? term(step.kind, kind) : kind);
    this.kind.className = `sv-kind sv-kind-${step.kind}`;
    this.say.textContent = this.sentence(step, growth);
    this.detail.replaceChildren(...this.details(step, growth));
    const {drawn, here} = diagram(growth, this.minimax);
    this.picture.replaceChildren(drawn);
    this.picture.scrollTo({left: here.x - this.picture.clientWidth / 2,
      top: here.y - this.picture.clientHeight / 2});
    this.choose(growth.path(growth.current));
  }

  /** @param {Step} step @param {Tree} growth @returns {string} */
  sentence(step, growth) {
    const say = (/** @type {string} */ key, /** @type {Record<string, any>} */ gaps = {}) =>
      t(`viewer.say.${key}`, gaps);
    const move = (/** @type {number} */ number) => growth.get(number).move;
    const window = {alpha: valueText(step.alpha ?? null, "−∞"), beta: valueText(step.beta ?? null)};
    switch (step.kind) {
      case "select": {
        const chosen = step.options.find(
          (/** @type {{node: number}} */ option) => option.node === step.chosen);
        return chosen && !step.untried
          ? say("select", {move: chosen.move, bound: fixed(chosen.bound, 2)})
          : say("select.untried", {move: move(step.chosen), untried: step.untried});
      }
      case "expand": return say("expand", {count: step.children.length});
      case "simulate": {
        const gaps = {plies: step.moves.length, reward: fixed(step.reward, 2)};
        return step.outcome ? say("simulate", {...gaps, outcome: outcomeText(step.outcome, this.game)})
          : say("simulate.judged", gaps);
      }
      case "evaluate": return say("evaluate", {value: exactPercent((1 + step.value) / 2)});
      case "end": return say("end", {outcome: outcomeText(step.outcome, this.game)});
      case "proved": return say("proved", {value: exactPercent((1 + step.value) / 2)});
      case "back_up": return say("back_up");
      case "enter": return step.node ? say("enter", {move: step.move, ...window}) : say("enter.root");
      case "leaf": return step.outcome
        ? say("leaf", {outcome: outcomeText(step.outcome, this.game), value: valueText(step.value)})
        : say("leaf.judged", {value: valueText(step.value)});
      case "back": return say(step.better ? "back.better" : "back", {move: move(step.child),
        value: valueText(step.value), best: valueText(step.best), ...window});
      case "cut_off": return say("cut_off", {best: valueText(step.best), beta: window.beta,
        pruned: step.pruned.join(" ")});
      case "leave": return say(`leave.${step.result}`, {value: valueText(step.value)});
    }
    throw new Error(`an unknown step: ${step.kind}`);
  }

  /** @param {Step} step @param {Tree} growth @returns {Node[]} */
  details(step, growth) {
    if (step.kind === "select" && step.options.length) return [this.options(step)];
    if (step.kind === "expand") {
      return [list(step.children.map((/** @type {{move: string, prior?: number}} */ {move, prior}) =>
        (prior === undefined ? move : `${move} ${exactPercent(prior)}`)))];
    }
    if (step.kind === "simulate") return [list(step.moves)];
    if (step.kind === "back_up") return [this.updates(step, growth)];
    if (step.kind === "cut_off") return [list(step.pruned)];
    const {window} = growth.get(growth.current);
    return this.minimax && window ? [this.window(window)] : [];
  }

  /** @param {Step} step */
  options(step) {
    /** @type {{node: number, move: string, visits: number, value: number, prior?: number,
     *   bound: number}[]} */
    const options = step.options;
    const hasPrior = options[0].prior !== undefined;
    const best = Math.max(...options.map((option) => option.bound));
    const sorted = [...options].sort((a, b) => b.bound - a.bound).slice(0, 12);
    const columns = ["steps.option", "moves.visits", "moves.value",
      ...(hasPrior ? ["moves.prior"] : []), "steps.bound"];
    return el("table", null,
      el("thead", null, el("tr", null, columns.map((key) => el("th", {scope: "col"}, word(key))))),
      el("tbody", null, sorted.map((option) => el("tr", {"aria-current": option.node === step.chosen},
        el("th", {scope: "row"}, option.move), el("td", null, number(option.visits)),
        el("td", null, exactPercent(option.value)),
        option.prior === undefined ? null : el("td", null, exactPercent(option.prior)),
        el("td", null, bar(option.bound / Math.max(1e-9, best), fixed(option.bound, 2), "sv-visits"))))));
  }

  /** @param {Step} step @param {Tree} growth */
  updates(step, growth) {
    /** @type {{node: number, visits: number, value: number, gained: number}[]} */
    const updates = step.updates;
    const columns = ["steps.option", "moves.visits", "moves.value"];
    return el("table", null,
      el("thead", null, el("tr", null, columns.map((key) => el("th", {scope: "col"}, word(key))),
        el("th", null, "+"))),
      el("tbody", null, updates.map((update) => el("tr", null,
        el("th", {scope: "row"}, growth.get(update.node).move || t("viewer.steps.root")),
        el("td", null, number(update.visits)), el("td", null, exactPercent(update.value)),
        el("td", null, fixed(update.gained, 2))))));
  }

  /**
   * The window on the scale of all values, from a loss to a win.
   * @param {[number | null, number | null]} window
   */
  window([alpha, beta]) {
    const at = (/** @type {number | null} */ value, /** @type {number} */ infinite) =>
      value === null ? infinite : Math.max(0, Math.min(1, (value + 1) / 2));
    const [low, high] = [at(alpha, 0), at(beta, 1)];
    const open = el("i");
    open.style.left = `${100 * low}%`;
    open.style.width = `${Math.max(1, 100 * (high - low))}%`;
    const label = t("viewer.steps.window", {alpha: valueText(alpha, "−∞"), beta: valueText(beta)});
    return el("div", null, el("div", {class: "sv-window", role: "img", "aria-label": label}, open),
      el("p", {class: "sv-note"}, label));
  }
}

/**
 * The head of a column, explained where it is a term.
 * @param {string} key
 */
function word(key) {
  const name = key.split(".")[1];
  return name === "option" ? t(`viewer.${key}`) : term(name, t(`viewer.${key}`));
}

/** @param {string[]} texts */
function list(texts) { return el("p", {class: "sv-moves-list"}, texts.join(" ")); }
