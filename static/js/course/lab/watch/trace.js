// A recorded search with the states of its nodes and its frontier, for the tree and the panel.
import { Trace, valueAt } from "../../../component/trace.js";

export const UNMADE = 0, WAITING = 1, EXPANDED = 2, DROPPED = 3, REPLACED = 4, LEFT = 5, MET = 6, GOAL = 7;
export const NAMES = ["", "waiting", "expanded", "dropped", "replaced", "left", "met", "goal"];

export class SearchTrace extends Trace {
  constructor(data) {
    super(data);
    this.trees = this.iterations.filter(([, , , root]) => root !== null);
    this.leaves = this.changes.some((pairs) => pairs.some((value, i) => i % 2 && value === LEFT));
    this.expansionsOf = new Map(); // the numbers of a node's expansions
    this.steps.forEach(({ node }, i) => {
      if (!this.expansionsOf.has(node)) this.expansionsOf.set(node, []);
      this.expansionsOf.get(node).push(i + 1);
    });
  }

  state(node, at) { return valueAt(this.changes[node], at, UNMADE); }
  made(node) { return this.changes[node][0]; }
  isDropped(node) { return this.changes[node].length === 2 && this.changes[node][1] === DROPPED; }

  // The number of a node's latest expansion so far, if any
  numberOf(node, at) { return this.expansionsOf.get(node)?.findLast((one) => one <= at && !this.isEnd(one)); }

  // The node taken next, if it is already in the frontier
  next(at) {
    const node = this.steps[at]?.node ?? (this.isLate(at) ? undefined : this.frontier(at)[0]);
    return node !== undefined && this.state(node, at) === WAITING ? node : null;
  }

  // The current tree: its root positions, its first and its last expansion.
  tree(at) {
    const index = this.trees.findLastIndex(([, , first]) => first <= at);
    const [, , first, root] = this.trees[index] ?? [];
    const last = this.trees[index + 1] ? this.trees[index + 1][2] - 1 : this.last;
    const end = this.gap !== null && !this.isLate(at) ? Math.min(last, this.gap.after) : last;
    if (index < 0) return { roots: this.parents[1] < 0 ? [0, 1] : [0], first: 0, last: end };
    return { roots: [root], first, last: end };
  }

  iteration(at) { return this.iterations.findLastIndex(([, , first]) => first <= at); }

  // Bold path: to a node, or the solution once found.
  bold(node, at, chosen) {
    if (!this.isEnd(at) || chosen) return this.path(node);
    const met = this.solution.find((one) => this.others[one] >= 0);
    return met === undefined ? this.solution : [...this.solution, this.others[met]];
  }

  // The frontier, in the order of removal.
  frontier(at) {
    if (this.isBeyond(at)) return [];
    const { roots } = this.tree(at);
    const waiting = [];
    for (let node = 0; node < this.parents.length; node += 1)
      if (roots.includes(this.roots[node]) && this.state(node, at) === WAITING && (this.isTold(node) || !this.informed)) waiting.push(node);
    const next = this.isLate(at) ? this.steps[at]?.node : undefined; // made in the gap, without a known place
    return waiting.sort((one, other) => (other === next) - (one === next) || this.#order(one, other, at));
  }

  #order(one, other, at) {
    const byF = this.f(one, at) - this.f(other, at);
    const byDepth = this.g[other] - this.g[one];
    if (this.sorting === "rank") return byF || one - other;
    if (this.sorting === "recursion") return byF || byDepth || one - other;
    if (this.sorting === "path") return byDepth || one - other;
    return this.roots[one] - this.roots[other] || one - other;
  }
}
