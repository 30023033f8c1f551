// Exact distances: a table of the moves from each board of up to 10 cells to a goal.
//
// A tile's slot is the rank of its home among the homes of all tiles. A board's number is
// (tiles - b) * tiles! + r. Here b is the blank's cell and r the lexicographic rank of the slots, row by
// row. Two numbers that differ in the last bit swap two tiles, so only one of them is solvable, and both
// share an entry. A table depends on the size and the goal's blank. The server's tables are the same.

const UNKNOWN = 255;
const STORE = "tables"; // the cache of computed tables, compressed, by the names of their kinds

// Digits of a rank in the factorial base: digit i is the number of later slots below that of place i.
function weights(tiles) {
  const all = new Int32Array(tiles).fill(1);
  for (let place = tiles - 2; place >= 0; place -= 1) all[place] = all[place + 1] * (tiles - 1 - place);
  return all;
}

// Entries of a table, each for two numbers
export function entries(rows, cols) {
  let count = 1;
  for (let cell = 3; cell <= rows * cols; cell += 1) count *= cell;
  return count;
}

// Breadth-first search from the goal, by numbers.
export function distances(rows, cols, goalBlank) {
  const tiles = rows * cols - 1;
  const weight = weights(tiles);
  const orders = weight[0] * tiles;
  const found = new Uint8Array(entries(rows, cols)).fill(UNKNOWN);
  const queue = new Int32Array(found.length);
  let end = 0;
  const reach = (number, distance) => {
    if (found[number >> 1] !== UNKNOWN) return;
    found[number >> 1] = distance;
    queue[end] = number;
    end += 1;
  };
  reach((tiles - goalBlank) * orders, 0);
  for (let next = 0; next < end; next += 1) {
    const number = queue[next];
    const distance = found[number >> 1] + 1;
    const blank = tiles - Math.floor(number / orders);
    const rank = number % orders;
    const col = blank % cols;
    if (blank >= cols) reach(number + cols * orders + movedOn(rank, weight, blank - cols, cols - 1), distance);
    if (blank + cols <= tiles) reach(number - cols * orders + movedBack(rank, weight, blank, cols - 1), distance);
    if (col > 0) reach(number + orders, distance);
    if (col < cols - 1) reach(number - orders, distance);
  }
  return found;
}

const digit = (rank, weight, place) => Math.floor(rank / weight[place]) % (weight.length - place);

// Change of a rank if the slot at `place` moves `by` places on. `below` counts the lower slots
// among those behind.
function movedOn(rank, weight, place, by) {
  let below = digit(rank, weight, place);
  let change = -below * weight[place];
  for (let at = place + 1; at <= place + by; at += 1) {
    const old = digit(rank, weight, at);
    const isAbove = old >= below;
    change += (isAbove ? old + 1 : old) * weight[at - 1] - old * weight[at];
    if (!isAbove) below -= 1;
  }
  return change + below * weight[place + by];
}

// The inverse: the slot `by` places behind `place` moves to it.
function movedBack(rank, weight, place, by) {
  let below = digit(rank, weight, place + by);
  let change = -below * weight[place + by];
  for (let at = place + by - 1; at >= place; at -= 1) {
    const old = digit(rank, weight, at);
    const isAbove = old > below;
    change += (isAbove ? old - 1 : old) * weight[at + 1] - old * weight[at];
    if (!isAbove) below += 1;
  }
  return change + below * weight[place];
}

const keyOf = (name) => `${location.origin}/${STORE}/${name}`;

// The table from an earlier page, or else `build()`. Browsers have no cache on plain http. A worker
// named `unstored` stores none, if the visitor has set so.
export async function storedOr(name, length, build) {
  const stored = await read(name, length);
  if (stored) return stored;
  const values = build();
  if (globalThis.name !== "unstored") write(name, values).catch(() => {}); // no room, or storage is off: it is built again
  return values;
}

async function read(name, length) {
  try {
    const response = await (await caches.open(STORE)).match(keyOf(name));
    const unpacked = response.body.pipeThrough(new DecompressionStream("gzip"));
    const values = new Uint8Array(await new Response(unpacked).arrayBuffer());
    return values.length === length ? values : null;
  } catch {
    return null;
  }
}

async function write(name, values) {
  const packed = new Blob([values]).stream().pipeThrough(new CompressionStream("gzip"));
  const cache = await caches.open(STORE);
  await cache.put(keyOf(name), new Response(await new Response(packed).blob()));
}
