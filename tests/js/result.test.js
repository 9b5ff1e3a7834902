// @ts-check
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {before, test} from "node:test";
import {clockText, colorName, reasonText, resultText} from "hansu/result.js";
import {speak} from "hansu/words.js";

const folder = new URL("../../src/hansu/", import.meta.url);
const read = (/** @type {string} */ path) => JSON.parse(readFileSync(new URL(path, folder), "utf8"));
const words = (/** @type {string} */ code) => ({...read(`games/go/words/${code}.json`),
  ...read(`games/connect4/words/${code}.json`), ...read(`display/static/words/${code}.json`)});
const outcome = (/** @type {object} */ change) =>
  ({winner: "white", reason: "timeout", margin: null, turns: 1, counted: null, ...change});

before(() => speak("en", words("en")));

test("a result says who, by how much and why", () => {
  assert.equal(resultText(outcome({}), "go"), "White wins: time is up");
  assert.equal(resultText(outcome({winner: null, reason: "board_full"}), "connect4"),
    "Draw: board full");
  assert.equal(resultText(outcome({reason: "line"}), "connect4"), "Yellow wins: four in a row");
  const counted = {what: "area", white: 38.5, black: 43};
  assert.equal(resultText(outcome({winner: "black", reason: "two_passes", counted}), "go"),
    "Black wins 43–38.5 points of area: both passed");
  assert.equal(resultText(outcome({reason: "unfinished", winner: null}), "go"), "Not finished");
});

test("a resignation has a word of its own in go", () => {
  const resigned = outcome({reason: "resignation"});
  assert.equal(resultText(resigned, "connect4"), "Yellow wins: resignation");
  speak("ko", words("ko"));
  assert.equal(resultText(resigned, "go"), "백 불계승");
  assert.equal(resultText(resigned, "connect4"), "노랑 승: 기권");
  speak("en", words("en"));
});

test("a game without words here is taken at its own", () => {
  assert.equal(reasonText("checkers", "no_pieces_left"), "no pieces left");
  assert.equal(colorName("black", "checkers"), "Black");
});

test("clocks count down to tenths", () => {
  assert.equal(clockText(125.2), "2:06");
  assert.equal(clockText(10), "0:10");
  assert.equal(clockText(9.96), "10.0");
  assert.equal(clockText(-3), "0.0");
});
