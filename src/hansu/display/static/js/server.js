// @ts-check
// Talking to the server: questions, and a line to a table that is taken up again when it breaks.
import {el} from "hansu/dom.js";
import {whyText} from "hansu/why.js";
import {has, t} from "hansu/words.js";

// Whose page this is: kept until the tab is closed, and sent in a header, never in an address.
const PARTICIPANT = "participant";
export const participant = () => {
  try { return sessionStorage.getItem(PARTICIPANT) || ""; } catch { return ""; }
};
/** @param {string} token */
export function rememberParticipant(token) {
  try { sessionStorage.setItem(PARTICIPANT, token); } catch { /* asked for again */ }
}
export function forgetParticipant() {
  try { sessionStorage.removeItem(PARTICIPANT); } catch { /* there is none */ }
}

/** @returns {Record<string, string>} */
export const ownHeaders = () => (participant() ? {"x-hansu-participant": participant()} : {});

const token = () => { try { return sessionStorage.getItem("token") || ""; } catch { return ""; } };

/**
 * Whether the server does work for this visitor.
 * @param {{token: boolean}} offer
 */
export const mayAsk = (offer) => !offer.token || token() !== "";

/**
 * What the server refuses, in the page's own words where it has some.
 * @param {string | undefined} rule
 * @param {string} text the server's own sentence
 * @param {Record<string, string>} [values]
 * @param {import("hansu/why.js").Why} [why]
 */
export function errorText(rule, text, values = {}, why = undefined) {
  if (why) return whyText(why);
  return rule && has(`error.${rule}`) ? t(`error.${rule}`, {...values, text}) : text;
}

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * A Blob goes as it is, everything else as JSON.
 * @param {string} path
 * @param {unknown} [body]
 */
async function answerTo(path, body) {
  const headers = {"x-hansu-token": token(), ...(path.startsWith("/api/competition")
    ? ownHeaders() : {})};
  const options = body === undefined ? {headers} : {
    method: "POST",
    body: body instanceof Blob ? body : JSON.stringify(body),
    headers: {...headers,
      "content-type": body instanceof Blob ? "application/octet-stream" : "application/json"},
  };
  const answer = await fetch(path, options).catch(() => { throw new Error(t("offline")); });
  if (answer.ok) return answer;
  const facts = await answer.json().catch(() => ({}));
  throw new Error(errorText(facts.rule, facts.detail || answer.statusText, facts.values,
    facts.why));
}

/**
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
export async function ask(path, body) {
  const answer = await answerTo(path, body);
  return answer.json();
}

/**
 * A file for the visitor to keep; a plain link could not show the token.
 * @param {string} path
 * @param {string} name
 */
export async function save(path, name) { await keepFile(await answerTo(path), name); }

/**
 * The same, of something that is sent; the server names the file.
 * @param {string} path
 * @param {Blob} body
 */
export async function saveAs(path, body) {
  const answer = await answerTo(path, body);
  const named = /filename="([^"]*)"/.exec(answer.headers.get("content-disposition") ?? "");
  await keepFile(answer, named?.[1] ?? "hansu");
}

/** @param {Response} answer @param {string} name */
async function keepFile(answer, name) {
  const href = URL.createObjectURL(await answer.blob());
  el("a", {href, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000); // not every browser has read it at once
}

const [FIRST_WAIT, LONGEST_WAIT] = [250, 8000]; // milliseconds before a broken line is taken up

/**
 * How long to wait before the next attempt, each time twice as long.
 * @param {number} wait
 */
export const longer = (wait) => Math.min(LONGEST_WAIT, 2 * wait);

/** @typedef {Record<string, any> & {type: string}} Message */

export class Line {
  /**
   * @param {string} path
   * @param {string | undefined} key
   * @param {(message: Message) => void} hear
   * @param {(broken: boolean) => void} broken
   */
  constructor(path, key, hear, broken) {
    this.path = path;
    this.key = key;
    this.hear = hear;
    this.broken = broken;
    this.wait = FIRST_WAIT;
    this.ended = false;
    /** @type {Message | null} */
    this.look = null;
    this.socket = this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.path}`);
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.say({type: "hello", key: this.key, token: token()});
      if (this.look) this.say(this.look);
      this.broken(false);
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "closed") this.ended = true;
      this.hear(message);
    };
    socket.onclose = () => {
      if (this.ended) return;
      this.broken(true);
      const wait = this.wait * (0.75 + Math.random() / 2); // not all at once
      this.timer = setTimeout(() => { this.socket = this.connect(); }, wait);
      this.wait = longer(this.wait);
    };
    return socket;
  }

  /**
   * Send a message, and return whether there was a line.
   * @param {Message} message
   */
  say(message) {
    if (message.type === "look") this.look = message; // to be said again on a new line
    const isOpen = this.socket.readyState === WebSocket.OPEN;
    if (isOpen) this.socket.send(JSON.stringify(message));
    return isOpen;
  }

  close() {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}
