// Places of the boards on a disk with radius 1. Each distance has a ring, wide enough that all boards
// have about the same area, and each board a cell of its ring. Boards follow each other around it, in
// the order of `space_boards.js`, so children lie near their parents.

const NARROWEST = 0.014; // a ring of few boards can still be seen
const EDGE = 0.995;
const TURN = 2 * Math.PI;

// Rings from the goal outwards: inner radius, width, rows of cells, cells in a row, first board, boards.
// The boards of a ring fill it, column by column. An outer ring has fewer boards than cells:
// `slots` has the cell of each, near its parent, and `boards` the board of each cell, or -1.
export function ringsOf({ firsts, distances, neighbours }) {
  const counts = firsts.slice(1).map((end, distance) => end - firsts[distance]);
  const { radii, area } = radiiOf(counts);
  const fullest = counts.indexOf(Math.max(...counts));
  const rings = [];
  counts.forEach((count, distance) => {
    const [inner, width] = [radii[distance], radii[distance + 1] - radii[distance]];
    const cells = Math.floor((width * (2 * inner + width)) / area);
    const hasSlots = distance > fullest && cells > 1.1 * count;
    const side = Math.sqrt((Math.PI * width * (2 * inner + width)) / (hasSlots ? cells : count));
    const rows = Math.min(count, Math.max(1, Math.round(width / side)));
    const columns = Math.ceil((hasSlots ? cells : count) / rows);
    const ring = { inner, width, rows, columns, first: firsts[distance], count };
    if (hasSlots) {
      ring.slots = slotsOf(ring, rings, distances, neighbours);
      ring.boards = new Int32Array(rows * columns).fill(-1);
      ring.slots.forEach((slot, index) => { ring.boards[slot] = firsts[distance] + index; });
    }
    rings.push(ring);
  });
  return rings;
}

// The cell at the angle of the parent, or the next free cell
function slotsOf({ rows, columns, first, count }, rings, distances, neighbours) {
  const slots = new Int32Array(count);
  for (let index = 0; index < count; index += 1) {
    const board = first + index;
    const nearer = [...neighbours.subarray(4 * board, 4 * board + 4)]
      .filter((one) => one >= 0 && distances[one] < distances[board]);
    const [x, y] = place(rings, Math.min(...nearer));
    const beside = rows * Math.floor((turnOf(x, y) / TURN) * columns);
    slots[index] = index ? Math.max(slots[index - 1] + 1, beside) : beside;
  }
  let free = rows * columns;
  for (let index = count - 1; index >= 0; index -= 1) {
    free -= 1;
    slots[index] = Math.min(slots[index], free);
    free = slots[index];
  }
  return slots;
}

// The area of a board, times pi, is found by halving: the larger, the larger the disk
function radiiOf(counts) {
  let [small, large] = [0, 1];
  for (;;) {
    const area = (small + large) / 2;
    const radii = [0];
    for (const count of counts) {
      const inner = radii.at(-1);
      radii.push(Math.max(inner + NARROWEST, Math.sqrt(inner ** 2 + count * area)));
    }
    if (radii.at(-1) > EDGE) large = area;
    else if (radii.at(-1) > EDGE - 0.001) return { radii, area };
    else small = area;
  }
}

const ringOf = (rings, board) => rings.findLast(({ first }) => first <= board);

// Clockwise from the top
const turnOf = (x, y) => (Math.atan2(x, -y) + TURN) % TURN;

// Middle of a board's cell, x to the right and y down
export function place(rings, board) {
  if (board === 0) return [0, 0];
  const { inner, width, rows, columns, first, slots } = ringOf(rings, board);
  const cell = slots ? slots[board - first] : board - first;
  const radius = inner + (width * ((cell % rows) + 0.5)) / rows;
  const angle = (TURN * (Math.floor(cell / rows) + 0.5)) / columns;
  return [radius * Math.sin(angle), -radius * Math.cos(angle)];
}

// Board at a point, or -1
export function boardAt(rings, x, y) {
  const radius = Math.hypot(x, y);
  const { inner, width, rows, columns, first, count, boards } = rings.findLast((ring) => ring.inner <= radius);
  if (radius >= inner + width) return -1;
  const column = Math.min(columns - 1, Math.floor((turnOf(x, y) / TURN) * columns));
  const cell = column * rows + Math.min(rows - 1, Math.floor(((radius - inner) / width) * rows));
  return boards ? boards[cell] : first + Math.min(count - 1, cell);
}

// Side of a picture in pixels: from 800 on, each board has its own pixel
export const SIDE = 900;

// Pixels of a picture: `owners` has the board of each, -1 outside the disk. The pixels of board i are
// `pixels[starts[i]]` up to `pixels[starts[i + 1]]`.
export function pixelsOf(rings) {
  const boards = rings.at(-1).first + rings.at(-1).count;
  const owners = new Int32Array(SIDE * SIDE);
  const starts = new Int32Array(boards + 1);
  for (let pixel = 0; pixel < owners.length; pixel += 1) {
    const x = (2 * ((pixel % SIDE) + 0.5)) / SIDE - 1;
    const y = (2 * (Math.floor(pixel / SIDE) + 0.5)) / SIDE - 1;
    owners[pixel] = boardAt(rings, x, y);
    if (owners[pixel] >= 0) starts[owners[pixel] + 1] += 1;
  }
  for (let board = 0; board < boards; board += 1) starts[board + 1] += starts[board];
  const pixels = new Int32Array(starts[boards]);
  const next = starts.slice();
  owners.forEach((board, pixel) => {
    if (board < 0) return;
    pixels[next[board]] = pixel;
    next[board] += 1;
  });
  return { owners, starts, pixels };
}
