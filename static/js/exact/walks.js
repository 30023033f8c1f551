// Redundant walks of the blank: an automaton that a depth-first search follows, as in
// slidewise/solver/engines/walks.py, which explains it. A walk is forbidden if another walk from
// its cell leads to the same board in fewer moves, or in as many and comes earlier in the order up,
// down, left, right. The first of the shortest solutions always remains.

const LONGEST = 10; // moves of a forbidden walk
export const NOWHERE = 2 ** 32 - 1;
export const CELL_BITS = 4;

// Rows of up to four entries in the order of the sides, filled with NOWHERE. An entry has the blank's next cell in
// its low bits, the next row above. The first rows belong to the first cells of walks.
export function walkRows(rows, cols, longest = LONGEST) {
  const onward = neighbours(rows, cols);
  const words = forbidden(onward, longest);
  const prefixes = new Set(onward.map((_, cell) => walkOf(cell, "")));
  for (const { start, sides } of words.values())
    for (let end = 1; end < sides.length; end += 1) prefixes.add(walkOf(start, sides.slice(0, end)));
  return automaton(onward, words, [...prefixes].sort((a, b) => a.length - b.length));
}

// The next cell above, below, left and right of each, -1 over the border.
function neighbours(rows, cols) {
  return Array.from({ length: rows * cols }, (_, cell) => [
    cell >= cols ? cell - cols : -1,
    cell + cols < rows * cols ? cell + cols : -1,
    cell % cols ? cell - 1 : -1,
    (cell + 1) % cols ? cell + 1 : -1,
  ]);
}

const walkOf = (start, sides) => String.fromCharCode(65 + start) + sides;
const startOf = (walk) => walk.charCodeAt(0) - 65;
const endOf = (onward, walk) => [...walk.slice(1)].reduce((cell, side) => onward[cell][side], startOf(walk));
const shorter = (onward, walk) => walkOf(onward[startOf(walk)][walk[1]], walk.slice(2));

// The shortest forbidden walks, by their names. Walks from all cells are extended together.
function forbidden(onward, longest) {
  const cells = [...onward.keys()];
  const reached = cells.map(() => new Set([boardOf(cells)]));
  const words = new Map();
  let walks = cells.map((start) => ({ start, sides: "", blank: start, board: [...cells] }));
  for (let length = 1; length <= longest; length += 1) {
    const longer = [];
    for (const walk of walks)
      onward[walk.blank].forEach((blank, side) => {
        if (blank < 0) return;
        const board = [...walk.board];
        [board[walk.blank], board[blank]] = [board[blank], board[walk.blank]];
        const next = { start: walk.start, sides: walk.sides + side, blank, board };
        const name = boardOf(board);
        if (!reached[walk.start].has(name)) {
          reached[walk.start].add(name);
          longer.push(next);
        } else if (!hasForbiddenEnd(onward, words, walkOf(next.start, next.sides)))
          words.set(walkOf(next.start, next.sides), next);
      });
    walks = longer;
  }
  return words;
}

const boardOf = (board) => String.fromCharCode(...board);

function hasForbiddenEnd(onward, words, walk) {
  for (let end = walk; end.length > 1; end = shorter(onward, end)) if (words.has(end)) return true;
  return false;
}

// As by A. V. Aho and M. J. Corasick, 1975.
function automaton(onward, words, walks) {
  const numbers = new Map(walks.map((walk, number) => [walk, number]));
  const after = walks.map(() => [-1, -1, -1, -1]);
  const table = new Uint32Array(4 * walks.length).fill(NOWHERE);
  walks.forEach((walk, number) => {
    let rest = walk;
    if (walk.length > 1)
      do rest = shorter(onward, rest);
      while (!numbers.has(rest));
    let end = 4 * number;
    onward[endOf(onward, walk)].forEach((cell, side) => {
      if (cell < 0 || words.has(walk + side)) return;
      const row = numbers.get(walk + side) ?? (rest === walk ? cell : after[numbers.get(rest)][side]);
      after[number][side] = row;
      if (row < 0) return;
      table[end] = row << CELL_BITS | cell;
      end += 1;
    });
  });
  return table;
}
