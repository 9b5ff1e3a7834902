// Training runs: the curves as they grow, and what may be changed meanwhile.
import {Polling, gameList} from "./arena.js";
import {complain, el, refill} from "./dom.js";
import {ask} from "./server.js";
import {number, t} from "./words.js";

const CHARTS = [["policy_loss", "value_loss"], ["elo"], ["gate_score"], ["simulations_per_second"]];
const SLIDERS = { // name: [least, most, whether the steps are equal factors]
  learning_rate: [1e-5, 0.1, true],
  simulations: [2, 2000, true],
  cpuct: [0.1, 5, false],
  resign_below: [-2, 0, false],
};
const [WIDTH, HEIGHT] = [520, 150];

export function trainingPage(root, name) {
  return name ? new RunPage(root, decodeURIComponent(name)) : new RunList(root);
}

class RunList {
  constructor(root) {
    this.polling = new Polling("/api/arena", ({runs}) => {
      root.replaceChildren(el("div", {class: "setup"},
        el("header", null, el("h1", null, t("training.title")),
          el("p", {class: "soft"}, runs.length ? t("training.about") : t("training.none"))),
        el("ul", {class: "games"}, runs.map((name) => el("li", null,
          el("a", {class: "button", href: `#/training/${encodeURIComponent(name)}`}, name))))));
    }, 5000);
  }

  close() { this.polling.close(); }
}

class RunPage {
  constructor(root, name) {
    this.path = `/api/runs/${encodeURIComponent(name)}`;
    this.curves = el("div", {class: "curves"});
    this.sliders = el("div", {class: "fields"});
    this.games = el("div");
    root.replaceChildren(el("div", {class: "setup wide"}, el("header", null, el("h1", null, name)),
      this.curves, el("h2", null, t("training.control")), this.sliders, this.games));
    this.polling = new Polling(this.path, (facts) => this.show(facts), 3000);
  }

  close() { this.polling.close(); }

  show({rows, control, games}) {
    this.curves.replaceChildren(...CHARTS.map((names) => chart(names, rows)));
    if (control && !this.control) this.offer(control);
    refill(this.games, gameList(t("training.games"), games, `${this.path}/games/`) ?? "");
  }

  offer(control) {
    this.control = control;
    this.sliders.replaceChildren(...Object.entries(SLIDERS).map(([name, [least, most, factors]]) => {
      const to = (share) => (factors ? least * (most / least) ** share : least + (most - least) * share);
      const from = (value) => (factors ? Math.log(value / least) / Math.log(most / least)
        : (value - least) / (most - least));
      const shown = el("output", null, number(control[name], 5));
      const slider = el("input", {type: "range", min: 0, max: 1, step: 0.01, name,
        value: from(control[name]),
        oninput: () => {
          const value = to(Number(slider.value));
          this.control[name] = name === "simulations" ? Math.round(value) : Number(value.toPrecision(2));
          shown.textContent = number(this.control[name], 5);
        },
        onchange: () => this.say()});
      return el("label", null, el("span", null, t(`training.${name}`)), slider, shown);
    }));
  }

  async say() {
    try {
      await ask(`${this.path}/control`, this.control);
    } catch (trouble) { complain(trouble.message); }
  }
}

function chart(names, rows) {
  const values = names.flatMap((name) => rows.map((row) => row[name])).filter((v) => v !== null);
  if (!values.length) return el("figure", {hidden: true});
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (i) => (WIDTH * i) / Math.max(1, rows.length - 1);
  const y = (v) => HEIGHT - 6 - ((HEIGHT - 12) * (v - low)) / (high - low || 1);
  const line = (name, i) => {
    const points = rows.map((row, at) => [at, row[name]]).filter(([, v]) => v !== null);
    return el("g", {class: `curve c${i}`},
      el("polyline", {points: points.map(([at, v]) => `${x(at)},${y(v)}`).join(" ")}),
      points.length < 60 ? points.map(([at, v]) => el("circle", {cx: x(at), cy: y(v), r: 2.5})) : []);
  };
  const last = (name) => rows.map((row) => row[name]).filter((v) => v !== null).at(-1);
  return el("figure", null,
    el("figcaption", null, names.map((name, i) => el("span", {class: `c${i}`},
      `${t(`training.${name}`)} ${number(last(name) ?? 0, 3)}`))),
    el("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
      "aria-label": names.map((name) => t(`training.${name}`)).join(", ")}, names.map(line)));
}
