// A recorded search: its state at an expansion depends only on the expansion's number.
import { parse } from "../board.js";

/** Latest value of (number, value) pairs at a number, or `none` before the first. */
export function valueAt(pairs, at, none) {
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
  }

  f(node, at) { return valueAt(this.ranks[node], at, this.ranks[node][1]); }
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

  current(at) {
    if (at > 0) return this.steps[at - 1].node;
    return this.iterations.findLast(([, , first, root]) => first <= 0 && root !== null)?.[3] ?? 0;
  }

  path(node) {
    const path = [node];
    while (this.parents[path[0]] >= 0) path.unshift(this.parents[path[0]]);
    return path;
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
}
