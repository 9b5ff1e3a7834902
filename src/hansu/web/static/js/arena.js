// Matches and tournaments, as they are played; every game can be stepped through.
import {complain, el, refill} from "./dom.js";
import {ask} from "./server.js";
import {Picker, agentsFor} from "./setup.js";
import {number, ofGame, t} from "./words.js";

const EVERY = 1500; // milliseconds between two questions
const FORMATS = ["round-robin", "gauntlet", "swiss"];
const MOST_AGENTS = 16;
const VERDICTS = {repeated: "match.verdict.repeated", decided: "match.verdict.decided",
  ahead: "match.verdict.ahead", open: "match.verdict.open"};

const points = (x) => (x % 1 ? `${Math.floor(x) || ""}½` : String(x));
const sum = (xs) => xs.reduce((a, b) => a + b, 0);
const signed = (x) => `${x > 0 ? "+" : x < 0 ? "−" : ""}${number(Math.abs(Math.round(x)))}`;
const unbounded = (x, sign = "") => (x === null ? `${sign}∞` : signed(x)); // null: no such number
export const error = (elo, margin) =>
  `${signed(elo)} ± ${margin === null ? "∞" : number(Math.round(margin))}`;
const field = (label, input) => el("label", {class: "field"}, el("span", null, label), input);
const counter = (id, most, value) => el("input", {type: "number", id, min: 1, max: most, value});

// Asks the server again and again for as long as the page is shown; ``trouble`` is the page's to
// show, and says what is wrong for as long as it is.
export class Polling {
  constructor(path, show, every = EVERY) {
    this.trouble = el("p", {class: "bad", role: "alert", hidden: true});
    const go = async () => {
      const {facts, wrong} = await ask(path).then((facts) => ({facts}), (wrong) => ({wrong}));
      if (this.closed) return;
      this.tell(wrong);
      const now = JSON.stringify(facts);
      const fresh = !wrong && now !== this.last;
      if (fresh) this.last = now;
      if (fresh && show(facts) === "done") return;
      this.timer = setTimeout(go, wrong ? 3 * every : every);
    };
    go();
  }

  // A lost connection is not the page's mistake, and comes back.
  tell(wrong) {
    this.trouble.hidden = !wrong || wrong instanceof TypeError;
    this.trouble.textContent = this.trouble.hidden ? "" : wrong.message;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }
}

export function arenaPage(root, offer, kind, name) {
  if (kind === "tournament") return new TournamentPage(root, name);
  return new ArenaPage(root, offer);
}

// Choosing who plays: a tournament of many, or one of two, which is a match.
class ArenaPage {
  constructor(root, offer) {
    Object.assign(this, {offer, kind: "match"});
    this.list = el("div");
    this.specific = el("div", {class: "specific"});
    this.game = el("select", {id: "arena-game", onchange: () => this.choose()},
      offer.games.map((game) => el("option", {value: game.name}, t(`game.${game.name}`))));
    this.seconds = counter("arena-seconds", 400, 30);
    this.go = el("button", {class: "main"});
    this.polling = new Polling("/api/arena", (facts) => this.show(facts));
    root.replaceChildren(el("form", {class: "setup", onsubmit: (event) => {
      event.preventDefault();
      this.begin();
    }},
    el("header", null, el("h1", null, t("arena.title")), el("p", {class: "soft"}, t("arena.about"))),
    el("fieldset", {class: "choice"}, el("legend", null, t("arena.kind")),
      ["match", "tournament"].map((kind) => el("label", null,
        el("input", {type: "radio", name: "kind", value: kind, checked: kind === this.kind,
          onchange: () => { this.kind = kind; this.choose(); }}),
        el("span", null, t(`arena.${kind}`))))),
    field(t("game"), this.game), this.specific, el("div", null, this.go), this.polling.trouble,
    this.list));
    this.choose();
  }

  close() { this.polling.close(); }

  choose() {
    const able = agentsFor(this.offer, this.game.value);
    this.go.textContent = t(`arena.${this.kind}.begin`);
    this.wish = this.kind === "match" ? new MatchWish(able, this.offer.files, this.seconds)
      : new TournamentWish(able, this.offer.files, this.seconds);
    this.specific.replaceChildren(...this.wish.parts);
  }

  async begin() {
    try {
      const wanted = {game: this.game.value, seconds: Number(this.seconds.value),
        ...this.wish.value()};
      const {name} = await ask("/api/tournaments", wanted);
      if (!this.polling.closed) location.hash = `#/arena/tournament/${encodeURIComponent(name)}`;
    } catch (trouble) { complain(trouble.message); }
  }

  show({tournaments}) {
    if (!tournaments.length) return;
    refill(this.list, el("h2", null, t("arena.tournaments")), el("ul", {class: "games"},
      tournaments.map((name) => el("li", null, el("a", {class: "button",
        href: `#/arena/tournament/${encodeURIComponent(name)}`}, name)))));
  }
}

class MatchWish {
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
  constructor(able, files, seconds) {
    Object.assign(this, {able, files, pickers: []});
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

  add(name = null) {
    const {length} = this.pickers;
    const picker = new Picker(t("tournament.entrant", {number: number(length + 1)}), this.able,
      this.files, name, `entrant-${length}`);
    const item = el("li", null, picker.root, el("button", {type: "button", class: "quiet",
      title: t("tournament.remove"), "aria-label": t("tournament.remove"),
      onclick: () => this.remove(picker, item)}, "✕"));
    this.pickers.push(picker);
    this.list.append(item);
    if (!name) picker.list.focus();
    this.tell();
  }

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
      swiss: Math.floor(length / 2)}[this.format.value];
    this.about.textContent = t(`format.${this.format.value}.about`);
    this.count.textContent = t("tournament.count",
      {games: number(2 * encounters * Number(this.rounds.value))});
    this.more.disabled = length >= MOST_AGENTS;
    for (const button of this.list.querySelectorAll("li > button")) button.disabled = length <= 2;
  }

  value() {
    return {agents: this.pickers.map((picker) => picker.value()), format: this.format.value,
      rounds: Number(this.rounds.value)};
  }
}

