// @ts-check
import assert from "node:assert/strict";
import {test} from "node:test";
import {weightsOf} from "hansu/marks.js";

/** @param {[string, number, number?][]} lines */
const weights = (...lines) => weightsOf({lines: lines.map(([text, visits, score]) =>
  ({text, visits, score}))});

test("moves are pointed out by their visits, the best on top", () => {
  assert.deepEqual(weights(["a", 40], ["b", 10]), [["b", 0.25], ["a", 1]]);
});

test("a move that a search has not tried is not pointed out", () => {
  assert.deepEqual(weights(["a", 40], ["b", 0], ["c", 0]), [["a", 1]]);
});

test("a search without visits points its moves out by their order", () => {
  assert.deepEqual(weights(["a", 0], ["b", 0]), [["b", 0.5], ["a", 1]]);
});

test("moves with exact scores are all pointed out, with them", () => {
  assert.deepEqual(weights(["a", 9, 4], ["b", 0, -2]), [["a", 1, "+4"], ["b", 0, "−2"]]);
});
