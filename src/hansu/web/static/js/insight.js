// A window into the last search of a table: the search viewer, with the server's answers.
import {SearchViewer} from "../viewer/viewer.js";
import {en} from "../viewer/strings/en.js";
import {ko} from "../viewer/strings/ko.js";
import {el} from "./dom.js";
import {ask} from "./server.js";
import {language, t} from "./words.js";

const STRINGS = {en, ko};

export function openInsight(table) {
  const path = `/api/tables/${encodeURIComponent(table)}/search`;
  const about = (what) => (moves = []) => ask(path, {about: what, moves});
  const source = {info: about("info"), children: about("children"), board: about("board"),
    steps: about("steps")};
  const place = el("div");
  const dialog = el("dialog", {class: "insight", "aria-label": t("insight.title"),
    onclose: () => dialog.remove()},
  el("div", {class: "controls"},
    el("a", {class: "button", download: true, href: `${path}.html?language=${language()}`},
      el("span", {"aria-hidden": "true"}, "⤓"), t("insight.file")),
    el("button", {onclick: () => dialog.close()}, t("insight.close"))),
  place);
  document.body.append(dialog);
  dialog.showModal();
  return new SearchViewer(place, source, {strings: STRINGS[language()]}).refresh();
}
