// Searches of all boards of `space_boards.js`, each in its plain form. They expand the boards that the
// library expands, in its order; tests compare both.
//
// A search takes the neighbours of the boards, its start, h of each board and a function that notes an
// expansion. It returns the boards of its path, or null. The goal is board 0.

const GOAL = 0;
const WAYS = 4;
const NONE = -1;
const OFFSET = 200_000; // bucket of rank 0: depth-first search has negative ranks

class Cutoff extends Error {}

// Take the node with the lowest rank(g, h), of equal nodes the first generated. With `reopen`, a
// shorter path adds a reached board again.
const bestFirst = (rank, reopen = true) => ({ neighbours, start, h, expand }) => {
  const heads = new Int32Array(2 * OFFSET).fill(NONE);
  const tails = new Int32Array(2 * OFFSET).fill(NONE);
  const boards = [], parents = [], depths = [], next = [];
  const reached = new Int32Array(neighbours.length / WAYS).fill(NONE);
  let lowest = 2 * OFFSET;
  let waiting = 0;
  const add = (board, parent, g) => {
    const node = boards.length;
    const bucket = OFFSET + rank(g, h[board]);
    boards.push(board);
    parents.push(parent);
    depths.push(g);
    next.push(NONE);
    reached[board] = g;
    if (heads[bucket] === NONE) heads[bucket] = node;
    else next[tails[bucket]] = node;
    tails[bucket] = node;
    lowest = Math.min(lowest, bucket);
    waiting += 1;
  };
  add(start, NONE, 0);
  while (waiting > 0) {
    while (heads[lowest] === NONE) lowest += 1;
    const node = heads[lowest];
    heads[lowest] = next[node];
    waiting -= 1;
    const board = boards[node];
    const g = depths[node];
    if (g > reached[board]) continue; // a shorter path was found meanwhile
    if (board === GOAL) return pathTo(node, boards, parents);
    expand(board);
    for (let way = 0; way < WAYS; way += 1) {
      const successor = neighbours[board * WAYS + way];
      if (successor === NONE) continue;
      const before = reached[successor];
      if (before === NONE || (reopen && g + 1 < before)) add(successor, node, g + 1);
    }
  }
  return null;
};

function pathTo(last, boards, parents) {
  const path = [];
  for (let node = last; node !== NONE; node = parents[node]) path.push(boards[node]);
  return path.reverse();
}

const successorsOf = (neighbours, board) =>
  [...neighbours.subarray(board * WAYS, (board + 1) * WAYS)].filter((one) => one !== NONE);

// Expand the smaller of the two outermost layers until it meets the other side
function bidirectional({ neighbours, start, expand }) {
  if (start === GOAL) return [start];
  const parents = [new Map([[start, NONE]]), new Map([[GOAL, NONE]])];
  const layers = [[start], [GOAL]];
  while (layers[0].length > 0 && layers[1].length > 0) {
    const turn = layers[0].length <= layers[1].length ? 0 : 1;
    const [here, there] = [parents[turn], parents[1 - turn]];
    const layer = layers[turn];
    layers[turn] = [];
    for (const board of layer) {
      expand(board);
      for (const successor of successorsOf(neighbours, board)) {
        if (there.has(successor)) {
          const [first, second] = turn === 0 ? [board, successor] : [successor, board];
          return [...upward(parents[0], first).reverse(), ...upward(parents[1], second)];
        }
        if (!here.has(successor)) {
          here.set(successor, board);
          layers[turn].push(successor);
        }
      }
    }
  }
  return null;
}

function upward(parents, from) {
  const path = [];
  for (let board = from; board !== NONE; board = parents.get(board)) path.push(board);
  return path;
}

// Search depth-first within 0 moves, then 1, 2, 3 and so on; never move straight back
function iddfs({ neighbours, start, expand }) {
  const path = [];
  const search = (board, before, left) => {
    path.push(board);
    if (board === GOAL) return true;
    if (left > 0) {
      expand(board);
      for (const successor of successorsOf(neighbours, board))
        if (successor !== before && search(successor, board, left - 1)) return true;
    }
    path.pop();
    return false;
  };
  for (let limit = 0; ; limit += 1) if (search(start, NONE, limit)) return path;
}

// Search depth-first within a limit on f = g + h, then within the lowest f above it
function idastar({ neighbours, start, h, expand }) {
  const path = [];
  let limit = h[start];
  let above = Infinity;
  const search = (board, before) => {
    path.push(board);
    if (board === GOAL) return true;
    expand(board);
    for (const successor of successorsOf(neighbours, board)) {
      const f = path.length + h[successor];
      if (successor === before) continue;
      if (f > limit) above = Math.min(above, f);
      else if (search(successor, board)) return true;
    }
    path.pop();
    return false;
  };
  while (limit < Infinity) {
    above = Infinity;
    if (search(start, NONE)) return path;
    limit = above;
  }
  return null;
}

// Follow the lowest stored f until an alternative on the path is lower
function rbfs({ neighbours, start, h, expand }) {
  const path = [];
  const search = (board, before, stored, limit) => {
    const g = path.length;
    path.push(board);
    if (board === GOAL) return NONE;
    expand(board);
    const least = stored > g + h[board] ? stored : 0; // it was expanded before
    const successors = successorsOf(neighbours, board).filter((one) => one !== before);
    const values = successors.map((one) => Math.max(least, g + 1 + h[one]));
    for (;;) {
      const lowest = Math.min(...values);
      if (lowest === Infinity || lowest > limit) {
        path.pop();
        return lowest;
      }
      const best = values.indexOf(lowest);
      const others = values.filter((_, place) => place !== best);
      const found = search(successors[best], board, lowest, Math.min(limit, ...others));
      if (found === NONE) return NONE;
      values[best] = found;
    }
  };
  return search(start, NONE, h[start], Infinity) === NONE ? path : null;
}

const SEARCHES = {
  bfs: bestFirst((g) => g, false),
  dfs: bestFirst((g) => -g, false),
  ucs: bestFirst((g) => g),
  greedy: bestFirst((g, h) => h),
  astar: bestFirst((g, h) => g + h),
  wastar: bestFirst((g, h) => 2 * g + 3 * h), // w = 1.5, times 2
  bidirectional, iddfs, idastar, rbfs,
};

// Run a search for at most `most` expansions: the boards that it expanded in order, and its path,
// or null
export function run(algorithm, neighbours, start, h, most) {
  const expanded = new Int32Array(most);
  let count = 0;
  const expand = (board) => {
    if (count === most) throw new Cutoff();
    expanded[count] = board;
    count += 1;
  };
  let path = null;
  try {
    path = SEARCHES[algorithm]({ neighbours, start, h, expand });
  } catch (error) {
    if (!(error instanceof Cutoff)) throw error;
  }
  return { expanded: expanded.slice(0, count), path };
}
