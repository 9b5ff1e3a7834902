// @ts-check
// Poll the server for as long as a page is shown.
import {el} from "hansu/dom.js";
import {ask} from "hansu/server.js";

const EVERY = 1500; // milliseconds between two questions

export class Polling {
  /**
   * @param {string} path
   * @param {(facts: any) => unknown} show is told what is new; "done" ends the questions
   * @param {number} [every]
   */
  constructor(path, show, every = EVERY) {
    this.closed = false;
    /** @type {string | undefined} */
    this.last = undefined;
    /** What is wrong, for as long as it is; the page's to show. */
    this.trouble = el("p", {class: "bad", role: "alert", hidden: true});
    const go = async () => {
      const {facts, wrong} = await ask(path).then((facts) => ({facts, wrong: null}),
        (wrong) => ({facts: null, wrong}));
      if (this.closed) return;
      this.tell(wrong);
      const now = JSON.stringify(facts);
      const fresh = !wrong && now !== this.last;
      if (fresh) this.last = now;
      if (fresh && show(facts) === "done") return;
      this.timer = setTimeout(go, wrong ? 3 * every : every);
    };
    go();
  }

  /**
   * A lost connection is not the page's mistake, and comes back.
   * @param {Error | null} wrong
   */
  tell(wrong) {
    this.trouble.hidden = !wrong || wrong instanceof TypeError;
    this.trouble.textContent = wrong && !this.trouble.hidden ? wrong.message : "";
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }
}
