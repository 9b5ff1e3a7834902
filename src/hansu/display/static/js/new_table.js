// @ts-check
// A table that goes on from a position of a recorded game, with the moves before it.
import {ask} from "hansu/server.js";

/**
 * @typedef {{agent: string, options: Record<string, unknown>}} AgentChoice
 * @typedef {{game: string, start: string}} Recorded
 */

/** @param {string | undefined} text options as a record writes them: "size=5,komi=0.5" */
const options = (text) => Object.fromEntries((text || "").split(",").filter(Boolean)
  .map((part) => part.split("=")));

/**
 * An agent that the server offers, as a record names it; null for anybody else.
 * @param {string} name
 * @param {import("hansu/picker.js").Offer} offer
 * @returns {AgentChoice | null}
 */
export function agentNamed(name, offer) {
  if (offer.files.includes(name)) return {agent: name, options: {}};
  const [agent, given] = name.split(/:(.*)/s);
  return offer.agents.some((each) => each.name === agent)
    ? {agent, options: options(given)} : null;
}

/**
 * @param {Recorded} facts
 * @param {string[]} played
 * @param {{white?: AgentChoice, black?: AgentChoice}} [seats] without an agent: a person's
 * @returns {Promise<{id: string, key: string}>}
 */
export function newTable({game, start}, played, seats = {}) {
  const [name, rules] = game.split(/:(.*)/s);
  return ask("/api/tables", {game: name, rules: options(rules), position: start, ...seats,
    moves: played.filter((move) => move !== "resign")});
}
