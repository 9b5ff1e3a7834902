// Recorded games: dropped, chosen or pasted; stepped through by click, key or slider.
import {Board} from "./board.js";
import {Chart, worst} from "./chart.js";
import {$, announce, complain, el} from "./dom.js";
import {colorName, resultText} from "./result.js";
import {ask} from "./server.js";
import {number, t} from "./words.js";

const FOLLOW = 2000; // milliseconds between two looks at a game that is being played

export class Replay {
  constructor(root, wish, opened) {
    Object.assign(this, {root, opened});
    this.drop = (event) => this.dropped(event);
    for (const kind of ["dragover", "drop"]) addEventListener(kind, this.drop);
    this.build();
    if (wish.get("from")) this.fetchRecord(wish.get("from"));
  }

  close() {
    for (const kind of ["dragover", "drop"]) removeEventListener(kind, this.drop);
    this.viewer?.close();
    this.closed = true;
    clearTimeout(this.timer);
  }

  build() {
    const file = el("input", {type: "file", id: "file",
      onchange: () => file.files[0] && this.upload(file.files[0], file.files[0].name)});
    const text = el("textarea", {id: "pasted", rows: 4, spellcheck: "false",
      placeholder: "1. d4 axb3 … / (;GM[1]SZ[9]…) / f5d6c3… / 4453…"});
    this.root.replaceChildren(el("div", {class: "setup"},
      el("header", null, el("h1", null, t("replay.title")),
        el("p", {class: "soft"}, t("replay.about"))),
      el("label", {class: "drop", for: "file"}, el("b", null, t("replay.drop")), file),
      el("label", {class: "field"}, el("span", null, t("replay.paste")), text),
      el("div", null, el("button", {class: "main",
        onclick: () => this.upload(new Blob([text.value]), "pasted.txt")}, t("replay.begin"))),
      el("div", {class: "found"})));
  }

  dropped(event) {
    event.preventDefault();
    const file = event.type === "drop" && event.dataTransfer.files[0];
    if (file) this.upload(file, file.name);
  }

  async upload(content, name) {
    try {
      const body = content.slice(0, content.size, "application/octet-stream");
      const found = await ask(`/api/records?name=${encodeURIComponent(name)}`, body);
      if (this.closed) return;
      const more = found.more ? [t("replay.more", {count: number(found.more)})] : [];
      if (found.left_out.length) complain([...found.left_out, ...more].join("\n"));
      if (found.games.length === 1) await this.open(found.games[0].record);
      else this.list(found);
    } catch (error) { complain(error.message); }
  }

  // A record that the server has: of a table or of a tournament.
  async fetchRecord(path) {
    try {
      const answer = await fetch(path.startsWith("/api/") ? path : "");
      if (!answer.ok) throw new Error(t("closed.gone"));
      const record = await answer.text();
      if (record !== this.record) await this.open(record);
      if (this.closed || this.viewer?.facts.outcome.reason !== "unfinished") return;
      if (!this.record) this.viewer.go(this.viewer.facts.played.length); // to where it is now
      this.record = record;
      this.timer = setTimeout(() => this.fetchRecord(path), FOLLOW);
    } catch (error) { complain(error.message); }
  }

  list({games, found}) {
    $(".found", this.root).replaceChildren(
      el("p", {class: "soft"}, t("replay.found", {count: number(found)})),
      el("ol", {class: "games"}, games.map((game) => el("li", null, el("button",
        {onclick: () => this.open(game.record)},
        el("b", null, `${game.white} – ${game.black}`), el("span", null,
          game.reason === "unfinished" ? t("reason.unfinished") : game.result),
        el("small", null, `${t(`game.${game.name}`)}, ${t("replay.turns",
          {turns: number(game.turns)})}`))))));
  }

  async open(record) {
    const facts = await ask(`/api/replay?flip=${Boolean(this.viewer?.flip)}`, new Blob([record]));
    if (this.closed) return;
    this.viewer?.close();
    const before = this.viewer;
    this.viewer = new Viewer(this.root, record, facts, this.opened, () => {
      clearTimeout(this.timer);
      this.viewer.close();
      this.viewer = null;
      history.replaceState(null, "", "#/replay");
      this.build();
    });
    if (before) this.viewer.follow(before);
  }
}

class Viewer {
  constructor(root, record, facts, opened, another) {
    Object.assign(this, {record, facts, opened, another, turn: 0, flip: false});
    this.board = new Board(() => {});
    this.chart = new Chart((turn) => this.go(turn));
    this.build(root);
    this.keys = (event) => this.key(event);
    addEventListener("keydown", this.keys);
    this.go(0);
  }

  close() {
    this.closed = true;
    removeEventListener("keydown", this.keys);
    clearInterval(this.timer);
  }

