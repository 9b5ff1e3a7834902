// @ts-check
// Signs on buttons, drawn: which symbols a font has, and how, differs from one computer to another.
import {el} from "hansu/dom.js";

const LINES = {
  add: "M12 5v14M5 12h14",
  area: "M4 4h16v16H4zM12 4v16M12 8h8M12 12h8M12 16h8",
  back: "M15 5l-7 7 7 7",
  beside: "M8 4v15M4 15l4 4 4-4M16 20V5M12 9l4-4 4 4",
  close: "M6 6l12 12M18 6L6 18",
  dark: "M20 14.5A8 8 0 1 1 9.5 4 6.5 6.5 0 0 0 20 14.5z",
  first: "M6 5v14M18 5l-8 7 8 7",
  flip: "M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4",
  forward: "M9 5l7 7-7 7",
  hint: "M9 18h6M10.5 21h3M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.2 1 2.1h5c0-.9.4-1.6 1-2.1A6 6 0 0 0 12 3z",
  last: "M18 5v14M6 5l8 7-8 7",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 1 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19"
    + "M19 5l-1.4 1.4M6.4 17.6L5 19",
  looks: "M4 4h16v16H4zM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16",
  mute: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5",
  pass: "M5 5l9 7-9 7zM18 5v14",
  pause: "M8 5v14M16 5v14",
  phase: "M5 5l7 7-7 7M12 5l7 7-7 7",
  play: "M7 4.5v15l12-7.5z",
  resign: "M6 21V4h11l-2.5 4L17 12H6",
  save: "M12 4v11M7 10l5 5 5-5M5 20h14",
  share: "M12 15V4M7 9l5-5 5 5M5 20h14",
  sound: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  undo: "M8 5L4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11H9",
};

/** @typedef {keyof typeof LINES} Sign */

/** @param {Sign} name */
export const icon = (name) => el("svg", {class: "icon", viewBox: "0 0 24 24", "aria-hidden": true},
  el("path", {d: LINES[name]}));

/**
 * A button with a sign for a face.
 * @param {string} name
 * @param {Sign} sign
 * @param {() => void} onclick
 */
export const signButton = (name, sign, onclick) =>
  el("button", {type: "button", title: name, "aria-label": name, onclick}, icon(sign));
