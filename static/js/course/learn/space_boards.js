// All boards that can reach a goal, numbered in breadth-first order from it: the goal is 0, and the
// boards of a distance follow each other, boards of the same parent side by side.
import { linearConflict, manhattan, misplaced } from "./space_estimates.js";

const CELLS = 9;
const BOARDS = 181440;
const ARRANGEMENTS = 362880;
const WAYS = 4; // blank up, down, left, right

const FACTORIALS = [40320, 5040, 720, 120, 24, 6, 2, 1, 1];
const ONES = Uint8Array.from({ length: 512 }, (_, mask) => mask.toString(2).replaceAll("0", "").length);

// Cells that the blank reaches from each cell, -1 beyond the border
const TARGETS = Array.from({ length: CELLS }, (_, cell) => [
  cell > 2 ? cell - 3 : -1, cell < 6 ? cell + 3 : -1,
  cell % 3 > 0 ? cell - 1 : -1, cell % 3 < 2 ? cell + 1 : -1,
]);

// Lexicographic rank of the nine tiles from `first` on
function rank(cells, first) {
  let [sum, used] = [0, 0];
  for (let place = 0; place < CELLS; place += 1) {
    const tile = cells[first + place];
    sum += FACTORIALS[place] * (tile - ONES[used & ((1 << tile) - 1)]);
    used |= 1 << tile;
  }
  return sum;
}

// `cells` has nine tiles for each board, `neighbours` four numbers, or -1. `firsts` has the first
// number of each distance, and at its end the number of boards.
export function allBoards(goal) {
  const cells = new Uint8Array(BOARDS * CELLS);
  const neighbours = new Int32Array(BOARDS * WAYS).fill(-1);
  const distances = new Uint8Array(BOARDS);
  const numbers = new Int32Array(ARRANGEMENTS).fill(-1);
  const firsts = [0];
  const after = new Uint8Array(CELLS);
  cells.set(goal);
  numbers[rank(goal, 0)] = 0;
  let count = 1;
  for (let board = 0; board < count; board += 1) {
    const own = cells.subarray(board * CELLS, (board + 1) * CELLS);
    const blank = own.indexOf(0);
    if (distances[board] === firsts.length) firsts.push(board);
    for (let way = 0; way < WAYS; way += 1) {
      const target = TARGETS[blank][way];
      if (target < 0) continue;
      after.set(own);
      after[blank] = own[target];
      after[target] = 0;
      const place = rank(after, 0);
      if (numbers[place] < 0) {
        cells.set(after, count * CELLS);
        distances[count] = distances[board] + 1;
        numbers[place] = count;
        count += 1;
      }
      neighbours[board * WAYS + way] = numbers[place];
    }
  }
  return { cells, neighbours, distances, numbers, firsts: [...firsts, count] };
}

// Number of the board with these nine tiles, -1 if it cannot reach the goal
export const numberOf = ({ numbers }, cells) => numbers[rank(cells, 0)];

export const cellsOf = ({ cells }, board) => [...cells.subarray(board * CELLS, (board + 1) * CELLS)];

// Boards on a shortest way to the goal; of several moves the first, blank up, down, left, right
export function wayHome({ neighbours, distances }, board) {
  const way = [board];
  for (let here = board; distances[here] > 0;) {
    const nearer = neighbours.subarray(here * WAYS, (here + 1) * WAYS);
    here = nearer.find((one) => one >= 0 && distances[one] < distances[here]);
    way.push(here);
  }
  return way;
}

const ESTIMATES = { "linear-conflict": linearConflict, manhattan, misplaced };

// h of each board
export function estimates({ cells }, goal, heuristic) {
  const values = new Uint8Array(BOARDS);
  const value = ESTIMATES[heuristic](goal);
  for (let board = 0; board < BOARDS; board += 1) values[board] = value(cells, board * CELLS);
  return values;
}
