// How a game stands or ended, in words.
import {number, ofGame, t} from "./words.js";

// White is yellow in one game and a cross in another.
export const colorName = (color, game) => ofGame("color", game, color);

export function resultText(outcome, game) {
  const {winner, reason, margin, turns, counted} = outcome;
  if (reason === "unfinished") return t("reason.unfinished");
  const values = {turns: number(turns), color: winner ? colorName(winner, game) : "",
    margin: margin === null ? "" : number(margin, 1)};
  const who = winner ? t("result.wins", values) : t("result.draw");
  const why = ofGame("reason", game, reason, values);
  if (!counted) return t("result.plain", {who, why});
  const [high, low] = [counted.white, counted.black].sort((a, b) => b - a);
  return t("result.counted", {who, why, high: number(high, 1), low: number(low, 1),
    what: t(`counted.${counted.what}`)});
}

export function clockText(seconds) {
  const left = Math.max(0, seconds);
  if (left < 10) return left.toFixed(1);
  const whole = Math.ceil(left);
  const minutes = Math.floor(whole / 60);
  return `${minutes}:${String(whole % 60).padStart(2, "0")}`;
}

// "mcts:search_time=1" is called by the agent's name; a person is "you" or "a person".
export function playerName(text, may) {
  if (text === "human") return may ? t("you") : t("person");
  return text;
}
