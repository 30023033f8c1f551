// Parts of the views: elements, icons, boards as text and as elements. No markup is parsed, so pages
// with the strictest policies, Trusted Types too, can show the component.
import { draw, parse, slide, slidesOf, spoken, tileMoving } from "../board.js";
import { make, svg } from "../dom.js";
import TEXTS from "./texts.json" with { type: "json" };

// The texts by language. A page adds a language in the same form:
// customElements.get("slide-wise").texts.fr = { play: "Lecture" }. Missing texts are English, and
// so are errors in attributes, which are for the page's author.
export const texts = TEXTS;

// Function that fills the texts of a language: say("moved", { step: 1, tile: 5, way: "up" })
export function sayer(wanted) {
  const find = (key) => (Object.hasOwn(texts, key) ? key : undefined);
  const lang = find(wanted) ?? find(wanted.split("-")[0]) ?? "en";
  const say = (name, values = {}) => (Object.hasOwn(texts[lang], name) ? texts[lang][name] : texts.en[name])
    .replace(/\{(\w+)\}/g, (whole, key) => (Object.hasOwn(values, key) ? values[key] : whole));
  say.lang = lang;
  say.number = (n) => n.toLocaleString(lang);
  say.count = (n) => say(n === 1 ? "move" : "moves", { n: say.number(n) });
  return say;
}

const ICONS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3", redo: "m15 14 5-5-5-5m5 5H10a6 6 0 0 0 0 12h3",
  restart: "M4 12a8 8 0 1 0 3-6.2M4 3v5h5", first: "M6 5v14M19 5 9 12l10 7V5z", prev: "M17 5 7 12l10 7V5z",
  play: "m7 4 13 8-13 8V4z", pause: "M9 5v14M15 5v14", next: "m7 5 10 7-10 7V5z", last: "M18 5v14M5 5l10 7-10 7V5z",
};

export function iconButton(name, say, action) {
  const icon = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
  const made = make("button", { type: "button", class: name, "aria-label": say(name), title: say(name) }, icon);
  made.addEventListener("click", action);
  return made;
}

export function setIcon(element, name, say) {
  element.querySelector("path").setAttribute("d", ICONS[name]);
  element.setAttribute("aria-label", say(name));
  element.title = say(name);
}

// An unusable attribute. `name` is the key of its message.
export class Unusable extends Error {
  constructor(name, values) {
    super(name);
    this.values = values;
  }
}

const SHOWN = 60; // characters of a wrong text
const quoted = (text) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
const MOST_MOVES = 100_000; // as the library's MAX_MOVES

function readBoard(text, name) {
  if (!/^\d+(\.\d+)*(-\d+(\.\d+)*)*$/.test(text)) throw new Unusable("badBoard", { name, text: quoted(text) });
  const board = parse(text);
  const { cols, cells } = board;
  const rows = text.split("-").length;
  if (rows < 2 || rows > 10 || cols < 2 || cols > 10) throw new Unusable("badSize", { name, rows, cols });
  if (text.split("-").some((row) => row.split(".").length !== cols) || cells.length !== new Set(cells).size || Math.max(...cells) >= cells.length)
    throw new Unusable("badTiles", { name, most: rows * cols - 1 });
  return board;
}

// The start and the goal of a code, START or START_GOAL
export function readPuzzle(code, goalText) {
  const [first, second] = code.trim().split("_");
  const start = readBoard(first, "board");
  const { cols, cells } = start;
  const typed = goalText?.trim() || second;
  const goal = typed ? readBoard(typed, "goal") : { cols, cells: cells.map((_, cell) => (cell + 1) % cells.length) };
  if (goal.cols !== cols || goal.cells.length !== cells.length)
    throw new Unusable("badGoal", { rows: goal.cells.length / goal.cols, cols: goal.cols });
  return { start, goal };
}

// The tiles that move in directions such as U2RDL3
export function readMoves(text, start) {
  const typed = text.replace(/\s+/g, "").toUpperCase();
  if (!/^([UDLR]\d{0,5})*$/.test(typed)) throw new Unusable("badMoves", { text: quoted(text) });
  const tiles = [];
  let board = start;
  for (const { way, count } of slidesOf(typed)) {
    for (let left = count; left > 0; left -= 1) {
      if (tiles.length === MOST_MOVES) throw new Unusable("manyMoves", { most: MOST_MOVES });
      const tile = tileMoving(board, way);
      if (!tile) throw new Unusable("wrongMove", { step: tiles.length + 1, way });
      tiles.push(tile);
      board = slide(board, tile);
    }
  }
  return tiles;
}

export function boardOf({ cols, cells }, attributes, grid) {
  const board = make("div", { class: "board", ...attributes }, grid);
  const rows = cells.length / cols;
  for (const [name, value] of Object.entries({ rows, cols, most: Math.max(rows, cols) }))
    board.style.setProperty(`--${name}`, value);
  return board;
}

// A still board, and the function that shows another board in it
export function stillBoard(goal, say) {
  const grid = make("div", { class: "grid" });
  const tiles = goal.cells.map((tile) => tile && make("span", { class: "tile" }, make("b", {}, String(tile))));
  const find = (tile) => tiles[goal.cells.indexOf(tile)];
  grid.append(...tiles.filter(Boolean));
  const element = boardOf(goal, { role: "img" }, grid);
  const show = (board, step, moved) => {
    draw(board, goal, find, moved);
    element.setAttribute("aria-label", say("stepBoard", { step: say.number(step), cells: spoken(board, say("blank")) }));
  };
  return { element, show };
}
