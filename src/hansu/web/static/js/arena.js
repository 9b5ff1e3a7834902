// Matches and tournaments, as they are played; every game can be stepped through.
import {complain, el} from "./dom.js";
import {ask} from "./server.js";
import {Picker} from "./setup.js";
import {number, t} from "./words.js";

const EVERY = 1500; // milliseconds between two questions

const points = (x) => (x % 1 ? `${Math.floor(x) || ""}½` : String(x));
const sum = (xs) => xs.reduce((a, b) => a + b, 0);
const signed = (x) => `${x > 0 ? "+" : x < 0 ? "−" : ""}${number(Math.abs(Math.round(x)))}`;
export const error = (elo, margin) => `${signed(elo)} ± ${number(Math.round(margin))}`;

// Asks the server again and again for as long as the page is shown.
export class Polling {
  constructor(path, show, every = EVERY) {
    const go = async () => {
      try {
        const facts = await ask(path);
        if (!this.closed && show(facts) !== "done") this.timer = setTimeout(go, every);
      } catch (trouble) {
        if (this.closed) return;
        if (trouble instanceof TypeError) this.timer = setTimeout(go, 3 * every); // no connection
        else complain(trouble.message);
      }
    };
    go();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }
}

export function arenaPage(root, offer, kind, name) {
  if (kind === "match") return new MatchPage(root, name);
  if (kind === "tournament") return new TournamentPage(root, name);
  return new ArenaPage(root, offer);
}

class ArenaPage {
  constructor(root, offer) {
    Object.assign(this, {offer});
    this.lists = el("div", {class: "lists"});
    this.specific = el("div", {class: "specific"});
    this.game = el("select", {id: "arena-game", onchange: () => this.choose()},
      offer.games.map((game) => el("option", {value: game.name}, t(`game.${game.name}`))));
    this.games = el("input", {type: "number", id: "arena-games", min: 1, max: 200, value: 20});
    this.seconds = el("input", {type: "number", id: "arena-seconds", min: 1, max: 400, value: 30});
    const field = (label, input) => el("label", {class: "field"}, el("span", null, label), input);
    root.replaceChildren(el("form", {class: "setup", onsubmit: (event) => {
      event.preventDefault();
      this.begin();
    }},
    el("header", null, el("h1", null, t("arena.title")), el("p", {class: "soft"}, t("arena.about"))),
    field(t("game"), this.game), this.specific,
    el("div", {class: "row"}, field(t("arena.games"), this.games),
      field(t("arena.seconds"), this.seconds)),
    el("div", null, el("button", {class: "main"}, t("arena.begin"))), this.lists));
    this.choose();
    this.polling = new Polling("/api/arena", (facts) => this.show(facts));
  }

  close() { this.polling.close(); }

  choose() {
    const able = this.offer.agents.filter((agent) => agent.plays.includes(this.game.value));
    this.pickers = ["a", "b"].map((seat) => new Picker(t(`arena.${seat}`), able, [], null,
      `arena-${seat}`));
    this.specific.replaceChildren(...this.pickers.map((picker) => picker.root));
  }

  async begin() {
    const [a, b] = this.pickers.map((picker) => picker.value());
    try {
      const {id} = await ask("/api/matches", {game: this.game.value, a, b,
        games: Number(this.games.value), seconds: Number(this.seconds.value)});
      location.hash = `#/arena/match/${id}`;
    } catch (trouble) { complain(trouble.message); }
  }

  show({matches, tournaments}) {
    const list = (title, items) => (items.length
      ? [el("h2", null, title), el("ul", {class: "games"}, items)] : []);
    const link = (href, ...inside) => el("li", null, el("a", {class: "button", href}, ...inside));
    this.lists.replaceChildren(
      ...list(t("arena.matches"), matches.map((match) => link(`#/arena/match/${match.id}`,
        `${match.a} – ${match.b}`, el("small", null, ` ${t(`game.${match.name}`)}, ${
          t(`match.${match.state}`)}, ${match.done} / ${match.games}`)))),
      ...list(t("arena.tournaments"), tournaments.map((name) =>
        link(`#/arena/tournament/${encodeURIComponent(name)}`, name))));
  }
}

class MatchPage {
  constructor(root, id) {
    Object.assign(this, {root, id});
    this.polling = new Polling(`/api/matches/${id}`, (facts) => this.show(facts));
  }

  close() { this.polling.close(); }

