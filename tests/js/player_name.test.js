// @ts-check
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";
import {playerName} from "hansu/player_name.js";
import {speak} from "hansu/words.js";

const folder = new URL("../../src/hansu/display/static/words/", import.meta.url);
const words = (/** @type {string} */ code) =>
  JSON.parse(readFileSync(new URL(`${code}.json`, folder), "utf8"));

test("levels, agents and people are called by name, in every language", () => {
  speak("en", words("en"));
  assert.equal(playerName("engine:level=3"), "Level 3 · Novice");
  assert.equal(playerName("engine:search_time=1"), "Level 10 · Full strength");
  assert.equal(playerName("engine"), "Engine");
  assert.equal(playerName("mcts:n_simulations=300,cpuct=2"), "MCTS (n_simulations=300, cpuct=2)");
  assert.equal(playerName("human"), "Player");
  speak("ko", words("ko"));
  assert.match(playerName("engine:level=3"), /^[^a-z]*3[^a-z]*$/);
});

test("a file goes without its folders, and whoever is not known keeps the name", () => {
  speak("en", words("en"));
  assert.equal(playerName("self_learning:model=/home/me/runs/go/model.onnx,resign=on"),
    "Self-taught network (model=model.onnx, resign=on)");
  assert.equal(playerName("./students/kim/agent.py"), "agent.py");
  assert.equal(playerName("students/kim/agent.py"), "agent.py");
  assert.equal(playerName("uci:/usr/games/stockfish"), "uci:stockfish");
  for (const plain of ["Ann", "uci:stockfish", "Kim / Lee", "Kim/Lee", "engine of doom", "", "<b>x</b>"]) {
    assert.equal(playerName(plain), plain);
  }
  speak("xx", {});
  assert.equal(playerName("engine:level=3"), "engine:level=3"); // without words of its own
});
