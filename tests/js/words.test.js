// @ts-check
import assert from "node:assert/strict";
import {beforeEach, test} from "node:test";
import {bestLanguage, counted, fixed, has, number, ofGame, percent, short, signed, speak, t}
  from "hansu/words.js";

const ENGLISH = {"hello": "Hello {name}, {name}", "turns": "{count} turns", "turns.one": "{count} turn",
  "color.white": "White", "color.connect4.white": "Yellow"};

beforeEach(() => speak("en", ENGLISH));

test("gaps are filled, as often as they occur", () => {
  assert.equal(t("hello", {name: "Ann"}), "Hello Ann, Ann");
  assert.equal(t("hello"), "Hello , ");
  assert.equal(t("hello", {name: "$&"}), "Hello $&, $&");
  assert.equal(t("hello", {name: 0}), "Hello 0, 0");
});

test("a missing word is seen by its key", () => {
  assert.equal(t("nothing.here"), "nothing.here");
  assert.ok(!has("nothing.here"));
});

test("a singular is used where the language has one", () => {
  assert.equal(counted("turns", 1), "1 turn");
  assert.equal(counted("turns", 0), "0 turns");
  assert.equal(counted("turns", 2500), "2,500 turns");
  speak("ko", {"turns": "{count}수"});
  assert.equal(counted("turns", 1), "1수");
  speak("ko", ENGLISH); // Korean has no singular, whatever the dictionary says
  assert.equal(counted("turns", 1), "1 turns");
});

test("a game's own word comes first", () => {
  assert.equal(ofGame("color", "connect4", "white"), "Yellow");
  assert.equal(ofGame("color", "go", "white"), "White");
  assert.equal(ofGame("color", null, "white"), "White");
});

test("numbers follow the language", () => {
  assert.equal(number(1234.56, 1), "1,234.6");
  assert.equal(percent(0.256), "26%");
  assert.equal(percent(0.5, 1), "50%");
  assert.equal(fixed(2, 2), "2.00");
  assert.equal(short(0.0012345), "0.00123");
  speak("de", {});
  assert.equal(number(1234.56, 1), "1.234,6");
  assert.equal(fixed(2, 2), "2,00");
  assert.match(percent(0.256), /^26\s%$/);
});

test("signs are those of typography", () => {
  assert.equal(signed(12.4), "+12");
  assert.equal(signed(-1234.5), "−1235");
  assert.equal(signed(0), "0");
  assert.equal(signed(0.25, 2), "+0.25");
});

test("the language is the first wish that is offered", () => {
  const offered = ["en", "ko", "pt", "zh-Hant"];
  assert.equal(bestLanguage(offered, [null, "ko-KR", "en"]), "ko");
  assert.equal(bestLanguage(offered, ["fr-FR", "pt-BR"]), "pt");
  assert.equal(bestLanguage(offered, ["ZH-hant"]), "zh-Hant");
  assert.equal(bestLanguage(offered, ["zh"]), "zh-Hant");
  assert.equal(bestLanguage(offered, ["fr"]), "en");
  assert.equal(bestLanguage(["ko"], []), "ko");
});
