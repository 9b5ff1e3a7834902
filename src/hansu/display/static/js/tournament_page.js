// @ts-check
// A match or a tournament as it is played; every game can be stepped through.
import {complain, el, refill} from "hansu/dom.js";
import {Polling} from "hansu/polling.js";
import {ask, messageOf} from "hansu/server.js";
import {crossTable, cycleText, faultList, gameList, matchTable, region, standings}
  from "hansu/tournament.js";
import {byName} from "hansu/tournament_names.js";
import {GamesByPair, conditions, provenance} from "hansu/tournament_parts.js";
import {number, t} from "hansu/words.js";

const MOST_LISTED = 500;

export class TournamentPage {
  /** @param {Element} root @param {string} name */
  constructor(root, name) {
    this.root = root;
    this.name = decodeURIComponent(name);
    this.path = `/api/tournaments/${encodeURIComponent(this.name)}`;
    /** @type {GamesByPair | null} */
    this.games = null;
    this.polling = new Polling(this.path, (facts) => this.show(facts));
    root.replaceChildren(el("div", {class: "setup wide"},
      el("header", null, el("h1", null, this.name)), this.polling.trouble));
  }

  close() { this.polling.close(); }

  /** @param {any} told */
  show(told) {
    const facts = byName(told);
    const names = facts.standings.map((/** @type {{agent: string}} */ {agent}) => agent);
    const finished = facts.games === facts.scheduled;
    const open = replayOf(`${this.path}/games/`);
    const games = this.games ??= new GamesByPair(facts.name, open);
    games.show([...facts.played].reverse().slice(0, MOST_LISTED), names);
    refill(this.root, el("div", {class: "setup wide"},
      el("header", null, el("h1", null, this.name),
        el("p", {class: "soft"}, [t(`game.${facts.name}`),
          facts.state ? t(`match.${facts.state}`) : "",
          t("tournament.games", {done: number(facts.games), all: number(facts.scheduled)})]
          .filter(Boolean).join(", ")),
        el("p", {class: "soft"}, conditions(facts))),
      this.polling.trouble,
      el("progress", {max: facts.scheduled, value: facts.games, "aria-label": t("match.progress")}),
      facts.error ? el("p", {class: "bad", lang: "en"}, facts.error) : null,
      ["waiting", "playing"].includes(facts.state)
        ? el("div", null, order(`${this.path}/stop`, "tournament.stop")) : null,
      ["stopped", "failed"].includes(facts.state)
        ? el("div", null, order(`${this.path}/go_on`, "go_on")) : null,
      facts.match ? region(t("match.title"), matchTable(facts.match, finished)) : null,
      region(t("tournament.table"), standings(facts.standings, facts.format)),
      cycleText(facts.cycle),
      region(t("tournament.cross"), crossTable(names, facts.cross,
        facts.played.length ? (us, them) => games.choose(us, them) : null)),
      faultList(facts.disqualified, open),
      listed(t("tournament.playing"), facts.playing, facts.name, open),
      facts.played.length ? games.root : null,
      el("footer", {class: "soft"}, provenance(facts))));
    return finished && facts.state !== "playing" ? "done" : "";
  }
}

/**
 * The page that steps through a game, by its number in a folder.
 * @param {string} path
 */
export const replayOf = (path) => (/** @type {number} */ game) =>
  ({href: `#/replay?from=${encodeURIComponent(path + game)}`});

/**
 * Games under a title, the newest first; null where there is none.
 * @param {string} title
 * @param {import("hansu/tournament.js").Listed[]} games
 * @param {string | null} name
 * @param {(game: number) => {href: string}} open
 */
export function listed(title, games, name, open) {
  if (!games.length) return null;
  const newest = [...games].reverse().slice(0, MOST_LISTED);
  return el("section", null, el("h2", null, title), gameList(newest, name, open));
}

/**
 * A button that asks the server for something.
 * @param {string} path
 * @param {string} words
 */
function order(path, words) {
  return el("button", {id: `do-${words}`, onclick: async () => {
    try { await ask(path, {}); } catch (trouble) { complain(messageOf(trouble)); }
  }}, t(words));
}
