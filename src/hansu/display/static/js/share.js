// @ts-check
// Giving a recorded game away: as a file, a picture that moves, a page of one file, or a link.
import {complain, el} from "hansu/dom.js";
import {icon} from "hansu/icons.js";
import {ask, messageOf, saveAs} from "hansu/server.js";
import {language, t} from "hansu/words.js";

const LOOPBACK = /^(localhost|127\.[0-9.]+|\[::1\])$/;

/**
 * Copy a link, and say where it can be opened.
 * @param {string} route
 */
export async function copyLink(route) {
  const link = `${location.origin}${location.pathname}#${route}`;
  try {
    await navigator.clipboard.writeText(link);
    complain(t(LOOPBACK.test(location.hostname) ? "share.here" : "share.copied"));
  } catch { complain(link); }
}

/**
 * What a format is called; one without a place for variations and comments says so.
 * @param {string} form
 * @param {{variations: string[]}} offer
 * @param {boolean} isAnnotated
 */
export function formatName(form, offer, isAnnotated) {
  const name = t(`format.${form}`);
  return isAnnotated && !offer.variations.includes(form) ? t("format.moves_only", {name}) : name;
}

/**
 * @param {string} record
 * @param {{form: string, name: string}[]} formats
 * @param {() => string | null} address where the server has the game already, if it has
 */
export function shareMenu(record, formats, address) {
  const save = async (/** @type {string} */ form) => {
    try {
      await saveAs(`/api/share?form=${form}&language=${language()}`, new Blob([record]));
    } catch (error) { complain(messageOf(error)); }
  };
  const link = async () => {
    try {
      const from = address() ?? `/api/library/${(await ask("/api/library", {record})).id}`;
      await copyLink(`/replay?from=${encodeURIComponent(from)}`);
    } catch (error) { complain(messageOf(error)); }
  };
  return el("details", {class: "menu"},
    el("summary", {class: "button"}, icon("share"), t("share.title")),
    el("div", {class: "list"},
      el("button", {onclick: link}, t("share.link")),
      el("button", {onclick: () => save("html")}, t("share.html")),
      el("button", {onclick: () => save("svg")}, t("share.svg")),
      formats.map(({form, name}) => el("button", {onclick: () => save(form)}, name))));
}