class TournamentPage {
  constructor(root, name) {
    Object.assign(this, {root, name: decodeURIComponent(name)});
    this.path = `/api/tournaments/${encodeURIComponent(this.name)}`;
    this.polling = new Polling(this.path, (facts) => this.show(facts));
    root.replaceChildren(el("div", {class: "setup wide"},
      el("header", null, el("h1", null, this.name)), this.polling.trouble));
  }

  close() { this.polling.close(); }

  show(facts) {
    const names = facts.standings.map((standing) => standing.agent);
    const region = (title, inside) => el("section", null, el("h2", null, title), el("div",
      {class: "scroll", tabindex: 0, role: "region", "aria-label": title}, inside));
    const games = `${this.path}/games/`;
    refill(this.root, el("div", {class: "setup wide"},
      el("header", null, el("h1", null, this.name),
        el("p", {class: "soft"}, [t(`game.${facts.name}`), t(`format.${facts.format}`),
          facts.state ? t(`match.${facts.state}`) : "",
          t("tournament.games", {done: number(facts.games), all: number(facts.scheduled)})]
          .filter(Boolean).join(", "))),
      this.polling.trouble,
      el("progress", {max: facts.scheduled, value: facts.games, "aria-label": t("match.progress")}),
      facts.error ? el("p", {class: "bad"}, facts.error) : null,
      ["waiting", "playing"].includes(facts.state)
        ? el("div", null, order(`${this.path}/stop`, "tournament.stop")) : null,
      ["stopped", "failed"].includes(facts.state)
        ? el("div", null, order(`${this.path}/go_on`, "go_on")) : null,
      facts.match ? region(t("match.title"),
        matchTable(facts.match, facts.games === facts.scheduled)) : null,
      region(t("tournament.table"), standings(facts.standings)),
      facts.cycle ? el("p", null, t(facts.cycle.sure ? "tournament.cycle.sure" : "tournament.cycle.points",
        {chain: [...facts.cycle.agents, facts.cycle.agents[0]].join(" → ")})) : null,
      region(t("tournament.cross"), crossTable(names, facts.cross)),
      faults(facts.disqualified, games),
      gameList(t("tournament.playing"), facts.playing, games, facts.name),
      gameList(t("arena.played"), facts.played, games, facts.name)));
    return facts.games === facts.scheduled && facts.state !== "playing" ? "done" : "";
  }
}

// A button that asks the server for something.
function order(path, words) {
  return el("button", {id: `do-${words}`, onclick: async () => {
    try { await ask(path, {}); } catch (trouble) { complain(trouble.message); }
  }}, t(words));
}

// What the games of two say.
function matchTable(match, finished) {
  const percent = (x, digits = 0) => `${number(100 * x, digits)}%`;
  const side = (score) => (score === null ? "–" : percent(score));
  const sure = Math.min(Math.max(match.los, 1 - match.los), 0.999);
  const rows = [
    [t(finished ? "match.verdict" : "match.verdict.so_far"), t(VERDICTS[match.conclusion], {agent: match.leader,
      sure: percent(sure, 1), games: number(match.games), distinct: number(match.distinct_games)})],
    [t("match.score"), `${percent(match.score, 1)} (+${match.wins} =${match.draws} −${match.losses})`],
    [t("match.elo"), t("match.elo.interval", {elo: error(match.elo, match.elo_error),
      low: unbounded(match.elo_low, "−"), high: unbounded(match.elo_high, "+")})],
    [t("match.normalised"), match.normalised_elo === null ? "–"
      : error(match.normalised_elo, match.normalised_elo_error)],
    [t("match.superiority"), percent(match.los, 1)],
    [t("match.pentanomial"), `[${match.pentanomial.join(", ")}]`],
    [t("match.sides"), `${side(match.as_first)} / ${side(match.as_second)}`],
    [t("match.distinct"), `${match.distinct_games} / ${match.games}`],
  ];
  return el("table", {class: "facts"}, el("tbody", null, rows.map(([name, value]) =>
    el("tr", null, el("th", {scope: "row"}, name), el("td", null, value)))));
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

const replayOf = (path) => `#/replay?from=${encodeURIComponent(path)}`;

// Each with its game, which shows what happened.
function faults(found, path) {
  if (!found.length) return null;
  return el("section", null, el("h2", null, t("match.faults")), el("ul", null, found.map((fault) =>
    el("li", null, el("a", {href: replayOf(path + (fault.game - 1))},
      t("tournament.game", {number: number(fault.game)})),
    `: ${t(`reason.${fault.reason}`)} – ${fault.evidence}`))));
}

export function gameList(title, games, path, name) {
  if (!games.length) return null;
  const newest = [...games].reverse().slice(0, 500);
  const unfinished = (game) => game.reason === "unfinished";
  return el("section", null, el("h2", null, title), el("ol", {class: "games"},
    newest.map((game) => el("li", null, el("a", {class: "button",
      href: replayOf(path + game.number)},
    `${game.number + 1}. ${game.first} – ${game.second}`,
    unfinished(game) ? null
      : el("span", null, `${points(game.score)} – ${points(1 - game.score)}`),
    el("small", null, [unfinished(game) ? t("match.playing")
      : ofGame("reason", name, game.reason, {turns: game.turns}),
    t("replay.turns", {turns: game.turns})].join(", ")))))));
}
