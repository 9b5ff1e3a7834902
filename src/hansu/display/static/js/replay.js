// @ts-check
// Recorded games: dropped, chosen or pasted, or fetched from the server and followed.
import {pictures} from "hansu/board_pack.js";
import {Board} from "hansu/board.js";
import {$, complain, el} from "hansu/dom.js";
import {GameViewer} from "hansu/game_viewer.js";
import {agentNamed, newTable} from "hansu/new_table.js";
import {Review} from "hansu/review.js";
import {ask, mayAsk, messageOf, ownHeaders} from "hansu/server.js";
import {formatName, shareMenu} from "hansu/share.js";
import {whyText} from "hansu/why.js";
import {counted, number, t} from "hansu/words.js";

const EXAMPLE = "f5d6c3d3c4f4c5b3c2"; // a game of othello, which can be opened as it stands
const FOLLOW = 2000; // milliseconds between two looks at a game that is being played
const OPENED = "opened"; // in the address: a game that the tab keeps

/**
 * @typedef {import("hansu/game_viewer.js").Facts & {game: string, start: string,
 *   tree: import("hansu/move_tree.js").Tree}} Replayed
 * @typedef {{name: string, white: string, black: string, result: string, reason: string,
 *   turns: number, record: string}} Found
 */

export class Replay {
  /**
   * @param {Element} root
   * @param {URLSearchParams} wish
   * @param {(table: {id: string, key: string}) => void} opened
   * @param {import("hansu/picker.js").Offer} offer
   */
  constructor(root, wish, opened, offer) {
    this.root = root;
    this.wish = wish;
    this.opened = opened;
    this.offer = offer;
    this.closed = false;
    /** @type {string | null} */
    this.record = null; // the one that is followed
    /** @type {GameViewer | null} */
    this.viewer = null;
    /** @type {Review | null} */
    this.review = null;
    this.leftOut = el("div", {class: "left-out", role: "status"}); // of the file
    this.drop = (/** @type {Event} */ event) => this.dropped(/** @type {DragEvent} */ (event));
    for (const kind of ["dragover", "drop"]) addEventListener(kind, this.drop);
    this.build();
    const from = wish.get("from");
    if (from) this.fetchRecord(from);
    else if (wish.has(OPENED)) this.reopen();
  }

  close() {
    for (const kind of ["dragover", "drop"]) removeEventListener(kind, this.drop);
    this.viewer?.close();
    this.review?.close();
    this.closed = true;
    clearTimeout(this.timer);
  }

  build() {
    const file = el("input", {type: "file", id: "file", onchange: () => {
      const chosen = file.files?.[0];
      if (chosen) this.upload(chosen, chosen.name);
    }});
    const text = el("textarea", {id: "pasted", rows: 4, spellcheck: "false",
      placeholder: EXAMPLE});
    this.root.replaceChildren(el("div", {class: "setup"},
      el("header", null, el("h1", null, t("replay.title")),
        el("p", {class: "soft"}, t("replay.about"))),
      el("label", {class: "drop", for: "file"}, el("b", null, t("replay.drop")), file),
      el("label", {class: "field"}, el("span", null, t("replay.paste")), text),
      el("div", null, el("button", {class: "main",
        onclick: () => this.upload(new Blob([text.value]), "pasted.txt")}, t("replay.begin"))),
      el("div", {class: "found"})));
  }

  /** Open the visitor's own game that was shown before the page was loaded again. */
  async reopen() {
    const record = ownGame();
    if (!record) return;
    try { await this.open(record); } catch (error) { complain(messageOf(error)); }
  }

  /** @param {DragEvent} event */
  dropped(event) {
    event.preventDefault();
    const file = event.type === "drop" && event.dataTransfer?.files[0];
    if (file) this.upload(file, file.name);
  }

