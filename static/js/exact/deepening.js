// IDA* with pattern databases, as in slidewise/solver/engines/pattern_deepening.py on one core, without its automaton:
// the first shortest solution in the order blank up, down, left, right.
import { neighbours } from "./patterns.js";

const LONGEST = 256; // moves of a path

export class Deepening {
  // `tables` are from patterns.js for the goal. The bound may be raised to a known bound.
  constructor(tables, cols, start, atLeast = 0) {
    const views = tables.views.length === 2 ? tables.views : [tables.views[0], tables.views[0]];
    Object.assign(this, { values: tables.values, views, board: Uint8Array.from(start) });
    this.indices = views.map(({ map, group, weight }) => {
      const indices = Int32Array.from(tables.starts);
      start.forEach((tile, cell) => { if (tile) indices[group[tile]] += weight[tile] * map[cell]; });
      return indices;
    });
    const [first, second] = this.indices.map((indices) => indices.reduce((sum, index) => sum + this.values[index], 0));
    this.isGoal = first === 0;
    const parity = first % 2;
    this.limit = Math.max(first, second, atLeast + (atLeast + parity) % 2);
    this.level = 0;
    this.following = Infinity; // lowest f above the limit
    this.expanded = 1;
    const blanks = new Int32Array(LONGEST);
    blanks[0] = start.indexOf(0);
    const [estimates, others] = [new Int32Array(LONGEST), new Int32Array(LONGEST)];
    [estimates[0], others[0]] = [first, second];
    const near = neighbours(start.length / cols, cols);
    Object.assign(this, { near, blanks, next: new Int32Array(LONGEST), estimates, others });
  }

  // Expand up to `budget` boards; return whether the goal is found. The bound is `limit`.
  advance(budget) {
    if (this.isGoal) return true;
    const { values, near, board, blanks, next, estimates, others, limit } = this;
    const [{ map, group, weight }, { map: otherMap, group: otherGroup, weight: otherWeight }] = this.views;
    const [indices, otherIndices] = this.indices;
    let { level, following } = this;
    let left = budget;
    while (left > 0 && level >= 0) {
      const blank = blanks[level];
      const before = level > 0 ? blanks[level - 1] : -1;
      if (next[level] === near[blank].length) {
        if (level > 0) { // the tile moves back
          const tile = board[before];
          board[blank] = tile;
          board[before] = 0;
          indices[group[tile]] += weight[tile] * (map[blank] - map[before]);
          otherIndices[otherGroup[tile]] += otherWeight[tile] * (otherMap[blank] - otherMap[before]);
        }
        level -= 1;
        continue;
      }
      const cell = near[blank][next[level]];
      next[level] += 1;
      if (cell === before) continue;
      const tile = board[cell];
      const index = indices[group[tile]];
      const after = index + weight[tile] * (map[blank] - map[cell]);
      const estimate = estimates[level] + values[after] - values[index];
      if (level + 1 + estimate > limit) {
        if (level + 1 + estimate < following) following = level + 1 + estimate;
        continue;
      }
      const otherIndex = otherIndices[otherGroup[tile]];
      const otherAfter = otherIndex + otherWeight[tile] * (otherMap[blank] - otherMap[cell]);
      const other = others[level] + values[otherAfter] - values[otherIndex];
      if (level + 1 + other > limit) {
        if (level + 1 + other < following) following = level + 1 + other;
        continue;
      }
      indices[group[tile]] = after;
      otherIndices[otherGroup[tile]] = otherAfter;
      board[blank] = tile;
      board[cell] = 0;
      level += 1;
      left -= 1;
      blanks[level] = cell;
      next[level] = 0;
      estimates[level] = estimate;
      others[level] = other;
      if (estimate === 0) {
        this.level = level;
        this.expanded += budget - left;
        this.isGoal = true;
        return true;
      }
    }
    this.expanded += budget - left;
    Object.assign(this, { level, following });
    if (level < 0) this.deepen();
    return false;
  }

  deepen() {
    this.limit = this.following;
    this.following = Infinity;
    this.level = 0;
    this.next[0] = 0;
  }

  // Tiles of the path that was found. The board is the goal.
  path() {
    const tiles = [];
    const board = [...this.board];
    for (let level = this.level; level > 0; level -= 1) {
      const [from, to] = [this.blanks[level], this.blanks[level - 1]];
      tiles.unshift(board[to]);
      [board[from], board[to]] = [board[to], 0];
    }
    return tiles;
  }
}
