// The layout of a search tree, by d3-hierarchy.
export const ROW = 62; // from one depth to the next

// Where the nodes stand that are made up to an expansion, a row for each depth. One layout serves
// many expansions, up to the next of its horizons, so that most steps move nothing.
export function layOut(trace, roots, until, width) {
  const children = new Map();
  for (let node = 0; node < trace.parents.length; node += 1) {
    const parent = trace.parents[node];
    if (parent < 0 || !roots.includes(trace.roots[node]) || trace.made(node) > until) continue;
    if (!children.has(parent)) children.set(parent, []);
    children.get(parent).push(node);
  }
  const both = roots.length > 1;
  const root = globalThis.d3.hierarchy(both ? -1 : roots[0], (node) => (node < 0 ? roots : children.get(node)));
  globalThis.d3.tree().nodeSize([1, 1])
    .separation((one, other) => (width(one.data) + width(other.data)) / 2)(root);
  const x = new Map();
  const rows = [];
  root.each(({ data, depth, x: place }) => {
    if (data < 0) return;
    x.set(data, place);
    (rows[depth - both] ??= []).push(data);
  });
  for (const row of rows) row.sort((one, other) => x.get(one) - x.get(other));
  return { x, rows, until };
}
