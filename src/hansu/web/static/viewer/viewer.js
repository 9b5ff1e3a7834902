// The search viewer: what a search found, how it came to it, and what is below.
//
//   const viewer = new SearchViewer(element, source, {strings: ko});
//   await viewer.refresh();                    // again whenever the search knows more
//
// A source answers, all of it asynchronously (hansu.search.view.SearchView does, in Python):
//   info()           the root's moves, best first, and what the search cost
//   children(moves)  what is known after some moves; null where the source cannot say
//   board(moves)     the position there as SVG text, null likewise; drawn by hansu, so trusted
//   steps()          a small search, step by step
import {Board} from "./board.js";
import {el} from "./element.js";
import {History} from "./history.js";
import {Moves} from "./moves.js";
import {Steps} from "./steps.js";
import {Tree} from "./tree.js";
import {Words} from "./words.js";
import {en} from "./strings/en.js";

export class SearchViewer {
  constructor(element, source, {strings = en} = {}) {
    this.source = source;
    const words = this.words = new Words(strings);
    this.board = new Board(words, source);
    this.moves = new Moves(words, (line) => this.choose(line.variation, 1));
    this.history = new History(words);
    const stand = (path) => this.choose(path, path.length);
    this.steps = new Steps(words, source, stand, this.board.mirror());
    this.tree = new Tree(words, source, stand, this.board.mirror());
    this.head = el("p", {class: "sv-head"}, words.t("loading"));
    this.root = el("div", {class: "search-viewer", lang: strings.locale});
    element.replaceChildren(this.root);
    this.root.append(this.head);
  }

  async refresh() {
    const {words} = this;
    try {
      const info = await this.source.info();
      if (!info.lines.length) return;  // it has only just begun
      this.head.replaceChildren(
        el("strong", null, words.t("plays", {agent: info.agent, move: info.move,
          value: words.share.format(info.value)})),
        " · " + words.t(info.depth === null ? "cost" : "cost.depth",
          {nodes: words.whole.format(info.nodes), seconds: words.short.format(info.seconds), depth: info.depth}));
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
      this.head.textContent = words.t("failed", {error: error.message});
    }
  }

  choose(walk, ply) {
    this.moves.mark(walk[0]);
    return this.board.follow(walk, ply);
  }
}
