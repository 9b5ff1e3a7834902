// @ts-check
// A quiet knock for each move, if wanted: made here, no file to load.
import {kept} from "hansu/dom.js";

/** @type {AudioContext | null} */
let speaker = null;

export const soundOn = () => kept.get("sound") === "on";

/** @param {"move" | "end"} kind */
export function chime(kind) {
  if (!soundOn()) return;
  speaker ||= new AudioContext();
  const [tone, level] = [speaker.createOscillator(), speaker.createGain()];
  const now = speaker.currentTime;
  tone.frequency.setValueAtTime(kind === "end" ? 330 : 220, now);
  tone.frequency.exponentialRampToValueAtTime(kind === "end" ? 660 : 110, now + 0.12);
  level.gain.setValueAtTime(0.15, now);
  level.gain.exponentialRampToValueAtTime(0.001, now + 0.15);
  tone.connect(level).connect(speaker.destination);
  tone.start(now);
  tone.stop(now + 0.16);
}
