// @ts-check
// Sounds, if wanted: made here, no file to load. A piece on wood is a short burst of noise and a
// low tone; the end of a game is a few notes.
import {$, el, kept} from "hansu/dom.js";
import {nameButton} from "hansu/frame.js";
import {t} from "hansu/words.js";

/** @typedef {"move" | "capture" | "warning" | "won" | "lost" | "drawn"} Kind */

/** @type {AudioContext | null} */
let speaker = null;
/** @type {AudioBuffer | null} */
let noise = null;

export const soundOn = () => kept.get("sound") === "on";

/** The switch for sounds at the top of the page. */
export function showSound() {
  nameButton("#sound", soundOn() ? "sound" : "mute", t("sound"));
  $("#sound").setAttribute("aria-pressed", String(soundOn()));
}

/** @type {Record<string, number[]>} */
const NOTES = {won: [523, 659, 784], lost: [392, 330, 262], drawn: [440, 440], warning: [880]};

/** @param {Kind} kind */
export function chime(kind) {
  if (!soundOn()) return;
  speaker ||= new AudioContext();
  speaker.resume();
  if (kind === "capture") knock(speaker, 0, 1.4);
  if (kind === "move" || kind === "capture") knock(speaker, kind === "capture" ? 0.06 : 0, 1);
  NOTES[kind]?.forEach((pitch, i) => note(/** @type {AudioContext} */ (speaker), pitch, 0.13 * i));
}

/** @param {AudioContext} to @param {number} after @param {number} pitch */
function knock(to, after, pitch) {
  const at = to.currentTime + after;
  const [burst, filter] = [to.createBufferSource(), to.createBiquadFilter()];
  burst.buffer = noise ||= hiss(to);
  filter.type = "bandpass";
  filter.frequency.value = 1800 * pitch;
  burst.connect(filter).connect(fading(to, at, 0.5, 0.05));
  burst.start(at);
  const tone = to.createOscillator();
  tone.frequency.setValueAtTime(210 * pitch, at);
  tone.frequency.exponentialRampToValueAtTime(130 * pitch, at + 0.07);
  tone.connect(fading(to, at, 0.35, 0.09));
  tone.start(at);
  tone.stop(at + 0.1);
}

/** @param {AudioContext} to @param {number} pitch @param {number} after */
function note(to, pitch, after) {
  const at = to.currentTime + after;
  const tone = to.createOscillator();
  tone.type = "triangle";
  tone.frequency.value = pitch;
  tone.connect(fading(to, at, 0.16, 0.4));
  tone.start(at);
  tone.stop(at + 0.42);
}

/** @param {AudioContext} to @param {number} at @param {number} level @param {number} seconds */
function fading(to, at, level, seconds) {
  const gain = to.createGain();
  gain.gain.setValueAtTime(level, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  gain.connect(to.destination);
  return gain;
}

/** @param {AudioContext} to */
function hiss(to) {
  const buffer = to.createBuffer(1, Math.ceil(to.sampleRate * 0.06), to.sampleRate);
  buffer.getChannelData(0).forEach((_, i, all) => { all[i] = 2 * Math.random() - 1; });
  return buffer;
}

// Whether there shall be sounds: asked once.
export function soundQuestion() {
  if (kept.get("sound") !== null) return null;
  const answer = (/** @type {string} */ text, /** @type {string} */ choice) =>
    el("button", {type: "button", onclick: () => {
      kept.set("sound", choice);
      showSound();
      question.remove();
      chime("move");
    }}, text);
  const question = el("p", {class: "question"}, el("span", null, t("sound.ask")),
    answer(t("sound.yes"), "on"), answer(t("sound.no"), "off"));
  return question;
}
