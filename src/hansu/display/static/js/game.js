// @ts-check
// A game: the board, the players, the clocks, the moves, and the controls.
import {Agreement, vitality} from "hansu/agreement.js";
import {Analysis} from "hansu/analysis.js";
import {Board} from "hansu/board.js";
import {Chart} from "hansu/chart.js";
import {announce, complain, el, settle} from "hansu/dom.js";
import {Controls} from "hansu/game_controls.js";
import {openInsight} from "hansu/insight.js";
import {openKept} from "hansu/library.js";
import {weightsOf} from "hansu/marks.js";
import {MoveList, turnByKey} from "hansu/move_list.js";
import {playerBar, showClocks, showPlayer} from "hansu/player_bar.js";
import {playerName} from "hansu/player_name.js";
import {planned, plans} from "hansu/premove.js";
import {colorName, evidenceText, moveText, resultText} from "hansu/result.js";
import {ResultDialog, verdict} from "hansu/result_dialog.js";
import {Search, valueText} from "hansu/search.js";
import {Line, ask, errorText, mayAsk, messageOf} from "hansu/server.js";
import {chime, soundQuestion} from "hansu/sound.js";
import {statusText} from "hansu/status_text.js";
import {Study} from "hansu/study.js";
import {Teaching} from "hansu/teaching.js";
import {t} from "hansu/words.js";

const COLORS = /** @type {const} */ (["white", "black"]);
const OTHER = /** @type {const} */ ({white: "black", black: "white"});

/**
 * @typedef {"white" | "black"} Color
 *
 * @typedef {object} State the whole table, as the server tells it
 * @property {string} name of the game
 * @property {string} svg
 * @property {import("hansu/board.js").Move[]} moves
 * @property {Color} turn
 * @property {Color} first
 * @property {string} white
 * @property {string} black
 * @property {string[]} played
 * @property {string[]} names of these moves, as people write them
 * @property {number} [node] the number of the position on an analysis board
 * @property {Record<Color, string>} [players] of the game that is analysed
 * @property {number} [shown] the turn of an earlier position, if it is shown
 * @property {string} warning to the side to move, such as check
 * @property {Record<string, string[]>} captured pieces that each colour has lost
 * @property {(number | null)[]} values
 * @property {string} position
 * @property {Record<string, [number, number]>} tally
 * @property {{white: number, black: number, running: boolean} | null} clock
 * @property {boolean} thinking
 * @property {boolean} preparing to think: it is being compiled
 * @property {string} help of which moves a teacher warns
 * @property {number} taken_back
 * @property {boolean} paused
 * @property {number} delay
 * @property {import("hansu/result.js").Outcome | null} outcome
 * @property {import("hansu/result.js").Evidence | null} evidence
 * @property {import("hansu/agreement.js").AgreementFacts | null} agreement
 *
 * @typedef {{of: string, turn: number, done: boolean, id: number | null,
 *   who?: string, info: import("hansu/search.js").Info}} Thought what a search has found so far
 */

