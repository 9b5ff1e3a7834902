// @ts-check
// The rules of a game: goal, moves, how it ends, and what decides it then.
import {el} from "hansu/dom.js";
import {has, t} from "hansu/words.js";

const PARTS = ["goal", "moves", "end", "decision"];

/**
 * @param {Element} root
 * @param {import("hansu/picker.js").Offer} offer
 * @param {string | undefined} chosen
 */
export function rulesPage(root, offer, chosen) {
  const {name} = offer.games.find((game) => game.name === chosen) ?? offer.games[0];
  root.replaceChildren(el("div", {class: "setup rules"},
    el("nav", {class: "tabs", "aria-label": t("game")}, offer.games.map((game) => el("a", {
      href: `#/rules/${game.name}`, "aria-current": game.name === name ? "true" : null,
    }, t(`game.${game.name}`)))),
    el("div", {class: "rules-text"},
      el("img", {src: `/api/boards/${name}.svg`, alt: "", width: 280, height: 280}),
      el("div", null,
        el("h1", null, t("rules.of", {game: t(`game.${name}`)})),
        PARTS.map((part) => el("section", null, el("h2", null, t(`rules.${part}`)),
          el("p", null, t(`rules.${name}.${part}`)))),
        has(`rules.${name}.counted`) ? el("figure", null,
          el("img", {src: `/api/boards/${name}/counted.svg`, alt: "", width: 150, height: 150}),
          el("figcaption", null, t(`rules.${name}.counted`))) : null,
        el("p", null, el("a", {class: "button main", href: `#/play?game=${name}`},
          t("play.title")))))));
  return {};
}
