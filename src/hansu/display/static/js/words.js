// @ts-check
// Every word that is shown, from one dictionary a language, and numbers as that language writes them.

/** @typedef {Record<string, string>} Dictionary */

/** @type {Dictionary} */
let words = {};
let locale = "en";
/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/**
 * Speak a language from now on.
 * @param {string} code
 * @param {Dictionary} dictionary
 */
export function speak(code, dictionary) {
  words = dictionary;
  locale = code;
  formats.clear();
}

export const language = () => locale;

/**
 * Of the languages offered, the first that is wished for; "pt-BR" is content with "pt".
 * @param {string[]} offered
 * @param {readonly (string | null)[]} wished
 */
export function bestLanguage(offered, wished) {
  const base = (/** @type {string} */ code) => code.toLowerCase().split("-")[0];
  for (const wish of wished) {
    if (!wish) continue;
    const same = offered.find((code) => code.toLowerCase() === wish.toLowerCase());
    const near = same ?? offered.find((code) => base(code) === base(wish));
    if (near) return near;
  }
  return offered.includes("en") ? "en" : offered[0];
}

/** @param {string} key */
export const has = (key) => key in words;

/**
 * t("seconds", {seconds: 3}) fills in {seconds}.
 * @param {string} key
 * @param {Record<string, any>} [values]
 */
export function t(key, values = {}) {
  const text = words[key];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/**
 * A text with a number in it, {count}; "key.one" is for 1 where the language has a singular.
 * @param {string} key
 * @param {number} count
 */
export function counted(key, count) {
  const form = `${key}.${new Intl.PluralRules(locale).select(count)}`;
  return t(has(form) ? form : key, {count: number(count)});
}

/**
 * What one game calls otherwise than the rest: its own word, or the common one.
 * @param {string} family
 * @param {string | null} game
 * @param {string} name
 * @param {Record<string, any>} [values]
 */
export function ofGame(family, game, name, values = {}) {
  const own = `${family}.${game}.${name}`;
  return t(has(own) ? own : `${family}.${name}`, values);
}

/**
 * @param {number} value
 * @param {Intl.NumberFormatOptions} options
 */
function formatted(value, options) {
  const key = JSON.stringify(options);
  let format = formats.get(key);
  if (!format) formats.set(key, format = new Intl.NumberFormat(locale, options));
  return format.format(value);
}

/** @param {number} value @param {number} [digits] after the point, at most */
export const number = (value, digits = 0) => formatted(value, {maximumFractionDigits: digits});

/** @param {number} value @param {number} digits after the point, always */
export const fixed = (value, digits) =>
  formatted(value, {minimumFractionDigits: digits, maximumFractionDigits: digits});

/** @param {number} value to three significant digits */
export const short = (value) => formatted(value, {maximumSignificantDigits: 3});

/** @param {number} share @param {number} [digits] at most */
export const percent = (share, digits = 0) =>
  formatted(share, {style: "percent", maximumFractionDigits: digits});

/** @param {number} share with one digit after the point */
export const exactPercent = (share) =>
  formatted(share, {style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1});

/** @param {number} seconds since 1970, as a date and a time */
export const moment = (seconds) => new Intl.DateTimeFormat(locale,
  {dateStyle: "medium", timeStyle: "short"}).format(1000 * seconds);

/** @param {number} value as "+1" or "−0.25" */
export function signed(value, digits = 0) {
  const size = formatted(Math.abs(value),
    {minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false});
  return (value > 0 ? "+" : value < 0 ? "−" : "") + size;
}
