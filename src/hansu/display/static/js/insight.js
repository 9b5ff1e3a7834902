// @ts-check
// The search viewer in a dialog, with the server's answers.
import {complain, el} from "hansu/dom.js";
import {icon} from "hansu/icons.js";
import {playerName} from "hansu/player_name.js";
import {ask, messageOf, save} from "hansu/server.js";
import {language, t} from "hansu/words.js";

const FOLLOW = 1000; // milliseconds between two looks at a running search

class Insight {
  /** @param {string} owner the address of the table or review @param {number | null} search */
  constructor(owner, search) {
    this.search = search;
    this.shown = 0;
    this.refreshing = Promise.resolve();
    const path = this.path = `${owner}/search`;
    const about = (/** @type {string} */ what) => (/** @type {string[]} */ moves = []) =>
      ask(path, {search, about: what, moves});
    const info = async () => {
      const found = await about("info")();
      return {...found, agent: playerName(found.agent)};
    };
    const source = {info, children: about("children"), board: about("board"),
      steps: about("steps")};
    const place = el("div");
    this.dialog = el("dialog", {class: "insight", "aria-label": t("insight.title"),
      onclose: () => this.dialog.remove()},
    el("div", {class: "controls"},
      el("button", {id: "save-search", onclick: () => this.save()},
        icon("save"), t("insight.file")),
      el("button", {onclick: () => this.close()}, t("insight.close"))),
    place);
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.viewer = import("hansu/viewer/viewer.js").then(({SearchViewer}) =>
      new SearchViewer(place, source)); // large, and seldom needed
    this.refresh();
  }

  close() { this.dialog.close(); }

  async save() {
    try {
      await save(`${this.path}.html?search=${this.search}&language=${language()}`,
        "hansu-search.html");
    } catch (error) { complain(messageOf(error)); }
  }

  /**
   * Show what the search has found since, at most once a second.
   * @param {number | null} search
   * @param {boolean} done
   */
  follow(search, done) {
    if (search !== this.search || !this.dialog.isConnected) return;
    if (done || performance.now() - this.shown > FOLLOW) this.refresh();
  }

  async refresh() {
    this.shown = performance.now();
    this.refreshing = this.refreshing.then(async () => (await this.viewer).refresh());
    await this.refreshing;
  }
}

/** @param {string} owner the address of the table or review @param {number | null} search */
export const openInsight = (owner, search) => new Insight(owner, search);
