// The editor's check without the server, as templates/play/_checked.html shows it. It reads boards row by row, as the
// editor writes them, and lists of numbers.
import { format, parse, place, solvable } from "../board.js";
import { _ } from "../language.js";
import { isStatic } from "./connection.js";
import { cellLabel } from "./words.js";

const MOST = 10; // rows and columns
const rowByRow = () => (isStatic ? _("Type the board row by row, for example 1 2 3 / 4 5 6 / 7 8 0.")
  : _("Without a connection, type the board row by row, for example 1 2 3 / 4 5 6 / 7 8 0."));

// Check the fields of the form: { html, code }. `code` names the puzzle if it can be played without the server.
export function check(form) {
  const [start, goal] = [form.start, form.goal].map(({ value }) => value.trim() && read(value, form.size.value));
  if (!start || goal === null) return { html: wrong(rowByRow()) };
  const puzzle = { start, goal: goal || GOALS["blank last"](start) };
  if (sizeOf(start) !== sizeOf(puzzle.goal)) return { html: wrong(_("The goal must have the size of the start.")) };
  const problem = problemOf(puzzle);
  const placing = `<button type="button" class="btn" data-place="start" aria-pressed="false">${
    _("Place tiles one by one")}</button>`;
  const html = `<p id="solvability" class="proof${problem ? " unproved" : ""}"><span>${problem
    || `<span aria-hidden="true">✓</span> <b>${_("This can be solved.")}</b>`}</span></p>
    <p class="muted">${_("Tap two tiles to swap them.")}</p>
    <div class="pair">${figure("start", puzzle, placing)}${figure("goal", puzzle, names(puzzle.goal))}</div>
    ${solvable(start, puzzle.goal) ? "" : swap(start)}`;
  return { html, code: problem ? null : codeOf(puzzle) };
}

const wrong = (text) => `<p class="proof unproved" id="wrong" role="alert">${text}</p>`;
const sizeOf = ({ cols, cells }) => `${cells.length / cols}x${cols}`;

function problemOf({ start, goal }) {
  if (!solvable(start, goal)) return _("This cannot be solved.");
  if (format(start) === format(goal)) return _("The start is the goal. Swap some tiles.");
  // the sizes of the editor's tabs
  const sizes = [...document.querySelectorAll(".build .tabs a")].map(({ search }) =>
    sizeOf(parse(new URLSearchParams(search).get("start"))));
  return isStatic || sizes.includes(sizeOf(start)) ? ""
    : _("This can be solved. Its size can be played with a connection only.");
}

function codeOf({ start, goal }) {
  const isUsual = format(goal) === format(GOALS["blank last"](goal));
  return [start, ...(isUsual ? [] : [goal])].map(format).join("_");
}

// The board of a text, null if it is invalid. A list of numbers has the given size, or is a square.
function read(text, size) {
  const numbers = (row) => row.match(/\d+/g)?.map(Number) ?? [];
  let rows = text.split(/[\n/;-]|\]\s*,?\s*\[/).map(numbers).filter(({ length }) => length > 0);
  if (rows.length === 1) {
    const cells = rows[0].length > 1 ? rows[0] : [...text.match(/\d+/)[0]].map(Number);
    const cols = Number(size.match(/\d+\s*[x×]\s*(\d+)/)?.[1] ?? Math.sqrt(cells.length));
    rows = cols >= 2 ? rowsOf(cells, cols) : [];
  }
  const [cols, cells] = [rows[0]?.length, rows.flat()];
  const isBoard = rows.every(({ length }) => length === cols) && cells.every((_, tile) => cells.includes(tile));
  return isBoard && [rows.length, cols].every((side) => side >= 2 && side <= MOST) ? { cols, cells } : null;
}

const rowsOf = (cells, cols) =>
  Array.from({ length: Math.ceil(cells.length / cols) }, (_, row) => cells.slice(row * cols, (row + 1) * cols));