export class Game {
  /**
   * @param {Element} root
   * @param {string} id
   * @param {string | undefined} key
   * @param {import("hansu/picker.js").Offer} offer
   * @param {(table: {id: string, key: string}) => void} open another game
   */
  constructor(root, id, key, offer, open) {
    this.id = id;
    this.offer = offer;
    this.open = open;
    /** @type {Record<string, any> | null} */
    this.opened = null; // what was asked for, to whom may ask for it again
    this.may = false;
    this.mine = false;
    /** @type {State | null} */
    this.state = null;
    this.at = 0; // when it was told
    /** @type {{flip: boolean | null, area: boolean, turn: number | null}} */
    this.look = {flip: null, area: false, turn: null};
    /** @type {Color} */
    this.seat = "white"; // whose side of the board is below
    /** @type {string[]} */
    this.plan = []; // the cells of a move thought of ahead, now that it can be played
    /** @type {Analysis | null} */
    this.analysis = null;
    /** @type {Study | null} */
    this.study = null;
    /** @type {ReturnType<typeof openInsight> | null} */
    this.insight = null;
    this.board = new Board((move) => this.chosen(move));
    this.agreement = new Agreement((wish) => this.line.say(wish));
    this.teaching = new Teaching((wish) => this.line.say(wish));
    this.search = new Search((search) => this.inspect(search), mayAsk(offer),
      () => this.revealThinking());
    /** @type {Thought | null} */
    this.hidden = null; // the opponent's last, unless it is shown
    this.chart = new Chart();
    this.status = el("p", {class: "status"});
    this.bars = {white: playerBar(), black: playerBar()};
    this.moves = new MoveList((turn) => this.browse(turn));
    this.controls = new Controls(this);
    this.tools = el("div");
    this.above = el("div");
    this.below = el("div");
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    addEventListener("keydown", this.keys);
    this.side = el("div", {class: "side"});
    this.result = new ResultDialog(this.side);
    this.root = this.build();
    root.replaceChildren(this.root);
    this.line = new Line(`/ws/tables/${encodeURIComponent(id)}`, key, (said) => this.hear(said),
      (broken) => this.root.classList.toggle("broken", broken));
    this.ticking = setInterval(() => this.tick(), 100);
  }

  close() {
    clearInterval(this.ticking);
    removeEventListener("keydown", this.keys);
    this.result.close();
    this.insight?.close();
    this.teaching.close();
    this.study?.send();
    this.line.close();
  }

  build() {
    for (const color of COLORS) this.bars[color].root.classList.add(color);
    this.side.append(el("p", {class: "lost"}, t("connection.lost")),
      this.status, this.teaching.root, this.agreement.root, this.controls.root, soundQuestion() ?? "",
      this.moves.root, this.tools, this.chart.root, this.search.root);
    return el("div", {class: "game blank"}, el("h1", {class: "unseen"}, t("table.title")),
      el("div", {class: "table"}, this.above, this.board.root, this.below), this.side);
  }

  // What the server says --------------------------------------------------------------------------

  /** @param {import("hansu/server.js").Message} said */
  hear(said) {
    switch (said.type) {
      case "hello": this.may = said.may_act; this.opened = said.opened; break;
      case "tree": this.takeTree(/** @type {any} */ (said)); break;
      case "state": this.show(/** @type {any} */ (said)); break;
      case "search": this.showSearch(/** @type {any} */ (said)); break;
      case "owners": this.analysis?.showOwners(this.state, /** @type {any} */ (said)); break;
      case "warning": if (this.mine) this.teaching.warn(/** @type {any} */ (said)); break;
      case "error":
        this.search.giveUp();
        complain(errorText(said.rule, said.text, said.values)); break;
      case "closed": this.gone(said.why); break;
    }
  }

  /** @param {import("hansu/study.js").Told} told */
  takeTree(told) {
    if (!this.study) {
      this.study = new Study(this);
      this.moves.root.replaceWith(this.study.root);
      this.below.after(this.study.stepping);
      this.root.classList.add("studied");
    }
    this.study.take(told);
  }

  /** @param {string} why */
  async gone(why) {
    if (why === "gone" && await openKept(this.id)) return;
    this.root.replaceWith(el("div", {class: "notice"}, el("p", null, t(`closed.${why}`)),
      el("a", {class: "button", href: "#/play"}, t("new_game"))));
  }

