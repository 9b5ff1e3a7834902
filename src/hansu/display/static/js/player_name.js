// @ts-check
// What a player is called on the page: a level, an agent with what was chosen, or a file.
import {has, t} from "hansu/words.js";

/**
 * @param {string} who as the server names it, such as "mcts:search_time=2"
 * @param {import("hansu/picker.js").Level[]} [levels] of the game
 */
export function playerName(who, levels = []) {
  const level = levels.find((each) => each.agent === who);
  if (level) return levelName(level);
  if (who.startsWith("run/")) return t("training.model", {name: who.slice(4)});
  const [name, chosen] = who.split(/:(.*)/s);
  if (!has(`agent.${name}`)) return who;
  const told = (chosen ?? "").split(",").filter(Boolean).map((part) => part.replace(/=.*[/\\]/s, "="));
  return told.length ? `${t(`agent.${name}`)} (${told.join(", ")})` : t(`agent.${name}`);
}

/** @param {import("hansu/picker.js").Level} level */
export const levelName = ({level, name}) => t("level.named", {level, name: t(name)});
