// The tree of the search, opened branch by branch: only what is open has ever been asked for.
import {el} from "./element.js";

const SHOWN = 12;  // moves of a branch at once

export class Tree {
  constructor(words, source, choose, mirror) {
    [this.words, this.source, this.choose] = [words, source, choose];
    this.list = el("ul", {class: "sv-tree", role: "tree", "aria-label": words.t("tree"),
      onkeydown: (event) => this.key(event), onclick: (event) => this.click(event)});
    this.root = el("section", {class: "sv-card sv-branches"}, el("h3", null, words.t("tree")),
      el("p", {class: "sv-note"}, words.t("tree.help")), mirror, this.list);
    this.open = new Set();
  }

  async show(info) {
    this.turn = info.turn;
    this.counts = info.lines.some((line) => line.visits);  // else the search counts no visits
    const focused = this.list.contains(document.activeElement) ? this.current?.dataset.key : null;
    this.list.replaceChildren(...await this.branch([], 1));
    const items = this.items();
    if (!items.length) {
      this.list.replaceChildren(el("li", {class: "sv-note", role: "none"}, this.words.t("tree.empty")));
      return;
    }
    this.focus(items.find((item) => item.dataset.key === focused) ?? items[0], focused !== null);
  }

  // The items of a branch, with whatever was open below them.
  async branch(moves, level) {
    const children = await this.source.children(moves);
    if (children === null) return [this.remark(this.words.t("tree.absent"), level)];
    const items = this.page(moves, children, level, 0);
    for (const item of items) {
      if (this.open.has(item.dataset.key)) await this.unfold(item);
    }
    return items;
  }

  page(moves, children, level, begin) {
    const most = Math.max(1, ...children.map((child) => child.visits));
    const items = children.slice(begin, begin + SHOWN)
      .map((child) => this.item(moves, child, level, most));
    const rest = children.length - begin - SHOWN;
    if (rest > 0) {
      const more = this.remark(this.words.t("tree.more", {count: rest}), level);
      more.classList.add("sv-more");
      more.more = () => {
        const next = this.page(moves, children, level, begin + SHOWN);
        more.replaceWith(...next);
        this.focus(next[0], true);
      };
      items.push(more);
    }
    return items;
  }

  item(moves, child, level, most) {
    const {words} = this;
    const path = [...moves, child.move];
    const other = this.turn === "white" ? "black" : "white";
    const turn = level % 2 ? this.turn : other;
    const known = child.visits || !this.counts;
    const value = known ? words.share.format(child.value) : "–";
    const facts = [words.t("tree.item", {who: words.color(turn), move: child.move, value})];
    if (this.counts) facts.push(words.t("tree.visits", {visits: words.whole.format(child.visits)}));
    if (child.prior !== null) facts.push(words.t("tree.prior", {prior: words.share.format(child.prior)}));
    const fill = el("i", {class: "sv-visits"});
    fill.style.width = `${100 * (this.counts ? child.visits / most : child.value)}%`;
    const item = el("li", {role: "treeitem", tabindex: -1, "aria-level": level, "aria-selected": "false",
      "aria-expanded": child.children ? "false" : null, "aria-label": facts.join(", ")},
      el("div", {class: "sv-row"}, el("span", {class: "sv-twig", "aria-hidden": "true"}),
        el("i", {class: `sv-seat sv-${turn}`}), el("b", null, child.move),
        el("span", {class: "sv-bar"}, fill),
        this.counts ? el("span", {class: "sv-number"}, words.whole.format(child.visits)) : null,
        el("span", {class: "sv-number"}, value),
        child.prior === null ? null : el("span", {class: "sv-number sv-soft"}, words.share.format(child.prior))));
    item.path = path;
    item.dataset.key = path.join("\n");
    return item;
  }

  remark(text, level) {
    return el("li", {role: "treeitem", tabindex: -1, "aria-level": level, class: "sv-note"},
      el("div", {class: "sv-row"}, el("span", {class: "sv-twig"}), text));
  }

  async unfold(item) {
    item.setAttribute("aria-expanded", "true");
    this.open.add(item.dataset.key);
    const group = el("ul", {role: "group"});
    item.append(group);
    group.append(...await this.branch(item.path, Number(item.getAttribute("aria-level")) + 1));
  }

  fold(item) {
    item.setAttribute("aria-expanded", "false");
    this.open.delete(item.dataset.key);
    item.querySelector("ul")?.remove();
  }

  async toggle(item) {
    const state = item.getAttribute("aria-expanded");
    if (state === "false") await this.unfold(item);
    else if (state === "true") this.fold(item);
  }

  // Keyboard ----------------------------------------------------------------------------------

  items() { return [...this.list.querySelectorAll("[role=treeitem]")]; }

  focus(item, really) {
    if (!item) return;
    if (this.current) this.current.tabIndex = -1;
    this.current = item;
    item.tabIndex = 0;
    if (really) item.focus();
  }

  select(item) {
    if (item.more) return item.more();
    if (!item.path) return;
    this.list.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    item.setAttribute("aria-selected", "true");
    this.choose(item.path);
  }

  click(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item) return;
    this.focus(item, true);
    if (event.target.closest(".sv-twig")) this.toggle(item);
    else this.select(item);
  }

  async key(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item || event.ctrlKey || event.altKey || event.metaKey) return;
    const items = this.items(), at = items.indexOf(item);
    const state = item.getAttribute("aria-expanded");
    const act = {
      ArrowDown: () => this.focus(items[at + 1], true),
      ArrowUp: () => this.focus(items[at - 1], true),
      Home: () => this.focus(items[0], true),
      End: () => this.focus(items.at(-1), true),
      ArrowRight: () => state === "false" ? this.unfold(item)
        : state === "true" && this.focus(item.querySelector("[role=treeitem]"), true),
      ArrowLeft: () => state === "true" ? this.fold(item)
        : this.focus(item.parentElement.closest("[role=treeitem]"), true),
      Enter: () => this.select(item),
      " ": () => this.select(item),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    await act();
  }
}
