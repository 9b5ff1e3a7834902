// @ts-check
// Words of the field, explained to whoever points at them, tabs to them or taps them.
import {el} from "hansu/dom.js";
import {t} from "hansu/words.js";

const GAP = 6; // pixels between a word and what is said about it
let count = 0;
/** @type {HTMLElement | null} */
let open = null; // the word that is being explained

const tip = el("div", {class: "tip", popover: "manual", "aria-hidden": "true"});
addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
addEventListener("scroll", () => { if (open) place(open); }, {capture: true, passive: true});

function hide() {
  open = null;
  if (tip.isConnected && tip.matches(":popover-open")) tip.hidePopover();
}

/** @param {HTMLElement} word @param {string} text */
function show(word, text) {
  open = word;
  tip.textContent = text;
  (word.closest("dialog") ?? document.body).append(tip);
  tip.showPopover();
  place(word);
}

/** @param {HTMLElement} word beside which to explain it */
function place(word) {
  const [at, own] = [word.getBoundingClientRect(), tip.getBoundingClientRect()];
  const below = at.bottom + GAP + own.height < innerHeight;
  tip.style.left = `${Math.max(GAP, Math.min(at.left, innerWidth - own.width - GAP))}px`;
  tip.style.top = `${below ? at.bottom + GAP : Math.max(GAP, at.top - own.height - GAP)}px`;
}

/**
 * A word with its explanation; screen readers have it as the description.
 * @param {string} name of the explanation in the dictionary
 * @param {string} text of the word
 */
export function term(name, text) {
  const said = t(`term.${name}`);
  const id = `term-${count += 1}`;
  const word = el("button", {type: "button", class: "term", "aria-describedby": id,
    onpointerenter: (/** @type {PointerEvent} */ event) => {
      if (event.pointerType === "mouse") show(word, said);
    },
    onpointerleave: (/** @type {PointerEvent} */ event) => {
      if (event.pointerType === "mouse" && document.activeElement !== word) hide();
    },
    onfocus: () => { if (word.matches(":focus-visible")) show(word, said); },
    onblur: hide,
    onclick: () => show(word, said)}, text);
  return el("span", {class: "with-term"}, word, el("span", {id, hidden: true}, said));
}

/** Whether the word that is explained has gone with what it stood in. */
export function forgetTerm() { if (open && !open.isConnected) hide(); }
