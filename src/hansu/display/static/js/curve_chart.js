// @ts-check
// Curves over the time of a run, with axes.
import {el} from "hansu/dom.js";
import {line, range, scale, ticks} from "hansu/plot.js";
import {percent, short, t} from "hansu/words.js";

const [WIDTH, HEIGHT] = [520, 220];
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 12, 8, 36]; // room for the axes
const MOST_DOTS = 60; // with more points, the line alone
/** @type {[number, string][]} */
const UNITS = [[3600, "hours"], [60, "minutes"], [1, "seconds"]];
const ENOUGH = 3; // of a unit, to count in it

/** @typedef {Record<string, number | null>} Row */

/**
 * The unit that a time is best told in: its size in seconds, and its name.
 * @param {number} seconds
 */
export const unitOf = (seconds) => UNITS.find(([size]) => seconds >= ENOUGH * size) ?? UNITS[2];

/** @param {number} seconds in words */
export function durationText(seconds) {
  const [size, name] = unitOf(seconds);
  return t(`duration.${name}`, {count: short(seconds / size)});
}

/**
 * A figure with a curve for each name, on one scale.
 * @param {string[]} all
 * @param {string} unit of the values, "percent" for shares; nothing where they have none
 * @param {Row[]} rows
 */
export function curveChart(all, unit, rows) {
  const names = all.filter((name) => rows.some((row) => row[name] !== null));
  const ends = range(names.flatMap((name) => rows.map((row) => row[name])));
  if (!ends) return el("figure", {hidden: true});
  const last = Math.max(1, rows.at(-1)?.seconds ?? 1);
  const [size, timeName] = unitOf(last);
  const x = scale([0, last / size], [LEFT, WIDTH - RIGHT]);
  const room = (ends[1] - ends[0]) * 0.05 || Math.abs(ends[0]) * 0.1 || 1;
  const y = scale([ends[0] - room, ends[1] + room], [HEIGHT - BOTTOM, TOP]);
  const points = (/** @type {string} */ name) => /** @type {[number, number][]} */ (
    rows.map((row) => [(row.seconds ?? 0) / size, row[name]]).filter(([, value]) => value !== null));
  const curve = (/** @type {string} */ name, /** @type {number} */ i) => el("g",
    {class: `curve c${i}`}, line(points(name), x, y), points(name).length < MOST_DOTS
      ? points(name).map(([at, v]) => el("circle", {cx: x(at), cy: y(v), r: 2.5})) : []);
  const title = t(`training.${names[0]}`);
  const told = (/** @type {number} */ value) => (unit === "percent" ? percent(value, 1) : short(value));
  return el("figure", null,
    el("figcaption", null, el("b", null, unit === "nats" ? `${title} (${t("unit.nats")})` : title),
      names.map((name, i) => el("span", {class: `c${i}`},
        [names.length > 1 ? t(`training.on.${i ? "validation" : "training"}`) : "",
          told(points(name).at(-1)?.[1] ?? 0)].filter(Boolean).join(" ")))),
    el("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
      "aria-label": t("training.curve", {title, from: told(points(names[0])[0][1]),
        to: told(points(names[0]).at(-1)?.[1] ?? 0)})},
    ticks(ends[0] - room, ends[1] + room).map((value) => el("g", {class: "tick"},
      el("line", {x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value)}),
      el("text", {x: LEFT - 6, y: y(value) + 4, "text-anchor": "end"}, told(value)))),
    ticks(0, last / size).map((value) => el("text", {class: "time", x: x(value),
      y: HEIGHT - BOTTOM + 16, "text-anchor": "middle"}, short(value))),
    el("text", {class: "time", x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4,
      "text-anchor": "middle"}, t(`training.time.${timeName}`)),
    names.map(curve)));
}
