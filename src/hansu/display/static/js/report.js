// @ts-check
// A tournament's report: one file with the tables and every game to step through.
import {unpack} from "hansu/board_pack.js";
import {el} from "hansu/dom.js";
import {openFile} from "hansu/file.js";
import {GameViewer} from "hansu/game_viewer.js";
import {showPicture} from "hansu/result.js";
import {crossTable, cycleText, faultList, matchTable, region, standings} from "hansu/tournament.js";
import {byName} from "hansu/tournament_names.js";
import {GamesByPair, conditions, provenance} from "hansu/tournament_parts.js";
import {counted, has, number, t} from "hansu/words.js";

/**
 * @typedef {Omit<import("hansu/game_viewer.js").Facts, "boards" | "name" | "first">
 *   & import("hansu/tournament.js").Listed & {first_color: string, boards: string}} Game
 *
 * @typedef {object} Data what hansu.arena.tournament.report says
 * @property {string} name
 * @property {string} title
 * @property {string} format
 * @property {string[]} agents
 * @property {number} scheduled
 * @property {number} distinct_games
 * @property {string[]} machines
 * @property {import("hansu/tournament_parts.js").Conditions["terms"]} terms
 * @property {import("hansu/tournament.js").Standing[]} standings
 * @property {number[][][]} cross
 * @property {import("hansu/tournament.js").Match | null} match
 * @property {{agents: string[], sure: boolean} | null} cycle
 * @property {import("hansu/tournament.js").Fault[]} disqualified
 * @property {Game[]} games
 * @property {string} version
 * @property {Record<string, string>} isolation how each agent ran
 */

class Report {
  /** @param {Element} root @param {Data} data */
  constructor(root, data) {
    this.data = data;
    this.conditions = {...data, games: data.games.length};
    this.names = data.standings.map((standing) => standing.agent);
    /** @type {GameViewer | null} */
    this.viewer = null;
    this.title = t("report.title",
      {game: has(`game.${data.name}`) ? t(`game.${data.name}`) : data.title});
    this.place = el("div", {class: "place"});
    this.games = new GamesByPair(data.name, (game) => ({id: `game-${game + 1}`,
      "aria-current": game === this.shown?.number, onclick: () => this.open(game, 0, true)}));
    this.games.show(data.games, this.names);
    root.replaceChildren(el("div", {class: "setup wide report"}, this.parts()));
    document.title = this.title;
    this.openAsked();
  }

  close() { this.viewer?.close(); }

  parts() {
    const {data, names} = this;
    const open = (/** @type {number} */ game) => ({onclick: () => this.open(game, Infinity, true)});
    const finished = data.games.length === data.scheduled;
    return [
      el("header", null, el("h1", null, this.title),
        el("p", {class: "soft"}, conditions(this.conditions)),
        el("p", {class: "soft"}, finished ? counted("report.games", data.scheduled)
          : t("tournament.games", {done: number(data.games.length), all: number(data.scheduled)}))),
      data.match ? region(t("match.title"), matchTable(data.match, finished)) : null,
      region(t("tournament.table"), standings(data.standings, data.format)),
      cycleText(data.cycle),
      region(t("tournament.cross"), crossTable(names, data.cross, (us, them) => this.games.choose(us, them))),
      faultList(data.disqualified, open),
      this.games.root,
      this.place,
      el("footer", {class: "soft"}, `${provenance(this.conditions)} ${t("report.keys")}`),
    ];
  }

  // The address can name a game and a turn.
  openAsked() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const wanted = this.data.games.find((game) => game.number + 1 === Number(asked.get("game")));
    const game = wanted ?? this.data.games[0];
    if (!game) return;
    const turn = asked.has("move") ? Number(asked.get("move")) : Math.min(game.turns, 6);
    this.open(game.number, turn, false);
  }

  /** @param {number} number @param {number} turn @param {boolean} look whether to go there */
  async open(number, turn, look) {
    const game = this.data.games.find((each) => each.number === number);
    if (!game) return;
    const boards = await unpack(game.boards);
    this.viewer?.close();
    this.shown = game;
    for (const button of this.games.list.querySelectorAll("button")) {
      button.setAttribute("aria-current", String(button.id === `game-${number + 1}`));
    }
    const root = el("div", {class: "board"});
    const viewer = this.viewer = new GameViewer(
      {...game, name: this.data.name, first: game.first_color, boards}, {
        picture: {root, show: (svg) => showPicture(root, svg)},
        turned: (at) => history.replaceState(null, "", `#game=${number + 1}&move=${at}`),
      });
    this.place.replaceChildren(
      el("h2", null, t("tournament.game", {number: number + 1})), viewer.root);
    viewer.go(turn);
    if (look) this.place.scrollIntoView({behavior: "smooth"});
  }
}

openFile((root, data) => new Report(root, byName(data)));