  show(facts) {
    const {result} = facts;
    const over = ["over", "stopped", "failed"].includes(facts.state);
    const rows = result ? [
      [t("match.score"), `${number(100 * result.score, 1)}% (+${result.wins} =${result.draws} −${
        result.losses})`],
      [t("match.elo"), error(result.elo, result.elo_error)],
      [t("match.sides"), `${number(100 * result.as_first)}% / ${number(100 * result.as_second)}%`],
      [t("match.distinct"), `${result.distinct_games} / ${result.games}`],
      [t("match.faults"), String(result.disqualified.length)],
    ] : [];
    this.root.replaceChildren(el("div", {class: "setup"},
      el("header", null, el("h1", null, `${facts.a} – ${facts.b}`),
        el("p", {class: "soft"}, `${t(`game.${facts.name}`)}, ${t(`match.${facts.state}`)}`)),
      el("progress", {max: facts.games, value: facts.done, "aria-label": t("match.progress")}),
      facts.error ? el("p", {class: "bad"}, facts.error) : null,
      el("table", {class: "facts"}, el("tbody", null, rows.map(([name, value]) =>
        el("tr", null, el("th", {scope: "row"}, name), el("td", null, value))))),
      result ? el("p", null, result.verdict) : null,
      faults(result?.disqualified || []),
      over ? null : el("div", null, el("button", {onclick: () => ask(
        `/api/matches/${this.id}/stop`, {})}, t("match.stop"))),
      gameList(facts.played, `/api/matches/${this.id}/games/`)));
    return over ? "done" : "";
  }
}

class TournamentPage {
  constructor(root, name) {
    Object.assign(this, {root, name: decodeURIComponent(name)});
    this.polling = new Polling(`/api/tournaments/${encodeURIComponent(this.name)}`,
      (facts) => this.show(facts), 2 * EVERY);
  }

  close() { this.polling.close(); }

  show(facts) {
    const names = facts.standings.map((standing) => standing.agent);
    this.root.replaceChildren(el("div", {class: "setup wide"},
      el("header", null, el("h1", null, this.name),
        el("p", {class: "soft"}, `${t(`game.${facts.name}`)}, ${facts.format}, ${
          t("tournament.games", {done: number(facts.games), all: number(facts.scheduled)})}`)),
      el("progress", {max: facts.scheduled, value: facts.games, "aria-label": t("match.progress")}),
      el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": t("tournament.table")},
        standings(facts.standings)),
      el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": t("tournament.cross")},
        crossTable(names, facts.cross)),
      faults(facts.disqualified),
      gameList(facts.played, `/api/tournaments/${encodeURIComponent(this.name)}/games/`)));
    return facts.games === facts.scheduled ? "done" : "";
  }
}

function standings(rows) {
  const low = Math.min(...rows.map((row) => row.rating - row.error));
  const high = Math.max(...rows.map((row) => row.rating + row.error), low + 1);
  const at = (elo) => `${(100 * (elo - low) / (high - low)).toFixed(1)}%`;
  const head = ["", t("tournament.agent"), t("tournament.score"), "+ = −", "Elo ± 95 %", ""];
  return el("table", {class: "facts standings"},
    el("thead", null, el("tr", null, head.map((text) => el("th", {scope: "col"}, text)))),
    el("tbody", null, rows.map((row) => el("tr", null,
      el("td", null, String(row.rank)), el("th", {scope: "row"}, row.agent),
      el("td", null, `${points(row.score)} / ${row.games}`),
      el("td", null, `${row.wins} ${row.draws} ${row.losses}`),
      el("td", null, error(row.rating, row.error)),
      el("td", {class: "rating"}, el("svg", {role: "img", "aria-label": error(row.rating, row.error)},
        el("line", {x1: at(row.rating - row.error), x2: at(row.rating + row.error), y1: 12, y2: 12}),
        el("circle", {cx: at(row.rating), cy: 12, r: 5})))))));
}

function crossTable(names, cross) {
  return el("table", {class: "facts cross"},
    el("thead", null, el("tr", null, el("th", null, ""),
      names.map((_, i) => el("th", {scope: "col"}, String(i + 1))))),
    el("tbody", null, names.map((name, i) => el("tr", null,
      el("th", {scope: "row"}, `${i + 1}. ${name}`),
      cross[i].map((scores, j) => el("td", null, i === j ? "–"
        : scores.length ? `${points(sum(scores))} / ${scores.length}` : ""))))));
}

function faults(found) {
  if (!found.length) return null;
  return el("section", null, el("h2", null, t("match.faults")), el("ul", null, found.map((fault) =>
    el("li", null, `${fault.game}: ${t(`reason.${fault.reason}`)} – ${fault.evidence}`))));
}

function gameList(played, path) {
  if (!played.length) return null;
  const newest = [...played].reverse().slice(0, 500);
  return el("section", null, el("h2", null, t("arena.played")), el("ol", {class: "games"},
    newest.map((game) => el("li", null, el("a", {class: "button",
      href: `#/replay?from=${encodeURIComponent(path + game.number)}`},
    `${game.number + 1}. ${game.first} – ${game.second}`,
    el("span", null, `${points(game.score)} – ${points(1 - game.score)}`),
    el("small", null, `${t(`reason.${game.reason}`, {turns: game.turns})}, ${
      t("replay.turns", {turns: game.turns})}`))))));
}
