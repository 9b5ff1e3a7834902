// A tree as it stands after some steps of a search (search/*_steps.py).
export class Growth {
  constructor() {
    this.nodes = new Map([[0, node(0, null, "")]]);
    this.current = 0;
    this.way = new Set([0]);
  }

  static after(steps, count) {
    const growth = new Growth();
    for (const step of steps.slice(0, count)) growth[step.kind](step);
    return growth;
  }

  get(number) { return this.nodes.get(number); }

  add(parent, number, move) {
    this.nodes.set(number, node(number, parent, move));
    this.get(parent).children.push(number);
  }

  // The moves that lead to a node.
  path(number) {
    const moves = [];
    for (let at = number; at; at = this.get(at).parent) moves.unshift(this.get(at).move);
    return moves;
  }

  stand(number) {
    this.current = number;
    this.way = new Set([0]);
    for (let at = number; at; at = this.get(at).parent) this.way.add(at);
  }

  // Monte Carlo and guided search -------------------------------------------------------------

  select(step) { this.stand(step.chosen); }

  expand(step) {
    this.stand(step.node);
    for (const child of step.children) this.add(step.node, child.node, child.move);
  }

  simulate(step) { this.stand(step.node); }
  evaluate(step) { this.stand(step.node); }
  end(step) { this.stand(step.node); }

  back_up(step) {
    this.stand(step.updates.at(-1).node);
    for (const {node: number, visits, value} of step.updates) {
      Object.assign(this.get(number), {visits, value});
    }
  }

  // Alpha-beta --------------------------------------------------------------------------------

  enter(step) {
    if (step.node) this.add(step.parent, step.node, step.move);
    Object.assign(this.get(step.node), {window: [step.alpha, step.beta], entered: true});
    this.stand(step.node);
  }

  leaf(step) {
    Object.assign(this.get(step.node), {value: step.value, result: "exact", done: true});
    this.stand(step.node);
  }

  back(step) {
    Object.assign(this.get(step.node), {value: step.best, window: [step.alpha, step.beta]});
    this.stand(step.node);
  }

  cut_off(step) {
    this.get(step.node).pruned = step.pruned.length;
    this.stand(step.node);
  }

  leave(step) {
    Object.assign(this.get(step.node), {value: step.value, result: step.result, done: true});
    this.stand(step.node);
  }
}

function node(number, parent, move) {
  return {number, parent, move, children: [], visits: 0, value: null, window: null, entered: false,
    result: null, done: false, pruned: 0};
}