  /** @param {Blob} content @param {string} name */
  async upload(content, name) {
    try {
      const body = content.slice(0, content.size, "application/octet-stream");
      const found = await ask(`/api/records?name=${encodeURIComponent(name)}`, body);
      if (this.closed) return;
      this.showLeftOut(found);
      if (found.games.length === 1) await this.open(found.games[0].record);
      else this.list(found);
    } catch (error) { complain(messageOf(error)); }
  }

  /**
   * A record that the server has: of a table or of a tournament.
   * @param {string} path
   */
  async fetchRecord(path) {
    try {
      const headers = path.startsWith("/api/competition/") ? ownHeaders() : {};
      const answer = await fetch(path.startsWith("/api/") ? path : "", {headers});
      if (!answer.ok) throw new Error(t("closed.gone"));
      const record = await answer.text();
      if (record !== this.record) await this.open(record);
      if (this.closed || this.viewer?.facts.outcome?.reason !== "unfinished") return;
      if (!this.record) this.viewer.go(this.viewer.facts.played.length); // to where it is now
      this.record = record;
      this.timer = setTimeout(() => this.fetchRecord(path), FOLLOW);
    } catch (error) { complain(messageOf(error)); }
  }

  /** @param {{left_out: import("hansu/why.js").Why[], more: number}} file */
  showLeftOut({left_out, more}) {
    this.leftOut.replaceChildren(...(left_out.length ? [el("p", null, t("replay.left_out")),
      el("ul", null, left_out.map((why) =>
        el("li", {lang: why.kind ? null : "en"}, whyText(why))),
        more ? el("li", null, t("replay.more", {count: number(more)})) : null)] : []));
  }

  /** @param {{games: Found[], found: number}} file */
  list({games, found}) {
    $(".found", this.root).replaceChildren(this.leftOut,
      el("p", {class: "soft"}, counted("replay.found", found)),
      el("ol", {class: "games"}, games.map((game) => el("li", null, el("button",
        {onclick: () => this.open(game.record)},
        el("b", null, `${game.white} – ${game.black}`), el("span", null,
          game.reason === "unfinished" ? t("reason.unfinished") : game.result),
        el("small", null, `${t(`game.${game.name}`)}, ${counted("replay.turns", game.turns)}`))))));
  }

  /** @param {string} record @param {boolean} flip @returns {Promise<Replayed>} */
  async ask(record, flip) {
    const facts = await ask(`/api/replay?flip=${flip}`, new Blob([record]));
    return {...facts, boards: pictures(facts)};
  }

  /** @param {string} record */
  async open(record) {
    const facts = await this.ask(record, Boolean(this.viewer?.flip));
    if (this.closed) return;
    if (!this.wish.has("from")) keepOwnGame(record);
    this.viewer?.close();
    this.review?.close();
    const before = this.viewer;
    const board = new Board(() => {});
    const review = this.review = this.reviewOf(record, facts, board);
    const viewer = this.viewer = new GameViewer(facts, {
      picture: {root: board.root, show: (svg) => board.show(svg, [], false)},
      flip: Boolean(before?.flip),
      turned: (turn) => {
        review?.follow(Math.min(turn, this.viewer?.paths.leaves(turn) ?? 0));
        point(board, turn < facts.tree.main ? review : null);
        this.hideChart();
      },
      controls: [
        el("button", {onclick: () => this.turnRound(viewer, record)}, t("flip")),
        el("button", {onclick: () => this.analyse(facts, record, viewer.turn)}, t("replay.analyse")),
        ...(this.offer.competition || !mayAsk(this.offer) ? [] : [
          el("button", {id: "play-on", onclick: () => this.playOn(facts, viewer.walked())},
            t("replay.play_on")),
          shareMenu(record, this.shareable(facts), () => this.wish.get("from"))]),
        el("button", {onclick: () => this.another()}, t("replay.other"))],
    });
    this.root.replaceChildren(el("h1", {class: "unseen"}, t("replay.title")), viewer.root);
    $(".side", viewer.root).append(this.leftOut, ...(review ? [review.root] : []));
    const atEnd = before && before.turn === before.facts.played.length; // who was there stays there
    viewer.go(atEnd ? facts.played.length : before?.turn ?? 0);
    const wanted = this.wish.has("review");
    this.wish.delete("review");
    if (review) review.isAwaited = wanted;
    if (review && !(await review.recall()) && wanted && !this.closed) review.begin();
  }

