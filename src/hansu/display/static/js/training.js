// @ts-check
// Training runs: the curves as they grow, and controls to adjust them.
import {complain, el, refill} from "hansu/dom.js";
import {line, range, scale} from "hansu/plot.js";
import {Polling} from "hansu/polling.js";
import {ask, messageOf} from "hansu/server.js";
import {listed, replayOf} from "hansu/tournament_page.js";
import {number, t} from "hansu/words.js";

const CHARTS = [["policy_loss", "validation_policy_loss"], ["value_loss", "validation_value_loss"],
  ["elo"], ["accuracy"], ["gate_score"], ["entropy"], ["simulations_per_second"]];
/** @type {Record<string, [number, number, boolean]>} */
const SLIDERS = { // name: [least, most, whether the steps are equal factors]
  learning_rate: [1e-5, 0.1, true],
  simulations: [2, 2000, true],
  cpuct: [0.1, 5, false],
  resign_below: [-2, 0, false],
};
const [WIDTH, HEIGHT] = [520, 150];
const MOST_DOTS = 60; // with more points, the line alone

/** @typedef {Record<string, number | null>} Row */

/** @param {Element} root @param {string} [name] */
export function trainingPage(root, name) {
  return name ? new RunPage(root, decodeURIComponent(name)) : new RunList(root);
}

class RunList {
  /** @param {Element} root */
  constructor(root) {
    const [about, list] = [el("p", {class: "soft"}), el("ul", {class: "games"})];
    this.polling = new Polling("/api/arena", (/** @type {{runs: string[]}} */ {runs}) => {
      about.textContent = t(runs.length ? "training.about" : "training.none");
      refill(list, ...runs.map((name) => el("li", null, el("a",
        {class: "button", href: `#/training/${encodeURIComponent(name)}`}, name))));
    }, 5000);
    root.replaceChildren(el("div", {class: "setup"},
      el("header", null, el("h1", null, t("training.title")), about), this.polling.trouble, list));
  }

  close() { this.polling.close(); }
}

class RunPage {
  /** @param {Element} root @param {string} name */
  constructor(root, name) {
    /** @type {Record<string, number> | null} */
    this.control = null;
    this.path = `/api/runs/${encodeURIComponent(name)}`;
    this.saying = 0; // wishes that the server has not answered
    this.curves = el("div", {class: "curves"});
    this.sliders = Object.keys(SLIDERS).map((name) => new Slider(name, (wish) => this.say(wish)));
    this.steering = el("section", {hidden: true}, el("h2", null, t("training.control")),
      el("div", {class: "fields"}, this.sliders.map((slider) => slider.root)));
    this.games = el("div");
    this.polling = new Polling(this.path, (facts) => this.show(facts), 3000);
    root.replaceChildren(el("div", {class: "setup wide"}, el("header", null, el("h1", null, name)),
      this.polling.trouble, this.curves, this.steering, this.games));
  }

  close() { this.polling.close(); }

  /**
   * @param {{rows: Row[], control: Record<string, number> | null, name: string | null,
   *   games: import("hansu/tournament.js").Listed[]}} facts
   */
  show({rows, control, games, name}) {
    this.curves.replaceChildren(...CHARTS.map((names) => chart(names, rows)));
    this.control = control;
    this.showControl();
    refill(this.games, listed(t("training.games"), games, name, replayOf(`${this.path}/games/`)) ?? "");
  }

  // The run's current values, unless the visitor is changing them.
  showControl() {
    this.steering.hidden = !this.control;
    if (!this.control || this.saying) return;
    for (const slider of this.sliders) slider.show(this.control[slider.name]);
  }

  /** @param {Record<string, number>} wish */
  async say(wish) {
    this.saying += 1;
    try {
      await ask(`${this.path}/control`, wish);
      this.control = {...this.control, ...wish};
    } catch (trouble) { complain(messageOf(trouble)); }
    this.saying -= 1;
    this.showControl();
  }
}

class Slider {
  /** @param {string} name @param {(wish: Record<string, number>) => void} say */
  constructor(name, say) {
    this.name = name;
    this.shown = el("output");
    this.input = el("input", {type: "range", min: 0, max: 1, step: 0.01, name,
      oninput: () => { this.shown.textContent = number(this.value(), 5); },
      onchange: () => say({[name]: this.value()})});
    this.root = el("label", null, el("span", null, t(`training.${name}`)), this.input, this.shown);
  }

  /** @param {number} value */
  show(value) {
    if (this.input.matches(":active")) return; // it is being moved
    this.shown.textContent = number(value, 5);
    if (this.value() === value) return; // several places stand for the same number
    const [least, most, factors] = SLIDERS[this.name];
    this.input.value = String(factors ? Math.log(value / least) / Math.log(most / least)
      : (value - least) / (most - least));
  }

  value() {
    const [least, most, factors] = SLIDERS[this.name];
    const share = Number(this.input.value);
    const value = factors ? least * (most / least) ** share : least + (most - least) * share;
    return this.name === "simulations" ? Math.round(value) : Number(value.toPrecision(2));
  }
}

/**
 * A figure with a curve for each name, on one scale.
 * @param {string[]} all
 * @param {Row[]} rows
 */
function chart(all, rows) {
  const names = all.filter((name) => rows.some((row) => row[name] !== null));
  const ends = range(names.flatMap((name) => rows.map((row) => row[name])));
  if (!ends) return el("figure", {hidden: true});
  const x = scale([0, Math.max(1, rows.length - 1)], [0, WIDTH]);
  const y = scale(ends, [HEIGHT - 6, 6]);
  const points = (/** @type {string} */ name) => /** @type {[number, number][]} */ (
    rows.map((row, at) => [at, row[name]]).filter(([, value]) => value !== null));
  const curve = (/** @type {string} */ name, /** @type {number} */ i) => el("g",
    {class: `curve c${i}`}, line(points(name), x, y), points(name).length < MOST_DOTS
      ? points(name).map(([at, v]) => el("circle", {cx: x(at), cy: y(v), r: 2.5})) : []);
  return el("figure", null,
    el("figcaption", null, names.map((name, i) => el("span", {class: `c${i}`},
      `${t(`training.${name}`)} ${number(points(name).slice(-1)[0][1], 3)}`))),
    el("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
      "aria-label": names.map((name) => t(`training.${name}`)).join(", ")}, names.map(curve)));
}
