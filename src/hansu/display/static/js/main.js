// @ts-check
// The pages, and which of them is shown: what follows the # in the address.
import {showBoardLooks} from "hansu/board_looks.js";
import {$, announce, complain, el, kept, settle} from "hansu/dom.js";
import {showLanguages, showTheme, speakPage, wishedLanguages} from "hansu/frame.js";
import {ask, messageOf} from "hansu/server.js";
import {showSound, soundOn} from "hansu/sound.js";
import {keyOf, rememberKey} from "hansu/table_keys.js";
import {bestLanguage, t} from "hansu/words.js";

const page = $("#page");
/** @type {import("hansu/picker.js").Offer} */
let offer;
/** @type {Record<string, string>} */
let languages; // code and own name
/** @type {{close?: () => void} | null} */
let shown = null; // what must be closed before another page is shown
let turns = 0; // pages that have been asked for

/**
 * @typedef {(wish: URLSearchParams, ...rest: string[]) => {close?: () => void}} Maker
 *
 * What makes each page; its modules are loaded when it is first shown.
 * @type {Record<string, () => Promise<Maker>>}
 */
const PAGES = {
  home: () => import("hansu/home.js").then(({homePage}) => () => homePage(page, offer)),
  rules: () => import("hansu/rules.js").then(({rulesPage}) =>
    (_, name) => rulesPage(page, offer, name)),
  play: () => setup("play"),
  watch: () => setup("watch"),
  analysis: () => setup("analysis"),
  replay: () => import("hansu/replay.js").then(({Replay}) =>
    (wish) => new Replay(page, wish, openTable, offer)),
  puzzles: () => import("hansu/puzzles.js").then(({puzzlesPage}) =>
    (_, game, name) => puzzlesPage(page, offer, game, name)),
  arena: () => import("hansu/arena.js").then(({arenaPage}) =>
    (_, kind, name) => arenaPage(page, offer, kind, name)),
  training: () => import("hansu/training.js").then(({trainingPage}) =>
    (_, name) => trainingPage(page, offer, name, openTable)),
  competition: () => import("hansu/competition.js").then(({competitionPage}) =>
    (_, kind, name) => competitionPage(page, kind, name)),
  table: () => import("hansu/game.js").then(({Game}) =>
    (_, id) => new Game(page, id, keyOf(id), offer, openTable)),
  library: () => import("hansu/library.js").then(({LibraryPage}) =>
    () => new LibraryPage(page, offer)),
};

/** @param {"play" | "watch" | "analysis"} kind @returns {Promise<Maker>} */
const setup = (kind) => import("hansu/setup.js").then(({Setup}) =>
  (wish) => new Setup(page, kind, offer, wish, openTable));

const LISTED = ["home", "play", "watch", "puzzles", "replay", "analysis", "arena", "training"];
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

const asked = () => location.hash.replace(/^#\/?/, "").split("?");

function route() {
  const [path, query] = asked();
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

async function show() {
  takeToken();
  takeKey();
  const {name, rest, wish} = route();
  const turn = turns += 1;
  const make = await PAGES[name]().catch(() => null);
  if (turn !== turns) return; // another page has been asked for since
  if (!make) return complain(t("offline"));
  shown?.close?.();
  settle();
  page.className = `page-${name}`;
  shown = make(wish, ...rest);
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
  $("#pages [aria-current]")?.scrollIntoView({inline: "center", block: "nearest"});
  showTheme();
  showBoardLooks();
  $(".looks").classList.remove("blank");
  showSound();
  showLanguages(languages, async (code) => {
    await speakTo(code);
    show();
  });
}

/** @param {string} code */
async function speakTo(code) { speakPage(code, await ask(`/words/${code}.json`)); }

async function speakFirst() {
  languages = await ask("/languages.json");
  await speakTo(bestLanguage(Object.keys(languages), wishedLanguages()));
}

// The modules that will be needed, while the server is being asked.
function loadAhead() {
  const [path, query] = asked();
  const names = [path.split("/")[0] || "home"];
  if (new URLSearchParams(query).has("begin")) names.push("table");
  for (const name of names) PAGES[name]?.().catch(() => { /* asked for again, and told then */ });
}

$("#sound").onclick = () => {
  kept.set("sound", soundOn() ? "off" : "on");
  showSound();
};
$(".skip").onclick = (/** @type {Event} */ event) => {
  event.preventDefault(); // the # of the address is the page's
  page.focus();
};
addEventListener("hashchange", show);
navigator.serviceWorker?.register("/worker.js").catch(() => { /* then not without the server */ });

try {
  loadAhead();
  [offer] = await Promise.all([ask("/api/offer"), speakFirst()]);
  await show();
} catch (error) {
  complain(messageOf(error));
}
