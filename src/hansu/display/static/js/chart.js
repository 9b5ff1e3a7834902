// @ts-check
// How the game has been valued, turn by turn: White's share, and the moves that cost most.
import {el} from "hansu/dom.js";
import {line, places, scale} from "hansu/plot.js";
import {colorName} from "hansu/result.js";
import {percent, t} from "hansu/words.js";

const [WIDTH, HEIGHT] = [300, 84];
const COSTLY = 0.15; // of the share: a move that loses more is marked
const MOST = 5;

/**
 * White's share at each turn whose mover said something: the mean of what both players said last.
 * @param {(number | null)[]} values of whoever moved
 * @param {string} first
 */
export function shares(values, first) {
  /** @type {(number | null)[]} */
  const said = [null, null];
  return values.map((value, i) => {
    if (value === null) return null;
    said[i % 2] = (i % 2 === 0) === (first === "white") ? value : 1 - value;
    const known = said.filter((share) => share !== null);
    return known.reduce((a, b) => a + b, 0) / known.length;
  });
}

/**
 * The moves after which the opponent thought most better of the game than a turn before: players may
 * disagree from beginning to end, but each is a fair judge of what changed.
 * @param {(number | null)[]} values
 */
export function worst(values) {
  const costs = values.slice(1, -1).map((_, i) => {
    const [before, after] = [values[i], values[i + 2]];
    return {i: i + 1, cost: before === null || after === null ? 0 : after - before};
  });
  return costs.filter(({cost}) => cost > COSTLY).sort((a, b) => b.cost - a.cost).slice(0, MOST);
}

/**
 * @typedef {object} Curve what a chart draws
 * @property {[number, number][]} points place and share
 * @property {number} last place
 * @property {number | null} at the place that is shown, if any
 * @property {string} title
 * @property {string} label
 * @property {{place: number, name: string}[]} marks of moves that cost much
 */

export class Chart {
  /**
   * @param {((turn: number) => void) | null} [go] where a click leads: a turn
   * @param {number} [offset] the turn at place 0
   */
  constructor(go = null, offset = 1) {
    this.go = go;
    this.offset = offset;
    this.root = el("figure", {class: "chart", hidden: true});
  }

  /**
   * What the players themselves said.
   * @param {{name: string, values: (number | null)[], first: string, names: string[]}} facts
   * @param {number} [at] the turn that is shown, if one can be chosen
   */
  show({name, values, first, names}, at = 0) {
    const points = /** @type {[number, number][]} */ (shares(values, first)
      .map((share, i) => [i, share]).filter(([, share]) => share !== null));
    const color = colorName("white", name);
    const share = percent(points.at(-1)?.[1] ?? 0);
    this.draw({points, last: values.length - 1, at: at ? at - 1 : null,
      title: t("chart.title", {color}), label: t("chart.label", {color, share}),
      marks: worst(values).map(({i, cost}) => ({place: i,
        name: t("chart.cost", {move: names[i], cost: percent(cost)})}))});
  }

  /** @param {Curve} curve */
  draw({points, last, at, title, label, marks}) {
    this.root.hidden = points.length < 2;
    if (this.root.hidden) return;
    const x = scale([0, Math.max(1, last)], [0, WIDTH]);
    const y = scale([0, 1], [HEIGHT - 2, 2]);
    const end = points[points.length - 1];
    const picture = el("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none",
      role: "img", "aria-label": label},
    el("rect", {class: "ground", width: WIDTH, height: HEIGHT}),
    el("polygon", {class: "share",
      points: `${x(points[0][0])},${HEIGHT} ${places(points, x, y)} ${x(end[0])},${HEIGHT}`}),
    el("line", {class: "even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2}),
    line(points, x, y),
    at === null ? null : el("line", {class: "now", x1: x(at), x2: x(at), y1: 0, y2: HEIGHT}));
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect();
      this.go?.(this.offset + Math.round(last * (event.clientX - box.left) / box.width));
    });
    this.root.replaceChildren(el("figcaption", null, title), el("div", {class: "plot"}, picture,
      marks.map(({place, name}) => {
        const mark = el(this.go ? "button" : "span", {class: "worst", title: name,
          "aria-label": name, onclick: () => this.go?.(this.offset + place)}, "?");
        mark.style.left = `${100 * x(place) / WIDTH}%`;
        return mark;
      })));
  }
}
