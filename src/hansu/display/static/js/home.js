// @ts-check
// The first page: the games as pictures, one click from a board.
import {el} from "hansu/dom.js";
import {t} from "hansu/words.js";

/**
 * @param {Element} root
 * @param {import("hansu/picker.js").Offer} offer
 */
export function homePage(root, offer) {
  root.replaceChildren(el("div", {class: "home"},
    el("header", null, el("h1", null, t("home.about")), el("p", {class: "soft"}, t("home.how"))),
    el("ul", {class: "tiles"}, offer.games.map(({name}) => el("li", {class: "tile"},
      el("img", {src: `/api/boards/${name}.svg`, alt: "", width: 150, height: 150}),
      el("div", null,
        el("h2", null, t(`game.${name}`)),
        el("p", null, t(`about.${name}`)),
        el("p", {class: "go"},
          el("a", {class: "button main", href: `#/play?game=${name}&begin=1`,
            "aria-label": t("home.play", {game: t(`game.${name}`)})}, t("play.now")),
          el("span", null,
            el("a", {href: `#/play?game=${name}`,
              "aria-label": t("home.options", {game: t(`game.${name}`)})}, t("options")),
            el("a", {href: `#/rules/${name}`,
              "aria-label": t("home.rules", {game: t(`game.${name}`)})}, t("rules.title"))))))))));
  return {};
}
