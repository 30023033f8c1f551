// Layout of a search tree by d3-hierarchy: a column for each depth, so that long paths use the wide
// side of the screen.
const PITCH = { 1: 28, 2: 30, 3: 28, 4: 25, 5: 22 }; // from a tile to the next, by the longer side
const PADDING = 5; // between a node's frame and its tiles
const PLAIN = [64, 48]; // width and height of a node of a board too large to be drawn in it
const BETWEEN_COLUMNS = 56;
const BETWEEN_ROWS = 26; // room for the badge of the node below
const LABEL = 24; // under a node: f = g + h
export const DROPPED_SCALE = 0.8;

// Size and spacing of nodes.
export function measure({ cols, cells }, labelled) {
  const rows = cells.length / cols;
  const pitch = PITCH[Math.max(rows, cols)] ?? 0;
  const [w, h] = pitch ? [cols * pitch + 2 * PADDING, rows * pitch + 2 * PADDING] : PLAIN;
  const label = labelled ? LABEL : 4;
  return { pitch, padding: PADDING, w, h, step: w + BETWEEN_COLUMNS, label, room: label + BETWEEN_ROWS };
}

// Positions of the nodes up to an expansion. One layout serves all expansions up to its horizon, so
// that most steps move nothing.
export function layOut(trace, roots, until, sizes) {
  const children = new Map();
  for (let node = 0; node < trace.parents.length; node += 1) {
    const parent = trace.parents[node];
    if (parent < 0 || !roots.includes(trace.roots[node]) || trace.made(node) > until) continue;
    if (!children.has(parent)) children.set(parent, []);
    children.get(parent).push(node);
  }
  const both = roots.length > 1;
  const height = (node) => sizes.h * (trace.isDropped(node) ? DROPPED_SCALE : 1) + sizes.room;
  const root = globalThis.d3.hierarchy(both ? -1 : roots[0], (node) => (node < 0 ? roots : children.get(node)));
  globalThis.d3.tree().nodeSize([1, 1])
    .separation((one, other) => (height(one.data) + height(other.data)) / 2)(root);
  const y = new Map();
  const columns = [];
  root.each(({ data, depth, x }) => {
    if (data < 0) return;
    y.set(data, x);
    (columns[depth - both] ??= []).push(data);
  });
  for (const column of columns) column.sort((one, other) => y.get(one) - y.get(other));
  return { y, columns, until };
}
