// Exact answers without the server: the moves to the goal, the best tile, a shortest solution.
//
// `open({ goal })` returns the engine of a goal, or null above 16 cells and without workers. Boards are those
// of board.js. An answer is { moves, exact, path }: the moves of a shortest solution, or with `exact` false a
// lower bound of them. `path` has the tiles of the best solution known, or is null. Unsolvable boards have
// Infinity moves. Of several shortest paths it is the first in the order blank up, down, left, right, as on
// the server.
import { parse, slide, tileMoving } from "../board.js";
import { lookUp } from "./table.js";

const TABLE_CELLS = 10;
const TABLES = 4; // in memory, of up to 1.8 MB each
const BLANK_WAYS = ["D", "U", "R", "L"]; // moves of tiles that move the blank up, down, left and right

const tables = new Map(); // promises by size and blank of the goal, the last used at the end
const waiting = new Map(); // resolvers of the worker's answers by id
let worker = null;
let asked = 0;

export function open({ goal }) {
  return goal.cells.length <= TABLE_CELLS && window.Worker ? new SmallBoards(goal) : null;
}

// The tables of the page's game, before they are needed.
export function prepare() {
  open({ goal: parse(document.getElementById("play").dataset.goal) });
}

// Whether a board can reach the goal: the parity of the tiles' permutation is that of the blank's way.
export function solvable(board, goal) {
  const { cols } = goal;
  const cells = [...board.cells];
  let odd = false;
  goal.cells.forEach((tile, cell) => {
    const from = cells.indexOf(tile);
    if (from === cell) return;
    [cells[cell], cells[from]] = [tile, cells[cell]];
    odd = !odd;
  });
  const [from, to] = [board, goal].map((one) => one.cells.indexOf(0));
  const steps = Math.abs(from % cols - to % cols) + Math.abs(Math.floor(from / cols) - Math.floor(to / cols));
  return odd === (steps % 2 === 1);
}

// Up to 10 cells: all distances in a table, which the worker computes once for a goal's blank.
class SmallBoards {
  constructor(goal) {
    this.goal = goal;
    this.table = null;
    this.ready = tableOf(goal).then((table) => { this.table = table; });
    this.ready.catch(() => {}); // each question tells of it
  }

  // At once; null while the table is computed.
  distanceNow(board) {
    if (!solvable(board, this.goal)) return { moves: Infinity, exact: true };
    return this.table && { moves: this.distance(board), exact: true };
  }

  async ask(board) {
    await this.ready;
    const path = solvable(board, this.goal) ? this.path(board) : null;
    return { moves: path ? path.length : Infinity, exact: true, path };
  }

  distance({ cells }) {
    return lookUp(this.table, this.goal.cells, cells);
  }

  path(board) {
    const path = [];
    for (let moves = this.distance(board); moves > 0; moves -= 1) {
      const next = (way) => {
        const tile = tileMoving(board, way);
        return tile && { tile, after: slide(board, tile) };
      };
      const { tile, after } = BLANK_WAYS.map(next).find((one) => one && this.distance(one.after) < moves);
      path.push(tile);
      board = after;
    }
    return path;
  }
}

function tableOf({ cols, cells }) {
  const rows = cells.length / cols;
  const blank = cells.indexOf(0);
  const key = `${rows}x${cols} ${blank}`;
  const table = tables.get(key) ?? post({ rows, cols, blank }).then((answer) => answer.table);
  tables.delete(key);
  tables.set(key, table);
  table.catch(() => tables.delete(key));
  if (tables.size > TABLES) tables.delete(tables.keys().next().value);
  return table;
}

// Ask the worker; rejects if it cannot be loaded.
function post(question) {
  worker ??= startWorker();
  asked += 1;
  worker.postMessage({ id: asked, ...question });
  return new Promise((resolve, reject) => { waiting.set(asked, { resolve, reject }); });
}

function startWorker() {
  const started = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data }) => {
    waiting.get(data.id).resolve(data);
    waiting.delete(data.id);
  });
  started.addEventListener("error", () => {
    worker = null;
    for (const { reject } of waiting.values()) reject(new Error("The worker could not be loaded."));
    waiting.clear();
  });
  return started;
}
