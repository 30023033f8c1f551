// A board to practise on: tiles move in this browser alone. The tiles of the aim are lit, and their places
// marked. Keys and swipes are those of the game.
import { draw, format, line, parse, place, slide } from "../../board.js";
import { _, ngettext } from "../../language.js";
import { board, find, label, play, shake } from "../../play/view.js";
import { slid } from "../../play/words.js";

const grid = () => document.querySelector("#board .grid");
const goal = () => parse(play().dataset.goal);
export const said = document.getElementById("said");

const MOST_PLACES = 3; // marked and announced at once: more would cover the board and last too long
let start = "";
let aims = []; // the tiles to bring home, group by group
let past = []; // boards before each slide, as { board, moves }
let moves = 0;
let isOver = false;
let events = {}; // handlers of a move, of an aim and of the end

export const count = () => moves;
export const isDone = () => isOver;
export const startBoard = () => start;

// Tiles to be home, with those that were home at the start: { given, aims } are lists of tiles.
export function begin({ given = [], aims: groups, ...handlers }) {
  aims = [given, ...groups];
  events = handlers;
  setBoard(play().dataset.board);
}

// Restart from a board of the same size.
export function setBoard(text) {
  start = text;
  restart();
}

export function restart() {
  [past, moves, isOver] = [[], 0, false];
  show(start);
}

// Show a board, without counting anything.
export function show(text, moved = 0) {
  Object.assign(play().dataset, { board: text, made: moves > 0 ? "U" : "" });
  draw(board(), goal(), find, moved);
  label(board());
  mark();
  for (const id of ["undo", "restart"])
    document.getElementById(id)?.setAttribute("aria-disabled", String(past.length === 0));
}

const isHome = (tile) => board().cells.indexOf(tile) === goal().cells.indexOf(tile);
// Number of complete groups, from the first on
const reached = () => {
  const open = aims.findIndex((tiles) => !tiles.every(isHome));
  return open < 0 ? aims.length : open;
};
// The lit tiles: the first group that was not home at the start, and is not home now
export const lit = () => aims[Math.max(1, reached())] ?? [];

function mark() {
  grid().querySelectorAll(".place").forEach((old) => old.remove());
  grid().querySelectorAll(".lit").forEach((old) => old.classList.remove("lit"));
  const tiles = lit();
  play().classList.toggle("is-whole", tiles.length === goal().cells.length - 1);
  for (const tile of tiles) find(tile).classList.add("lit");
  for (const tile of tiles.length > MOST_PLACES ? [] : tiles.filter((tile) => !isHome(tile))) {
    const [row, col] = place(goal(), goal().cells.indexOf(tile));
    const mark = document.createElement("span");
    mark.className = `place r${row} c${col}`;
    mark.ariaHidden = "true";
    grid().append(mark);
  }
  describe();
}

const at = (cell) => {
  const [row, column] = place(board(), cell);
  return _("row %(row)s, column %(column)s", { row: row + 1, column: column + 1 });
};
const where = (tile) => {
  const [here, home] = [board(), goal()].map(({ cells }) => cells.indexOf(tile));
  const values = { tile, cell: at(here), home: at(home) };
  return here === home ? _("The %(tile)s is home, in %(cell)s.", values)
    : _("The %(tile)s is in %(cell)s. Its place is %(home)s.", values);
};

// The picture in words, for screen readers
function describe() {
  const blank = _("The blank is in %(cell)s.", { cell: at(board().cells.indexOf(0)) });
  document.getElementById("picture").textContent = [...lit().map(where), blank].join(" ");
}

export const inWords = (moves) => ngettext("%(num)s move", "%(num)s moves", moves);

function move(tile) {
  if (events.onPress?.() || isOver) return;
  const sliding = line(board(), tile);
  if (!sliding) return shake(find(tile));
  const before = reached();
  if (moves === 0) events.onFirst?.();
  past.push({ board: play().dataset.board, moves });
  moves += sliding.tiles.length;
  show(format(slide(board(), tile)), tile);
  if (reached() === aims.length) {
    isOver = true;
    events.onDone?.(moves);
  } else {
    const news = reached() > Math.max(1, before) ? [_("Well done! Now the next part.")] : [];
    const aim = lit().length > MOST_PLACES ? lit().filter((one) => sliding.tiles.includes(one)) : lit();
    say([`${inWords(moves)}.`, ...news].join(" "), slid(sliding), aim.map(where).join(" "));
  }
}

// Show words; those for screen readers alone stand around them.
export function say(words, before = "", after = "") {
  const parts = [[before, true], [words, false], [after, true]].filter(([text]) => text);
  said.replaceChildren(...parts.map(([text, isHidden]) => {
    const part = document.createElement("span");
    part.textContent = `${text} `;
    if (isHidden) part.className = "visually-hidden";
    return part;
  }));
}

function undo() {
  if (events.onPress?.() || isOver || past.length === 0) return;
  const last = past.pop();
  moves = last.moves;
  show(last.board);
  say(`${inWords(moves)}.`, _("Undone."));
}

if (play()) {
  document.getElementById("board").addEventListener("click", ({ target }) => {
    const tile = target.closest("button.tile");
    if (tile) move(Number(tile.value));
  });
  play().addEventListener("slidewise:slide", ({ detail }) => move(detail));
  document.getElementById("undo").addEventListener("click", undo);
  document.getElementById("restart").addEventListener("click", () => {
    if (events.onPress?.() || (past.length === 0 && !isOver)) return;
    restart();
    say(_("From the start again."));
    events.onRestart?.();
  });
}
