// A recorded search: its state at an expansion depends only on the expansion's number.
import { parse } from "../board.js";

export const UNMADE = 0, WAITING = 1, EXPANDED = 2, DROPPED = 3, REPLACED = 4, LEFT = 5, MET = 6, GOAL = 7;
export const NAMES = ["", "waiting", "expanded", "dropped", "replaced", "left", "met", "goal"];

// Latest value of (number, value) pairs at a number, or `none` before the first.
function valueAt(pairs, at, none) {
  for (let i = pairs.length - 2; i >= 0; i -= 2) if (pairs[i] <= at) return pairs[i + 1];
  return none;
}

export class Trace {
  constructor(data) {
    Object.assign(this, data);
    this.last = this.steps.length;
    this.start = parse(data.start);
    this.goal = parse(data.goal);
    this.depths = [];
    this.roots = [];
    this.parents.forEach((parent, node) => {
      this.depths[node] = parent < 0 ? 0 : this.depths[parent] + 1;
      this.roots[node] = parent < 0 ? node : this.roots[parent];
    });
    this.trees = this.iterations.filter(([, , , root]) => root !== null);
    this.leaves = this.changes.some((pairs) => pairs.some((value, i) => i % 2 && value === LEFT));
    this.expansionsOf = new Map(); // the numbers of a node's expansions
    this.steps.forEach(({ node }, i) => {
      if (!this.expansionsOf.has(node)) this.expansionsOf.set(node, []);
      this.expansionsOf.get(node).push(i + 1);
    });
  }

  state(node, at) { return valueAt(this.changes[node], at, UNMADE); }
  f(node, at) { return valueAt(this.ranks[node], at, this.ranks[node][1]); }
  made(node) { return this.changes[node][0]; }
  isDropped(node) { return this.changes[node].length === 2 && this.changes[node][1] === DROPPED; }
  isEnd(at) { return this.solution.length > 0 && at === this.last; }

  // Whether an expansion comes after the gap. From there only part of the tree is known
  isLate(at) { return this.gap !== null && at > this.gap.after; }

  // The search's own number of a recorded expansion
  number(at) {
    if (this.isLate(at)) return at + this.gap.left_out;
    return this.isBeyond(at) ? this.expanded + 1 : at;
  }

  // The end of a search whose last expansions were left out: its frontier is unknown
  isBeyond(at) { return this.isEnd(at) && !this.complete && this.gap === null; }

  // Whether h and f of a node are known; beyond the recording they are not
  isTold(node) { return this.informed && this.h[node] >= 0; }

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

  current(at) { return at > 0 ? this.steps[at - 1].node : this.tree(0).roots[0]; }

  iteration(at) { return this.iterations.findLastIndex(([, , first]) => first <= at); }

  path(node) {
    const path = [node];
    while (this.parents[path[0]] >= 0) path.unshift(this.parents[path[0]]);
    return path;
  }

  // Bold path: to a node, or the solution once found.
  bold(node, at, chosen) {
    if (!this.isEnd(at) || chosen) return this.path(node);
    const met = this.solution.find((one) => this.others[one] >= 0);
    return met === undefined ? this.solution : [...this.solution, this.others[met]];
  }

  isFromGoal(node) {
    return this.sorting === "ends" && this.roots[node] === 1;
  }

  // Board of a node, and the tiles moved from its root.
  board(node) {
    const root = this.rootBoards?.[this.roots[node]] ?? (this.isFromGoal(node) ? this.goal : this.start);
    const cells = [...root.cells];
    const tiles = [];
    let blank = cells.indexOf(0);
    for (const place of this.path(node).slice(1)) {
      const cell = this.blanks[place];
      tiles.push(cells[cell]);
      [cells[blank], cells[cell]] = [cells[cell], 0];
      blank = cell;
    }
    return { cols: root.cols, cells, tiles };
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
