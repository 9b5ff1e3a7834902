// @ts-check
// The review of a recorded game: win probability, accuracy, and every mistake with a better move.
import {Chart} from "hansu/chart.js";
import {complain, el} from "hansu/dom.js";
import {openInsight} from "hansu/insight.js";
import {agentNamed, newTable} from "hansu/new_table.js";
import {Picker, agentsFor} from "hansu/picker.js";
import {Polling} from "hansu/polling.js";
import {playerName} from "hansu/player_name.js";
import {colorName, moveText} from "hansu/result.js";
import {ask, errorText, messageOf} from "hansu/server.js";
import {term} from "hansu/term.js";
import {counted, number, percent, t} from "hansu/words.js";

const STRONGEST = "engine";
const OPPONENT = "mcts"; // where a person, or nobody known, sat on the other side
const SECONDS = [0.1, 0.3, 1, 3, 10];
const USUAL = 0.3;
const FOLLOW = 700; // milliseconds between two looks at a review that is running
const SIZES = /** @type {Record<string, string>} */ ({blunder: "review.blunder",
  mistake: "review.mistake", inaccuracy: "review.inaccuracy"});

/**
 * @typedef {"white" | "black"} Color
 *
 * @typedef {object} Mistake
 * @property {number} turn from 1
 * @property {Color} color
 * @property {string} move
 * @property {number} before
 * @property {number} after
 * @property {number} lost
 * @property {string} size
 * @property {boolean} proved
 * @property {string} name of the move, as people write it
 * @property {string[]} better
 * @property {string[]} better_names
 * @property {string[]} cells
 * @property {string[]} better_cells
 *
 * @typedef {object} ReviewFacts
 * @property {string} agent
 * @property {string} state
 * @property {{rule: string, text: string, values: Record<string, string>} | null} error
 * @property {number} done
 * @property {number} positions
 * @property {number} [proved]
 * @property {(number | null)[]} [values]
 * @property {Record<Color, {share: number | null, judged: number, moves: number}>} [accuracy]
 * @property {Mistake[]} [mistakes]
 *
 * @typedef {object} Around what the review may do with the page around it
 * @property {(turn: number) => void} go
 * @property {() => void} changed
 * @property {(table: {id: string, key: string}) => void} opened
 */

export class Review {
  /**
   * @param {string} record
   * @param {import("hansu/replay.js").Replayed} game
   * @param {import("hansu/picker.js").Offer} offer
   * @param {Around} around
   */
  constructor(record, game, offer, around) {
    this.record = record;
    this.game = game;
    this.offer = offer;
    this.around = around;
    this.turn = 0;
    this.id = "";
    /** @type {Polling | null} */
    this.polling = null;
    /** @type {ReviewFacts | null} */
    this.facts = null;
    /** @type {ReturnType<typeof openInsight> | null} */
    this.insight = null;
    this.isAwaited = false; // it has been asked for: what it finds is to be seen
    /** @type {boolean | null} */
    this.open = null; // whether the visitor wants to see the inaccuracies
    this.chart = new Chart((turn) => around.go(turn), 0);
    this.picker = new Picker(t("review.who"), agentsFor(offer, game.name), [], null, "reviewer",
      STRONGEST);
    this.seconds = el("select", {id: "review-seconds"}, SECONDS.map((s) => el("option",
      {value: s, selected: s === USUAL}, t("seconds", {seconds: number(s, 1)}))));
    this.start = el("button", {id: "review", class: "main", onclick: () => this.begin()},
      t("review.begin"));
    this.body = el("div", {class: "reviewed", "aria-live": "polite"});
    this.root = el("section", {class: "review", "aria-label": t("review.title")},
      el("div", {class: "controls"}, this.start),
      el("details", null, el("summary", null, t("options")), this.picker.root,
        el("label", {class: "field"}, el("span", null, t("review.seconds")), this.seconds)),
      this.chart.root, this.body);
  }

  close() {
    this.polling?.close();
    this.insight?.close();
  }

  /** Show the review that the server has kept of this game; whether it has one. */
  async recall() {
    try {
      const {id} = await ask("/api/reviews/kept", {record: this.record});
      if (!id || this.id) return Boolean(this.id);
      this.watch(id);
      return true;
    } catch { return false; } // then it can be reviewed again
  }

  /** @param {string} id */
  watch(id) {
    this.id = id;
    this.polling = new Polling(`/api/reviews/${id}`, (facts) => this.show(facts), FOLLOW);
  }

  async begin() {
    this.start.disabled = true;
    this.isAwaited = true;
    this.polling?.close();
    try {
      const wanted = {record: this.record, agent: this.picker.value(),
        seconds: Number(this.seconds.value)};
      this.watch((await ask("/api/reviews", wanted)).id);
    } catch (error) {
      complain(messageOf(error));
      this.start.disabled = false;
    }
  }

  /** @param {ReviewFacts} facts */
  show(facts) {
    this.facts = facts;
    const running = facts.state === "running";
    this.start.disabled = running;
    this.start.textContent = t(running ? "review.begin" : "review.repeat");
    this.start.classList.toggle("main", running);
    this.body.replaceChildren(running ? this.progress(facts) : this.ended(facts),
      ...(facts.accuracy ? [this.accuracy(facts), this.mistakes(facts)] : []));
    this.draw();
    this.around.changed();
    if (this.isAwaited) this.body.firstElementChild?.scrollIntoView({block: "nearest"});
    this.isAwaited = false;
    return running ? undefined : "done";
  }

  /**
   * Another turn is shown on the board.
   * @param {number} turn
   */
  follow(turn) {
    this.turn = turn;
    this.draw();
  }