  build(root) {
    const {facts} = this;
    const last = facts.played.length;
    const step = (name, sign, to) => el("button", {title: t(name), "aria-label": t(name),
      onclick: () => this.go(to())}, sign);
    this.run = el("button", {"aria-label": t("replay.run"), title: t("replay.run"),
      onclick: () => this.toggle()}, "▶");
    this.slider = el("input", {type: "range", min: 0, max: last, "aria-label": t("moves"),
      oninput: () => this.go(Number(this.slider.value))});
    const costly = new Set(worst(facts.values).map(({i}) => i));
    this.moves = el("ol", {class: "moves", "aria-label": t("moves")},
      [t("replay.start"), ...facts.played].map((move, i) => el("li", {
        class: costly.has(i - 1) ? "costly" : null}, el("button", {onclick: () => this.go(i)},
        i ? el("span", {class: "no"}, `${i}`) : null,
        el("span", {class: "move"}, move === "resign" ? t("reason.resignation") : move)))));
    const bar = (color) => {
      const tally = el("span", {class: "tally"});
      return {tally, root: el("div", {class: `player ${color}`, title: colorName(color, facts.name)},
        el("i", {class: "stone"}), el("span", {class: "who"}, el("b", null, facts[color])), tally)};
    };
    this.bars = {white: bar("white"), black: bar("black")};
    this.above = el("div");
    this.below = el("div");
    this.seat();
    const result = facts.outcome && resultText(facts.outcome, facts.name);
    root.replaceChildren(el("div", {class: "game", "data-game": facts.name},
      el("h1", {class: "unseen"}, t("replay.title")),
      el("div", {class: "table"}, this.above, this.board.root, this.below,
        el("div", {class: "stepping", role: "toolbar", "aria-label": t("controls")},
          step("replay.first", "|◀", () => 0), step("replay.back", "‹", () => this.turn - 1),
          this.run, step("replay.forward", "›", () => this.turn + 1),
          step("replay.last", "▶|", () => last), this.slider)),
      el("div", {class: "side"},
        el("p", {class: "status over"}, result,
          facts.evidence ? el("small", null, facts.evidence) : null),
        el("div", {class: "controls"},
          el("button", {onclick: () => this.turnRound()}, t("flip")),
          el("button", {onclick: () => this.analyse()}, t("replay.analyse")),
          el("button", {onclick: this.another}, t("replay.other"))),
        this.moves, this.chart.root)));
  }

  // Each player on their own side of the board.
  seat() {
    this.above.replaceChildren(this.bars[this.flip ? "white" : "black"].root);
    this.below.replaceChildren(this.bars[this.flip ? "black" : "white"].root);
  }

  // The same game has gone on: who was at its end stays there.
  follow(before) {
    this.flip = before.flip;
    this.seat();
    const atEnd = before.turn === before.facts.played.length;
    this.go(atEnd ? this.facts.played.length : before.turn);
  }

  go(turn) {
    const {facts} = this;
    this.turn = Math.max(0, Math.min(facts.played.length, turn));
    const svg = facts.boards[this.turn].map((n) => facts.tags[n]).join("");
    this.board.show(svg, [], false);
    this.slider.value = this.turn;
    const items = [...this.moves.children];
    const current = items[this.turn];
    for (const item of items) item.removeAttribute("aria-current");
    current.setAttribute("aria-current", "step");
    this.moves.scrollTop = current.offsetTop - this.moves.offsetTop - this.moves.clientHeight / 2;
    this.chart.show(facts.values, facts.first, facts.played, this.turn);
    ["white", "black"].forEach((color, side) => {
      this.bars[color].tally.textContent = Object.entries(facts.tallies[this.turn])
        .map(([what, both]) => `${t(`tally.${what}`)} ${number(both[side], 1)}`).join("  ");
    });
    if (this.turn) announce(t("replay.at", {turn: this.turn, move: facts.played[this.turn - 1]}));
    if (this.turn === facts.played.length && this.timer) this.toggle();
  }

  toggle() {
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = null;
    } else {
      if (this.turn === this.facts.played.length) this.go(0);
      this.timer = setInterval(() => this.go(this.turn + 1), 700);
    }
    this.run.textContent = this.timer ? "❚❚" : "▶";
  }

  async turnRound() {
    const flip = !this.flip;
    try {
      this.facts = await ask(`/api/replay?flip=${flip}`, new Blob([this.record]));
      this.flip = flip;
      this.seat();
      this.go(this.turn);
    } catch (error) { complain(error.message); }
  }

  // The position shown, on a board of its own to try moves and let agents look at it.
  async analyse() {
    const {facts} = this;
    const [game, rules] = facts.game.split(/:(.*)/s);
    const given = Object.fromEntries((rules || "").split(",").filter(Boolean)
      .map((part) => part.split("=")));
    try {
      const table = await ask("/api/tables", {game, rules: given, position: facts.start,
        moves: facts.played.slice(0, this.turn).filter((move) => move !== "resign")});
      if (!this.closed) this.opened(table);
    } catch (error) { complain(error.message); }
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return; // the browser's
    if (event.target.closest("input, textarea, select, [data-cell]")) return;
    const to = {ArrowLeft: this.turn - 1, ArrowRight: this.turn + 1, Home: 0,
      End: this.facts.played.length}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  }
}
