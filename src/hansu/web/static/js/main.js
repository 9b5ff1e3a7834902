// The pages, and which of them is shown: what follows the # in the address.
import {arenaPage} from "./arena.js";
import {$, announce, complain, el, kept} from "./dom.js";
import {Game} from "./game.js";
import {Replay} from "./replay.js";
import {ask} from "./server.js";
import {Setup} from "./setup.js";
import {soundOn} from "./sound.js";
import {trainingPage} from "./training.js";
import {LANGUAGES, language, loadWords, t} from "./words.js";

const page = $("#page");
let offer = null;
let shown = null; // what must be closed before another page is shown

const PAGES = {
  play: (wish) => new Setup(page, "play", offer, wish, openTable),
  watch: (wish) => new Setup(page, "watch", offer, wish, openTable),
  replay: (wish) => new Replay(page, wish, openTable),
  analysis: (wish) => new Setup(page, "analysis", offer, wish, openTable),
  arena: (wish, kind, name) => arenaPage(page, offer, kind, name),
  training: (wish, name) => trainingPage(page, name),
  table: (wish, id, key) => new Game(page, id, key, offer),
};
const LISTED = ["play", "watch", "replay", "analysis", "arena", "training"];


// A game that the address asked for takes its place: going back must not begin another one.
function openTable({id, key}) {
  const to = `#/table/${id}/${key}`;
  if (route().wish.has("begin")) location.replace(to);
  else location.hash = to;
}

function route() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/");
  const wish = new URLSearchParams(query || "");
  return {name: name in PAGES ? name : "play", rest, wish};
}

function takeToken() {
  const {name, rest, wish} = route();
  if (!wish.has("token")) return;
  try { sessionStorage.setItem("token", wish.get("token")); } catch { /* asked for again */ }
  wish.delete("token");
  const query = wish.toString();
  history.replaceState(null, "", `#/${[name, ...rest].join("/")}${query ? `?${query}` : ""}`);
}

function show() {
  takeToken();
  const {name, rest, wish} = route();
  shown?.close?.();
  page.className = `page-${name}`;
  shown = PAGES[name](wish, ...rest);
  showFrame(name);
  scrollTo(0, 0);
}

// Header and title, in the language chosen.
function showFrame(name) {
  const title = name in {table: 1} ? t("table.title") : t(`${name}.title`);
  document.title = `${title} · hansu`;
  announce(title);
  $(".skip").textContent = t("skip");
  $("#pages").setAttribute("aria-label", t("pages"));
  $("#pages").replaceChildren(...LISTED.map((each) => el("a", {href: `#/${each}`,
    "aria-current": each === name ? "page" : null}, t(`${each}.title`))));
  const dark = isDark();
  label("#theme", dark ? "☀" : "☾", t(dark ? "theme.light" : "theme.dark"));
  label("#sound", "♪", t("sound"));
  $("#sound").setAttribute("aria-pressed", soundOn());
  const other = Object.keys(LANGUAGES).find((code) => code !== language());
  label("#language", LANGUAGES[other], LANGUAGES[other]);
  $("#language").lang = other;
}

function label(selector, sign, text) {
  const button = $(selector);
  button.textContent = sign;
  button.title = text;
  button.setAttribute("aria-label", text);
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

$("#theme").onclick = () => {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  kept.set("theme", theme);
  showFrame(route().name);
};
$("#sound").onclick = () => {
  kept.set("sound", soundOn() ? "off" : "on");
  showFrame(route().name);
};
$("#language").onclick = async () => {
  await loadWords(Object.keys(LANGUAGES).find((code) => code !== language()));
  show();
};
$(".skip").onclick = (event) => {
  event.preventDefault(); // the # of the address is the page's
  page.focus();
};
addEventListener("hashchange", show);

try {
  [offer] = await Promise.all([ask("/api/offer"), loadWords()]);
  show();
} catch (error) {
  complain(error.message);
}
