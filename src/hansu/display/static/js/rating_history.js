// @ts-check
// How the ratings of a competition have changed: a line for each of the best, named at its end.
import {el} from "hansu/dom.js";
import {line, range, scale, ticks} from "hansu/plot.js";
import {signed, t} from "hansu/words.js";

const [WIDTH, HEIGHT, RIGHT] = [760, 260, 170];
const MOST = 8; // lines that can be told apart

/**
 * @param {Record<string, [number, number][]>} lines moment and Elo, by name
 * @param {string[]} order the best first
 */
export function historyChart(lines, order) {
  const best = order.filter((name) => (lines[name] ?? []).length > 1).slice(0, MOST);
  if (!best.length) return null;
  const all = best.flatMap((name) => lines[name]);
  const times = range(all.map(([at]) => at)) ?? [0, 1];
  const elos = range(all.map(([, elo]) => elo)) ?? [0, 1];
  const room = Math.max(20, (elos[1] - elos[0]) * 0.08);
  const x = scale(times, [44, WIDTH - RIGHT]);
  const y = scale([elos[0] - room, elos[1] + room], [HEIGHT - 8, 8]);
  const ends = spread(best.map((name) => y(lines[name][lines[name].length - 1][1])));
  return el("svg", {class: "ratings", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
    "aria-label": t("competition.history.label", {names: best.join(", ")})},
  ticks(elos[0] - room, elos[1] + room).map((elo) => el("g", {class: "tick"},
    el("line", {x1: 44, x2: WIDTH - RIGHT, y1: y(elo), y2: y(elo)}),
    el("text", {x: 38, y: y(elo) + 4, "text-anchor": "end"}, signed(elo)))),
  best.map((name, i) => el("g", {class: `line-${i}`}, line(lines[name], x, y),
    el("text", {x: WIDTH - RIGHT + 8, y: ends[i] + 4}, name.slice(0, 20)))));
}

/**
 * Places for names beside each other: at least a line apart, as near to where they belong as may be.
 * @param {number[]} wanted
 */
export function spread(wanted) {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  const placed = [...wanted];
  let last = -Infinity;
  for (const i of order) last = placed[i] = Math.max(wanted[i], last + 15);
  const over = Math.max(0, last - (HEIGHT - 8));
  return placed.map((place) => place - over);
}
