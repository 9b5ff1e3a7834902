// @ts-check
import assert from "node:assert/strict";
import {test} from "node:test";
import {unitOf} from "hansu/curve_chart.js";
import {ticks} from "hansu/plot.js";
import {nextPuzzle} from "hansu/puzzles.js";

test("the next puzzle is one that is not solved, in turn", () => {
  const names = ["a", "b", "c", "d"];
  assert.equal(nextPuzzle(names, [], undefined), "a");
  assert.equal(nextPuzzle(names, ["b"], "a"), "c");
  assert.equal(nextPuzzle(names, [], "d"), "a");
  assert.equal(nextPuzzle(names, names, "b"), "c"); // all are solved: once more
  assert.equal(nextPuzzle(["a"], ["a"], "a"), "a");
  assert.equal(nextPuzzle([], [], undefined), undefined);
});

test("small values have round ticks too", () => {
  assert.deepEqual(ticks(0.27, 0.56), [0.3, 0.4, 0.5]);
  assert.deepEqual(ticks(0, 0.04), [0, 0.01, 0.02, 0.03, 0.04]);
  assert.deepEqual(ticks(3, 3), [3]);
});

test("a time is told in a unit of which there are some", () => {
  assert.deepEqual([90, 200, 9000, 20000].map((seconds) => unitOf(seconds)[1]),
    ["seconds", "minutes", "minutes", "hours"]);
});