  /**
   * The review of a game, where there is something to review and the server would do it.
   * @param {string} record
   * @param {Replayed} facts
   * @param {Board} board
   */
  reviewOf(record, facts, board) {
    if (this.offer.competition || !mayAsk(this.offer) || !facts.played.length) return null;
    const review = new Review(record, facts, this.offer, {
      go: (turn) => {
        this.viewer?.go(turn);
        board.root.scrollIntoView({block: "nearest"}); // on a phone it may be out of sight
      },
      changed: () => {
        point(board, review);
        this.hideChart();
      },
      opened: (table) => { if (!this.closed) this.opened(table); },
    });
    return review;
  }

  /**
   * The formats to save a game in, each with what it is called.
   * @param {Replayed} facts
   */
  shareable({name, tree}) {
    const isAnnotated = tree.names.length > tree.main || Object.keys(tree.comments).length > 0;
    const formats = this.offer.games.find((game) => game.name === name)?.formats ?? ["jsonl"];
    return formats.map((form) => ({form, name: formatName(form, this.offer, isAnnotated)}));
  }

  /**
   * Play on from the position shown: a side that an agent had is the agent's again.
   * @param {Replayed} facts
   * @param {string[]} moves
   */
  async playOn(facts, moves) {
    const mover = (moves.length % 2 === 0) === (facts.first === "white") ? "white" : "black";
    const other = mover === "white" ? "black" : "white";
    const rival = agentNamed(facts[other], this.offer);
    const own = rival ? null : agentNamed(facts[mover], this.offer);
    const seats = own ? {[mover]: own} : {[other]: rival ?? {agent: "mcts", options: {}}};
    try {
      const table = await newTable(facts, moves, seats);
      if (!this.closed) this.opened(table);
    } catch (error) { complain(messageOf(error)); }
  }

  // What the players said, once a review says it better.
  hideChart() {
    if (this.viewer && this.review?.facts?.values) this.viewer.chart.root.hidden = true;
  }

  another() {
    clearTimeout(this.timer);
    this.viewer?.close();
    this.review?.close();
    this.viewer = this.review = null;
    this.leftOut.replaceChildren();
    history.replaceState(null, "", "#/replay");
    this.build();
  }

  /** @param {GameViewer} viewer @param {string} record */
  async turnRound(viewer, record) {
    try {
      viewer.turnRound((await this.ask(record, !viewer.flip)).boards);
    } catch (error) { complain(messageOf(error)); }
  }

  /**
   * The whole game on a board of its own, at the position shown, to try moves and let agents analyse.
   * @param {Replayed} facts
   * @param {string} record
   * @param {number} at
   */
  async analyse(facts, record, at) {
    try {
      const table = await ask("/api/tables", {game: facts.name, record, at});
      if (!this.closed) this.opened(table);
    } catch (error) { complain(messageOf(error)); }
  }
}

/**
 * Point out the better move on the board.
 * @param {Board} board
 * @param {Review | null} review
 */
function point(board, review) {
  const moves = review?.pointed() ?? [];
  board.all = moves;
  board.point(moves.map(({text}) => [text, 1]));
}

/** The game that this tab was given by its visitor; the server does not have it. */
function ownGame() {
  try { return sessionStorage.getItem(OPENED); } catch { return null; }
}

/** @param {string} record */
function keepOwnGame(record) {
  try {
    sessionStorage.setItem(OPENED, record);
    history.replaceState(null, "", `#/replay?${OPENED}`);
  } catch { /* too large to keep, or not allowed */ }
}
