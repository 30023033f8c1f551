// A board as plain data: number of columns, and cells row by row, 0 for the blank.

export function parse(text) {
  const rows = text.split("-").map((row) => row.split(".").map(Number));
  return { cols: rows[0].length, cells: rows.flat() };
}

export function format({ cols, cells }) {
  const rows = [];
  for (let i = 0; i < cells.length; i += cols) rows.push(cells.slice(i, i + cols).join("."));
  return rows.join("-");
}

export function place({ cols }, cell) {
  return [Math.floor(cell / cols), cell % cols];
}

// The slide of a click on a tile: direction (U, D, L, R) and tiles, the one beside the blank first.
// Null if it cannot slide.
export function line(board, tile) {
  const from = board.cells.indexOf(tile);
  const blank = board.cells.indexOf(0);
  const [row, col] = place(board, from);
  const [blankRow, blankCol] = place(board, blank);
  if (from < 0 || tile === 0 || (row !== blankRow && col !== blankCol)) return null;
  const way = row === blankRow ? (col > blankCol ? "L" : "R") : row > blankRow ? "U" : "D";
  const step = row === blankRow ? Math.sign(col - blankCol) : board.cols * Math.sign(row - blankRow);
  const tiles = [];
  for (let cell = blank; cell !== from; cell += step) tiles.push(board.cells[cell + step]);
  return { way, tiles };
}

// Board after a tile slides with those between it and the blank; null if it cannot slide.
export function slide(board, tile) {
  const sliding = line(board, tile);
  if (!sliding) return null;
  const cells = [...board.cells];
  let blank = cells.indexOf(0);
  for (const next of sliding.tiles) {
    const from = cells.indexOf(next);
    [cells[blank], cells[from]] = [next, 0];
    blank = from;
  }
  return { ...board, cells };
}

export const OPPOSITE = { U: "D", D: "U", L: "R", R: "L" };

// The tile that moves in a direction (U, D, L, R: the tile's), or undefined. With a count, the last
// tile of a line of that length.
export function tileMoving(board, direction, count = 1) {
  const blank = board.cells.indexOf(0);
  const [row, col] = place(board, blank);
  const [down, right] = { U: [count, 0], D: [-count, 0], L: [0, count], R: [0, -count] }[direction];
  const inside = row + down >= 0 && row + down < board.cells.length / board.cols
    && col + right >= 0 && col + right < board.cols;
  return inside ? board.cells[blank + down * board.cols + right] : undefined;
}

// Move the tiles of a drawn board to their places in `board`. `find` returns a tile's element.
export function draw(board, goal, find) {
  board.cells.forEach((tile, cell) => {
    const element = tile && find(tile);
    if (!element) return;
    const [row, col] = place(board, cell);
    const old = [...element.classList].filter((name) => /^[rc]\d$/.test(name));
    element.classList.remove(...old);
    element.classList.add(`r${row}`, `c${col}`);
    element.classList.toggle("home", goal.cells[cell] === tile);
  });
}

// Number of tiles that slides in move notation move
export const count = (slides) =>
  [...slides.matchAll(/[UDLR](\d*)/g)].reduce((sum, [, tiles]) => sum + Number(tiles || 1), 0);
