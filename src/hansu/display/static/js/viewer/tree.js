// @ts-check
// The tree of the search, opened branch by branch: only what is open has ever been asked for.
import {el} from "hansu/dom.js";
import {colorName} from "hansu/result.js";
import {term} from "hansu/term.js";
import {gameOf} from "hansu/viewer/board.js";
import {exactPercent, number, t} from "hansu/words.js";

const SHOWN = 12;  // moves of a branch at once

/** @typedef {import("hansu/viewer/viewer.js").Info} Info */
/** @typedef {import("hansu/viewer/viewer.js").Branch} Branch */
/** @typedef {HTMLLIElement & {path?: string[], more?: () => void}} Item */

export class Tree {
  /**
   * @param {import("hansu/viewer/viewer.js").Source} source
   * @param {(path: string[]) => void} choose
   * @param {HTMLElement} mirror
   */
  constructor(source, choose, mirror) {
    this.source = source;
    this.choose = choose;
    this.turn = "white";
    this.game = "";
    this.counts = false;
    /** @type {Item | null} */
    this.current = null;
    this.list = el("ul", {class: "sv-tree", role: "tree", "aria-label": t("viewer.tree"),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
      onclick: (/** @type {MouseEvent} */ event) => this.click(event)});
    this.root = el("section", {class: "sv-card sv-branches"}, el("h3", null, term("tree", t("viewer.tree"))),
      el("p", {class: "sv-note"}, t("viewer.tree.help")), mirror, this.list);
    /** @type {Set<string>} */
    this.open = new Set();
    /** @type {Map<string, number>} how many moves of a branch are shown, where it is not SHOWN */
    this.shown = new Map();
    this.touched = false;  // by the reader, since the last answer was asked for
  }

  /** @param {Info} info */
  async show(info) {
    this.turn = info.turn;
    this.game = gameOf(info);
    this.counts = info.lines.some((line) => line.visits);  // else the search counts no visits
    let branch;
    do {
      this.touched = false;
      branch = await this.branch([], 1);
    } while (this.touched);
    const {activeElement} = document, focused = this.list.contains(activeElement);
    const key = itemAt(activeElement)?.dataset.key;
    this.list.replaceChildren(...branch);
    const items = this.items();
    if (!items.length) {
      this.list.replaceChildren(el("li", {class: "sv-note", role: "none"}, t("viewer.tree.empty")));
      return;
    }
    this.focus(items.find((item) => item.dataset.key === key) ?? items[0], focused);
  }

  /**
   * The items of a branch, with whatever was open below them.
   * @param {string[]} moves
   * @param {number} level
   * @returns {Promise<Item[]>}
   */
  async branch(moves, level) {
    const children = await this.source.children(moves);
    if (children === null) return [this.remark(t("viewer.tree.absent"), level)];
    const items = this.page(moves, children, level, 0, this.shown.get(moves.join("\n")) ?? SHOWN);
    for (const item of items) {
      if (this.open.has(keyOf(item))) await this.unfold(item);
    }
    return items;
  }

  /**
   * @param {string[]} moves
   * @param {Branch[]} children
   * @param {number} level
   * @param {number} begin
   * @param {number} end
   * @returns {Item[]}
   */
  page(moves, children, level, begin, end) {
    const most = Math.max(1, ...children.map((child) => child.visits));
    const items = children.slice(begin, end).map((child) => this.item(moves, child, level, most));
    const rest = children.length - end;
    if (rest > 0) {
      const more = this.remark(t("viewer.tree.more", {count: rest}), level);
      more.classList.add("sv-more");
      more.more = () => {
        this.shown.set(moves.join("\n"), end + SHOWN);
        this.touched = true;
        const next = this.page(moves, children, level, end, end + SHOWN);
        more.replaceWith(...next);
        this.focus(next[0], true);
      };
      items.push(more);
    }
    return items;
  }

