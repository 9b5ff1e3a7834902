// @ts-check
// A participant's own page: submit, versions with their reports, losses with their evidence.
import {complain, el, refill} from "hansu/dom.js";
import {Polling} from "hansu/polling.js";
import {reasonText} from "hansu/result.js";
import {ask, forgetParticipant, messageOf, participant, rememberParticipant} from "hansu/server.js";
import {withError} from "hansu/tournament.js";
import {language, number, t} from "hansu/words.js";

/**
 * @typedef {{situation: string, reason: string, evidence: string, turn: number,
 *   record?: string}} Finding
 * @typedef {object} Version
 * @property {number} version
 * @property {string} digest
 * @property {number} received
 * @property {string} status
 * @property {boolean} program of another language than Python
 * @property {Finding[]} findings
 * @property {number | null} rating
 * @property {number | null} error
 */

const PATH = "/api/competition";

export class OwnPage {
  /** @param {Element} root */
  constructor(root) {
    this.root = root;
    /** @type {Polling | null} */
    this.polling = null;
    if (participant()) this.open();
    else this.askToken();
  }

  close() { this.polling?.close(); }

  // The token is typed or pasted into a field: an address would be remembered and passed on.
  askToken() {
    const token = el("input", {type: "password", id: "participant-token", autocomplete: "off",
      spellcheck: "false", required: true});
    refill(this.root, el("form", {class: "setup", onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      rememberParticipant(token.value.trim());
      try {
        await ask(`${PATH}/me`);
        this.open();
      } catch (trouble) {
        forgetParticipant();
        complain(messageOf(trouble));
      }
    }},
    el("header", null, el("h1", null, t("competition.mine")),
      el("p", {class: "soft"}, t("competition.token.about"))),
    el("label", {class: "field"}, el("span", null, t("competition.token")), token),
    el("div", null, el("button", {class: "main"}, t("competition.enter")))));
  }

  open() {
    const facts = el("div", {class: "specific"});
    const leave = el("button", {id: "leave", onclick: () => {
      forgetParticipant();
      this.close();
      this.askToken();
    }}, t("competition.leave"));
    this.title = el("h1", null, t("competition.mine"));
    this.polling = new Polling(`${PATH}/me`, (own) => this.show(own, facts));
    refill(this.root, el("div", {class: "setup wide"},
      el("header", null, this.title,
        el("p", null, el("a", {href: "#/competition"}, t("competition.title")))),
      this.polling.trouble, this.form(), facts, el("div", null, leave)));
  }

  form() {
    const file = el("input", {type: "file", id: "agent-file", onchange: () => {
      const chosen = file.files?.[0];
      if (chosen) this.submit(chosen, chosen.name);
      file.value = "";
    }});
    const text = el("textarea", {id: "agent-text", rows: 8, spellcheck: "false",
      placeholder: "import hansu\n\n\nclass MyAgent(hansu.Agent):\n    def act(self, state): …"});
    return el("section", {class: "specific"},
      el("label", {class: "drop", for: "agent-file"}, el("b", null, t("competition.upload")), file),
      el("details", null, el("summary", null, t("competition.paste")), text,
        el("button", {id: "submit-text", class: "main",
          onclick: () => this.submit(new Blob([text.value]), "agent.py")},
        t("competition.submit"))));
  }

  /** @param {Blob} content @param {string} name */
  async submit(content, name) {
    try {
      const body = content.slice(0, content.size, "application/octet-stream");
      const {version} = await ask(`${PATH}/submissions?name=${encodeURIComponent(name)}`, body);
      complain(t("competition.received", {version: number(version)}));
    } catch (trouble) { complain(messageOf(trouble)); }
  }

  /** @param {any} own @param {Element} root */
  show(own, root) {
    const alias = own.alias === own.name ? "" : t("competition.alias", {alias: own.alias});
    if (this.title) this.title.textContent = own.name;
    refill(root, el("p", {class: "soft"}, [alias, own.open ? "" : t("competition.closed"),
      own.withdrawn ? t("competition.withdrawn") : ""].filter(Boolean).join(" ")),
    el("section", null, el("h2", null, t("competition.versions")),
      own.versions.length ? el("ol", {class: "versions"}, own.versions.map(versionItem))
        : el("p", {class: "soft"}, t("competition.versions.none"))),
    own.lost.length ? el("section", null, el("h2", null, t("competition.lost")),
      el("ul", {class: "faults"}, own.lost.map((/** @type {any} */ game) => el("li", null,
        el("a", {href: `#/replay?from=${encodeURIComponent(`${PATH}/games/rating/${game.number}`)}`},
          `${game.first} – ${game.second}`),
        `: ${reasonText(null, game.reason)} – `, el("code", {lang: "en"}, game.evidence))))) : "");
  }
}

/** @param {Version} each */
function versionItem(each) {
  const when = new Date(1000 * each.received).toLocaleString(language());
  const rating = each.rating === null ? "" : `${withError(each.rating, each.error)} Elo`;
  return el("li", {class: each.status}, el("b", null, t("competition.version",
    {version: number(each.version)})), " ", el("span", {class: "mark"},
    t(`competition.status.${each.status}`)), " ", rating,
  el("div", {class: "soft"}, when, " ", el("code", {title: each.digest}, each.digest.slice(0, 12))),
  each.findings.length ? el("details", {open: each.status === "rejected"},
    el("summary", null, t("competition.findings")),
    el("ul", null, each.findings.map((found, i) => findingItem(each, found, i)))) : null);
}

/** @param {Version} version @param {Finding} found @param {number} i */
function findingItem(version, found, i) {
  const at = found.turn ? t("competition.turn", {turn: number(found.turn)}) : "";
  const file = `version-${version.version}-${i + 1}.jsonl`;
  return el("li", null, el("span", {lang: "en"}, found.situation), at ? `, ${at}` : "", ": ",
    reasonText(null, found.reason), el("pre", {lang: "en"}, found.evidence),
    found.record ? el("div", null, el("button", {onclick: () => keep(found.record ?? "", file)},
      t("competition.save")), " ", el("code", {lang: "en"},
      version.program ? `hansu replay ${file} --at ${found.turn - 1}`
        : `hansu replay ${file} --at ${found.turn - 1} --debug ./agent.py --trust`)) : null);
}

/** @param {string} record @param {string} name */
function keep(record, name) {
  const href = URL.createObjectURL(new Blob([`${record}\n`], {type: "text/plain"}));
  el("a", {href, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
