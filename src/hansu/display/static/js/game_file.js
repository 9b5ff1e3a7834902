// @ts-check
// A recorded game as one file, to be stepped through; also inside another page.
import {unpack} from "hansu/board_pack.js";
import {el} from "hansu/dom.js";
import {openFile} from "hansu/file.js";
import {GameViewer} from "hansu/game_viewer.js";
import {playerName} from "hansu/player_name.js";
import {showPicture} from "hansu/result.js";
import {t} from "hansu/words.js";

openFile((root, data) => {
  const {facts} = data;
  /** @type {GameViewer | undefined} */
  let viewer;
  document.title = `${t(`game.${facts.name}`)}: ${playerName(facts.white)} – ${playerName(facts.black)}`;
  const page = el("div", {class: "file"});
  root.replaceChildren(page);
  unpack(data.pack).then((boards) => {
    const board = el("div", {class: "board"});
    viewer = new GameViewer({...facts, boards},
      {picture: {root: board, show: (svg) => showPicture(board, svg)}});
    page.replaceChildren(el("h1", {class: "unseen"}, document.title), viewer.root,
      el("footer", {class: "soft"}, `${t("report.keys")} hansu ${data.version}`));
    viewer.go(0);
  });
  return {close: () => viewer?.close()};
});
