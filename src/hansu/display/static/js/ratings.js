// @ts-check
// The ratings of all agents, game by game, across all tournaments.
import {el} from "hansu/dom.js";
import {Polling} from "hansu/polling.js";
import {standings} from "hansu/tournament.js";
import {byName} from "hansu/tournament_names.js";
import {counted, t} from "hansu/words.js";

const FOLLOW = 5000; // milliseconds between two looks

/**
 * @typedef {{game: string, name: string, tournaments: number, games: number,
 *   standings: import("hansu/tournament.js").Standing[]}} Table
 */

export class RatingsPage {
  /** @param {Element} root */
  constructor(root) {
    this.list = el("div", {class: "rating-tables"});
    this.polling = new Polling("/api/ratings", ({tables}) => this.show(tables), FOLLOW);
    root.replaceChildren(el("div", {class: "setup wide"},
      el("header", null, el("h1", null, t("ratings.title")),
        el("p", {class: "soft"}, t("ratings.about"))),
      this.polling.trouble, this.list,
      el("p", null, el("a", {href: "#/arena"}, t("arena.title")))));
  }

  close() { this.polling.close(); }

  /** @param {Table[]} tables */
  show(tables) {
    if (!tables.length) {
      this.list.replaceChildren(el("p", null, t("ratings.none")));
      return;
    }
    this.list.replaceChildren(...tables.map((table) => {
      const options = table.game.split(/:(.*)/s)[1];
      return el("section", null,
        el("h2", null, t(`game.${table.name}`), options ? ` (${options})` : ""),
        el("p", {class: "soft"}, `${counted("replay.found", table.games)}, ${
          counted("ratings.tournaments", table.tournaments)}`),
        el("div", {class: "scroll", tabindex: 0, role: "region",
          "aria-label": t(`game.${table.name}`)}, standings(byName(table).standings, "rating")));
    }));
  }
}
