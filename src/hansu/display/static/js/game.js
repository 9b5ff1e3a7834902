// @ts-check
// A game: the board, the players, the clocks, the moves, and the controls.
import {Agreement, vitality} from "hansu/agreement.js";
import {Analysis} from "hansu/analysis.js";
import {Board} from "hansu/board.js";
import {Chart} from "hansu/chart.js";
import {announce, complain, el, settle} from "hansu/dom.js";
import {heatMap} from "hansu/heat_map.js";
import {openInsight} from "hansu/insight.js";
import {clockText, colorName, evidenceText, moveText, resultText} from "hansu/result.js";
import {Search} from "hansu/search.js";
import {Line, errorText, mayAsk} from "hansu/server.js";
import {copyLink} from "hansu/share.js";
import {chime} from "hansu/sound.js";
import {Teaching} from "hansu/teaching.js";
import {number, t} from "hansu/words.js";

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
 * @property {(number | null)[]} values
 * @property {string} position
 * @property {Record<string, [number, number]>} tally
 * @property {{white: number, black: number, running: boolean} | null} clock
 * @property {boolean} thinking
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
   */
  constructor(root, id, key, offer) {
    this.id = id;
    this.offer = offer;
    this.may = false;
    this.mine = false;
    /** @type {State | null} */
    this.state = null;
    this.at = 0; // when it was told
    /** @type {{flip: boolean | null, area: boolean}} */
    this.look = {flip: null, area: false};
    /** @type {Color} */
    this.seat = "white"; // whose side of the board is below
    this.controlled = "";
    /** @type {Analysis | null} */
    this.analysis = null;
    /** @type {ReturnType<typeof openInsight> | null} */
    this.insight = null;
    this.board = new Board((move) => this.line.say(this.state?.agreement
      ? {type: "mark", point: move} : {type: "move", move}));
    this.agreement = new Agreement((wish) => this.line.say(wish));
    this.teaching = new Teaching((wish) => this.line.say(wish));
    this.search = new Search((search) => {
      this.insight = openInsight(`/api/tables/${encodeURIComponent(id)}`, search); }, mayAsk(offer));
    this.chart = new Chart();
    this.status = el("p", {class: "status"});
    this.bars = {white: playerBar(), black: playerBar()};
    this.moves = el("ol", {class: "moves", tabindex: 0, "aria-label": t("moves")});
    this.controls = el("div", {class: "controls", role: "toolbar", "aria-label": t("controls")});
    this.tools = el("div");
    this.above = el("div");
    this.below = el("div");
    this.root = this.build();
    root.replaceChildren(this.root);
    this.line = new Line(`/ws/tables/${encodeURIComponent(id)}`, key, (said) => this.hear(said),
      (broken) => this.root.classList.toggle("broken", broken));
    this.ticking = setInterval(() => this.tick(), 100);
  }

  close() {
    clearInterval(this.ticking);
    this.insight?.close();
    this.teaching.close();
    this.line.close();
  }

  build() {
    for (const color of COLORS) this.bars[color].root.classList.add(color);
    return el("div", {class: "game"}, el("h1", {class: "unseen"}, t("table.title")),
      el("div", {class: "table"}, this.above, this.board.root, this.below),
      el("div", {class: "side"},
        el("p", {class: "lost"}, t("connection.lost")),
        this.status, this.teaching.root, this.agreement.root, this.controls, this.moves, this.tools,
        this.chart.root, this.search.root));
  }

  // What the server says --------------------------------------------------------------------------

  /** @param {import("hansu/server.js").Message} said */
  hear(said) {
    switch (said.type) {
      case "hello": this.may = said.may_act; break;
      case "state": this.show(/** @type {any} */ (said)); break;
      case "search": this.showSearch(/** @type {any} */ (said)); break;
      case "warning": if (this.mine) this.teaching.warn(/** @type {any} */ (said)); break;
      case "error": complain(errorText(said.rule, said.text, said.values)); break;
      case "closed": this.gone(said.why); break;
    }
  }

  /** @param {string} why */
  async gone(why) {
    const saved = `/api/library/${encodeURIComponent(this.id)}`;
    if (why === "gone" && (await fetch(saved).catch(() => null))?.ok) {
      location.replace(`#/replay?from=${encodeURIComponent(saved)}`); // it was kept
      return;
    }
    this.root.replaceChildren(el("div", {class: "notice"}, el("p", null, t(`closed.${why}`)),
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
    this.root.dataset.game = state.name;
    this.showBoard(state);
    this.agreement.show(state, this.may);
    this.teaching.show(state);
    this.showPlayers(state, people);
    this.showStatus(state, people);
    this.showMoves(state);
    this.showControls(state, people);
    this.chart.show(state);
    const moved = before !== null && state.played.length !== before.played.length;
    if (before && (moved || (state.outcome && !before.outcome))) this.follow(before, state);
    if (moved) settle();
    if (people.length === 2 && this.may) this.showTools(state, moved);
    this.tick();
  }

  /**
   * The board to play on, or with stones to be marked dead.
   * @param {State} state
   */
  showBoard({svg, moves, agreement}) {
    if (!agreement) return this.board.show(svg, moves, this.mine);
    const stones = agreement.stones.map((name) => ({text: name, cells: [name]}));
    return this.board.show(svg, stones, this.may, vitality(agreement));
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

  sayLook() { this.line.say({type: "look", flip: Boolean(this.look.flip), area: this.look.area}); }

  /**
   * Moves have been made or taken back, or the game has ended: perhaps without a move.
   * @param {State} before
   * @param {State} state
   */
  follow(before, state) {
    const news = state.played.slice(before.played.length).map((move, i) => t("news.move", {
      move: moveText(move),
      color: colorName(i % 2 ? OTHER[before.turn] : before.turn, state.name)}));
    if (state.outcome) {
      announce(resultText(state.outcome, state.name));
      chime("end");
    } else if (news.length) {
      announce(news.join(". "));
      chime("move");
    }
    this.board.point([]);
  }

  /** @param {State} state @param {Color[]} people */
  showPlayers(state, people) {
    const {seat} = this;
    for (const color of COLORS) {
      const bar = this.bars[color];
      const self = people.length === 1 && this.may;
      bar.name.textContent = state[color] === "human" ? t(self ? "you" : "person") : state[color];
      bar.root.classList.toggle("turn", state.turn === color && !state.outcome
        && !state.agreement);
      bar.root.classList.toggle("busy", state.turn === color && state.thinking);
      bar.tally.replaceChildren(...Object.entries(state.tally).map(([what, both]) =>
        el("span", {title: t(`tally.${what}`)}, `${t(`tally.${what}`)} ${
          number(both[COLORS.indexOf(color)], 1)}`)));
      bar.clock.hidden = !state.clock;
      bar.root.title = colorName(color, state.name);
    }
    this.above.replaceChildren(this.bars[OTHER[seat]].root);
    this.below.replaceChildren(this.bars[seat].root);
  }

  /** @param {State} state @param {Color[]} people */
  showStatus(state, people) {
    const color = colorName(state.turn, state.name);
    let text = t("turn.other", {color});
    if (state.outcome) text = resultText(state.outcome, state.name);
    else if (state.agreement) text = t("agreement.status");
    else if (!state.moves.length) text = t("agreement.looking");
    else if (this.mine && people.length === 1) text = t("turn.yours", {color});
    else if (state.paused) text = t("turn.paused");
    else if (state.thinking) text = t("turn.thinking", {name: state[state.turn]});
    if (this.mine && this.passing()) text += ` ${t("turn.must_pass")}`;
    this.status.textContent = text;
    this.status.classList.toggle("over", Boolean(state.outcome));
    this.status.append(evidenceText(state.evidence) ?? "");
  }

  /** @param {State} state @param {boolean} moved */
  showTools(state, moved) {
    this.analysis ||= new Analysis(this.offer, state.name, (wish) => this.line.say(wish),
      (search) => { this.insight = openInsight(`/api/tables/${encodeURIComponent(this.id)}`, search); });
    if (!this.tools.firstChild) this.tools.append(this.analysis.root);
    this.analysis.follow(state, moved);
  }

  /** @param {State} state */
  showMoves(state) {
    this.moves.replaceChildren(...state.played.map((move, i) => el("li", {
      class: (i % 2 === 0) === (state.first === "white") ? "white" : "black",
      "aria-current": i === state.played.length - 1 ? "step" : null,
    }, el("span", {class: "no"}, `${i + 1}`), el("span", {class: "move"}, moveText(move)))));
    this.moves.scrollTop = this.moves.scrollHeight;
  }

  tick() {
    const {clock, turn} = this.state ?? {};
    if (!clock) return;
    for (const color of COLORS) {
      const runs = clock.running && turn === color;
      const left = clock[color] - (runs ? (performance.now() - this.at) / 1000 : 0);
      this.bars[color].clock.textContent = clockText(left);
      this.bars[color].clock.classList.toggle("low", left < 10);
    }
  }

  /** @param {Thought} said */
  showSearch(said) {
    if (said.of === "analysis" && this.analysis?.take(said)) return;
    heatMap(this.board, this.analysis?.heat.checked && this.state
      && said.turn === this.state.played.length ? said.info : null);
    if (this.state && said.turn === this.state.played.length) {
      /** @type {[string, number, string?][]} */
      const shown = said.of === "hint" ? [[said.info.lines[0].text, 1]] : Search.weights(said.info);
      if (said.of !== "hint" || said.done) this.board.point(shown);
    }
    if (said.of === "hint" && said.done) {
      announce(t("news.hint", {move: moveText(said.info.lines[0].text)}));
    }
    this.search.show(said.info, said.id);
    this.insight?.follow(said.id, said.done);
  }

  // What one can do -------------------------------------------------------------------------------

  // A move that no cell of the board stands for: the pass, or the swap.
  pass() {
    return this.state?.moves.find((move) => !this.board.landing(move.cells[0]));
  }

  // Nothing but the pass is left.
  passing() { return this.state?.moves.length === 1 && Boolean(this.pass()); }

  /** @param {State} state @param {Color[]} people */
  showControls(state, people) {
    const plain = (/** @type {string} */ type) => () => this.line.say({type});
    const over = Boolean(state.outcome || state.agreement || !state.moves.length);
    const pass = this.pass();
    const now = JSON.stringify([this.may, people, over, this.mine, pass, this.look.area,
      !state.played.length, state.paused, state.delay]);
    if (this.controlled === now) return; // a button under the finger stays
    this.controlled = now;
    const shown = [
      this.may && people.length && button("undo", "↶", plain("undo"), !state.played.length),
      this.may && people.length && button("hint", "✦", plain("hint"), !this.mine || over),
      this.may && people.length && (pass || this.game(state).passes)
        && button(pass?.text ?? "pass", "⤼", () => this.line.say({type: "move", move: pass?.text}),
          !this.mine || !pass),
      this.may && people.length && button("resign", "⚑", plain("resign"), over),
      button("flip", "⇅", () => this.flip()),
      "area" in state.tally && button("area", "▦", () => {
        this.look.area = !this.look.area; this.sayLook(); }, over, this.look.area),
      this.may && !people.length && this.pace(state),
      state.outcome && this.may && el("a", {id: "do-review", class: "button", href: `#/replay?from=${
        encodeURIComponent(`/api/tables/${this.id}/record/jsonl`)}&review=1`},
      el("span", {"aria-hidden": "true"}, "✎"), t("review.title")),
      this.save(state),
      el("a", {class: "button", href: ["#/watch", "#/play", "#/analysis"][people.length]},
        el("span", {"aria-hidden": "true"}, "＋"), t("new_game")),
    ];
    const focus = document.activeElement?.id;
    this.controls.replaceChildren(...shown.flatMap((part) => part || []));
    const same = focus ? document.getElementById(focus) : null;
    if (same && this.controls.contains(same)) same.focus();
  }

  /** @param {State} state */
  game(state) {
    const found = this.offer.games.find((game) => game.name === state.name);
    return found ?? {passes: false, formats: ["jsonl"]};
  }

  /** @param {State} state */
  pace(state) {
    const say = (/** @type {Record<string, unknown>} */ change) =>
      this.line.say({type: "pace", paused: state.paused, delay: state.delay, ...change});
    const speeds = [0, 0.25, 0.5, 1, 2, 5];
    return el("span", {class: "pace"},
      button(state.paused ? "go_on" : "pause", state.paused ? "▶" : "❚❚",
        () => say({paused: !state.paused}), Boolean(state.outcome)),
      el("label", null, t("speed"), el("select", {id: "speed",
        onchange: (/** @type {Event} */ event) =>
          say({delay: Number(/** @type {HTMLSelectElement} */ (event.target).value)})},
      speeds.map((s) => el("option", {value: s, selected: s === state.delay},
        s ? t("speed.seconds", {seconds: number(s, 2)}) : t("speed.full"))))));
  }

  /** @param {State} state */
  save(state) {
    const {formats} = this.game(state);
    return el("details", {class: "menu"},
      el("summary", {class: "button"}, el("span", {"aria-hidden": "true"}, "⤓"), t("save")),
      el("div", {class: "list"},
        formats.map((format) => el("a", {download: true,
          href: `/api/tables/${this.id}/record/${format}`}, t(`format.${format}`))),
        el("a", {href: `#/replay?from=${
          encodeURIComponent(`/api/tables/${this.id}/record/jsonl`)}`}, t("replay_this")),
        el("button", {onclick: () => copyLink(`/table/${this.id}`)}, t("share"))));
  }
}

/**
 * @param {string} name
 * @param {string} sign
 * @param {() => void} act
 * @param {boolean} [off]
 * @param {boolean | null} [pressed]
 */
function button(name, sign, act, off = false, pressed = null) {
  return el("button", {id: `do-${name}`, onclick: act, disabled: off, "aria-pressed": pressed},
    el("span", {"aria-hidden": "true"}, sign), t(name));
}

function playerBar() {
  const [name, tally, clock] = [el("b"), el("span", {class: "tally"}), el("span", {class: "clock"})];
  const root = el("div", {class: "player"},
    el("i", {class: "stone"}), el("span", {class: "who"}, name,
      el("span", {class: "thinking", "aria-hidden": "true"})), tally, clock);
  return {name, tally, clock, root};
}
