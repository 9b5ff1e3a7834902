// @ts-check
// What every line chart is made of: scales, round numbers beside them, and the line.
import {el} from "hansu/dom.js";

const STEPS = [1, 2, 5, 10]; // times a power of ten

/** @typedef {(value: number) => number} Scale */

/**
 * From values between low and high to places between start and end.
 * @param {[number, number]} values
 * @param {[number, number]} places
 * @returns {Scale}
 */
export function scale([low, high], [start, end]) {
  return (value) => start + ((end - start) * (value - low)) / (high - low || 1);
}

/**
 * The least and the greatest of some values, those that are no number left out.
 * @param {(number | null | undefined)[]} values
 * @returns {[number, number] | null}
 */
export function range(values) {
  const known = values.filter((value) => typeof value === "number" && Number.isFinite(value));
  return known.length ? [Math.min(.../** @type {number[]} */ (known)),
    Math.max(.../** @type {number[]} */ (known))] : null;
}

/**
 * Round numbers between low and high, at most six.
 * @param {number} low
 * @param {number} high
 */
export function ticks(low, high) {
  const least = (high - low) / 5 || 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * (STEPS.find((each) => each * power >= least) ?? 10);
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({length: Math.max(0, count)}, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/**
 * The points of a line as SVG writes them.
 * @param {[number, number][]} points
 * @param {Scale} x
 * @param {Scale} y
 */
export const places = (points, x, y) =>
  points.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(" ");

/**
 * @param {[number, number][]} points
 * @param {Scale} x
 * @param {Scale} y
 */
export const line = (points, x, y) => el("polyline", {points: places(points, x, y)});
