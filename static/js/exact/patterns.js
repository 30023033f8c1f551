// Additive pattern databases of boards of 11 to 16 cells, computed in the worker: for each group of tiles the
// fewest moves of its tiles, by their cells. slidewise/solver/tables/patterns explains the search. The tiles of
// a group occupy a set of cells. A set with a region of the others is a block. A move leads from one block to
// another and permutes the orders of the tiles.
import { storedOr } from "./table.js";

// Groups of tiles by their homes, for the blank of the goal (.) in the first cell that symmetry allows.
const PARTITIONS = [
  ".bbaaa bbbaaa", "b.baaa bbbaaa", "bb.aaa bbbaaa",
  ".baa bbaa bbaa", "b.aa bbaa bbaa", "bbaa .baa bbaa", "bbaa b.aa bbaa",
  ".aaabbb aaacbbb", "a.aabbb aaacbbb", "aa.cbbb aaaabbb", "aaa.bbb aaacbbb",
  ".aacc aabbb aabbb", "a.abb aaabb ccabb", "aa.cc aabbb aabbb",
  "aaacc .abbb aabbb", "aaabb a.abb ccabb", "aaabb aa.bb accbb",
  ".aaccbbb aaaacbbb", "a.aacbbb aaaccbbb", "aa.ccbbb aaaacbbb", "aaa.cbbb aaaccbbb",
  ".abb aabb aabb accc", "a.aa aaac bbbc bbbc", "accc a.bb aabb aabb",
];