  /** @param {State} state */
  show(state) {
    const before = this.state;
    this.state = state;
    this.at = performance.now();
    const people = COLORS.filter((color) => state[color] === "human");
    this.mine = this.may && people.includes(state.turn) && !state.outcome;
    if (this.look.flip === null && this.setSight(people, state)) return;
    this.root.dataset.game = this.board.game = state.name;
    this.root.classList.remove("blank");
    const moved = before !== null && (state.played.length !== before.played.length
      || state.node !== before.node);
    if (moved) this.board.point([]);
    if (moved || state.outcome) this.board.annotations.clear();
    this.showBoard(state, people);
    this.agreement.show(state, this.may);
    this.teaching.show(state);
    this.showPlayers(state, people);
    this.showStatus(state, people);
    if (this.study) this.study.follow(state);
    else this.moves.show(state, state.shown ?? state.played.length);
    this.controls.show(state, people);
    this.search.offer(people.length === 1 && this.may && !state.outcome, state.help !== "none");
    this.search.root.hidden = Boolean(state.outcome) && !this.study && this.search.isEmpty;
    this.chart.show(state);
    this.chart.root.hidden ||= this.search.isSecret;
    if (before && (moved || (state.outcome && !before.outcome))) this.follow(before, state, people);
    if (!state.outcome) this.result.close();
    if (people.length === 2 && this.may) this.showTools(state, moved);
    this.tick();
    if (moved && this.look.turn !== null) this.browse(state.played.length); // to what is new
    this.playPlanned(state);
  }

  /**
   * The board to play on, to think of a move ahead, to look back, or to mark stones dead.
   * @param {State} state
   * @param {Color[]} people
   */
  showBoard({svg, moves, agreement, outcome, shown}, people) {
    const {board} = this;
    if (agreement) {
      const stones = agreement.stones.map((name) => ({text: name, cells: [name]}));
      return board.show(svg, stones, this.may, vitality(agreement));
    }
    if (this.mine || outcome) {
      this.plan = this.mine ? board.planned : [];
      board.planned = [];
    }
    if (shown !== undefined) return board.show(svg, [], false);
    if (this.mine || outcome || !this.may || people.length !== 1 || !moves.length) {
      return board.show(svg, moves, this.mine);
    }
    board.show(svg, [], false);
    const slides = moves.some((move) => move.cells.length > 1);
    return board.plan(plans(board.picture, people[0], slides), moves);
  }

  /**
   * A move has been chosen on the board, or a stone to be marked.
   * @param {string} move
   */
  chosen(move) {
    if (this.board.planning) {
      this.board.planned = move.split(" ");
      this.board.mark();
      announce(t("news.premove", {move}));
    } else this.line.say(this.state?.agreement ? {type: "mark", point: move} : {type: "move", move});
  }

  /** @param {State} state */
  playPlanned(state) {
    if (!this.mine || !this.plan.length) return;
    const move = planned(state.moves, this.plan);
    this.plan = [];
    if (move) this.line.say({type: "move", move: move.text});
  }

  // Looking back ----------------------------------------------------------------------------------

