// @ts-check
import assert from "node:assert/strict";
import {test} from "node:test";
import {shares, worst} from "hansu/chart.js";
import {places, range, scale, ticks} from "hansu/plot.js";

test("a scale maps its ends to its ends, also upside down", () => {
  const y = scale([0, 1], [82, 2]);
  assert.deepEqual([0, 0.5, 1].map(y), [82, 42, 2]);
  assert.equal(scale([3, 3], [0, 10])(3), 0); // all values are the same
});

test("what is no number does not stretch a range", () => {
  assert.deepEqual(range([null, 3, undefined, -1, NaN, Infinity]), [-1, 3]);
  assert.equal(range([null]), null);
});

test("ticks are round, few and inside", () => {
  assert.deepEqual(ticks(-130, 220), [-100, 0, 100, 200]);
  for (const [low, high] of [[0, 20], [-7, 13], [-3000, 4500], [12, 49000]]) {
    const found = ticks(low, high);
    assert.ok(found.length <= 6, `${low} to ${high}: ${found}`);
    assert.ok(found.every((x) => low <= x && x <= high));
  }
});

test("a line is written as SVG writes it", () => {
  assert.equal(places([[0, 0], [1, 0.25]], scale([0, 1], [0, 10]), scale([0, 1], [4, 0])),
    "0.0,4.0 10.0,3.0");
});

test("White's share is the mean of what both said last", () => {
  assert.deepEqual(shares([0.5, 0.25, null, 0.75], "white"), [0.5, 0.625, null, 0.375]);
  assert.deepEqual(shares([0.75, 0.25], "black"), [0.25, 0.25]);
});

test("the worst move is the one after which the opponent is happiest", () => {
  const values = [0.5, 0.5, 0.5, 0.9, 0.1, 0.9];
  assert.deepEqual(worst(values).map(({i}) => i), [2]);
  assert.deepEqual(worst([0.1, null, 0.9]).map(({i}) => i), [1]);
  assert.deepEqual(worst([]), []);
  assert.deepEqual(worst([0.2]), []);
});
