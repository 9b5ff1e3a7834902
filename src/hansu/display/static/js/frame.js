// @ts-check
// What every page and file has at its top: light or dark, and the language.
import {$, el, kept} from "hansu/dom.js";
import {icon} from "hansu/icons.js";
import {language, speak, t} from "hansu/words.js";

/** @typedef {import("hansu/words.js").Dictionary} Dictionary */

/**
 * Speak a language, say so to the browser, and remember it.
 * @param {string} code
 * @param {Dictionary} dictionary
 */
export function speakPage(code, dictionary) {
  speak(code, dictionary);
  document.documentElement.lang = code;
  kept.set("language", code);
}

/** The languages a visitor would like, best first. */
export const wishedLanguages = () => [kept.get("language"), ...navigator.languages];

/**
 * Let the reader choose a language.
 * @param {Record<string, string>} languages code and own name
 * @param {(code: string) => void} choose
 */
export function showLanguages(languages, choose) {
  const menu = $("#language");
  menu.setAttribute("aria-label", t("language"));
  menu.title = t("language");
  menu.replaceChildren(...Object.entries(languages).map(([code, name]) => el("option",
    {value: code, lang: code, selected: code === language()}, name)));
  menu.onchange = () => choose(menu.value);
}

/** The button for light or dark, named in the language spoken. */
export function showTheme() {
  const dark = isDark();
  nameButton("#theme", dark ? "light" : "dark", t(dark ? "theme.light" : "theme.dark"));
  $("#theme").onclick = () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    kept.set("theme", theme);
    showTheme();
  };
}

/** @param {string} selector @param {import("hansu/icons.js").Sign} sign @param {string} name */
export function nameButton(selector, sign, name) {
  const button = $(selector);
  button.replaceChildren(icon(sign));
  button.title = name;
  button.setAttribute("aria-label", name);
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
