// @ts-check
import assert from "node:assert/strict";
import {beforeEach, test} from "node:test";
import {duration, filled} from "hansu/competition.js";
import {pageOf} from "hansu/projector.js";
import {spread} from "hansu/rating_history.js";
import {speak} from "hansu/words.js";

beforeEach(() => speak("en", {"competition.days": "{count} days", "competition.days.one": "1 day",
  "competition.hours": "{count} h", "competition.minutes": "{count} min",
  "competition.seconds": "{count} s"}));

test("time left is told in its two largest units", () => {
  assert.equal(duration(86400 * 15 + 100), "15 days 0 h");
  assert.equal(duration(86400 + 3600 * 2), "1 day 2 h");
  assert.equal(duration(3 * 3600 + 5 * 60 + 59), "3 h 5 min");
  assert.equal(duration(61), "1 min 1 s");
  assert.equal(duration(9.9), "9 s");
  assert.equal(duration(0), "0 s");
  assert.equal(duration(-5), "0 s");
});

test("a cross-table is filled from both sides", () => {
  const table = filled({names: ["a", "b", "c"], cells: [[0, 2, 1.5, 2]]});
  assert.deepEqual(table[0][2], [0.75, 0.75]);
  assert.deepEqual(table[2][0], [0.25, 0.25]);
  assert.deepEqual(table[0][1], []);
});

test("names beside a chart do not overlap and stay inside", () => {
  const places = spread([100, 100, 101, 250, 251, 252]);
  const sorted = [...places].sort((a, b) => a - b);
  sorted.slice(1).forEach((place, i) => assert.ok(place - sorted[i] >= 14.99));
  assert.ok(Math.max(...places) <= 252);
});

test("a big screen shows the table page by page, and again from the top", () => {
  const rows = Array.from({length: 23}, (_, i) => i);
  assert.deepEqual(pageOf(rows, 0), rows.slice(0, 10));
  assert.deepEqual(pageOf(rows, 2), [20, 21, 22]);
  assert.deepEqual(pageOf(rows, 3), rows.slice(0, 10));
  assert.deepEqual(pageOf([], 5), []);
});
