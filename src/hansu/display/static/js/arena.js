// @ts-check
// Starting matches and tournaments, and the list of those there are.
import {complain, el, refill} from "hansu/dom.js";
import {icon} from "hansu/icons.js";
import {Picker, agentsFor} from "hansu/picker.js";
import {Polling} from "hansu/polling.js";
import {RatingsPage} from "hansu/ratings.js";
import {ask, messageOf} from "hansu/server.js";
import {TournamentPage} from "hansu/tournament_page.js";
import {counted, number, t} from "hansu/words.js";

/** @typedef {import("hansu/picker.js").Offer} Offer */
/** @typedef {import("hansu/picker.js").AgentOffer} AgentOffer */

const FORMATS = ["round-robin", "gauntlet", "swiss"];
const MOST_AGENTS = 16;

const field = (/** @type {string} */ label, /** @type {Node} */ input) =>
  el("label", {class: "field"}, el("span", null, label), input);
/** @param {string} id @param {number} most @param {number} value */
const counter = (id, most, value) => el("input", {type: "number", id, min: 1, max: most, value});

/**
 * @param {Element} root
 * @param {Offer} offer
 * @param {string} [kind]
 * @param {string} [name]
 */
export function arenaPage(root, offer, kind, name) {
  if (kind === "tournament" && name) return new TournamentPage(root, name);
  if (kind === "ratings") return new RatingsPage(root);
  return new ArenaPage(root, offer);
}

// Choosing the agents: a tournament of many, or one of two, which is a match.
class ArenaPage {
  /** @param {Element} root @param {Offer} offer */
  constructor(root, offer) {
    this.offer = offer;
    this.kind = "match";
    this.list = el("div");
    this.specific = el("div", {class: "specific"});
    this.game = el("select", {id: "arena-game", onchange: () => { this.wish = this.choose(); }},
      offer.games.map((game) => el("option", {value: game.name}, t(`game.${game.name}`))));
    this.seconds = counter("arena-seconds", 400, 30);
    this.go = el("button", {class: "main"});
    this.polling = new Polling("/api/arena", (facts) => this.show(facts));
    root.replaceChildren(el("form", {class: "setup", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.begin();
    }},
    el("header", null, el("h1", null, t("arena.title")), el("p", {class: "soft"}, t("arena.about"))),
    el("fieldset", {class: "choice"}, el("legend", null, t("arena.kind")),
      ["match", "tournament"].map((kind) => el("label", null,
        el("input", {type: "radio", name: "kind", value: kind, checked: kind === this.kind,
          onchange: () => { this.kind = kind; this.wish = this.choose(); }}),
        el("span", null, t(`arena.${kind}`))))),
    field(t("game"), this.game), this.specific, el("div", null, this.go), this.polling.trouble,
    this.list));
    this.wish = this.choose();
  }

  close() { this.polling.close(); }

  choose() {
    const able = agentsFor(this.offer, this.game.value);
    this.go.textContent = t(`arena.${this.kind}.begin`);
    const wish = this.kind === "match" ? new MatchWish(able, this.offer.files, this.seconds)
      : new TournamentWish(able, this.offer.files, this.seconds);
    this.specific.replaceChildren(...wish.parts);
    return wish;
  }

  async begin() {
    try {
      const wanted = {game: this.game.value, seconds: Number(this.seconds.value),
        ...this.wish.value()};
      const {name} = await ask("/api/tournaments", wanted);
      if (!this.polling.closed) location.hash = `#/arena/tournament/${encodeURIComponent(name)}`;
    } catch (trouble) { complain(messageOf(trouble)); }
  }

  /** @param {{tournaments: string[]}} facts */
  show({tournaments}) {
    if (!tournaments.length) return;
    refill(this.list, el("p", null, el("a", {href: "#/arena/ratings"}, t("ratings.title"))),
      el("h2", null, t("arena.tournaments")), el("ul", {class: "games"},
      tournaments.map((name) => el("li", null, el("a", {class: "button",
        href: `#/arena/tournament/${encodeURIComponent(name)}`}, name)))));
  }
}

class MatchWish {
  /** @param {AgentOffer[]} able @param {string[]} files @param {HTMLElement} seconds */
  constructor(able, files, seconds) {
    this.pickers = [["a", "random"], ["b", "one_step_search"]].map(([seat, usual]) =>
      new Picker(t(`arena.${seat}`), able, files, null, `arena-${seat}`, usual));
    this.games = el("input",
      {type: "number", id: "arena-games", min: 2, max: 200, step: 2, value: 20});
    this.parts = [...this.pickers.map((picker) => picker.root), el("div", {class: "row"},
      field(t("arena.games"), this.games), field(t("arena.seconds"), seconds))];
  }

  value() {
    return {agents: this.pickers.map((picker) => picker.value()),
      rounds: Number(this.games.value) / 2};
  }
}

class TournamentWish {
  /** @param {AgentOffer[]} able @param {string[]} files @param {HTMLElement} seconds */
  constructor(able, files, seconds) {
    this.able = able;
    this.files = files;
    /** @type {Picker[]} */
    this.pickers = [];
    this.format = el("select", {id: "arena-format", onchange: () => this.tell()},
      FORMATS.map((name) => el("option", {value: name}, t(`format.${name}`))));
    this.rounds = counter("arena-rounds", 100, 2);
    this.rounds.addEventListener("input", () => this.tell());
    this.about = el("p", {class: "soft"});
    this.count = el("p", {class: "soft", role: "status"});
    this.list = el("ol", {class: "entrants"});
    this.more = el("button", {type: "button", id: "add-agent", onclick: () => this.add()},
      t("tournament.add"));
    this.parts = [
      el("div", null, field(t("tournament.format"), this.format), this.about),
      el("div", null, el("h2", null, t("tournament.agents")), this.list, this.more),
      el("div", {class: "row"}, field(t("tournament.rounds"), this.rounds),
        field(t("arena.seconds"), seconds)),
      this.count];
    for (const name of ["random", "one_step_search", "two_step_search"]) this.add(name);
  }

  /** @param {string | null} [name] */
  add(name = null) {
    const {length} = this.pickers;
    const picker = new Picker(t("tournament.entrant", {number: number(length + 1)}), this.able,
      this.files, name, `entrant-${length}`);
    const item = el("li", null, picker.root, el("button", {type: "button", class: "quiet",
      title: t("tournament.remove"), "aria-label": t("tournament.remove"),
      onclick: () => this.remove(picker, item)}, icon("close")));
    this.pickers.push(picker);
    this.list.append(item);
    if (!name) picker.list.focus();
    this.tell();
  }

  /** @param {Picker} picker @param {HTMLElement} item */
  remove(picker, item) {
    this.pickers = this.pickers.filter((each) => each !== picker);
    item.remove();
    this.pickers.forEach((each, i) => each.call(t("tournament.entrant", {number: number(i + 1)})));
    this.more.focus();
    this.tell();
  }

  // How many games that will be.
  tell() {
    const {length} = this.pickers;
    const encounters = {"round-robin": (length * (length - 1)) / 2, gauntlet: length - 1,
      swiss: Math.floor(length / 2)}[this.format.value] ?? 0;
    this.about.textContent = t(`format.${this.format.value}.about`);
    this.count.textContent = counted("tournament.count",
      2 * encounters * Number(this.rounds.value));
    this.more.disabled = length >= MOST_AGENTS;
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (
      this.list.querySelectorAll("li > button"))) button.disabled = length <= 2;
  }

  value() {
    return {agents: this.pickers.map((picker) => picker.value()), format: this.format.value,
      rounds: Number(this.rounds.value)};
  }
}
