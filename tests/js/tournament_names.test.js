// @ts-check
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {before, test} from "node:test";
import {byName} from "hansu/tournament_names.js";
import {speak} from "hansu/words.js";

const words = new URL("../../src/hansu/display/static/words/en.json", import.meta.url);
before(() => speak("en", JSON.parse(readFileSync(words, "utf8"))));

test("agents are called by name wherever they stand, and nothing else is", () => {
  const facts = {name: "go", state: "random", standings: [{agent: "random"}, {agent: "engine:level=3"}],
    match: {leader: "random", games: 3}, isolation: {random: "trusted"}, cycle: {agents: ["random"]},
    played: [{first: "random", second: "engine:level=3", reason: "random", number: 0}]};
  assert.deepEqual(byName(facts), {name: "go", state: "random",
    standings: [{agent: "Random"}, {agent: "Level 3 · Novice"}],
    match: {leader: "Random", games: 3}, isolation: {Random: "trusted"}, cycle: {agents: ["Random"]},
    played: [{first: "Random", second: "Level 3 · Novice", reason: "random", number: 0}]});
});

test("two that would be called alike keep their own names", () => {
  const facts = {standings: [{agent: "./a/bot.py"}, {agent: "./b/bot.py"}]};
  assert.deepEqual(byName(facts), facts);
});
