// @ts-check
// A search as one file: the viewer, with all answers inside. "#steps" after its address begins the steps.
import {unpack} from "hansu/board_pack.js";
import {el} from "hansu/dom.js";
import {openFile} from "hansu/file.js";
import {playerName} from "hansu/player_name.js";
import {SearchViewer} from "hansu/viewer/viewer.js";
import {has, t} from "hansu/words.js";

const key = (/** @type {string[]} */ moves) => moves.join("\n");

openFile((root, data) => {
  const boards = unpack(data.pack);
  const name = data.info.game.split(":")[0];
  const title = has(`game.${name}`) ? t(`game.${name}`) : data.info.title;
  const place = el("div");
  const info = {...data.info, agent: playerName(data.info.agent)};
  document.title = `${title}: ${info.agent}`;
  root.replaceChildren(el("div", {class: "file"},
    el("header", null, el("h1", null, title), el("p", {class: "soft"}, data.info.position)),
    place, el("footer", {class: "soft"}, `hansu ${data.version}`)));
  const viewer = new SearchViewer(place, {
    info: async () => info,
    children: async (moves) => data.children[key(moves)] ?? null,
    board: async (moves) => (await boards)[data.boards[key(moves)]] ?? null,
    steps: async () => data.steps,
  });
  viewer.refresh().then(() => { if (location.hash === "#steps") viewer.beginSteps(); });
  return {};
});
