// @ts-check
// A competition on a big screen: the table page by page, the countdown, and games as they are played.
import {pictures} from "hansu/board_pack.js";
import {Board} from "hansu/board.js";
import {el} from "hansu/dom.js";
import {Polling} from "hansu/polling.js";
import {ask} from "hansu/server.js";
import {withError} from "hansu/tournament.js";
import {counted, t} from "hansu/words.js";

const ROWS = 10; // of the table at a time: what can be read from the last row of a lecture hall
const TURN = 8; // seconds for a page of the table
const STAY = 15; // seconds for a game
const LOOK = 2; // seconds between two looks at the game

/**
 * @typedef {import("hansu/competition.js").Facts} Facts
 * @typedef {Facts["playing"][number]} Playing
 */

export class ProjectorPage {
  /**
   * @param {Element} root
   * @param {string} path of the competition
   * @param {(facts: Facts, ahead: number) => string} countdown
   */
  constructor(root, path, countdown) {
    this.path = path;
    this.countdown = countdown;
    /** @type {Facts | null} */
    this.facts = null;
    this.ahead = 0;
    this.ticks = 0;
    /** @type {Playing | undefined} */
    this.game = undefined;
    this.asking = false;
    this.title = el("h1");
    this.counter = el("p", {class: "countdown", role: "timer"});
    this.summary = el("p", {class: "soft"});
    this.table = el("table", {class: "facts"});
    this.board = new Board(() => {});
    this.players = el("p", {class: "players", "aria-live": "off"});
    this.polling = new Polling(path, (facts) => this.show(facts));
    document.documentElement.classList.add("projector");
    root.replaceChildren(el("div", {class: "screen"},
      el("section", null, this.title, this.counter, this.summary, this.polling.trouble, this.table,
        el("p", {class: "leave"},
          el("a", {href: "#/competition"}, t("competition.projector.leave")), " ",
          el("button", {type: "button", onclick: () => document.documentElement
            .requestFullscreen?.().catch(() => {})}, t("competition.projector.full")))),
      el("section", {class: "live"}, this.board.root, this.players)));
    this.clock = setInterval(() => this.tick(), 1000);
    // A screen that nobody touches must not go dark; where it may not ask, it does.
    navigator.wakeLock?.request("screen").then((lock) => {
      this.lock = lock;
      if (this.polling.closed) lock.release();
    }).catch(() => {});
  }

  close() {
    this.polling.close();
    clearInterval(this.clock);
    this.lock?.release();
    document.documentElement.classList.remove("projector");
  }

  /** @param {Facts} facts */
  show(facts) {
    this.facts = facts;
    this.ahead = facts.now - Date.now() / 1000;
    this.title.textContent = facts.title;
    this.summary.textContent = [counted("competition.participants", facts.participants),
      counted("competition.games", facts.games)].join(", ");
    this.showRows();
    if (!this.game) this.next();
  }

  tick() {
    if (!this.facts) return;
    this.ticks += 1;
    this.counter.textContent = this.countdown(this.facts, this.ahead);
    if (this.ticks % TURN === 0) this.showRows();
    if (this.ticks % STAY === 0) this.next();
    else if (this.ticks % LOOK === 0) this.look();
  }

  showRows() {
    const rows = pageOf(this.facts?.standings ?? [], Math.floor(this.ticks / TURN));
    this.table.replaceChildren(el("tbody", null, rows.map((row) => el("tr", null,
      el("td", null, String(row.rank)), el("th", {scope: "row"}, row.participant),
      el("td", null, withError(row.rating, row.error))))));
  }

  // Go on to another game, the next one after the one that is shown.
  next() {
    const playing = this.facts?.playing ?? [];
    const at = playing.findIndex((game) => same(game, this.game));
    this.game = playing[(at + 1) % playing.length];
    this.look();
  }

  async look() {
    const game = this.game;
    if (!game || this.asking) return;
    this.asking = true;
    try {
      const answer = await fetch(`${this.path}/games/${encodeURIComponent(game.stage)}/${game.number}`);
      if (!answer.ok) throw new Error("it is over and not yet written down");
      const facts = await ask("/api/replay?flip=false", new Blob([await answer.text()]));
      if (this.polling.closed) return;
      this.board.show(pictures(facts)[facts.played.length], [], false);
      this.players.textContent = `${game.first} – ${game.second}`;
      if (facts.outcome?.reason !== "unfinished") this.game = undefined; // another one comes
    } catch { this.game = undefined; } finally { this.asking = false; }
  }
}

/**
 * The rows of a table that are shown, some at a time and again from the top.
 * @template T
 * @param {T[]} rows
 * @param {number} turn
 */
export function pageOf(rows, turn) {
  const pages = Math.max(1, Math.ceil(rows.length / ROWS));
  const first = (turn % pages) * ROWS;
  return rows.slice(first, first + ROWS);
}

/** @param {Playing} game @param {Playing | undefined} other */
const same = (game, other) => game.stage === other?.stage && game.number === other.number;
