// Every word of the page, from one file a language.
import {kept} from "./dom.js";

export const LANGUAGES = {en: "English", ko: "한국어"};
let words = {};

export const language = () => document.documentElement.lang;

export async function loadWords(code = language()) {
  const answer = await fetch(`words/${code in LANGUAGES ? code : "en"}.json`);
  words = await answer.json();
  document.documentElement.lang = code;
  kept.set("language", code);
}

// t("turn.yours", {color: "white"}) fills in {color}.
export function t(key, values = {}) {
  const text = words[key];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

// What one game calls otherwise than the rest: its own word, or the common one.
export function ofGame(family, game, name, values = {}) {
  const own = `${family}.${game}.${name}`;
  return t(has(own) ? own : `${family}.${name}`, values);
}

export const has = (key) => key in words;
export const number = (value, digits = 0) => value.toLocaleString(language(),
  {minimumFractionDigits: 0, maximumFractionDigits: digits});
export const percent = (value) => `${Math.round(100 * value)}%`;
