// @ts-check
// The moves of a game with their variations, as lists within a list, and how to walk through them.
import {el} from "hansu/dom.js";
import {moveText} from "hansu/result.js";
import {t} from "hansu/words.js";

/**
 * Places are counted as a record does: 0 is the start, then the game itself, then the variations.
 * @typedef {object} Tree
 * @property {string[]} names of the moves that lead to each place
 * @property {string[]} [played] the same as the game writes them
 * @property {number[]} parents the place before each
 * @property {number} main how many places are of the game itself, the start among them
 * @property {Record<string, string>} comments by place
 * @property {number} [unshown] moves of variations that are too many to show
 */

/**
 * A game without variations.
 * @param {string[]} names
 * @returns {Tree}
 */
export const plainTree = (names) => ({names: ["", ...names], main: names.length + 1, comments: {},
  parents: [0, ...names.map((_, i) => i)]});

export class Paths {
  /** @param {Tree} tree */
  constructor(tree) {
    this.tree = tree;
    /** @type {number[][]} */
    this.children = tree.parents.map(() => []);
    /** @type {number[]} */
    this.depth = tree.parents.map(() => 0);
    for (let place = 1; place < tree.parents.length; place += 1) {
      this.children[tree.parents[place]].push(place);
      this.depth[place] = this.depth[tree.parents[place]] + 1;
    }
  }

  /**
   * The next place of the same line; nothing follows the end of the game itself.
   * @param {number} place
   */
  next(place) {
    const [first] = this.children[place];
    const isEnd = place < this.tree.main && !(first < this.tree.main);
    return isEnd ? undefined : first;
  }

  /** @param {number} place */
  last(place) {
    let end = place;
    for (let next = this.next(end); next !== undefined; next = this.next(end)) end = next;
    return end;
  }

  /**
   * The places that lead to one, without the start.
   * @param {number} place
   */
  to(place) {
    const found = [];
    for (let at = place; at > 0; at = this.tree.parents[at]) found.unshift(at);
    return found;
  }

  /**
   * Where the game itself was left.
   * @param {number} place
   */
  leaves(place) {
    let at = place;
    while (at >= this.tree.main) at = this.tree.parents[at];
    return at;
  }

  /**
   * The next place; at the end of the game, what was tried there.
   * @param {number} place
   */
  forward(place) { return this.next(place) ?? this.children[place][0]; }

  /**
   * The moves that were tried in one position.
   * @param {number} place of one of them
   */
  siblings(place) { return place ? this.children[this.tree.parents[place]] : [place]; }

  /**
   * Another move in place of this one: the next or the previous of its siblings.
   * @param {number} place
   * @param {number} step
   */
  beside(place, step) {
    const all = this.siblings(place);
    return all[(all.indexOf(place) + step + all.length) % all.length];
  }

  /**
   * Where a key leads: along the line, to another move in its place, to both ends.
   * @param {KeyboardEvent} event
   * @param {number} at
   */
  byKey(event, at) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return; // the browser's
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.closest("input:not([type=checkbox]), textarea, select, dialog, [data-cell]")) return;
    const forked = this.siblings(at).length > 1;
    const to = {
      ArrowLeft: this.tree.parents[at],
      ArrowRight: this.forward(at) ?? at,
      ArrowUp: forked ? this.beside(at, -1) : undefined,
      ArrowDown: forked ? this.beside(at, 1) : undefined,
      Home: 0,
      End: this.last(at),
    }[event.key];
    if (to !== undefined) event.preventDefault();
    return to;
  }
}

/**
 * Lists of buttons: a variation stands after the move that it replaces.
 * @param {Paths} paths
 * @param {(place: number) => HTMLElement} item for a move
 */
export function listTree(paths, item) {
  const {tree, children} = paths;
  /** @param {number} head @returns {HTMLElement} */
  const branch = (head) => el("li", {class: "branch"},
    el("ol", {"aria-label": t("replay.variation")}, line(head)));
  /** @param {number} place */
  const said = (place) => (tree.comments[place]
    ? [el("li", {class: "said"}, tree.comments[place])] : []);
  /** @param {number} head */
  function line(head) {
    /** @type {HTMLElement[]} */
    const found = [];
    for (let at = /** @type {number | undefined} */ (head); at !== undefined; at = paths.next(at)) {
      const next = paths.next(at);
      found.push(item(at), ...said(at));
      if (at !== head || head === 0) found.push(...others(at));
      if (next === undefined) found.push(...children[at].map(branch));
    }
    return found;
  }
  /** @param {number} place */
  const others = (place) => (place
    ? children[tree.parents[place]].filter((each) => each !== place).map(branch) : []);
  return line(0);
}

/**
 * A move to click, with its number.
 * @param {Paths} paths
 * @param {number} place
 * @param {() => void} go
 */
export function moveButton(paths, place, go) {
  return el("button", {type: "button", onclick: go},
    place ? el("span", {class: "no"}, `${paths.depth[place]}`) : null,
    el("span", {class: "move"}, place ? moveText(paths.tree.names[place]) : t("replay.start")));
}

/**
 * Mark the item that is shown, and scroll its list to it.
 * @param {HTMLElement} root
 * @param {HTMLElement | undefined} item
 */
export function markCurrent(root, item) {
  root.querySelector("[aria-current]")?.removeAttribute("aria-current");
  item?.setAttribute("aria-current", "step");
  const at = item ? item.getBoundingClientRect().top - root.getBoundingClientRect().top : 0;
  root.scrollTop += at - root.clientHeight / 2;
}