  /**
   * @param {string[]} moves
   * @param {Branch} child
   * @param {number} level
   * @param {number} most
   * @returns {Item}
   */
  item(moves, child, level, most) {
    const path = [...moves, child.move];
    const other = this.turn === "white" ? "black" : "white";
    const turn = level % 2 ? this.turn : other;
    const known = child.visits || !this.counts;
    const value = known ? exactPercent(child.value) : "–";
    const facts = [t("viewer.tree.item", {who: colorName(turn, this.game), move: child.move, value})];
    if (this.counts) facts.push(t("viewer.tree.visits", {visits: number(child.visits)}));
    if (child.prior !== null) facts.push(t("viewer.tree.prior", {prior: exactPercent(child.prior)}));
    const fill = el("i", {class: "sv-visits"});
    fill.style.width = `${100 * (this.counts ? child.visits / most : child.value)}%`;
    /** @type {Item} */
    const item = el("li", {role: "treeitem", tabindex: -1, "aria-level": level, "aria-selected": "false",
      "aria-expanded": child.children ? "false" : null, "aria-label": facts.join(", ")},
      el("div", {class: "sv-row"}, el("span", {class: "sv-twig", "aria-hidden": "true"}),
        el("i", {class: `sv-seat sv-${turn}`}), el("b", null, child.move),
        el("span", {class: "bar"}, fill),
        this.counts ? el("span", {class: "sv-number"}, number(child.visits)) : null,
        el("span", {class: "sv-number"}, value),
        child.prior === null ? null : el("span", {class: "sv-number sv-soft"}, exactPercent(child.prior))));
    item.path = path;
    item.dataset.key = path.join("\n");
    return item;
  }

  /** @param {string} text @param {number} level @returns {Item} */
  remark(text, level) {
    return el("li", {role: "treeitem", tabindex: -1, "aria-level": level, class: "sv-note"},
      el("div", {class: "sv-row"}, el("span", {class: "sv-twig"}), text));
  }

  /** @param {Item} item */
  async unfold(item) {
    item.setAttribute("aria-expanded", "true");
    this.touched ||= !this.open.has(keyOf(item));
    this.open.add(keyOf(item));
    const group = el("ul", {role: "group"});
    item.append(group);
    group.append(...await this.branch(item.path ?? [], Number(item.getAttribute("aria-level")) + 1));
  }

  /** @param {Item} item */
  fold(item) {
    item.setAttribute("aria-expanded", "false");
    this.touched = this.open.delete(keyOf(item));
    item.querySelector("ul")?.remove();
  }

  /** @param {Item} item */
  async toggle(item) {
    const state = item.getAttribute("aria-expanded");
    if (state === "false") await this.unfold(item);
    else if (state === "true") this.fold(item);
  }

  // Keyboard ----------------------------------------------------------------------------------

  /** @returns {Item[]} */
  items() { return /** @type {Item[]} */ ([...this.list.querySelectorAll("[role=treeitem]")]); }

  /** @param {Item | null | undefined} item @param {boolean} really */
  focus(item, really) {
    if (!item) return;
    if (this.current) this.current.tabIndex = -1;
    this.current = item;
    item.tabIndex = 0;
    if (really) item.focus();
  }

  /** @param {Item} item */
  select(item) {
    if (item.more) return item.more();
    if (!item.path) return;
    this.list.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    item.setAttribute("aria-selected", "true");
    this.choose(item.path);
  }

  /** @param {MouseEvent} event */
  click(event) {
    const item = itemAt(event.target);
    if (!item || !(event.target instanceof Element)) return;
    this.focus(item, true);
    if (event.target.closest(".sv-twig")) this.toggle(item);
    else this.select(item);
  }

  /** @param {KeyboardEvent} event */
  async key(event) {
    const item = itemAt(event.target);
    if (!item || event.ctrlKey || event.altKey || event.metaKey) return;
    const items = this.items(), at = items.indexOf(item);
    const state = item.getAttribute("aria-expanded");
    /** @type {Record<string, () => unknown>} */
    const acts = {
      ArrowDown: () => this.focus(items[at + 1], true),
      ArrowUp: () => this.focus(items[at - 1], true),
      Home: () => this.focus(items[0], true),
      End: () => this.focus(items.at(-1), true),
      ArrowRight: () => state === "false" ? this.unfold(item)
        : state === "true" && this.focus(items[at + 1], true),
      ArrowLeft: () => state === "true" ? this.fold(item)
        : this.focus(itemAt(item.parentElement), true),
      Enter: () => this.select(item),
      " ": () => this.select(item),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    await act();
  }
}

/** @param {Item} item */
const keyOf = (item) => item.dataset.key ?? "";

/** @param {EventTarget | null} target @returns {Item | null} */
const itemAt = (target) => (target instanceof Element ? target.closest("[role=treeitem]") : null);
