// @ts-check
// A tree as it stands after some steps of a search (search/*_steps.py).

/**
 * @typedef {object} TreeNode
 * @property {number} number
 * @property {number | null} parent
 * @property {string} move
 * @property {number[]} children
 * @property {number} visits
 * @property {number | null} value
 * @property {[number | null, number | null] | null} window
 * @property {boolean} entered
 * @property {string | null} result
 * @property {boolean} done
 * @property {number} pruned
 */

/** @typedef {Record<string, any> & {kind: string}} Step one step, as search/*_steps.py tells it */

export class Growth {
  constructor() {
    /** @type {Map<number, TreeNode>} */
    this.nodes = new Map([[0, node(0, null, "")]]);
    this.current = 0;
    this.onPath = new Set([0]);
  }

  /** @param {Step[]} steps @param {number} count */
  static after(steps, count) {
    const growth = new Growth();
    for (const step of steps.slice(0, count)) /** @type {any} */ (growth)[step.kind](step);
    return growth;
  }

  /** @param {number} number @returns {TreeNode} */
  get(number) { return /** @type {TreeNode} */ (this.nodes.get(number)); }

  /** @param {number} parent @param {number} number @param {string} move */
  add(parent, number, move) {
    this.nodes.set(number, node(number, parent, move));
    this.get(parent).children.push(number);
  }

  /** The moves that lead to a node. @param {number} number */
  path(number) {
    /** @type {string[]} */
    const moves = [];
    for (let at = /** @type {number | null} */ (number); at; at = this.get(at).parent) {
      moves.unshift(this.get(at).move);
    }
    return moves;
  }

  /** @param {number} number */
  stand(number) {
    this.current = number;
    this.onPath = new Set([0]);
    for (let at = /** @type {number | null} */ (number); at; at = this.get(at).parent) {
      this.onPath.add(at);
    }
  }

  // Monte Carlo and PUCT search ----------------------------------------------------------------

  /** @param {Step} step */
  select(step) { this.stand(step.chosen); }

  /** @param {Step} step */
  expand(step) {
    this.stand(step.node);
    for (const child of step.children) this.add(step.node, child.node, child.move);
  }

  /** @param {Step} step */
  simulate(step) { this.stand(step.node); }
  /** @param {Step} step */
  evaluate(step) { this.stand(step.node); }
  /** @param {Step} step */
  end(step) { this.stand(step.node); }
  /** @param {Step} step */
  proved(step) { this.stand(step.node); }

  /** @param {Step} step */
  back_up(step) {
    this.stand(step.updates.at(-1).node);
    for (const {node: number, visits, value} of step.updates) {
      Object.assign(this.get(number), {visits, value});
    }
  }

  // Alpha-beta --------------------------------------------------------------------------------

  /** @param {Step} step */
  enter(step) {
    if (step.node) this.add(step.parent, step.node, step.move);
    Object.assign(this.get(step.node), {window: [step.alpha, step.beta], entered: true});
    this.stand(step.node);
  }

  /** @param {Step} step */
  leaf(step) {
    Object.assign(this.get(step.node), {value: step.value, result: "exact", done: true});
    this.stand(step.node);
  }

  /** @param {Step} step */
  back(step) {
    Object.assign(this.get(step.node), {value: step.best, window: [step.alpha, step.beta]});
    this.stand(step.node);
  }

  /** @param {Step} step */
  cut_off(step) {
    this.get(step.node).pruned = step.pruned.length;
    this.stand(step.node);
  }

  /** @param {Step} step */
  leave(step) {
    Object.assign(this.get(step.node), {value: step.value, result: step.result, done: true});
    this.stand(step.node);
  }
}

/**
 * @param {number} number
 * @param {number | null} parent
 * @param {string} move
 * @returns {TreeNode}
 */
function node(number, parent, move) {
  return {number, parent, move, children: [], visits: 0, value: null, window: null, entered: false,
    result: null, done: false, pruned: 0};
}
