// @ts-check
// The keys of the tables that this browser has opened: kept here, never in an address.
import {kept} from "hansu/dom.js";

const NAME = "tables";
const MOST = 100;

/** @returns {[string, string][]} */
function known() {
  try {
    const found = JSON.parse(kept.get(NAME) || "[]");
    return Array.isArray(found) ? found.filter(Array.isArray).map(([id, key]) => [id, key]) : [];
  } catch { return []; }
}

/** @param {string} id */
export const keyOf = (id) => known().find(([each]) => each === id)?.[1];

/** @param {string} id @param {string} key */
export function rememberKey(id, key) {
  const others = known().filter(([each]) => each !== id);
  kept.set(NAME, JSON.stringify([[id, key], ...others].slice(0, MOST)));
}
