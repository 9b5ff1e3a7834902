// @ts-check
// The search viewer: what a search found, how it came to it, and what is below.
//
//   const viewer = new SearchViewer(element, source);
//   await viewer.refresh();                    // again whenever the search knows more
//
// A source answers, all of it asynchronously (hansu.search.view.SearchView does, in Python).
import {el} from "hansu/dom.js";
import {term} from "hansu/term.js";
import {Board} from "hansu/viewer/board.js";
import {History} from "hansu/viewer/history.js";
import {Moves} from "hansu/viewer/moves.js";
import {Steps} from "hansu/viewer/steps.js";
import {Tree} from "hansu/viewer/tree.js";
import {exactPercent, number, short, t} from "hansu/words.js";

/**
 * @typedef {{move: string, visits: number, value: number, prior: number | null,
 *   variation: string[], proved?: boolean}} Line
 * @typedef {{move: string, visits: number, value: number, prior: number | null,
 *   children: number}} Branch
 * @typedef {{seconds: number, nodes: number, value: number, move: string}} Moment
 */

/**
 * @typedef {object} Info
 * @property {string} game
 * @property {string} title
 * @property {string} position
 * @property {string} turn
 * @property {string} agent
 * @property {boolean} has_steps
 * @property {string} move
 * @property {number} value
 * @property {Line[]} lines
 * @property {number} nodes
 * @property {number} seconds
 * @property {number | null} depth
 * @property {Moment[]} history
 */

/** @typedef {Record<string, any> & {algorithm: string,
 *   steps: import("hansu/viewer/growth.js").Step[]}} Told */

/**
 * @typedef {object} Source
 * @property {() => Promise<Info>} info the root's moves, best first, and what the search cost
 * @property {(moves: string[]) => Promise<Branch[] | null>} children what is known after some moves;
 *   null where the source cannot say
 * @property {(moves: string[]) => Promise<string | null>} board the position there as SVG text, null
 *   likewise; drawn by hansu, so trusted
 * @property {() => Promise<Told | null>} steps a small search, step by step
 */

export class SearchViewer {
  /** @param {Element} element @param {Source} source */
  constructor(element, source) {
    this.source = source;
    this.board = new Board(source);
    this.moves = new Moves((line) => this.choose(line.variation, 1));
    this.history = new History();
    const stand = (/** @type {string[]} */ path) => this.choose(path, path.length);
    this.steps = new Steps(source, stand, this.board.mirror());
    this.tree = new Tree(source, stand, this.board.mirror());
    this.head = el("p", {class: "sv-head"}, t("viewer.loading"));
    this.root = el("div", {class: "search-viewer"});
    element.replaceChildren(this.root);
    this.root.append(this.head);
  }

  /** Begin the steps and bring them to the top; the page around an embedded viewer stays. */
  async beginSteps() {
    await this.steps.begin();
    scrollTo(0, scrollY + this.steps.root.getBoundingClientRect().top);
  }

  async refresh() {
    try {
      const info = await this.source.info();
      if (!info.lines.length) return; // it has only just begun
      this.head.replaceChildren(
        el("strong", null, t("viewer.plays", {agent: info.agent, move: info.move,
          value: exactPercent(info.value)})),
        " · ", term("nodes", t(info.depth === null ? "viewer.cost" : "viewer.cost.depth",
          {nodes: number(info.nodes), seconds: short(info.seconds), depth: info.depth})));
      if (!this.board.walk.length) this.board.walk = info.lines[0].variation;
      this.moves.show(info);
      this.moves.mark(this.board.walk[0]);
      this.board.show(info);
      this.steps.show(info);
      if (!this.board.root.isConnected) {
        this.root.append(el("div", {class: "sv-page"}, this.board.root, el("div", null,
          this.moves.root, this.history.root, this.steps.root, this.tree.root)));
      }
      this.history.show(info);
      await this.tree.show(info);
    } catch (error) {
      this.head.textContent = t("viewer.failed",
        {error: error instanceof Error ? error.message : String(error)});
    }
  }

  /** @param {string[]} walk @param {number} ply */
  choose(walk, ply) {
    this.moves.mark(walk[0]);
    return this.board.follow(walk, ply);
  }
}
