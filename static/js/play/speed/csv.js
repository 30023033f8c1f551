// Export and import of the session as CSV (RFC 4180). A file with any invalid line is rejected as a
// whole.
import { count as movesOf, format, parse } from "../../board.js";
import { _ } from "../../language.js";
import { MOST_SLIDES, MOST_SOLVES, boardsOf } from "./times.js";

export const MOST_BYTES = 5_000_000;
const PENALTY = { "": "", 2: "+2", "+2": "+2", DNF: "DNF" }; // a sheet makes +2 a 2
const BOARD = /^\d{1,2}(\.\d{1,2}){1,9}(-\d{1,2}(\.\d{1,2}){1,9}){1,9}$/;

function isBoard(text) {
  if (!BOARD.test(text)) return false;
  const { cols, cells } = parse(text);
  return cells.length % cols === 0 && text.split("-").every((line) => line.split(".").length === cols)
    && [...cells].sort((a, b) => a - b).every((tile, i) => tile === i);
}

// The columns, each with the check of a cell
const COLUMNS = {
  date: (text) => Date.parse(text) >= 0,
  puzzle: (text) => isBoard(text.split("_")[0]),
  goal: isBoard,
  seconds: (text) => /^\d{1,7}(\.\d{1,3})?$/.test(text),
  penalty: (text) => Object.hasOwn(PENALTY, text),
  moves: (text) => /^\d{1,7}$/.test(text),
  slides: (text) => /^([UDLR]\d{0,2})*$/.test(text),
  times: (text) => /^(\d{1,9}( \d{1,9})*)?$/.test(text),
};
const NAMES = Object.keys(COLUMNS);

function row({ at, puzzle, kind, ms, penalty, moves, slides = "", times = [] }) {
  const goal = kind.split(" ")[1];
  const seconds = (ms / 1000).toFixed(3);
  return [new Date(at).toISOString(), puzzle, goal, seconds, penalty.replace("+", ""), moves, slides, times.join(" ")];
}

export const csvOf = (solves) => `${[NAMES, ...solves.map(row)].map((cells) => cells.join(",")).join("\r\n")}\r\n`;

class Mistake extends Error {}

function check(isRight, what) {
  if (!isRight) throw new Mistake(what);
}

const quoted = (text) => `“${text.length > 30 ? `${text.slice(0, 30)}…` : text}”`;

function solveOf(cells) {
  check(cells.length === NAMES.length,
    _("expected %(expected)s columns, found %(found)s", { expected: NAMES.length, found: cells.length }));
  for (const [i, column] of NAMES.entries()) {
    const text = quoted(cells[i]);
    check(COLUMNS[column](cells[i]), _("%(text)s is wrong in the column %(column)s", { text, column }));
  }
  const [date, puzzle, goal, seconds, penalty, count, slides, times] = cells;
  const [start] = puzzle.split("_");
  const isOfPuzzle = goal.length === start.length && [start, `${start}_${goal}`].includes(puzzle);
  check(isOfPuzzle, _("the goal does not fit the puzzle"));
  const { cols, cells: { length } } = parse(start);
  const solve = { at: Date.parse(date), puzzle, kind: `${length / cols}x${cols} ${goal}`,
    ms: Math.round(1000 * Number(seconds)), penalty: PENALTY[penalty], moves: Number(count) };
  if (!slides && !times) return solve;
  const played = { slides, times: times.split(" ").map(Number) };
  check(isPlayed({ ...solve, ...played }, start, goal), _("the slides and their times do not fit the other columns"));
  return { ...solve, ...played };
}

// Whether the slides lead to the goal in the moves and the time of the solve
function isPlayed({ slides, times, ms, moves }, start, goal) {
  const boards = times.length <= MOST_SLIDES ? boardsOf(start, slides) : null;
  return boards?.length === times.length + 1 && format(boards.at(-1)) === goal
    && movesOf(slides) === moves && times.reduce((sum, one) => sum + one, 0) === ms;
}

// The solves of a file, or its error: { solves } or { mistake }
export function read(text) {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/).map((line) => line.replaceAll('"', ""));
  while (lines.at(-1) === "") lines.pop();
  const [first, ...rest] = lines;
  const columns = NAMES.join(",");
  if (first !== columns)
    return { mistake: _("This is not a list of solves: its first line should be %(columns)s.", { columns }) };
  const [count, most] = [rest.length, MOST_SOLVES];
  if (count > most)
    return { mistake: _("The file has %(count)s solves; up to %(most)s can be read.", { count, most }) };
  const solves = [];
  for (const [i, line] of rest.entries()) {
    try {
      solves.push(solveOf(line.split(",")));
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      return { mistake: _("Line %(line)s: %(fault)s.", { line: i + 2, fault: error.message }) };
    }
  }
  return { solves };
}
