// @ts-check
// How pieces move: from one picture of a board to the next, found by comparing the two. A picture
// says how its pieces arrive (data-motion): they slide, fall, drop or are turned over.

/**
 * @typedef {{kind: string, node: SVGGraphicsElement}} Piece
 * @typedef {{came: string[], went: string[], turned: string[]}} Changes places of pieces
 */

const QUICK = 170; // milliseconds

export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * The pieces of a picture by their places.
 * @param {ParentNode} picture
 * @returns {Map<string, Piece>}
 */
export function piecesOf(picture) {
  /** @type {NodeListOf<SVGGraphicsElement>} */
  const nodes = picture.querySelectorAll("[data-on]");
  return new Map([...nodes].map((node) =>
    [node.dataset.on ?? "", {kind: node.dataset.kind ?? "", node}]));
}

/**
 * @param {Map<string, Piece>} before
 * @param {Map<string, Piece>} after
 * @returns {Changes}
 */
export function compare(before, after) {
  const kind = (/** @type {Map<string, Piece>} */ all, /** @type {string} */ place) =>
    all.get(place)?.kind;
  const came = [...after.keys()].filter((place) => kind(before, place) !== kind(after, place));
  return {
    came,
    went: [...before.keys()].filter((place) => !after.has(place)),
    turned: came.filter((place) => before.has(place)),
  };
}

/**
 * Let the pieces of a picture arrive where they are.
 * @param {SVGSVGElement} picture
 * @param {Map<string, Piece>} before
 * @param {Map<string, Piece>} after
 * @param {Changes} changes
 * @param {string | null} dropped the place of a piece that was put there by hand
 */
export function move(picture, before, after, changes, dropped) {
  if (isStill()) return;
  const {motion} = picture.dataset;
  const left = new Set([...changes.went, ...changes.turned]); // what stood there has left
  for (const place of changes.came) {
    const {kind, node} = /** @type {Piece} */ (after.get(place));
    const from = motion === "slide" ? origin(kind, before, left, changes) : undefined;
    if (from !== undefined) {
      left.delete(from);
      if (place !== dropped) slide(picture, node, from, place);
    } else if (motion === "turn" && before.has(place)) {
      turn(/** @type {Piece} */ (before.get(place)).node, node);
      left.delete(place);
    } else if (motion === "fall") fall(node);
    else drop(node);
  }
  const under = picture.querySelector("[data-on]") ?? picture.querySelector("[role=grid]");
  for (const place of left) {
    const node = before.get(place)?.node;
    if (node && under) fade(node, under);
  }
}

/**
 * Where a piece has come from: where one of its kind has left, or the pawn that it was.
 * @param {string} kind
 * @param {Map<string, Piece>} before
 * @param {Set<string>} left
 * @param {Changes} changes
 */
function origin(kind, before, left, {came, went}) {
  const same = [...left].find((place) => before.get(place)?.kind === kind);
  return same ?? (came.length === 1 && went.length === 1 ? went[0] : undefined);
}

/**
 * @param {SVGSVGElement} picture
 * @param {SVGElement} node
 * @param {string} from a cell
 * @param {string} to
 */
function slide(picture, node, from, to) {
  const [x1, y1, x2, y2] = [from, to].flatMap((name) => {
    const cell = picture.querySelector(`[data-cell="${name}"]`);
    return ["x", "y"].map((key) => Number(cell?.getAttribute(key)));
  });
  picture.insertBefore(node, picture.querySelector(".marks")); // above the others
  node.animate({transform: [`translate(${x1 - x2}px, ${y1 - y2}px)`, "none"]},
    {duration: QUICK, easing: "cubic-bezier(.3, .1, .3, 1)"});
}

/** @param {SVGGraphicsElement} node */
function fall(node) {
  const {y, height} = node.getBBox();
  const steps = y / height;
  node.animate([
    {transform: `translateY(${-y - height}px)`, easing: "cubic-bezier(.55, .05, .9, .6)"},
    {transform: "none", offset: 0.75, easing: "ease-out"},
    {transform: `translateY(${-height / 12}px)`, offset: 0.87, easing: "ease-in"},
    {transform: "none"},
  ], {duration: 160 + 55 * steps});
}

/** @param {SVGGraphicsElement} node */
function drop(node) {
  around(node);
  node.animate({transform: ["scale(1.28)", "none"], opacity: [0.2, 1]},
    {duration: QUICK, easing: "cubic-bezier(.3, 0, .6, 1)"});
}

/** @param {SVGGraphicsElement} old @param {SVGGraphicsElement} node */
function turn(old, node) {
  const gone = copy(old, node);
  for (const each of [gone, node]) around(each);
  gone.animate({transform: ["none", "scaleX(0)"]}, {duration: QUICK, easing: "ease-in", fill: "forwards"})
    .finished.then(() => gone.remove(), () => {});
  node.animate({transform: ["scaleX(0)", "scaleX(0)", "none"], offset: [0, 0.5, 1]},
    {duration: 2 * QUICK});
}

/** @param {SVGGraphicsElement} old @param {Element} before what it goes under */
function fade(old, before) {
  const gone = copy(old, before);
  gone.animate({opacity: [1, 0]}, {duration: 1.5 * QUICK, fill: "forwards"})
    .finished.then(() => gone.remove(), () => {});
}

/** @param {SVGGraphicsElement} old @param {Element} before */
function copy(old, before) {
  const gone = /** @type {SVGGraphicsElement} */ (old.cloneNode(true));
  for (const name of ["data-on", "data-kind", "transform"]) gone.removeAttribute(name);
  gone.classList.add("gone");
  before.parentNode?.insertBefore(gone, before);
  return gone;
}

/** @param {SVGGraphicsElement} node */
function around(node) {
  node.style.transformBox = "fill-box";
  node.style.transformOrigin = "center";
}
