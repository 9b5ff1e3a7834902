// @ts-check
// A page that is one file: its data and its words are inside, and it speaks every language it holds.
import {$} from "hansu/dom.js";
import {showLanguages, showTheme, speakPage, wishedLanguages} from "hansu/frame.js";
import {bestLanguage} from "hansu/words.js";

/**
 * Show the data of this file, and show it again in another language when that is chosen.
 * @param {(root: Element, data: any) => {close?: () => void}} show
 */
export function openFile(show) {
  const {words, language, ...data} = JSON.parse($("#data").textContent);
  const codes = Object.keys(words);
  const names = Object.fromEntries(codes.map((code) => [code, words[code]["language.name"]]));
  /** @type {{close?: () => void} | undefined} */
  let shown;
  const speak = (/** @type {string} */ code) => {
    shown?.close?.();
    speakPage(code, words[code]);
    showTheme();
    showLanguages(names, speak);
    shown = show($("#page"), data);
  };
  speak(bestLanguage(codes, language ? [language] : wishedLanguages()));
}
