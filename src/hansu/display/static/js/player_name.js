// @ts-check
// What a player is called: a person, a level, an agent with what was chosen, or a file.
import {has, t} from "hansu/words.js";

const LEVEL = /^engine:level=(\d+)$/;
const FULL = "engine:search_time=1"; // level 10
// What begins as a path, or ends as a file: two people may be called "Kim/Lee".
const FOLDERS =
  /(^|[=,:])(?:[.~]*[\\/](?:[^=,:\s]*[\\/])?|[^=,:\s]*[\\/](?=[^=,:\s\\/]*\.\w+(?:[,:]|$)))(?=[^=,:\s\\/])/g;

/** @param {string} who as a record or the server names it, such as "mcts:search_time=2" */
export function playerName(who) {
  if (who === "human") return t("person");
  const level = who === FULL ? "10" : LEVEL.exec(who)?.[1];
  if (level && has(`level.${level}`)) return levelName(Number(level));
  if (who.startsWith("run/")) return t("player.model", {name: who.slice(4)});
  const plain = who.replace(FOLDERS, "$1");
  const [name, chosen] = plain.split(/:(.*)/s);
  if (!has(`agent.${name}`)) return plain;
  const told = (chosen ?? "").split(",").filter(Boolean).join(", ");
  return told ? `${t(`agent.${name}`)} (${told})` : t(`agent.${name}`);
}

/** @param {number} level */
export const levelName = (level) => t("level.named", {level, name: t(`level.${level}`)});
