// @ts-check
import assert from "node:assert/strict";
import {beforeEach, test} from "node:test";
import {errorText, longer, mayAsk} from "hansu/server.js";
import {points, withError} from "hansu/tournament.js";
import {Growth} from "hansu/viewer/growth.js";
import {valueText} from "hansu/viewer/text.js";
import {pictures} from "hansu/board_pack.js";
import {speak} from "hansu/words.js";

beforeEach(() => speak("en", {"error.option": "Option: {text}"}));

test("half points are written as such", () => {
  assert.deepEqual([0, 0.5, 1, 12.5].map(points), ["0", "½", "1", "12½"]);
});

test("Elo is shown with its error, or without end", () => {
  assert.equal(withError(12.4, 30.6), "+12 ± 31");
  assert.equal(withError(-1200, 0), "−1200 ± 0");
  assert.equal(withError(0, null), "0 ± ∞");
  assert.equal(withError(null, null), "∞ ± ∞");
});

test("a broken line is taken up ever more slowly, within bounds", () => {
  const waits = [250];
  for (let i = 0; i < 8; i += 1) waits.push(longer(waits[i]));
  assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 8000, 8000, 8000, 8000]);
});

test("an error is said in the page's words, or in the server's", () => {
  assert.equal(errorText("option", "size 99"), "Option: size 99");
  assert.equal(errorText("unheard_of", "size 99"), "size 99");
  assert.equal(errorText(undefined, "size 99"), "size 99");
});

test("without a token the server does nothing for us where it wants one", () => {
  assert.ok(mayAsk({token: false}));
  assert.ok(!mayAsk({token: true}));
});

test("values of alpha-beta have a sign, and may be infinite", () => {
  assert.deepEqual([0.5, -0.5, 0, null].map((value) => valueText(value)), ["+0.50", "−0.50", "0.00", "∞"]);
  assert.equal(valueText(null, "−∞"), "−∞");
});

test("boards that share tags are put together", () => {
  assert.deepEqual(pictures({tags: ["<g/>", "<p/>"], boards: [[0, 1], [1]]}), ["<g/><p/>", "<p/>"]);
});

test("a tree grows step by step and knows the way to a node", () => {
  const steps = [
    {kind: "expand", node: 0, children: [{node: 1, move: "a1"}, {node: 2, move: "b2"}]},
    {kind: "select", chosen: 2},
    {kind: "expand", node: 2, children: [{node: 3, move: "c3"}]},
    {kind: "select", chosen: 3},
    {kind: "back_up", updates: [{node: 3, visits: 1, value: 1}, {node: 2, visits: 1, value: 0},
      {node: 0, visits: 1, value: 1}]},
  ];
  const growth = Growth.after(steps, 4);
  assert.deepEqual(growth.path(growth.current), ["b2", "c3"]);
  assert.deepEqual([...growth.onPath], [0, 3, 2]);
  assert.equal(growth.get(2).visits, 0);
  assert.equal(Growth.after(steps, 5).get(2).visits, 1);
  assert.equal(Growth.after(steps, 5).current, 0);
});