const GOALS = {
  "blank last": ({ cols, cells }) => ({ cols, cells: cells.map((tile, cell) => (cell + 1) % cells.length) }),
  "blank first": ({ cols, cells }) => ({ cols, cells: [...cells.keys()] }),
  spiral({ cols, cells }) {
    let rows = rowsOf([...cells.keys()], cols);
    const way = [];
    while (rows.length > 0) {
      way.push(...rows.shift());
      rows = (rows[0] ?? []).map((first, col) => rows.map((row) => row[col])).reverse(); // a quarter turn
    }
    return { cols, cells: cells.map((tile, cell) => (way.indexOf(cell) + 1) % cells.length) };
  },
};
const TITLES = { "blank last": _("blank last"), "blank first": _("blank first"), spiral: _("spiral") };
const capitalized = (text) => text[0].toUpperCase() + text.slice(1);

// The name of a goal, the board itself if it has none
export function goalName(goal) {
  return Object.keys(GOALS).find((name) => format(GOALS[name](goal)) === format(goal)) ?? format(goal);
}

function names(goal) {
  const named = Object.entries(GOALS).map(([name, make]) => [capitalized(TITLES[name]), format(make(goal))]);
  const own = named.some(([, text]) => text === format(goal)) ? [] : [[_("Your own"), format(goal)]];
  const options = [...named, ...own].map(([name, text]) =>
    `<option value="${text}"${text === format(goal) ? " selected" : ""}>${name}</option>`);
  return `<label>${_("Goals with a name")} <select data-fills="goal">${options.join("")}</select></label>`;
}

// The classes of each tile by its place in the goal: row, column and layer. Layers are nested L shapes from 0, the
// outermost, of one row and one column each: those farthest from the blank's home.
export function homeClasses(goal) {
  const fromAfar = (count, blank) => [...Array(count).keys()].sort((a, b) => Math.abs(b - blank) - Math.abs(a - blank));
  const [blankRow, blankCol] = place(goal, goal.cells.indexOf(0));
  const rows = fromAfar(goal.cells.length / goal.cols, blankRow);
  const cols = fromAfar(goal.cols, blankCol);
  return (tile) => {
    const [row, col] = place(goal, goal.cells.indexOf(tile));
    return [`gr${row}`, `gc${col}`, `l${Math.min(rows.indexOf(row), cols.indexOf(col))}`];
  };
}

function figure(name, puzzle, control) {
  const [board, home, title] = [puzzle[name], homeClasses(puzzle.goal), name === "start" ? _("Start") : _("Goal")];
  const tiles = board.cells.map((tile, cell) => {
    const [row, col] = place(board, cell);
    const isHome = tile && puzzle.goal.cells[cell] === tile;
    return `<button type="button" class="tile r${row} c${col} ${home(tile).join(" ")}${isHome ? " home" : ""}${tile
      ? "" : " blank-cell"}" data-cell="${cell}" aria-pressed="false" aria-label="${
      cellLabel(tile, row + 1, col + 1)}"><b>${tile || ""}</b></button>`;
  });
  return `<figure><figcaption>${title}</figcaption><div class="board small rows-${board.cells.length / board.cols}
    cols-${board.cols}" data-edits="${name}" data-board="${format(board)}" role="group" aria-label="${title}"
    aria-live="off"><div class="grid">${tiles.join("")}</div></div><div class="row">${control}</div></figure>`;
}

// A way out: two tiles of the start change places.
function swap({ cols, cells }) {
  const [one, other] = cells.filter((tile) => tile > 0);
  const swapped = cells.map((tile) => ({ [one]: other, [other]: one })[tile] ?? tile);
  return `<p class="row"><button type="button" class="btn" data-fill="start" data-board="${format({ cols, cells: swapped })}"
    >${_("Swap tiles %(one)s and %(other)s in the start", { one, other })}</button></p>`;
}
