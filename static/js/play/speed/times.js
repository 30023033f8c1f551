// Solves of speed mode without the page: times by the rules of the World Cube Association (WCA), the stored list and
// links. A result is an integer in hundredths of a second, and DNF is the worst.
import { parse, slide, slidesOf, tileMoving } from "../../board.js";
import { read, writeText } from "../../storage.js";

export const DNF = Infinity;
export const INSPECTION_SECONDS = 15; // of looking, which cost nothing (WCA A4b)
export const LONGEST_INSPECTION_SECONDS = 17; // up to this it costs two seconds, then it is a DNF
const PENALTY_HUNDREDTHS = 200;

export function inspectionPenalty(milliseconds) {
  if (milliseconds > 1000 * LONGEST_INSPECTION_SECONDS) return "DNF";
  return milliseconds > 1000 * INSPECTION_SECONDS ? "+2" : "";
}

// A single time is cut to hundredths; averages and means are rounded (WCA 9f1).
export function resultOf({ ms, penalty }) {
  if (penalty === "DNF") return DNF;
  return Math.floor(ms / 10) + (penalty === "+2" ? PENALTY_HUNDREDTHS : 0);
}

const sum = (results) => results.reduce((total, result) => total + result, 0);
const rounded = (results) => Math.round(sum(results) / results.length);

// The best of the results, null if empty
export const best = (results) => (results.length > 0 ? Math.min(...results) : null);

// The mean of all results except DNF, null if empty
export function mean(results) {
  const finished = results.filter((result) => result !== DNF);
  return finished.length > 0 ? rounded(finished) : null;
}

// The average: the best and the worst do not count. A DNF is the worst, so that two make it a DNF.
export function average(results) {
  const middle = [...results].sort((a, b) => a - b || 0).slice(1, -1);
  return middle.includes(DNF) ? DNF : rounded(middle);
}

// The average of the last `count` results, null if there are fewer
export const lastAverage = (results, count) =>
  (results.length < count ? null : average(results.slice(-count)));

export const averages = (results, count) =>
  results.map((_, i) => lastAverage(results.slice(0, i + 1), count));

export function bestAverage(results, count) {
  return best(averages(results, count).filter((one) => one !== null));
}

export function timeText(result) {
  if (result === null) return "–";
  if (result === DNF) return "DNF";
  const pad = (n) => String(n).padStart(2, "0");
  const [minutes, seconds] = [Math.floor(result / 6000), Math.floor(result / 100) % 60];
  const [hours, cut] = [Math.floor(minutes / 60), pad(result % 100)];
  if (hours) return `${hours}:${pad(minutes % 60)}:${pad(seconds)}.${cut}`;
  return minutes ? `${minutes}:${pad(seconds)}.${cut}` : `${seconds}.${cut}`;
}

export const cutText = (ms) => timeText(Math.floor(ms / 10));

// Moves per second, null for zero time
export const movesASecond = (moves, ms) => (ms > 0 ? (1000 * moves) / ms : null);

// Boards after each slide from `start` on; null if a slide is illegal
export function boardsOf(start, text) {
  const boards = [parse(start)];
  for (const { way, count } of slidesOf(text)) {
    const tile = tileMoving(boards.at(-1), way, count);
    const next = tile && slide(boards.at(-1), tile);
    if (!next) return null;
    boards.push(next);
  }
  return boards;
}

// Times at which each row of the goal was completed for good. `times` holds the milliseconds between
// slides, 0 for the first. Null if the goal is not reached.
export function splits({ start, goal, slides, times }) {
  const { cols, cells: wanted } = parse(goal);
  const boards = boardsOf(start, slides);
  if (boards?.length !== times.length + 1 || boards.at(-1).cells.join() !== wanted.join()) return null;
  const ends = times.map((_, i) => sum(times.slice(0, i + 1)));
  const isDone = (board, row) => {
    const at = row * cols;
    return board.cells.slice(at, at + cols).every((tile, col) => tile === wanted[at + col]);
  };
  return Array.from({ length: wanted.length / cols }, (_, row) => {
    const last = boards.findLastIndex((board) => !isDone(board, row)); // of the boards before it was
    return last < 0 ? 0 : ends[last];
  });
}

// Solves in browser storage, oldest first: { at, puzzle, kind, ms, penalty, moves, slides, times }. Only recent
// solves have the last two.
export const SOLVES = "solves";
export const MOST_SOLVES = 1000; // some 100 kB
export const MOST_REPLAYS = 50; // the latest solves, stored with their moves
export const MOST_SLIDES = 3000; // of a solve stored with its moves: some 20 kB

export const loadSolves = () => read(SOLVES, []);

// Keep the recent solves, and the moves of the most recent
export function bounded(solves) {
  const latest = [...solves].sort((a, b) => a.at - b.at).slice(-MOST_SOLVES);
  return latest.map((solve, i) => {
    if (i >= latest.length - MOST_REPLAYS && (solve.times?.length ?? 0) <= MOST_SLIDES) return solve;
    const { slides, times, ...rest } = solve;
    return rest;
  });
}

// Both lists, each solve once, as in `mine` if it is in both
export const united = (mine, others) =>
  [...new Map([...others, ...mine].map((solve) => [`${solve.at} ${solve.puzzle}`, solve])).values()];

// Store bounded solves; returns whether the browser had room.
export const saveSolves = (solves) => writeText(SOLVES, solves.length > 0 ? JSON.stringify(solves) : null);

const LONGEST = 36 ** 6; // milliseconds between two moves

/** Times of moves in a link, as webapp/play/links.py reads them: milliseconds in base 36 with points between. */
export const timesText = (times) => times.map((ms) => (ms > 0 ? ms.toString(36) : "")).join(".");

/** Read `count` times; null if the text does not hold them. */
export function readTimes(text, count) {
  const times = text.split(".").map((one) => (one === "" ? 0 : parseInt(one, 36)));
  const isRight = /^[0-9a-z.]*$/.test(text) && times.length === count;
  return isRight && times.every((ms) => ms < LONGEST) ? times : null;
}

// Link to a timed solve. The moves are in the URL's query, so the server checks them. Times follow the #,
// which is never sent.
export const MOST_MOVES = 1500; // as many as a link to a solution has
const TIMES = "#times=";

// Single moves: in a slide of several tiles, all but the first take no time
function stepsOf({ slides, times }) {
  return slidesOf(slides).flatMap(({ way, count }, i) =>
    Array.from({ length: count }, (_, n) => ({ way, ms: n === 0 ? times[i] : 0 })));
}

// A list of moves with run lengths, for example "U2R"
const packed = (ways) => ways.replace(/(.)\1+/g, (run, way) => way + run.length);

// URL of the replay, null if the solve is too long. `game` is the game's URL.
export function linkOf(solve, game) {
  if (!solve.slides || solve.moves > MOST_MOVES) return null;
  const steps = stepsOf(solve);
  const moves = packed(steps.map(({ way }) => way).join(""));
  const times = timesText(steps.map(({ ms }) => ms));
  return `${game.replace(/\/play\/.*/, "/replay/")}${solve.puzzle}?moves=${moves}${TIMES}${times}`;
}

// Milliseconds of each move in a URL, null if invalid
export function timesIn(hash, count) {
  return hash.startsWith(TIMES) && count <= MOST_MOVES ? readTimes(hash.slice(TIMES.length), count) : null;
}