  draw() {
    const {values = [], mistakes = []} = this.facts ?? {};
    const points = /** @type {[number, number][]} */ (values
      .map((value, i) => [i, value]).filter(([, value]) => value !== null));
    const color = colorName("white", this.game.name);
    this.chart.draw({points, last: this.game.played.length, at: this.turn,
      title: t("review.chart", {color}),
      label: t("review.chart.label", {color, share: percent(points.at(-1)?.[1] ?? 0)}),
      marks: mistakes.filter(({size}) => size === "blunder").map((mistake) => ({
        place: mistake.turn, name: t("review.mark", {move: moveText(mistake.name),
          size: t(SIZES[mistake.size]), lost: percent(mistake.lost)})}))});
  }

  /** What to point out on the board: before a mistake, the better move. */
  pointed() {
    const here = this.facts?.mistakes?.find(({turn}) => turn === this.turn + 1);
    return here ? [{text: here.better[0] ?? here.move, cells: here.better_cells}] : [];
  }

  /** @param {ReviewFacts} facts */
  progress({done, positions}) {
    return el("div", {class: "running"},
      el("progress", {max: positions, value: done, "aria-label": t("review.title")}),
      el("span", null, t("review.progress", {done: number(done), all: number(positions)})),
      el("button", {id: "stop-review", onclick: () => this.stop()}, t("review.stop")));
  }

  async stop() {
    try { await ask(`/api/reviews/${this.id}/stop`, {}); } catch (error) { complain(messageOf(error)); }
  }

  /** @param {ReviewFacts} facts */
  ended({state, error, done, positions, proved = 0, agent}) {
    if (error) return el("p", {class: "bad"}, errorText(error.rule, error.text, error.values));
    const all = {agent: playerName(agent), done: number(done), all: number(positions),
      proved: number(proved)};
    const text = state === "stopped" ? t("review.stopped", all)
      : proved === positions ? t("review.exact", all)
        : proved > 1 ? t("review.proved", all) : t("review.estimated", all);
    return el("p", {class: "soft"}, text);
  }

  /** @param {ReviewFacts} facts */
  accuracy({accuracy}) {
    const {name} = this.game;
    return el("div", null, el("h2", null, term("accuracy", t("review.accuracy"))),
      el("dl", {class: "accuracy"}, /** @type {const} */ (["white", "black"]).map((color) => {
      const {share, judged} = accuracy?.[color] ?? {share: null, judged: 0};
      return el("div", {class: color},
        el("dt", null, el("i", {class: "stone"}), colorName(color, name)),
        el("dd", null, el("small", null, playerName(this.game[color])),
          el("b", null, share === null ? "–" : percent(share)),
          share === null ? null : el("small", null, t("review.kept", {moves: number(judged),
            kept: number(Math.round(judged * share))}))));
    })));
  }

  /** @param {ReviewFacts} facts */
  mistakes({mistakes = [], state}) {
    if (!mistakes.length) return el("p", null, state === "over" ? t("review.none") : "");
    const list = (/** @type {Mistake[]} */ some) =>
      el("ol", {class: "mistakes"}, some.map((mistake) => this.mistake(mistake)));
    const small = mistakes.filter(({size}) => size === "inaccuracy");
    const large = mistakes.filter(({size}) => size !== "inaccuracy");
    const open = this.open ?? !large.length;
    return el("div", null, el("h2", null, term("mistakes", t("review.mistakes"))), list(large),
      small.length ? el("details", {open}, el("summary", {onclick: () => { this.open = !open; }},
        counted("review.inaccuracies", small.length)), list(small)) : null);
  }

  /** @param {Mistake} mistake */
  mistake(mistake) {
    const {turn, color, name, size, before, after, better_names: better} = mistake;
    const why = el("button", {onclick: () => this.why(why, turn - 1)}, t("review.why"));
    return el("li", {class: `${size} ${color}`},
      el("button", {class: "quiet at", onclick: () => this.around.go(turn - 1)},
        el("i", {class: "stone"}), el("span", {class: "no"}, `${turn}`),
        el("b", null, moveText(name)), el("span", {class: "size"}, t(SIZES[size])),
        el("span", {class: "change"}, `${percent(before)} → ${percent(after)}`)),
      better.length ? el("p", null, t("review.better", {move: moveText(better[0])}),
        el("span", {class: "variation"}, ` ${better.slice(1).map(moveText).join(" ")}`)) : null,
      el("div", {class: "controls"}, why,
        el("button", {onclick: () => this.again(mistake)}, t("review.again"))));
  }

  /**
   * The search that judged a position, to go into.
   * @param {HTMLButtonElement} button
   * @param {number} turn
   */
  async why(button, turn) {
    button.disabled = true;
    button.textContent = t("review.looking");
    try {
      this.around.go(turn);
      const {search} = await ask(`/api/reviews/${this.id}/look`, {turn});
      this.insight = openInsight(`/api/reviews/${this.id}`, search);
    } catch (error) { complain(messageOf(error)); }
    button.disabled = false;
    button.textContent = t("review.why");
  }

  /**
   * Play on from before a mistake, against the same opponent.
   * @param {Mistake} mistake
   */
  async again({turn, color}) {
    const other = color === "white" ? "black" : "white";
    const rival = agentNamed(this.game[other], this.offer) ?? {agent: OPPONENT, options: {}};
    try {
      this.around.opened(await newTable(this.game,
        this.game.played.slice(0, turn - 1), {[other]: rival}));
    } catch (error) { complain(messageOf(error)); }
  }
}
