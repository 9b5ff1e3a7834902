// @ts-check
// Puzzles: one move alone keeps the value. A wrong one is answered on the board.
import {Board} from "hansu/board.js";
import {announce, complain, el, kept, settle} from "hansu/dom.js";
import {colorName, moveText} from "hansu/result.js";
import {ask, messageOf} from "hansu/server.js";
import {chime} from "hansu/sound.js";
import {has, number, ofGame, t} from "hansu/words.js";

const PACE = 900; // milliseconds between two moves of an answer
const KEPT = "puzzles";
const SEEN = ["size", "width", "height"]; // rules that the board shows

/**
 * @typedef {{streak: number, best: number, solved: string[]}} Progress
 *
 * @typedef {object} Puzzle as it is set
 * @property {string} name of the game
 * @property {string} game with its rules
 * @property {string} svg
 * @property {string} position
 * @property {import("hansu/board.js").Move[]} moves
 * @property {string} turn
 * @property {number} value
 *
 * @typedef {{right: boolean, value: number, line: string[], boards: string[]}} Answer
 */

/** What this browser has solved of each game. */
export const progress = {
  /** @returns {Record<string, Progress>} */
  all() {
    try { return JSON.parse(kept.get(KEPT) ?? "{}") ?? {}; } catch { return {}; }
  },
  /** @param {string} game @returns {Progress} */
  of(game) { return progress.all()[game] ?? {streak: 0, best: 0, solved: []}; },
  /**
   * Count the first answer to a puzzle.
   * @param {string} game
   * @param {string} name
   * @param {boolean} right
   */
  count(game, name, right) {
    const before = progress.of(game);
    const streak = right ? before.streak + 1 : 0;
    const solved = right ? [...new Set([...before.solved, name])] : before.solved;
    const now = {streak, best: Math.max(before.best, streak), solved};
    kept.set(KEPT, JSON.stringify({...progress.all(), [game]: now}));
  },
};

/**
 * The next puzzle after one: first those that are not solved.
 * @param {string[]} names
 * @param {string[]} solved
 * @param {string | undefined} last
 */
export function nextPuzzle(names, solved, last) {
  const at = names.indexOf(last ?? "") + 1;
  const turn = [...names.slice(at), ...names.slice(0, at)].filter((name) => name !== last);
  return turn.find((name) => !solved.includes(name)) ?? turn[0] ?? last;
}

/**
 * @param {Element} root
 * @param {import("hansu/picker.js").Offer} offer
 * @param {string} [game]
 * @param {string} [name]
 */
export function puzzlesPage(root, offer, game, name) {
  const known = offer.games.some((each) => each.name === game);
  return game && known ? new PuzzlePage(root, game, name) : new PuzzleGames(root, offer);
}

const solvedText = (/** @type {string} */ game, /** @type {string[]} */ names) => t(
  "puzzles.progress", {all: number(names.length),
    solved: number(progress.of(game).solved.filter((name) => names.includes(name)).length)});

const progressText = (/** @type {string} */ game, /** @type {string[]} */ names) => {
  const {streak, best} = progress.of(game);
  const told = best ? [t("puzzles.streak", {streak: number(streak), best: number(best)})] : [];
  return [solvedText(game, names), ...told].join(" · ");
};

/** @param {string} text a game with its rules, such as "go:size=4,komi=1.5": those one cannot see */
function rulesOf(text) {
  const [game, rules] = text.split(":");
  return (rules ?? "").split(",").map((rule) => rule.split("="))
    .filter(([name]) => name && !SEEN.includes(name))
    .map(([name, value]) => `${ofGame("rule", game, name)} ${value}`);
}

// The games, with what has been solved of each.
class PuzzleGames {
  /** @param {Element} root @param {import("hansu/picker.js").Offer} offer */
  constructor(root, offer) {
    const counts = new Map(offer.games.map(({name}) => [name, el("p", {class: "soft"}, "\u00a0")]));
    /** @param {string} name */
    const begin = (name) => el("a", {class: "button main", href: `#/puzzles/${name}`,
      "aria-label": t("puzzles.of", {game: t(`game.${name}`)})}, t("puzzles.begin"));
    root.replaceChildren(el("div", {class: "home"},
      el("header", null, el("h1", null, t("puzzles.title")),
        el("p", {class: "soft"}, t("puzzles.about"))),
      el("ul", {class: "tiles"}, offer.games.map(({name}) => el("li", {class: "tile"},
        el("img", {src: `/api/boards/${name}.svg`, alt: "", width: 150, height: 150}),
        el("div", null, el("h2", null, t(`game.${name}`)), counts.get(name),
          el("p", {class: "go"}, begin(name))))))));
    this.fill(counts);
  }

  close() { /* nothing goes on */ }

  /** @param {Map<string, HTMLElement>} counts */
  async fill(counts) {
    try {
      const {games} = await ask("/api/puzzles");
      for (const [name, text] of counts) {
        text.textContent = games[name].length ? progressText(name, games[name])
          : t("puzzles.none", {game: name});
      }
    } catch (error) { complain(messageOf(error)); }
  }
}

