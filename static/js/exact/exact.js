// Exact answers without the server: the moves to the goal, the best tile, a shortest solution.
//
// `open({ goal })` returns the engine of a goal, null above 16 cells and without workers. Boards are those of
// board.js. The engine computes nothing before its first question. Its methods:
//   prepare()                      computes the tables in the worker; a promise
//   distanceNow(board)             { moves, exact } at once, or null if nothing is known
//   ask(board, onBound)            a promise of { moves, exact, path }; the next call stops its search
//   solve(board, onBound, signal)  the same, until the signal aborts it
// `moves` is the length of a shortest solution, or with `exact` false a proved lower bound; Infinity if the
// board is unsolvable. `path` has the tiles of a shortest solution, so that path[0] is the best tile, or is
// null. Of several it is the first in the order blank up, down, left, right, as on the server. `onBound` is
// called with each new bound. A promise rejects if the worker cannot be loaded or has no memory.
import { format, slide, solvable, tileMoving } from "../board.js";

const TABLE_CELLS = 10;
const SEARCH_CELLS = 16;
const TABLES = 4; // in memory, of up to 1.8 MB each
const ASK_MILLISECONDS = 30_000; // limit of a search in the background
const KNOWN_BOARDS = 2000; // of larger sizes, with their paths
const BLANK_WAYS = ["D", "U", "R", "L"]; // moves of tiles that move the blank up, down, left and right

const tables = new Map(); // promises by size and blank of the goal, the last used at the end
const listeners = new Map(); // by the ids of questions: { resolve, reject, onBound }
let worker = null;
let questions = 0;

export function open({ goal }) {
  if (!window.Worker || goal.cells.length > SEARCH_CELLS) return null;
  return goal.cells.length <= TABLE_CELLS ? new SmallBoards(goal) : new LargeBoards(goal);
}

const NEVER = { moves: Infinity, exact: true, path: null };

// The boards after a move, in the order of the tie rule.
function successors(board) {
  return BLANK_WAYS.map((way) => tileMoving(board, way)).filter(Boolean)
    .map((tile) => ({ tile, after: slide(board, tile) }));
}

// Up to 10 cells: all distances in a table, which the worker computes once for a goal's blank.
class SmallBoards {
  constructor(goal) {
    this.goal = goal;
    this.table = null;
  }

  async prepare() {
    this.table ??= await tableOf(this.goal);
  }

  distanceNow(board) {
    if (!solvable(board, this.goal)) return { moves: Infinity, exact: true };
    return this.table && { moves: this.distance(board), exact: true };
  }

  async ask(board) {
    await this.prepare();
    if (!solvable(board, this.goal)) return NEVER;
    const path = this.path(board);
    return { moves: path.length, exact: true, path };
  }

  solve(board) {
    return this.ask(board);
  }

  distance({ cells }) {
    return lookUp(this.table, this.goal.cells, cells);
  }

  path(board) {
    const path = [];
    for (let moves = this.distance(board); moves > 0; moves -= 1) {
      const { tile, after } = successors(board).find((one) => this.distance(one.after) < moves);
      path.push(tile);
      board = after;
    }
    return path;
  }
}

// From 11 to 16 cells: searches in the worker. Boards along a solution found are known, and the
// moves left change by 1 with each move.
class LargeBoards {
  constructor(goal) {
    this.goal = goal;
    this.known = new Map();
    this.remember(goal, []);
    this.last = null; // { text, stop, answer } of the latest question
  }

  async prepare() {
    await this.question({}).answer;
  }

  distanceNow(board) {
    if (!solvable(board, this.goal)) return { moves: Infinity, exact: true };
    const known = this.known.get(format(board));
    if (known?.exact) return { moves: known.moves, exact: true };
    let [least, most] = [known?.moves ?? 0, Infinity];
    for (const { after } of successors(board)) {
      const next = this.known.get(format(after));
      least = Math.max(least, (next?.moves ?? 0) - 1);
      if (next?.exact) most = Math.min(most, next.moves + 1);
    }
    if (least === 0 && most < Infinity) least = most; // not the goal: 1 next to the goal, 2 next to a board with 1
    return least > 0 ? { moves: least, exact: least === most } : null;
  }