// The tables of a goal: { values, starts, views }. The table of each group starts at an index in `values`. A
// view has the group of each tile. A move between two cells adds weight * (map[to] - map[from]) to its index.
export async function patterns(rows, cols, goal) {
  const cells = goal.length;
  const { size, maps } = frame(rows, cols, goal.indexOf(0));
  const picture = PARTITIONS.find((one) => isOf(one, size, maps[0][goal.indexOf(0)]));
  const homes = groupsOf(picture);
  const lengths = homes.map((group) => cells ** group.length);
  const starts = lengths.map((_, number) => sum(lengths.slice(0, number)));
  const length = sum(lengths);
  const values = await storedOr(picture.replaceAll(" ", "-"), length, () => build(picture, homes, starts, length));
  const views = maps.map((map) => {
    const tileOf = new Map(goal.map((tile, cell) => [map[cell], tile]));
    const [group, weight] = [new Int32Array(cells), new Int32Array(cells)];
    homes.forEach((of, number) => of.forEach((home, slot) => {
      group[tileOf.get(home)] = number;
      weight[tileOf.get(home)] = cells ** (of.length - 1 - slot);
    }));
    return { map, group, weight };
  });
  return { values, starts, views };
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

function build(picture, homes, starts, length) {
  const values = new Uint8Array(length);
  const lines = picture.split(" ");
  homes.forEach((group, number) =>
    fill(values, starts[number], lines.length, lines[0].length, group, lines.join("").indexOf(".")));
  return values;
}

// The size of the tables, no taller than wide, and the table's cell for each cell of the board: by the first
// symmetry that brings the blank to its lowest cell, and if that is on a diagonal by the reflection in it too.
function frame(rows, cols, blank) {
  const maps = [];
  for (const isUpright of [true, false]) {
    if (isUpright ? rows > cols : rows < cols) continue;
    for (const [isFlipped, isMirrored] of [[false, false], [false, true], [true, false], [true, true]])
      maps.push(Array.from({ length: rows * cols }, (_, cell) => {
        const [row, col] = [Math.floor(cell / cols), cell % cols];
        const [newRow, newCol] = [isFlipped ? rows - 1 - row : row, isMirrored ? cols - 1 - col : col];
        return isUpright ? newRow * cols + newCol : newCol * rows + newRow;
      }));
  }
  const best = Math.min(...maps.map((map) => map[blank]));
  const view = maps.find((map) => map[blank] === best);
  const isOnDiagonal = rows === cols && best % (cols + 1) === 0;
  const reflected = view.map((cell) => cell % cols * cols + Math.floor(cell / cols));
  return { size: [Math.min(rows, cols), Math.max(rows, cols)], maps: isOnDiagonal ? [view, reflected] : [view] };
}

function isOf(picture, [rows, cols], blank) {
  const lines = picture.split(" ");
  return lines.length === rows && lines[0].length === cols && lines.join("").indexOf(".") === blank;
}

function groupsOf(picture) {
  const letters = picture.replaceAll(" ", "");
  const cells = [...Array(letters.length).keys()];
  return ["a", "b", "c"].map((letter) => cells.filter((cell) => letters[cell] === letter))
    .filter((group) => group.length > 0);
}

// Write the table of a group, from `start` on. An index has the cell of each tile as a digit.
function fill(values, start, rows, cols, group, blank) {
  const grid = gridOf(rows, cols, group.length);
  const { masks, first, regions } = grid;
  const cells = rows * cols;
  const home = grid.numbers[group.reduce((mask, cell) => mask | 1 << cell, 0)];
  const costs = search(grid, first[home] + regions[home * cells + blank]);
  const orders = factorial(group.length);
  const places = Uint8Array.from(permutations(group.length).flat()); // the tile in each place
  const weight = group.map((_, tile) => cells ** (group.length - 1 - tile));
  masks.forEach((mask, set) => {
    const occupied = [];
    for (let cell = 0; cell < cells; cell += 1) if (mask >> cell & 1) occupied.push(cell);
    for (let order = 0; order < orders; order += 1) {
      let index = start;
      for (let place = 0; place < group.length; place += 1)
        index += occupied[place] * weight[places[order * group.length + place]];
      let least = 255;
      for (let block = first[set]; block < first[set + 1]; block += 1)
        least = Math.min(least, costs[block * orders + order] - 1 & 255);
      values[index] = least;
    }
  });
}

const factorial = (count) => (count < 2 ? 1 : count * factorial(count - 1));

// All permutations in lexicographic order.
function permutations(size) {
  const extend = (begun, left) => (left.length === 0 ? [begun]
    : left.flatMap((next) => extend([...begun, next], left.filter((one) => one !== next))));
  return extend([], [...Array(size).keys()]);
}

/** The cells above, below, left and right of each. */
export const neighbours = (rows, cols) => Array.from({ length: rows * cols }, (_, cell) => [
  ...(cell >= cols ? [cell - cols] : []), ...(cell + cols < rows * cols ? [cell + cols] : []),
  ...(cell % cols ? [cell - 1] : []), ...((cell + 1) % cols ? [cell + 1] : []),
]);

// The sets of `size` cells, their blocks and the moves between blocks.
function gridOf(rows, cols, size) {
  const cells = rows * cols;
  const near = neighbours(rows, cols);
  const numbers = new Int32Array(1 << cells); // of the sets by their masks
  const masks = [];
  for (let mask = 0; mask < 1 << cells; mask += 1)
    if (bits(mask) === size) numbers[mask] = masks.push(mask) - 1;
  const first = new Int32Array(masks.length + 1); // block of each set
  const regions = new Int8Array(masks.length * cells).fill(-1); // of each cell
  masks.forEach((mask, set) => {
    let count = 0;
    const flood = (cell) => {
      if (mask >> cell & 1 || regions[set * cells + cell] >= 0) return false;
      regions[set * cells + cell] = count;
      near[cell].forEach(flood);
      return true;
    };
    for (let cell = 0; cell < cells; cell += 1) if (flood(cell)) count += 1;
    first[set + 1] = first[set] + count;
  });
  const moves = Array.from({ length: first.at(-1) }, () => []); // pairs of a block and a turn
  masks.forEach((mask, set) => {
    for (let cell = 0; cell < cells; cell += 1) {
      if (!(mask >> cell & 1)) continue;
      for (const blank of near[cell]) {
        if (mask >> blank & 1) continue;
        const after = numbers[mask ^ 1 << cell ^ 1 << blank];
        const turn = bits(mask & (1 << cell) - 1) * size + bits(masks[after] & (1 << blank) - 1);
        moves[first[set] + regions[set * cells + blank]].push(first[after] + regions[after * cells + cell], turn);
      }
    }
  });
  return { size, masks, numbers, first, regions, moves };
}

function bits(mask) {
  let count = 0;
  for (let rest = mask; rest; rest &= rest - 1) count += 1;
  return count;
}

// For each turn: the number of each order after a tile moves to another place.
function turnsOf(size) {
  const list = permutations(size);
  const key = (order) => order.reduce((sum, tile) => sum * size + tile, 0);
  const numbers = new Map(list.map((order, number) => [key(order), number]));
  return Array.from({ length: size * size }, (_, turn) => Uint16Array.from(list, (order) => {
    const [source, target] = [Math.floor(turn / size), turn % size];
    const turned = order.toSpliced(source, 1);
    return numbers.get(key(turned.toSpliced(target, 0, order[source])));
  }));
}

// Breadth-first search from the block `home` with its tiles in order: the cost of each order of
// each block plus 1, 0 if it was not reached.
function search({ size, moves }, home) {
  const orders = factorial(size);
  const turns = turnsOf(size);
  const costs = new Uint8Array(moves.length * orders);
  const states = new Uint16Array(orders);
  costs[home * orders] = 1;
  let active = new Set([home]);
  for (let cost = 1; active.size > 0; cost += 1) {
    const following = new Set();
    for (const block of active) {
      const row = block * orders;
      let count = 0;
      for (let order = 0; order < orders; order += 1)
        if (costs[row + order] === cost) {
          states[count] = order;
          count += 1;
        }
      if (count === 0) continue;
      const ways = moves[block];
      for (let way = 0; way < ways.length; way += 2) {
        const target = ways[way] * orders;
        const turn = turns[ways[way + 1]];
        for (let state = 0; state < count; state += 1) {
          const after = target + turn[states[state]];
          if (costs[after] === 0) costs[after] = cost + 1;
        }
        following.add(ways[way]);
      }
    }
    active = following;
  }
  return costs;
}
