// Heuristics of 3x3 boards. Each takes a goal and returns the function of h: of the nine tiles in
// `cells` from `first` on.

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8]];

// Sum over the tiles, without the blank, of a number for a tile's cell and its goal cell
function sumOf(goal, number) {
  const table = Array.from({ length: 9 }, (_, tile) =>
    Array.from({ length: 9 }, (_, cell) => (tile === 0 ? 0 : number(cell, goal.indexOf(tile)))));
  return (cells, first) => {
    let sum = 0;
    for (let cell = 0; cell < 9; cell += 1) sum += table[cells[first + cell]][cell];
    return sum;
  };
}

const apart = (one, other) => Math.abs(one - other);

export const misplaced = (goal) => sumOf(goal, (cell, home) => (cell === home ? 0 : 1));

export const manhattan = (goal) => sumOf(goal, (cell, home) =>
  apart(Math.floor(cell / 3), Math.floor(home / 3)) + apart(cell % 3, home % 3));

// Manhattan distance, and 2 for each tile that must leave its line: all but a longest rising part
export function linearConflict(goal) {
  const distance = manhattan(goal);
  return (cells, first) => {
    let sum = distance(cells, first);
    for (const line of LINES) {
      const homes = [];
      for (const cell of line) {
        const home = cells[first + cell] === 0 ? -1 : line.indexOf(goal.indexOf(cells[first + cell]));
        if (home >= 0) homes.push(home);
      }
      if (homes.length > 1) sum += 2 * (homes.length - longestRising(homes));
    }
    return sum;
  };
}

function longestRising(homes) {
  const longest = [];
  homes.forEach((home, place) => {
    const before = longest.filter((_, other) => homes[other] < home);
    longest[place] = 1 + Math.max(0, ...before);
  });
  return Math.max(...longest);
}