class PuzzlePage {
  /** @param {Element} root @param {string} game @param {string} [name] */
  constructor(root, game, name) {
    this.game = game;
    this.name = name;
    this.closed = false;
    this.answered = true; // the answers that count have been given
    /** @type {string[]} */
    this.names = [];
    /** @type {Puzzle | null} */
    this.puzzle = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.board = new Board((move) => this.answer(move));
    this.board.game = game;
    this.status = el("p", {class: "status"}, "\u00a0");
    this.line = el("p", {class: "soft answer"}, "\u00a0");
    this.count = el("p", {class: "soft"}, "\u00a0");
    this.extra = el("div", {class: "row"}); // moves that no cell stands for
    this.next = this.button("puzzles.next", () => this.load(this.following()), "main");
    this.again = this.button("puzzles.again", () => this.set());
    this.solve = this.button("puzzles.solution", () => this.answer(""));
    this.study = el("a", {class: "button", hidden: true}, t("puzzles.analyse"));
    this.root = el("div", {class: "game puzzle blank"},
      el("div", {class: "table"}, this.board.root),
      el("div", {class: "side"},
        el("h1", null, t("puzzles.of", {game: t(`game.${game}`)})), this.count, this.status,
        this.line, this.extra,
        el("div", {class: "controls"}, this.next, this.again, this.solve, this.study),
        el("p", null, el("a", {href: "#/puzzles"}, t("puzzles.others")))));
    root.replaceChildren(this.root);
    this.root.dataset.game = game;
    this.open();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** @param {string} words @param {() => void} onclick @param {string} [kind] */
  button(words, onclick, kind) {
    return el("button", {type: "button", class: kind, hidden: true, onclick}, t(words));
  }

  following() { return nextPuzzle(this.names, progress.of(this.game).solved, this.name); }

  async open() {
    try {
      this.names = (await ask("/api/puzzles")).games[this.game];
      const name = this.names.includes(this.name ?? "") ? this.name : this.following();
      if (name) await this.load(name);
      else this.say(t("puzzles.none", {game: this.game}), "");
    } catch (error) { complain(messageOf(error)); }
  }

  /** @param {string | undefined} name */
  async load(name) {
    if (!name) return;
    try {
      this.puzzle = await ask(`/api/puzzles/${this.game}/${name}`);
      if (this.closed) return;
      this.name = name;
      history.replaceState(null, "", `#/puzzles/${this.game}/${name}`);
      this.answered = false;
      this.set();
    } catch (error) { complain(messageOf(error)); }
  }

  // The position, to find the move in.
  set() {
    const {puzzle} = this;
    if (!puzzle) return;
    settle();
    clearTimeout(this.timer);
    this.board.show(puzzle.svg, puzzle.moves, true);
    this.extra.replaceChildren(...puzzle.moves.filter((move) => !this.board.landing(move.cells[0]))
      .map((move) => el("button", {type: "button", onclick: () => this.answer(move.text)},
        has(move.text) ? t(move.text) : moveText(move.text))));
    this.say(t(`puzzles.goal.${puzzle.value === 1 ? "win" : "draw"}`,
      {color: colorName(puzzle.turn, this.game)}), "");
    this.line.textContent = "\u00a0";
    announce(this.status.textContent ?? "");
    this.study.setAttribute("href", `#/analysis?${new URLSearchParams({game: this.game,
      rules: puzzle.game.split(":")[1] ?? "", position: puzzle.position, begin: "1"})}`);
    this.offer(this.answered, false);
  }

  /** @param {string} text @param {string} kind */
  say(text, kind) {
    this.root.classList.remove("blank");
    this.status.textContent = text;
    this.status.className = `status ${kind}`;
    this.count.textContent = [progressText(this.game, this.names),
      ...rulesOf(this.puzzle?.game ?? "")].join(" · ");
  }

  /** @param {boolean} answered @param {boolean} wrong */
  offer(answered, wrong) {
    this.next.hidden = this.study.hidden = !answered;
    this.again.hidden = !wrong;
    this.solve.hidden = answered && !wrong;
  }

  /** @param {string} move nothing: the solution is wanted */
  async answer(move) {
    const {puzzle, name} = this;
    if (!puzzle || !name) return;
    try {
      const query = new URLSearchParams({move});
      this.tell(await ask(`/api/puzzles/${this.game}/${name}/answer?${query}`), move);
    } catch (error) { complain(messageOf(error)); }
  }

  /** @param {Answer} found @param {string} move */
  tell({right, value, line, boards}, move) {
    if (this.closed || !this.puzzle || !this.name) return;
    settle();
    const solved = right && move !== "";
    if (!this.answered) progress.count(this.game, this.name, solved);
    this.answered = true;
    const [played, ...rest] = line.map(moveText);
    const goal = this.puzzle.value === 1 ? "win" : "draw";
    const verdict = right ? t(`puzzles.${solved ? "right" : "solved"}.${goal}`, {move: played})
      : t(value ? "puzzles.wrong.draws" : "puzzles.wrong.loses", {move: played});
    this.say(verdict, right ? "good" : "bad");
    this.line.textContent = rest.length
      ? t(right ? "puzzles.continuation" : "puzzles.refutation", {line: rest.join(" ")}) : "\u00a0";
    announce(`${verdict} ${this.line.textContent}`);
    chime(right ? "won" : "lost");
    this.extra.replaceChildren();
    this.offer(true, !right);
    this.play(boards);
    (right ? this.next : this.again).focus({preventScroll: true});
  }

  /** @param {string[]} boards one after another */
  play([first, ...rest]) {
    clearTimeout(this.timer);
    if (!first) return;
    this.board.show(first, [], false);
    this.timer = setTimeout(() => this.play(rest), PACE);
  }
}
