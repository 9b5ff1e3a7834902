// @ts-check
// The games that this computer has kept, newest first, and its tournaments.
import {complain, el, refill} from "hansu/dom.js";
import {icon} from "hansu/icons.js";
import {Polling} from "hansu/polling.js";
import {playerName} from "hansu/player_name.js";
import {ask, messageOf} from "hansu/server.js";
import {counted, moment, t} from "hansu/words.js";

const FOLLOW = 5000; // milliseconds between two looks

/**
 * @typedef {{id: string, name: string, white: string, black: string, result: string,
 *   reason: string, turns: number, saved: number, annotated: boolean,
 *   review: boolean}} Kept
 */

export class LibraryPage {
  /** @param {Element} root @param {import("hansu/picker.js").Offer} offer */
  constructor(root, offer) {
    /** @type {Kept[]} */
    this.games = [];
    this.list = el("div");
    this.tournaments = el("div");
    this.game = el("select", {id: "library-game", "aria-label": t("game"),
      onchange: () => this.fill()}, el("option", {value: ""}, t("library.all")),
    offer.games.map(({name}) => el("option", {value: name}, t(`game.${name}`))));
    this.polling = new Polling("/api/library", ({games}) => { this.games = games; this.fill(); },
      FOLLOW);
    root.replaceChildren(el("div", {class: "setup library"},
      el("header", null, el("h1", null, t("library.title")),
        el("p", {class: "soft"}, t("library.about"))),
      this.polling.trouble, el("div", {class: "filters"}, this.game), this.list, this.tournaments));
    this.showTournaments();
  }

  close() { this.polling.close(); }

  fill() {
    const shown = this.games.filter(({name}) => !this.game.value || name === this.game.value);
    refill(this.list, el("h2", null, counted("replay.found", shown.length)),
      shown.length ? el("ol", {class: "games"}, shown.map((game) => this.item(game)))
        : el("p", null, t("library.none")));
  }

  /** @param {Kept} game */
  item(game) {
    const open = `#/replay?from=${encodeURIComponent(`/api/library/${game.id}`)}`;
    return el("li", null,
      el("a", {class: "button", href: open},
        el("b", null, `${playerName(game.white)} – ${playerName(game.black)}`),
        el("span", null, game.reason === "unfinished" ? t("reason.unfinished") : game.result),
        el("small", null, `${t(`game.${game.name}`)}, ${counted("replay.turns", game.turns)}, ${
          moment(game.saved)}${game.annotated ? `, ${t("library.annotated")}` : ""}${
          game.review ? `, ${t("library.reviewed")}` : ""}`)),
      el("button", {class: "quiet", title: t("library.remove"), "aria-label": t("library.remove"),
        onclick: () => this.remove(game)}, icon("close")));
  }

  /** @param {Kept} game */
  async remove(game) {
    if (!confirm(t("library.remove.sure"))) return;
    try {
      await ask(`/api/library/${game.id}/remove`, {});
      this.games = this.games.filter(({id}) => id !== game.id);
      this.fill();
    } catch (error) { complain(messageOf(error)); }
  }

  async showTournaments() {
    const {tournaments} = await ask("/api/arena").catch(() => ({tournaments: []}));
    if (!tournaments.length) return;
    this.tournaments.replaceChildren(el("h2", null, t("arena.tournaments")),
      el("ul", {class: "games"}, tournaments.map((/** @type {string} */ name) => el("li", null,
        el("a", {class: "button", href: `#/arena/tournament/${encodeURIComponent(name)}`}, name)))));
  }
}

/**
 * Show a game that is no longer played, if it was kept; return whether it was.
 * @param {string} id
 */
export async function openKept(id) {
  const saved = `/api/library/${encodeURIComponent(id)}`;
  if (!(await fetch(saved).catch(() => null))?.ok) return false;
  location.replace(`#/replay?from=${encodeURIComponent(saved)}`);
  return true;
}
