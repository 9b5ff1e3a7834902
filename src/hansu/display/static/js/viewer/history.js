// @ts-check
// How the value of the best move changed while the search thought.
import {el} from "hansu/dom.js";
import {line, scale} from "hansu/plot.js";
import {exactPercent, percent, short, t} from "hansu/words.js";

const HEIGHT = 150;
const LEFT = 44, RIGHT = 14, TOP = 20, BOTTOM = 24;

/** @typedef {import("hansu/viewer/viewer.js").Info} Info */

export class History {
  constructor() {
    this.body = el("div", {class: "sv-chart"});
    this.root = el("section", {class: "sv-card"}, el("h3", null, t("viewer.history")), this.body);
    /** @type {Info["history"]} */
    this.moments = [];
    new ResizeObserver(() => this.draw()).observe(this.body);
  }

  /** @param {Info} info */
  show(info) {
    this.moments = info.history;
    this.draw();
  }

  draw() {
    const {moments} = this;
    const width = this.body.clientWidth;
    if (!width) return;
    if (moments.length < 2) {
      this.body.replaceChildren(el("p", {class: "sv-note"}, t("viewer.history.short")));
      return;
    }
    const last = moments[moments.length - 1];
    const end = last.seconds || 1;
    const x = scale([0, end], [LEFT, width - RIGHT]);
    const y = scale([0, 1], [HEIGHT - BOTTOM, TOP]);
    const changes = moments.filter((now, i) => i === 0 || now.move !== moments[i - 1].move);
    const points = moments.map((now) => /** @type {[number, number]} */ ([now.seconds, now.value]));
    const label = t("viewer.history.words", {from: exactPercent(moments[0].value),
      to: exactPercent(last.value), seconds: short(end),
      moves: changes.map((now) => now.move).join(", ")});
    let free = 0;  // labels must not cover each other
    const names = changes.map((now) => {
      const at = x(now.seconds), room = 8 * now.move.length + 12;
      const late = at + room > width;
      const left = late ? at - room : at;
      const shown = left >= free;
      if (shown) free = left + room;
      return [el("circle", {cx: at, cy: y(now.value), r: 4}), shown ? el("text", {class: "sv-name",
        x: late ? at - 5 : at + 5, y: y(now.value) - 8,
        "text-anchor": late ? "end" : "start"}, now.move) : null];
    });
    this.body.replaceChildren(el("svg", {viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT,
      role: "img", "aria-label": label},
      [0, .5, 1].map((value) => [
        el("line", {class: "sv-grid", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value)}),
        el("text", {x: LEFT - 6, y: y(value) + 4, "text-anchor": "end"}, percent(value)),
      ]).flat(),
      el("text", {x: LEFT, y: HEIGHT - 6}, "0"),
      el("text", {x: width - RIGHT, y: HEIGHT - 6, "text-anchor": "end"},
        t("seconds", {seconds: short(end)})),
      line(points, x, y), names.flat()));
  }
}