  ask(board, onBound) {
    const text = format(board);
    if (this.last?.text === text) return this.last.answer;
    this.last?.stop.abort();
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), ASK_MILLISECONDS);
    const answer = this.solve(board, onBound, stop.signal).finally(() => clearTimeout(timer));
    this.last = { text, stop, answer };
    return answer;
  }

  async solve(board, onBound = () => {}, signal = null) {
    if (!solvable(board, this.goal)) return NEVER;
    const text = format(board);
    if (this.known.get(text)?.path) return this.known.get(text);
    const atLeast = this.distanceNow(board)?.moves ?? 0;
    const { id, answer } = this.question({ start: board.cells, atLeast }, (bound) => {
      this.raise(text, bound);
      onBound(bound);
    });
    const stop = () => worker?.postMessage({ stop: id });
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    const { path } = await answer;
    signal?.removeEventListener("abort", stop);
    if (path) this.remember(board, path);
    return this.known.get(text) ?? { moves: atLeast, exact: false, path: null };
  }

  question(search, onBound) {
    return post({ search: { cols: this.goal.cols, goal: this.goal.cells, ...search } }, onBound);
  }

  raise(text, moves) {
    const known = this.known.get(text);
    if (!known || (!known.exact && known.moves < moves)) this.store(text, { moves, exact: false, path: null });
  }

  remember(board, path) {
    path.forEach((tile, made) => {
      this.store(format(board), { moves: path.length - made, exact: true, path: path.slice(made) });
      board = slide(board, tile);
    });
    this.store(format(this.goal), { moves: 0, exact: true, path: [] }); // the goal stays known
  }

  store(text, answer) {
    this.known.delete(text);
    this.known.set(text, answer);
    if (this.known.size > KNOWN_BOARDS) this.known.delete(this.known.keys().next().value);
  }
}

// Distance of a solvable board in the table of `goal`, both as cells row by row: table.js numbers
// the boards.
function lookUp(table, goal, cells) {
  const left = goal.filter((tile) => tile);
  let rank = 0;
  for (const tile of cells) {
    if (!tile) continue;
    const below = left.indexOf(tile);
    rank = rank * left.length + below;
    left.splice(below, 1);
  }
  const boards = table.length / goal.length; // for each cell of the blank
  return table[(goal.length - 1 - cells.indexOf(0)) * boards + (rank >> 1)];
}

function tableOf({ cols, cells }) {
  const rows = cells.length / cols;
  const blank = cells.indexOf(0);
  const key = `${rows}x${cols} ${blank}`;
  const table = tables.get(key) ?? post({ table: { rows, cols, blank } }).answer.then((answer) => answer.table);
  tables.delete(key);
  tables.set(key, table);
  table.catch(() => tables.delete(key));
  if (tables.size > TABLES) tables.delete(tables.keys().next().value);
  return table;
}

// Post a question to the worker. Bounds may come before the answer.
function post(question, onBound = () => {}) {
  worker ??= startWorker();
  questions += 1;
  const id = questions;
  const answer = new Promise((resolve, reject) => { listeners.set(id, { resolve, reject, onBound }); });
  worker.postMessage({ id, ...question });
  return { id, answer };
}

function startWorker() {
  const name = document.documentElement.dataset.offline === "off" ? "unstored" : "";
  const started = new Worker(new URL("worker.js", import.meta.url), { type: "module", name });
  started.addEventListener("message", ({ data }) => {
    const { resolve, onBound } = listeners.get(data.id);
    if (data.atLeast !== undefined) return onBound(data.atLeast);
    listeners.delete(data.id);
    resolve(data);
  });
  const fail = () => {
    started.terminate();
    worker = null;
    for (const { reject } of listeners.values()) reject(new Error("the worker could not be loaded, or has no memory"));
    listeners.clear();
  };
  for (const type of ["error", "messageerror"]) started.addEventListener(type, fail);
  return started;
}
