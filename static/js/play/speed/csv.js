// Export and import of the session as CSV (RFC 4180). A file with any invalid line is rejected as a
// whole.
import { count as movesOf, format, parse } from "../../board.js";
import { _ } from "../../language.js";
import { MOST_SLIDES, MOST_SOLVES, boardsOf, slidesOf } from "./times.js";

export const MOST_BYTES = 5_000_000;
const COLUMNS = ["date", "puzzle", "goal", "seconds", "penalty", "moves", "slides", "times"];
const PENALTY = { "": "", 2: "+2", "+2": "+2", DNF: "DNF" }; // a sheet makes +2 a 2
const BOARD = /^\d{1,2}(\.\d{1,2}){1,9}(-\d{1,2}(\.\d{1,2}){1,9}){1,9}$/;

function row({ at, puzzle, kind, ms, penalty, moves, slides = "", times = [] }) {
  const goal = kind.split(" ")[1];
  const seconds = (ms / 1000).toFixed(3);
  return [new Date(at).toISOString(), puzzle, goal, seconds, penalty.replace("+", ""), moves, slides, times.join(" ")];
}

export const csvOf = (solves) => `${[COLUMNS, ...solves.map(row)].map((cells) => cells.join(",")).join("\r\n")}\r\n`;

class Mistake extends Error {}

function check(isRight, what) {
  if (!isRight) throw new Mistake(what);
}

const quoted = (text) => `“${text.length > 30 ? `${text.slice(0, 30)}…` : text}”`;

function isBoard(text) {
  if (!BOARD.test(text)) return false;
  const { cols, cells } = parse(text);
  return cells.length % cols === 0 && text.split("-").every((line) => line.split(".").length === cols)
    && [...cells].sort((a, b) => a - b).every((tile, i) => tile === i);
}

// The moves and times of a solve, if present: they must lead to the goal.
function played(start, goal, { slides, times, ms, moves }) {
  if (!slides && !times) return {};
  const each = times.split(" ").map(Number);
  check(/^([UDLR]\d{0,2})+$/.test(slides) && slidesOf(slides).length <= MOST_SLIDES, _("the slides cannot be read"));
  check(each.every((one) => Number.isSafeInteger(one) && one >= 0) && each.length === slidesOf(slides).length,
    _("the number of times does not match the slides"));
  const boards = boardsOf(start, slides);
  check(boards !== null && format(boards.at(-1)) === goal, _("the slides do not lead to the goal"));
  check(movesOf(slides) === moves, _("the number of moves does not match the slides"));
  check(each.reduce((sum, one) => sum + one, 0) === ms, _("the times of the slides do not add up to the time"));
  return { slides, times: each };
}

function solveOf(cells) {
  check(cells.length === COLUMNS.length,
    _("expected %(expected)s columns, found %(found)s", { expected: COLUMNS.length, found: cells.length }));
  const [date, puzzle, goal, seconds, penalty, count, slides, times] = cells;
  const at = Date.parse(date);
  check(!Number.isNaN(at) && at >= 0, _("%(text)s is not a date", { text: quoted(date) }));
  const [start] = puzzle.split("_");
  check(isBoard(start), _("%(text)s is not a puzzle", { text: quoted(puzzle) }));
  check(isBoard(goal) && goal.length === start.length,
    _("%(text)s is not the goal of this puzzle", { text: quoted(goal) }));
  check(puzzle === start || puzzle === `${start}_${goal}`, _("%(text)s has another goal", { text: quoted(puzzle) }));
  check(/^\d{1,7}(\.\d{1,3})?$/.test(seconds), _("%(text)s is not a number of seconds", { text: quoted(seconds) }));
  check(Object.hasOwn(PENALTY, penalty),
    _("the penalty is %(text)s, not 2, DNF or nothing", { text: quoted(penalty) }));
  check(/^\d{1,7}$/.test(count), _("%(text)s is not a number of moves", { text: quoted(count) }));
  const { cols, cells: { length } } = parse(start);
  const [ms, moves] = [Math.round(1000 * Number(seconds)), Number(count)];
  return { at, puzzle, kind: `${length / cols}x${cols} ${goal}`, ms, penalty: PENALTY[penalty], moves,
    ...played(start, goal, { slides, times, ms, moves }) };
}

// The solves of a file, or its error: { solves } or { mistake }
export function read(text) {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/).map((line) => line.replaceAll('"', ""));
  while (lines.at(-1) === "") lines.pop();
  const [first, ...rest] = lines;
  const columns = COLUMNS.join(",");
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