  /**
   * Show the board after so many turns.
   * @param {number} turn
   */
  browse(turn) {
    this.look.turn = turn < (this.state?.played.length ?? 0) ? Math.max(0, turn) : null;
    this.sayLook();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.study && this.may) return this.study.key(event);
    const last = this.state?.played.length ?? 0;
    const to = turnByKey(event, this.look.turn ?? last, last);
    if (to !== undefined) this.browse(to);
    return undefined;
  }

  /**
   * A person sits below, and has the board that way round where pieces have a direction; true if
   * another drawing has been asked for.
   * @param {Color[]} people
   * @param {State} state
   */
  setSight(people, state) {
    this.seat = people.length === 1 ? people[0] : "white";
    const directed = state.moves.some((move) => move.cells.length > 1);
    this.look.flip = directed && people.length === 1 && people[0] === "black";
    if (this.look.flip) this.sayLook();
    return this.look.flip;
  }

  flip() {
    this.look.flip = !this.look.flip;
    this.seat = OTHER[this.seat];
    this.sayLook();
  }

  sayLook() { this.line.say({type: "look", ...this.look, flip: Boolean(this.look.flip)}); }

  /**
   * Moves have been made or taken back, or the game has ended: perhaps without a move.
   * @param {State} before
   * @param {State} state
   * @param {Color[]} people
   */
  follow(before, state, people) {
    const news = state.names.slice(before.played.length).map((move, i) => t("news.move", {
      move: moveText(move),
      color: colorName(i % 2 ? OTHER[before.turn] : before.turn, state.name)}));
    const seat = people.length === 1 && this.may ? people[0] : null;
    settle();
    if (state.outcome) {
      announce(resultText(state.outcome, state.name));
      chime(seat ? verdict(state.outcome.winner, seat) : "drawn");
      if (this.may && people.length && !this.study) this.result.open(state, seat, this.controls.next(state));
    } else if (news.length) {
      const warning = state.warning ? [t(`warning.${state.warning}`)] : [];
      announce([...news, ...warning].join(". "));
      const {went, turned} = this.board.changes;
      const moves = before.moves.some((move) => move.cells.length > 1);
      const taken = moves ? turned.length : went.length;
      chime(state.warning ? "warning" : taken ? "capture" : "move");
    }
  }

  async rematch() {
    const {white, black, ...rest} = this.opened ?? {};
    try { this.open(await ask("/api/tables", {...rest, white: black, black: white})); }
    catch (error) { complain(messageOf(error)); }
  }

  /** @param {State} state @param {Color[]} people */
  showPlayers(state, people) {
    const {seat} = this;
    const self = people.length === 1 && this.may;
    for (const color of COLORS) {
      const known = state.players?.[color] ?? "human"; // whose game is analysed
      const name = state[color] !== "human" ? playerName(state[color])
        : known === "human" && self ? t("you") : playerName(known);
      showPlayer(this.bars[color], state, color, name);
    }
    this.above.replaceChildren(this.bars[OTHER[seat]].root);
    this.below.replaceChildren(this.bars[seat].root);
  }

  /** @param {State} state @param {Color[]} people */
  showStatus(state, people) {
    this.status.textContent = statusText(this, state, people);
    this.status.classList.toggle("over", Boolean(state.outcome) && state.shown === undefined);
    this.status.append(evidenceText(state.evidence) ?? "", state.shown === undefined ? ""
      : el("button", {onclick: () => this.browse(state.played.length)}, t("turn.latest")));
  }

  /** @param {State} state @param {boolean} moved */
  showTools(state, moved) {
    this.analysis ||= new Analysis(this.offer, state.name, (wish) => this.line.say(wish),
      (search) => this.inspect(search), this.board,
      () => this.search.begin());
    if (!this.tools.firstChild) this.tools.append(this.analysis.root);
    this.analysis.follow(state, moved);
  }

  tick() { if (this.state?.clock) showClocks(this.bars, this.state, this.at); }

  /** @param {number | null} search */
  inspect(search) { this.insight = openInsight(`/api/tables/${encodeURIComponent(this.id)}`, search); }

  revealThinking() {
    if (this.state) this.show(this.state);
    if (this.hidden) this.showSearch(this.hidden);
  }

  /** @param {Thought} said */
  showSearch(said) {
    this.hidden = said.of === "search" && this.search.isSecret ? said : null;
    if (this.hidden || (said.of === "analysis" && this.analysis?.take(said))) return;
    const isHere = this.state !== null && said.turn === this.state.played.length;
    this.analysis?.showHeat(isHere ? said.info : null);
    if (isHere && this.look.turn === null) {
      const {lines} = said.info;
      const shown = weightsOf({lines: said.of === "hint" ? lines.slice(0, 1) : lines});
      if (said.of !== "hint" || said.done) this.board.point(shown);
    }
    if (said.of === "hint" && said.done) {
      const [best] = said.info.lines;
      announce(t("news.hint", {move: moveText(best.names[0]), value: valueText(best)}));
    }
    this.search.show(said.info, said.id, said.of === "analysis" ? said.who : "");
    this.insight?.follow(said.id, said.done);
  }

  // What one can do -------------------------------------------------------------------------------

  // The pass or the swap: no cell of the board stands for it.
  pass() { return this.state?.moves.find((move) => !this.board.landing(move.cells[0])); }
  // Nothing but the pass is left.
  passing() { return this.state?.moves.length === 1 && Boolean(this.pass()); }
}
