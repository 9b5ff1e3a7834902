// @ts-check
// Training runs: the curves as they grow, and controls to adjust them.
import {curveChart, durationText} from "hansu/curve_chart.js";
import {complain, el, refill} from "hansu/dom.js";
import {newTable} from "hansu/new_table.js";
import {playerName} from "hansu/player_name.js";
import {Polling} from "hansu/polling.js";
import {ask, mayAsk, messageOf} from "hansu/server.js";
import {listed, replayOf} from "hansu/tournament_page.js";
import {counted, moment, number, t} from "hansu/words.js";

/** @type {[string[], string][]} */
const CHARTS = [ // curves on one scale, and their unit
  [["policy_loss", "validation_policy_loss"], "nats"], [["value_loss", "validation_value_loss"], ""],
  [["training_loss", "validation_loss"], ""], [["elo"], ""], [["accuracy"], "percent"],
  [["gate_score"], "percent"], [["entropy"], "nats"], [["simulations_per_second"], ""]];
/** @type {Record<string, [number, number, boolean]>} */
const SLIDERS = { // name: [least, most, whether the steps are equal factors]
  learning_rate: [1e-5, 0.1, true],
  simulations: [2, 2000, true],
  cpuct: [0.1, 5, false],
  resign_below: [-2, 0, false],
};

/**
 * @typedef {import("hansu/curve_chart.js").Row} Row
 * @typedef {(table: {id: string, key: string}) => void} Open
 *
 * @typedef {object} Run
 * @property {Row[]} rows
 * @property {Record<string, number> | null} control
 * @property {string | null} name of the game
 * @property {string | null} game with its rules
 * @property {boolean} running
 * @property {number} updated when something was last learnt, in seconds since 1970
 * @property {boolean} model whether there is one to play against
 * @property {import("hansu/tournament.js").Listed[]} games
 */

/**
 * @param {Element} root
 * @param {import("hansu/picker.js").Offer} offer
 * @param {string | undefined} name
 * @param {Open} open a game
 */
export function trainingPage(root, offer, name, open) {
  return name ? new RunPage(root, offer, decodeURIComponent(name), open) : new RunList(root);
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
  /**
   * @param {Element} root
   * @param {import("hansu/picker.js").Offer} offer
   * @param {string} name
   * @param {Open} open
   */
  constructor(root, offer, name, open) {
    this.name = name;
    this.offer = offer;
    this.open = open;
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
    this.status = el("p", {class: "soft", role: "status"}, "\u00a0");
    this.play = el("button", {class: "main", type: "button", hidden: true}, t("training.play"));
    this.mayPlay = mayAsk(offer);
    root.replaceChildren(el("div", {class: "setup wide"},
      el("header", null, el("h1", null, name), this.status), el("div", null, this.play),
      this.polling.trouble, this.curves, this.steering, this.games));
  }

  close() { this.polling.close(); }

  /** @param {Run} facts */
  show(facts) {
    this.status.textContent = statusText(facts);
    this.play.hidden = !facts.model || !facts.game || !this.mayPlay;
    this.play.onclick = () => this.begin(facts.game ?? "");
    this.curves.replaceChildren(...CHARTS.map(([names, unit]) => curveChart(names, unit, facts.rows)));
    this.control = facts.control;
    this.showControl();
    const games = facts.games.map((game) =>
      ({...game, first: playerName(game.first), second: playerName(game.second)}));
    refill(this.games, listed(t("training.games"), games, facts.name,
      replayOf(`${this.path}/games/`)) ?? "");
  }

  // A game against the model, as it is now.
  /** @param {string} game */
  async begin(game) {
    const model = {agent: `run/${this.name}`, options: {}};
    const first = this.offer.games.find(({name}) => name === game.split(":")[0])?.first;
    const second = first === "black" ? "white" : "black";
    try {
      this.open(await newTable({game, start: ""}, [], {[second]: model}));
    } catch (trouble) { complain(messageOf(trouble)); }
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

/** @param {Run} run how long it has been at work, how far it has come, and whether it goes on */
function statusText({rows, name, running, updated}) {
  const last = rows.at(-1);
  const rounds = last?.round ?? last?.epoch ?? 0;
  return [
    name ? t(`game.${name}`) : "",
    running ? t("training.running") : t("training.stopped", {when: moment(updated)}),
    last ? t("training.worked", {time: durationText(last.seconds ?? 0)}) : "",
    last ? counted(last.round === null ? "training.epochs" : "training.rounds", rounds) : "",
    last?.games ? counted("training.played", last.games) : "",
  ].filter(Boolean).join(" · ");
}
