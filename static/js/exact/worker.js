// Worker of the exact engine: tables of small boards, searches on larger boards.
import { distances, entries, storedOr } from "./table.js";

const SLICE = 20_000; // expansions between two messages, some milliseconds

const searches = new Map(); // by id, the newest at the end
const stopped = new Set(); // ids of searches that had not begun
const pause = new MessageChannel(); // lets messages in between two slices
let tools = { of: null }; // of the last goal: 34 MB for 16 cells

addEventListener("message", async ({ data: { id, table, search, stop } }) => {
  if (table) {
    const { rows, cols, blank } = table;
    const found = await storedOr(`${rows}x${cols}-${blank}`, entries(rows, cols), () => distances(rows, cols, blank));
    postMessage({ id, table: found }, [found.buffer]);
  } else if (search) {
    const { values, Deepening } = await toolsOf(search.cols, search.goal);
    const { cols, start, atLeast } = search;
    if (start && !stopped.delete(id)) begin(id, new Deepening(values, cols, start, atLeast));
    else postMessage({ id });
  } else if (searches.delete(stop)) postMessage({ id: stop });
  else stopped.add(stop);
});

// The page gets an error event
addEventListener("unhandledrejection", ({ reason }) => reportError(reason));
for (const from of [globalThis, pause.port1])
  from.addEventListener("messageerror", () => reportError(new Error("unreadable message")));

function toolsOf(cols, goal) {
  const of = `${cols} ${goal.join(".")}`;
  if (tools.of !== of) tools = { of, ready: load(goal.length / cols, cols, goal) };
  return tools.ready;
}

// Boards of a table need none of these modules.
async function load(rows, cols, goal) {
  const [{ Deepening }, { patterns }] = await Promise.all([import("./deepening.js"), import("./patterns.js")]);
  return { Deepening, values: await patterns(rows, cols, goal) };
}

function begin(id, deepening) {
  if (searches.size === 0) pause.port2.postMessage(null);
  searches.set(id, deepening);
  postMessage({ id, atLeast: deepening.limit });
}

// The newest search goes on; older searches wait for its end.
pause.port1.onmessage = () => {
  const newest = [...searches].at(-1);
  if (!newest) return;
  const [id, deepening] = newest;
  const { limit } = deepening;
  if (deepening.advance(SLICE)) {
    searches.delete(id);
    postMessage({ id, path: deepening.path() });
  } else if (deepening.limit > limit) postMessage({ id, atLeast: deepening.limit });
  pause.port2.postMessage(null);
};
