// @ts-check
// The agents of a tournament by the names that people know them by.
import {playerName} from "hansu/player_name.js";

/**
 * The same facts about agents that are called by name, unless two would be called alike.
 * @template {{standings: {agent: string}[]}} Facts
 * @param {Facts} facts
 * @returns {Facts}
 */
export function byName(facts) {
  const agents = facts.standings.map(({agent}) => agent);
  const names = new Map(agents.map((agent) => [agent, playerName(agent)]));
  if (new Set(names.values()).size < agents.length) return facts;
  return named(facts, names);
}

/**
 * @param {any} facts in which whole texts, and keys, may be agents
 * @param {Map<string, string>} names
 * @returns {any}
 */
function named(facts, names) {
  if (typeof facts === "string") return names.get(facts) ?? facts;
  if (Array.isArray(facts)) return facts.map((each) => named(each, names));
  if (facts === null || typeof facts !== "object") return facts;
  return Object.fromEntries(Object.entries(facts).map(([key, value]) =>
    [names.get(key) ?? key, AGENTS.has(key) || typeof value === "object" ? named(value, names) : value]));
}

const AGENTS = new Set(["agent", "leader", "first", "second"]); // what else is a text is no agent
