// @ts-check
// The pages, and which of them is shown: what follows the # in the address.
import {arenaPage} from "hansu/arena.js";
import {showBoardLooks} from "hansu/board_looks.js";
import {competitionPage} from "hansu/competition.js";
import {$, announce, complain, el, kept, settle} from "hansu/dom.js";
import {nameButton, showLanguages, showTheme, speakPage, wishedLanguages} from "hansu/frame.js";
import {Game} from "hansu/game.js";
import {homePage} from "hansu/home.js";
import {LibraryPage} from "hansu/library.js";
import {Replay} from "hansu/replay.js";
import {rulesPage} from "hansu/rules.js";
import {ask, messageOf} from "hansu/server.js";
import {Setup} from "hansu/setup.js";
import {soundOn} from "hansu/sound.js";
import {keyOf, rememberKey} from "hansu/table_keys.js";
import {trainingPage} from "hansu/training.js";
import {bestLanguage, t} from "hansu/words.js";

const page = $("#page");
/** @type {import("hansu/picker.js").Offer} */
let offer;
/** @type {{close?: () => void} | null} */
let shown = null; // what must be closed before another page is shown

/** @type {Record<string, (wish: URLSearchParams, ...rest: string[]) => {close?: () => void}>} */
const PAGES = {
  home: () => homePage(page, offer),
  rules: (_, name) => rulesPage(page, offer, name),
  play: (wish) => new Setup(page, "play", offer, wish, openTable),
  watch: (wish) => new Setup(page, "watch", offer, wish, openTable),
  replay: (wish) => new Replay(page, wish, openTable, offer),
  analysis: (wish) => new Setup(page, "analysis", offer, wish, openTable),
  arena: (_, kind, name) => arenaPage(page, offer, kind, name),
  training: (_, name) => trainingPage(page, name),
  competition: (_, kind, name) => competitionPage(page, kind, name),
  table: (_, id) => new Game(page, id, keyOf(id), offer, openTable),
  library: () => new LibraryPage(page, offer),
};
const LISTED = ["home", "play", "watch", "replay", "analysis", "arena", "training"];
const BESIDE_COMPETITION = ["competition", "replay"]; // nothing that would slow its games

const listed = () => (offer.competition ? BESIDE_COMPETITION
  : offer.library ? [...LISTED, "library"] : LISTED);

/**
 * A game that the address asked for takes its place: going back must not begin another one.
 * @param {{id: string, key: string}} table
 */
function openTable({id, key}) {
  rememberKey(id, key);
  const to = `#/table/${id}`;
  if (route().wish.has("begin")) location.replace(to);
  else location.hash = to;
}

function route() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/");
  const wish = new URLSearchParams(query || "");
  const known = name in PAGES && (offer.competition ? listed().includes(name) : name !== "competition");
  return {name: known ? name : listed()[0], rest: known ? rest : [], wish};
}

function takeToken() {
  const {name, rest, wish} = route();
  if (!wish.has("token")) return;
  try { sessionStorage.setItem("token", wish.get("token") ?? ""); } catch { /* asked for again */ }
  wish.delete("token");
  const query = wish.toString();
  history.replaceState(null, "", `#/${[name, ...rest].join("/")}${query ? `?${query}` : ""}`);
}

// A link with the key of a table: the address keeps the table only.
function takeKey() {
  const {name, rest: [id, key]} = route();
  if (name !== "table" || !key) return;
  rememberKey(id, key);
  history.replaceState(null, "", `#/table/${id}`);
}

function show() {
  takeToken();
  takeKey();
  const {name, rest, wish} = route();
  shown?.close?.();
  settle();
  page.className = `page-${name}`;
  shown = PAGES[name](wish, ...rest);
  showFrame(name);
  scrollTo(0, 0);
}

/**
 * Header and title, in the language chosen.
 * @param {string} name
 */
function showFrame(name) {
  const title = name in {table: 1} ? t("table.title") : t(`${name}.title`);
  document.title = `${title} · hansu`;
  announce(title);
  $(".skip").textContent = t("skip");
  $("#pages").setAttribute("aria-label", t("pages"));
  const linked = listed().filter((each) => each !== "home"); // the brand leads there
  $("#pages").replaceChildren(...linked.map((each) => el("a", {href: `#/${each}`,
    "aria-current": each === name ? "page" : null}, t(`${each}.title`))));
  showTheme();
  showBoardLooks();
  nameButton("#sound", "♪", t("sound"));
  $("#sound").setAttribute("aria-pressed", String(soundOn()));
  showLanguages(offer.languages, async (code) => {
    await speakTo(code);
    show();
  });
}

/** @param {string} code */
async function speakTo(code) { speakPage(code, await ask(`/words/${code}.json`)); }

$("#sound").onclick = () => {
  kept.set("sound", soundOn() ? "off" : "on");
  showFrame(route().name);
};
$(".skip").onclick = (/** @type {Event} */ event) => {
  event.preventDefault(); // the # of the address is the page's
  page.focus();
};
addEventListener("hashchange", show);
navigator.serviceWorker?.register("/worker.js").catch(() => { /* then not without the server */ });

try {
  offer = await ask("/api/offer");
  await speakTo(bestLanguage(Object.keys(offer.languages), wishedLanguages()));
  show();
} catch (error) {
  complain(messageOf(error));
}
