// @ts-check
import assert from "node:assert/strict";
import {test} from "node:test";

// The start, a game of three moves, then variations: after the first, within it, and after the end.
const tree = {names: ["", "a", "b", "c", "x", "y", "z", "w"], parents: [0, 0, 1, 2, 1, 4, 4, 3],
  main: 4, comments: {}};
const key = (/** @type {string} */ name, change = {}) => {
  const event = {key: name, target: null, prevented: false, altKey: false, ctrlKey: false,
    metaKey: false, shiftKey: false, preventDefault() { this.prevented = true; }, ...change};
  return /** @type {any} */ (event);
};
// Outside a browser nothing is an element, and nothing has the focus.
Object.assign(globalThis, {Element: class {}, document: {body: {closest: () => null}}});
const {Paths, plainTree} = await import("hansu/move_tree.js");

test("a line goes on with its first move, the game itself to its end", () => {
  const paths = new Paths(tree);
  assert.deepEqual([0, 1, 2, 3].map((place) => paths.next(place)), [1, 2, 3, undefined]);
  assert.equal(paths.next(4), 5);
  assert.equal(paths.last(0), 3);
  assert.equal(paths.last(4), 5);
  assert.equal(paths.forward(3), 7); // what was tried after the end
  assert.deepEqual(paths.depth, [0, 1, 2, 3, 2, 3, 3, 4]);
});

test("a place knows the way to it, and where it leaves the game", () => {
  const paths = new Paths(tree);
  assert.deepEqual(paths.to(6), [1, 4, 6]);
  assert.deepEqual([0, 3, 6, 7].map((place) => paths.leaves(place)), [0, 3, 1, 3]);
});

test("keys walk along a line and between the moves of a position", () => {
  const paths = new Paths(tree);
  assert.equal(paths.byKey(key("ArrowRight"), 1), 2);
  assert.equal(paths.byKey(key("ArrowDown"), 2), 4);
  assert.equal(paths.byKey(key("ArrowUp"), 2), 4); // round and round
  assert.equal(paths.byKey(key("ArrowLeft"), 4), 1);
  assert.equal(paths.byKey(key("ArrowLeft"), 0), 0);
  assert.equal(paths.byKey(key("ArrowDown"), 3), undefined); // the page may scroll
  assert.equal(paths.byKey(key("End"), 4), 5);
  assert.equal(paths.byKey(key("Home"), 6), 0);
  assert.equal(paths.byKey(key("ArrowRight", {ctrlKey: true}), 1), undefined);
});

test("a game without variations is a tree, too", () => {
  const paths = new Paths(plainTree(["a", "b"]));
  assert.deepEqual([paths.last(0), paths.next(2), paths.siblings(2)], [2, undefined, [2]]);
});
