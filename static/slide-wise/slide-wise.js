// <slide-wise>: sliding-tile puzzles to play, solutions to replay, searches to watch.
// Slidewise, MIT License. Made from static/js/component by `python -m tests.component`.
(() => {
"use strict";
const modules = {};
modules["board"] = (() => {

function parse(text) {
const rows = text.split("-").map((row) => row.split(".").map(Number));
return { cols: rows[0].length, cells: rows.flat() };
}

function format({ cols, cells }) {
const rows = [];
for (let i = 0; i < cells.length; i += cols) rows.push(cells.slice(i, i + cols).join("."));
return rows.join("-");
}

function place({ cols }, cell) {
return [Math.floor(cell / cols), cell % cols];
}

function line(board, tile) {
const from = board.cells.indexOf(tile);
const blank = board.cells.indexOf(0);
const [row, col] = place(board, from);
const [blankRow, blankCol] = place(board, blank);
if (from < 0 || tile === 0 || (row !== blankRow && col !== blankCol)) return null;
const way = row === blankRow ? (col > blankCol ? "L" : "R") : row > blankRow ? "U" : "D";
const step = row === blankRow ? Math.sign(col - blankCol) : board.cols * Math.sign(row - blankRow);
const tiles = [];
for (let cell = blank; cell !== from; cell += step) tiles.push(board.cells[cell + step]);
return { way, tiles };
}

function slide(board, tile) {
const sliding = line(board, tile);
if (!sliding) return null;
const cells = [...board.cells];
let blank = cells.indexOf(0);
for (const next of sliding.tiles) {
const from = cells.indexOf(next);
[cells[blank], cells[from]] = [next, 0];
blank = from;
}
return { ...board, cells };
}

function solvable(board, goal) {
const homes = board.cells.map((tile) => goal.cells.indexOf(tile));
const inversions = homes.flatMap((home, cell) => homes.slice(cell).filter((later) => later < home)).length;
const blanks = [board, goal].flatMap((one) => place(one, one.cells.indexOf(0)));
return blanks.reduce((sum, at) => sum + at, inversions) % 2 === 0;
}

const DIRECTIONS = {
__proto__: null,
ArrowUp: "U", ArrowDown: "D", ArrowLeft: "L", ArrowRight: "R", w: "U", s: "D", a: "L", d: "R",
};

const OPPOSITE = { U: "D", D: "U", L: "R", R: "L" };

function tileMoving(board, direction, count = 1) {
const blank = board.cells.indexOf(0);
const [row, col] = place(board, blank);
const [down, right] = { U: [count, 0], D: [-count, 0], L: [0, count], R: [0, -count] }[direction];
const inside = row + down >= 0 && row + down < board.cells.length / board.cols
&& col + right >= 0 && col + right < board.cols;
return inside ? board.cells[blank + down * board.cols + right] : undefined;
}

function beside({ cols, cells }, tile, way) {
const [down, right] = { U: [-1, 0], D: [1, 0], L: [0, -1], R: [0, 1] }[way];
let [row, col] = place({ cols }, cells.indexOf(tile));
let next;
do {
[row, col] = [row + down, col + right];
next = col >= 0 && col < cols ? cells[row * cols + col] : undefined;
} while (next === 0);
return next;
}

function draw(board, goal, find, moved) {
board.cells.forEach((tile, cell) => {
const element = tile && find(tile);
if (!element) return;
const [row, col] = place(board, cell);
const old = [...element.classList].filter((name) => /^[rc]\d$/.test(name));
element.classList.remove(...old);
element.classList.add(`r${row}`, `c${col}`);
element.classList.toggle("home", goal.cells[cell] === tile);
element.classList.toggle("moved", tile === moved);
});
}

const spoken = ({ cols, cells }, blank = "blank") => cells
.map((tile, cell) => (tile || blank) + ((cell + 1) % cols ? "" : ";")).join(" ").slice(0, -1);

const count = (slides) =>
[...slides.matchAll(/[UDLR](\d*)/g)].reduce((sum, [, tiles]) => sum + Number(tiles || 1), 0);
return { parse, format, place, line, slide, solvable, DIRECTIONS, OPPOSITE, tileMoving, beside, draw, spoken, count };
})();
modules["component/parts"] = (() => {
const { draw, parse, place, spoken } = modules["board"];

function make(name, attributes = {}, ...children) {
const element = document.createElement(name);
for (const [key, value] of Object.entries(attributes))
if (value !== false) element.setAttribute(key, value === true ? "" : value);
element.append(...children);
return element;
}

function drawing(name, attributes, ...children) {
const element = document.createElementNS("http://www.w3.org/2000/svg", name);
for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
element.append(...children);
return element;
}

const ICONS = {
undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3", redo: "m15 14 5-5-5-5m5 5H10a6 6 0 0 0 0 12h3",
restart: "M4 12a8 8 0 1 0 3-6.2M4 3v5h5", first: "M6 5v14M19 5 9 12l10 7V5z", prev: "M17 5 7 12l10 7V5z",
play: "m7 4 13 8-13 8V4z", pause: "M9 5v14M15 5v14", next: "m7 5 10 7-10 7V5z", last: "M18 5v14M5 5l10 7-10 7V5z",
};

function button(name, say, action) {
const icon = drawing("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawing("path", { d: ICONS[name] }));
const made = make("button", { type: "button", class: name, "aria-label": say(name), title: say(name) }, icon);
made.addEventListener("click", action);
return made;
}

function setIcon(element, name, say) {
element.querySelector("path").setAttribute("d", ICONS[name]);
element.setAttribute("aria-label", say(name));
element.title = say(name);
}

class Unusable extends Error {
constructor(name, values) {
super(name);
this.values = values;
}
}

const SHOWN = 60;
const quoted = (text) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}\u2026` : text);
const MOST_MOVES = 100_000;

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

function readPuzzle(code, goalText) {
const [first, second] = code.trim().split("_");
const start = readBoard(first, "board");
const { cols, cells } = start;
const typed = goalText?.trim() || second;
const goal = typed ? readBoard(typed, "goal") : { cols, cells: cells.map((_, cell) => (cell + 1) % cells.length) };
if (goal.cols !== cols || goal.cells.length !== cells.length)
throw new Unusable("badGoal", { rows: goal.cells.length / goal.cols, cols: goal.cols });
return { start, goal };
}

function readMoves(text, start) {
const { cols } = start;
const cells = [...start.cells];
const rows = cells.length / cols;
const typed = text.replace(/\s+/g, "").toUpperCase();
if (!/^([UDLR]\d{0,5})*$/.test(typed)) throw new Unusable("badMoves", { text: quoted(text) });
const tiles = [];
let blank = cells.indexOf(0);
for (const [, way, times] of typed.matchAll(/([UDLR])(\d*)/g)) {
for (let left = times === "" ? 1 : Number(times); left > 0; left -= 1) {
if (tiles.length === MOST_MOVES) throw new Unusable("manyMoves", { most: MOST_MOVES });
const [row, col] = place({ cols }, blank);
const fits = { U: row + 1 < rows, D: row > 0, L: col + 1 < cols, R: col > 0 }[way];
if (!fits) throw new Unusable("wrongMove", { step: tiles.length + 1, way });
const from = blank + { U: cols, D: -cols, L: 1, R: -1 }[way];
tiles.push(cells[from]);
[cells[blank], cells[from], blank] = [cells[from], 0, from];
}
}
return tiles;
}

function boardOf({ cols, cells }, attributes, grid) {
const board = make("div", { class: "board", ...attributes }, grid);
const rows = cells.length / cols;
for (const [name, value] of Object.entries({ rows, cols, most: Math.max(rows, cols) }))
board.style.setProperty(`--${name}`, value);
return board;
}

function stillBoard(goal, say) {
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
return { make, drawing, button, setIcon, Unusable, readBoard, readPuzzle, readMoves, boardOf, stillBoard };
})();
modules["component/game"] = (() => {
const { DIRECTIONS, beside, count, draw, format, line, place, slide, solvable, tileMoving } = modules["board"];
const { boardOf, button, make } = modules["component/parts"];

const SWIPED = 18;

class GameView {
#tiles = new Map();
#past = [];
#future = [];
#typed = "";
#pressed = null;
#swiped = false;

constructor({ start, goal }, say, emit, { label, hasControls }) {
Object.assign(this, { start, goal, board: start, say, emit });
this.grid = make("div", { class: "grid" });
for (const tile of start.cells)
this.#tiles.set(tile, tile ? make("button", { type: "button", class: "tile", value: tile }, make("b", {}, String(tile)))
: make("span", { class: "hidden" }));
this.grid.append(...this.#tiles.values());
const rows = start.cells.length / start.cols;
const name = label || say("board", { rows, cols: start.cols });
this.said = make("p", { role: "status", class: "hidden" });
this.counter = make("span", { class: "count" });
this.undo = button("undo", say, () => this.#takeBack());
this.redo = button("redo", say, () => this.#makeAgain());
this.restart = button("restart", say, () => this.#restart());
this.element = make("div", { class: "view" }, boardOf(start, { role: "group", "aria-label": name }, this.grid),
...(hasControls ? [make("div", { class: "tools" }, this.undo, this.redo, this.restart, this.counter)] : []),
...(solvable(start, goal) ? [] : [make("p", { class: "warn" }, say("unreachable"))]), this.said);
this.#listen();
this.#show();
}

get isSolved() { return format(this.board) === format(this.goal); }
get moves() { return count(this.#path()); }
stop() {}
focus(options) { this.stopHere.focus(options); }

#path() { return this.#past.map(({ way, tiles }) => way + (tiles.length > 1 ? tiles.length : "")).join(""); }

#isOver() { return this.isSolved && this.#past.length > 0; }

slideTile(tile) {
if (this.#isOver()) return;
const sliding = line(this.board, tile);
if (!sliding) {
this.#announce(this.say("stuck", { tile }), true);
return;
}
this.#past.push(sliding);
this.#future = [];
this.#change(slide(this.board, tile), "slide", sliding);
}

#takeBack() {
const last = this.#past.pop();
if (!last) return;
this.#future.push(last);
this.#change(slide(this.board, last.tiles[0]), "undo", last);
}

#makeAgain() {
const next = this.#future.pop();
if (!next) return;
this.#past.push(next);
this.#change(slide(this.board, next.tiles.at(-1)), "redo", next);
}

#restart() {
if (this.#past.length === 0) return;
[this.#past, this.#future] = [[], []];
this.#change(this.start, "restart", { way: "", tiles: [] });
}

#change(board, kind, { way, tiles }) {
this.board = board;
const { say, moves } = this;
this.#show(new Set(tiles));
const now = say.count(moves);
const slid = way && say(tiles.length > 1 ? "slidLine" : "slid", { tiles: tiles.join(", "), way: say(way) });
const words = { slide: slid, undo: say("undone"), redo: say("redone"), restart: say("restarted") }[kind];
const isWon = this.isSolved && kind !== "undo" && kind !== "restart";
this.#announce(`${words} ${isWon ? say("solved", { moves: now }) : `${now}.`}`);
const detail = { board: format(board), moves, path: this.#path() };
this.emit("move", { ...detail, kind, tiles, direction: way });
if (isWon) this.emit("solved", detail);
}

#announce(words, isShown = false) {
this.said.textContent = words;
this.said.className = isShown ? "warn" : "hidden";
}

#show(moved = new Set()) {
const { board, goal, say } = this;
const isOver = this.#isOver();
draw(board, goal, (tile) => this.#tiles.get(tile));
board.cells.forEach((tile, cell) => {
const [row, col] = place(board, cell).map((at) => at + 1);
const element = this.#tiles.get(tile);
if (!tile) {
element.textContent = say("blankAt", { row, col });
return;
}
const way = isOver ? null : line(board, tile)?.way;
const name = say("tile", { tile, row, col });
element.setAttribute("aria-label", way ? say("can", { tile: name, way: say(way) }) : name);
});
this.#order(moved);
this.#keepOneStop();
this.counter.textContent = isOver ? say("solved", { moves: say.count(this.moves) }) : say.count(this.moves);
this.element.classList.toggle("won", isOver);
this.undo.ariaDisabled = this.restart.ariaDisabled = String(this.#past.length === 0);
this.redo.ariaDisabled = String(this.#future.length === 0);
}

#order(moved) {
const focused = this.#focused();
let next = null;
for (const tile of this.board.cells.toReversed()) {
const element = this.#tiles.get(tile);
if (!moved.has(tile) && element.nextSibling !== next) this.grid.insertBefore(element, next);
next = element;
}
if (focused && this.#focused() !== focused) focused.focus({ preventScroll: true });
}

#focused() {
const { activeElement } = this.grid.getRootNode();
return activeElement?.parentNode === this.grid ? activeElement : null;
}

#keepOneStop() {
const all = [...this.#tiles].filter(([tile]) => tile);
const stop = this.#focused() ?? all.find(([, element]) => element.tabIndex === 0 && this.stopHere === element)?.[1]
?? this.#tiles.get(this.board.cells.find((tile) => line(this.board, tile)));
this.stopHere = stop;
for (const [, element] of all) element.tabIndex = element === stop ? 0 : -1;
}

#listen() {
this.grid.addEventListener("click", ({ target }) => {
const tile = target.closest("button.tile");
if (tile && !this.#swiped) this.slideTile(Number(tile.value));
});
this.grid.addEventListener("focusin", () => this.#keepOneStop());
const board = this.grid.parentNode;
board.addEventListener("pointerdown", (event) => {
this.#swiped = false;
if (event.isPrimary && event.button === 0) this.#pressed = event;
});
board.addEventListener("pointerup", (event) => this.#release(event));
board.addEventListener("pointercancel", () => { this.#pressed = null; });
}

#release({ pointerId, clientX, clientY }) {
const from = this.#pressed;
this.#pressed = null;
if (from?.pointerId !== pointerId) return;
const [dx, dy] = [clientX - from.clientX, clientY - from.clientY];
if (Math.max(Math.abs(dx), Math.abs(dy)) < SWIPED) return;
this.#swiped = true;
setTimeout(() => { this.#swiped = false; });
const way = Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "R" : "L") : dy > 0 ? "D" : "U";
const tile = Number(from.target.closest("button.tile")?.value);
this.#slideThatWay(way, line(this.board, tile)?.way === way ? tile : tileMoving(this.board, way));
}

#slideThatWay(way, tile = tileMoving(this.board, way)) {
if (this.#isOver()) return;
if (!tile) {
this.#announce(this.say("nowhere"));
return;
}
const hadFocus = this.#focused();
this.slideTile(tile);
if (hadFocus) this.#tiles.get(tile).focus({ preventScroll: true });
}

key({ key, shiftKey, target }) {
if (shiftKey && key in DIRECTIONS && key.startsWith("Arrow")) return this.#focusBeside(DIRECTIONS[key]);
if (this.#number(key, target)) return true;
const name = key.length === 1 ? key.toLowerCase() : key;
if (name in DIRECTIONS) this.#slideThatWay(DIRECTIONS[name]);
else if (name === "u") this.#takeBack();
else if (name === "r") this.#makeAgain();
else if (name === "b") this.#readAloud();
else return false;
return true;
}

#focusBeside(way) {
if (!this.#focused()) return false;
this.#tiles.get(beside(this.board, Number(this.#focused().value), way))?.focus();
return true;
}

#number(key, target) {
if (/^\d$/.test(key)) {
const most = this.board.cells.length - 1;
const tile = [this.#typed + key, key].find((digits) => digits >= 1 && digits <= most);
this.#announce(this.say(tile ? "enter" : "noTile", { tile: tile ?? this.#typed + key }), true);
this.#typed = tile ?? "";
return true;
}
const typed = this.#typed;
this.#typed = "";
if (key !== "Enter" || !typed || !target.matches(".tile")) return false;
this.slideTile(Number(typed));
return true;
}

#readAloud() {
const { cols, cells } = this.board;
const rows = [];
for (let i = 0; i < cells.length; i += cols)
rows.push(this.say("row", { row: rows.length + 1, cells: cells.slice(i, i + cols).map((tile) => tile || this.say("blank")).join(", ") }));
this.#announce(rows.join(" "));
}
}
return { GameView };
})();
modules["lab/watch/trace"] = (() => {
const { parse } = modules["board"];

const UNMADE = 0, WAITING = 1, EXPANDED = 2, DROPPED = 3, REPLACED = 4, LEFT = 5, MET = 6, GOAL = 7;
const NAMES = ["", "waiting", "expanded", "dropped", "replaced", "left", "met", "goal"];

function valueAt(pairs, at, none) {
for (let i = pairs.length - 2; i >= 0; i -= 2) if (pairs[i] <= at) return pairs[i + 1];
return none;
}

class Trace {
constructor(data) {
Object.assign(this, data);
this.last = this.steps.length;
this.start = parse(data.start);
this.goal = parse(data.goal);
this.depths = [];
this.roots = [];
this.parents.forEach((parent, node) => {
this.depths[node] = parent < 0 ? 0 : this.depths[parent] + 1;
this.roots[node] = parent < 0 ? node : this.roots[parent];
});
this.trees = this.iterations.filter(([, , , root]) => root !== null);
this.leaves = this.changes.some((pairs) => pairs.some((value, i) => i % 2 && value === LEFT));
this.expansionsOf = new Map();
this.steps.forEach(({ node }, i) => {
if (!this.expansionsOf.has(node)) this.expansionsOf.set(node, []);
this.expansionsOf.get(node).push(i + 1);
});
}

state(node, at) { return valueAt(this.changes[node], at, UNMADE); }
f(node, at) { return valueAt(this.ranks[node], at, this.ranks[node][1]); }
made(node) { return this.changes[node][0]; }
isDropped(node) { return this.changes[node].length === 2 && this.changes[node][1] === DROPPED; }
isEnd(at) { return this.solution.length > 0 && at === this.last; }

isLate(at) { return this.gap !== null && at > this.gap.after; }

number(at) {
if (this.isLate(at)) return at + this.gap.left_out;
return this.isBeyond(at) ? this.expanded + 1 : at;
}

isBeyond(at) { return this.isEnd(at) && !this.complete && this.gap === null; }

isTold(node) { return this.informed && this.h[node] >= 0; }

numberOf(node, at) { return this.expansionsOf.get(node)?.findLast((one) => one <= at && !this.isEnd(one)); }

next(at) {
const node = this.steps[at]?.node ?? (this.isLate(at) ? undefined : this.frontier(at)[0]);
return node !== undefined && this.state(node, at) === WAITING ? node : null;
}

tree(at) {
const index = this.trees.findLastIndex(([, , first]) => first <= at);
const [, , first, root] = this.trees[index] ?? [];
const last = this.trees[index + 1] ? this.trees[index + 1][2] - 1 : this.last;
if (this.isLate(at) && !(first > this.gap.after)) return { roots: this.gap.roots, first: this.gap.after, last };
const end = this.gap !== null && !this.isLate(at) ? Math.min(last, this.gap.after) : last;
if (index < 0) return { roots: this.parents[1] < 0 ? [0, 1] : [0], first: 0, last: end };
return { roots: [root], first, last: end };
}

current(at) { return at > 0 ? this.steps[at - 1].node : this.tree(0).roots[0]; }

iteration(at) { return this.iterations.findLastIndex(([, , first]) => first <= at); }

path(node) {
const path = [node];
while (this.parents[path[0]] >= 0) path.unshift(this.parents[path[0]]);
return path;
}

bold(node, at, chosen) {
if (!this.isEnd(at) || chosen) return this.path(node);
const met = this.solution.find((one) => this.others[one] >= 0);
return met === undefined ? this.solution : [...this.solution, this.others[met]];
}

isFromGoal(node) {
const root = this.roots[node];
return this.sorting === "ends" && (root === 1 || root === this.gap?.roots[1]);
}

board(node) {
const root = this.isFromGoal(node) ? this.goal : this.start;
const cells = [...root.cells];
const tiles = [];
let blank = cells.indexOf(0);
for (const place of this.path(node).slice(1)) {
const cell = this.blanks[place];
tiles.push(cells[cell]);
[cells[blank], cells[cell]] = [cells[cell], 0];
blank = cell;
}
return { cols: root.cols, cells, tiles };
}

frontier(at) {
if (this.isBeyond(at)) return [];
const { roots } = this.tree(at);
const waiting = [];
for (let node = 0; node < this.parents.length; node += 1)
if (roots.includes(this.roots[node]) && this.state(node, at) === WAITING && (this.isTold(node) || !this.informed)) waiting.push(node);
const next = this.isLate(at) ? this.steps[at]?.node : undefined;
return waiting.sort((one, other) => (other === next) - (one === next) || this.#order(one, other, at));
}

#order(one, other, at) {
const byF = this.f(one, at) - this.f(other, at);
const byDepth = this.g[other] - this.g[one];
if (this.sorting === "rank") return byF || one - other;
if (this.sorting === "recursion") return byF || byDepth || one - other;
if (this.sorting === "path") return byDepth || one - other;
return this.roots[one] - this.roots[other] || one - other;
}
}
return { UNMADE, NAMES, Trace };
})();
modules["playback"] = (() => {
const { slide } = modules["board"];

class Playback {
#timer = null;
step = 0;

constructor(total, { slider, place, said }) {
Object.assign(this, { total, slider, place, said });
slider.addEventListener("input", () => this.goTo(Number(slider.value)));
}

get playing() { return this.#timer !== null; }
get isAtEnd() { return this.step >= this.total; }

clamp(step) { return Math.max(0, Math.min(Math.round(step) || 0, this.total)); }

goTo(step) {
this.stop();
this.go(step);
}

showPlace(lang) {
this.slider.value = this.step;
this.place.textContent = [this.step, this.total].map((count) => count.toLocaleString(lang)).join(" / ");
}

play(wait = 150) {
if (this.playing) return;
this.#timer = setTimeout(() => this.#tick(), wait);
this.said.ariaLive = "off";
this.showMode();
if (this.isAtEnd) this.go(0);
}

#tick() {
if (this.isAtEnd) {
this.rest();
return;
}
this.#timer = setTimeout(() => this.#tick(), this.delay());
this.advance();
}

advance() { this.go(this.step + 1); }

stop() {
clearTimeout(this.#timer);
this.#timer = null;
this.said.ariaLive = "polite";
this.showMode();
}

rest() {
this.stop();
this.said.replaceChildren(this.said.textContent);
}

toggle() {
if (this.playing) this.rest();
else this.play();
}

key({ key, target }) {
if (target.matches("select, textarea, input:not([type=range])")) return false;
if (target.matches("input") && /^(Arrow|Home|End|Page)/.test(key)) return false;
if (key === " " && !target.matches("button, a")) this.toggle();
else if (key === "," || key === "ArrowLeft") this.goTo(this.step - 1);
else if (key === "." || key === "ArrowRight") this.goTo(this.step + 1);
else return false;
return true;
}
}

function follow(board, tileOf) {
let at = 0;
return (step) => {
for (; at < step; at += 1) board = slide(board, tileOf(at));
for (; at > step; at -= 1) board = slide(board, tileOf(at - 1));
return board;
};
}
return { Playback, follow };
})();
modules["component/steps"] = (() => {
const { OPPOSITE, format, line } = modules["board"];
const { Trace } = modules["lab/watch/trace"];
const { Playback, follow } = modules["playback"];
const { Unusable, button, drawing, make, setIcon, stillBoard } = modules["component/parts"];

const STEP = 700;

class StepsView extends Playback {
constructor(total, say, emit, { label, hasControls }) {
super(total, {
slider: make("input", { type: "range", min: 0, max: total, "aria-label": say("step") }),
place: make("output", { "aria-live": "off" }), said: make("p", { role: "status", class: "said" }),
});
Object.assign(this, { say, emit });
this.playButton = button("play", say, () => this.toggle());
const to = (name, step) => button(name, say, () => this.goTo(step()));
this.speed = make("select", { "aria-label": say("speed") },
...[["0.5", "\u00bd\u00d7"], ["1", "1\u00d7"], ["2", "2\u00d7"], ["4", "4\u00d7"]].map(([value, text]) => make("option", { value, selected: value === "1" }, text)));
const player = make("div", { class: "player", role: "group", "aria-label": label || say("replay") },
this.slider, this.place, make("div", { class: "keys" }, to("first", () => 0), to("prev", () => this.step - 1),
this.playButton, to("next", () => this.step + 1), to("last", () => total)), this.speed);
this.element = make("div", { class: "view" }, ...(hasControls ? [player] : []), this.said);
}

focus(options) { this.playButton.focus(options); }

delay() { return STEP / Number(this.speed.value); }

go(step) {
this.step = this.clamp(step);
this.board = this.show(this.step);
this.showPlace(this.say.lang);
this.emit("step", { step: this.step, total: this.total, board: format(this.board) });
}

showMode() { setIcon(this.playButton, this.playing ? "pause" : "play", this.say); }
}

class ReplayView extends StepsView {
constructor({ start, goal }, tiles, say, emit, options) {
super(tiles.length, say, emit, options);
this.tiles = tiles;
this.boardAt = follow(start, (move) => tiles[move]);
this.still = stillBoard(goal, say);
this.element.prepend(this.still.element);
}

show(step) {
const { say } = this;
const board = this.boardAt(step);
const tile = this.tiles[step - 1];
this.still.show(board, step, tile);
const way = tile && say(OPPOSITE[line(board, tile).way]);
this.said.textContent = tile ? say("moved", { step: say.number(step), tile, way }) : say("start");
return board;
}
}

const HEIGHT = 40;

class WatchView extends StepsView {
constructor(data, say, emit, options) {
const trace = recording(data);
super(trace.last, say, emit, options);
this.trace = trace;
this.still = stillBoard(trace.goal, say);
this.facts = make("dl");
this.now = drawing("line", { y1: 0, y2: HEIGHT, class: "now" });
const title = make("p", { class: "title" }, options.label || String(data.title ?? say("search")));
this.element.prepend(title, this.still.element, this.#chart());
this.said.before(this.facts);
this.said.lang = "en";
try {
for (const step of [trace.last, 0]) this.show(step);
} catch {
throw new Unusable("badRecording");
}
}

#chart() {
const { trace, say } = this;
const depths = trace.steps.map(({ node }) => trace.depths[node]);
const waiting = trace.steps.map(({ sizes }) => sizes[0] ?? 0);
const [depth, frontier] = [depths, waiting].map((values) => values.reduce((most, one) => Math.max(most, one), 1));
const points = (values, most) => values.map((value, i) => `${i + 1},${(HEIGHT * (1 - value / most)).toFixed(1)}`).join(" ");
const label = say("chart", { depth: say.number(depth), frontier: say.number(frontier) });
return drawing("svg", { class: "chart", viewBox: `0 0 ${Math.max(trace.last, 1)} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
drawing("polygon", { points: `0,${HEIGHT} ${points(waiting, frontier)} ${trace.last},${HEIGHT}` }),
drawing("polyline", { points: points(depths, depth) }), this.now);
}

show(at) {
const { trace, say } = this;
const node = trace.current(at);
const board = trace.board(node);
this.still.show(board, at, board.tiles.at(-1));
const [frontier, stored, generated] = trace.steps[at - 1]?.sizes ?? [];
const number = Math.min(trace.number(at), trace.expanded);
const facts = [["expansion", at && say("of", { step: say.number(number), total: say.number(trace.expanded) })],
["depth", trace.depths[node]], ["f", trace.isTold(node) && `${trace.g[node]} + ${trace.h[node]} = ${trace.f(node, at)}`],
["frontier", frontier], ["stored", stored], ["generated", generated]];
this.facts.replaceChildren(...facts.filter(([, value]) => typeof value === "number" || value)
.map(([name, value]) => make("div", {}, make("dt", {}, say(name)), make("dd", {}, typeof value === "number" ? say.number(value) : value))));
for (const end of ["x1", "x2"]) this.now.setAttribute(end, at);
this.said.textContent = trace.isEnd(at) ? trace.words : trace.steps[at - 1]?.why ?? say("searchStart");
return board;
}
}

function recording(data) {
try {
const trace = new Trace(data);
if (!(trace.last >= 0)) throw new TypeError();
return trace;
} catch {
throw new Unusable("badRecording");
}
}
return { ReplayView, WatchView };
})();
modules["component/style"] = (() => {
const COLOURS = {
paper: "light-dark(#f5f3ee, #14181a)", surface: "light-dark(#fffdf9, #1d2225)", sunken: "light-dark(#ebe7dd, #0f1214)",
line: "light-dark(#dcd6c8, #2e3539)", "line-strong": "light-dark(#8b8576, #6c767c)",
ink: "light-dark(#1b2226, #f0eee8)", "ink-2": "light-dark(#535b60, #a9b0b4)",
accent: "light-dark(#0b665f, #55c9b7)", "accent-ink": "light-dark(#ffffff, #05231f)",
warn: "light-dark(#8f4106, #f0b35b)", "warn-soft": "light-dark(#fbe7cd, #3d2c10)",
tray: "light-dark(#d6cfbf, #0c0f10)", "tray-shade": "light-dark(rgb(60 48 20 / .16), rgb(0 0 0 / .5))",
tile: "light-dark(#fffdf9, #30383d)", "tile-lip": "light-dark(#c3baa6, #1f2529)", "tile-ink": "light-dark(#1b2226, #f0eee8)",
home: "light-dark(#b7dfd4, #1c584f)", "home-lip": "light-dark(#7db7a8, #10382f)", "home-ink": "light-dark(#07423d, #d5fff5)",
};

const colours = Object.entries(COLOURS).map(([name, value]) => `--${name}: var(--slide-wise-${name}, ${value});`).join("\n");
const places = [...Array(10).keys()].map((i) => `.r${i} { --r: ${i}; } .c${i} { --c: ${i}; }`).join("\n");

const STYLE = `
:host { display: block; box-sizing: border-box; width: 100%; max-width: var(--slide-wise-width, 420px); }
:host([hidden]) { display: none; }
.root {
all: initial; ${colours}
display: block; container-type: inline-size; min-width: 160px; box-sizing: border-box; padding: 8px; border-radius: 24px; color-scheme: light dark;
background: var(--paper); color: var(--ink); font: 400 15px/1.4 var(--slide-wise-font, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif);
font-variant-numeric: tabular-nums; unicode-bidi: isolate; direction: ltr;
}
.root[data-theme="light"] { color-scheme: light; }
.root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
.view { display: grid; gap: 10px; }
p, dl, dd { margin: 0; }
.title { padding: 0 6px; font-size: 16px; line-height: 1.3; font-weight: 650; }
.board {
--pad: min(10px, 2.4cqi); --cell: calc((100cqi - 2 * var(--pad)) / var(--most)); --in: min(4px, var(--cell) * .04); --lip: min(4px, var(--cell) * .03);
width: calc(var(--cols) * var(--cell) + 2 * var(--pad)); margin: 0 auto; padding: var(--pad); background: var(--tray);
border-radius: 20px; box-shadow: inset 0 2px 8px var(--tray-shade);
}
.grid { position: relative; height: calc(var(--rows) * var(--cell)); isolation: isolate; }
.board[role="group"] { touch-action: pinch-zoom; user-select: none; -webkit-user-select: none; -webkit-touch-callout: none; -webkit-tap-highlight-color: transparent; }
.tile {
position: absolute; left: calc(var(--c) * var(--cell)); top: calc(var(--r) * var(--cell)); width: var(--cell); height: var(--cell);
padding: var(--in) var(--in) calc(var(--in) + var(--lip)); border: 0; background: none; font: inherit; color: inherit;
transition: left .12s ease-out, top .12s ease-out;
}
button { cursor: pointer; }
.tile b {
position: relative; display: grid; place-items: center; width: 100%; height: 100%; border-radius: min(16px, var(--cell) * .16);
background: var(--tile); color: var(--tile-ink); box-shadow: 0 var(--lip) 0 var(--tile-lip);
font-weight: 700; font-size: max(12px, var(--cell) * .44); line-height: 1; letter-spacing: -.02em;
}
.home b { background: var(--home); color: var(--home-ink); box-shadow: 0 var(--lip) 0 var(--home-lip); }
.home b::after {
content: ""; position: absolute; right: calc(var(--cell) * .1); top: calc(var(--cell) * .09); width: calc(var(--cell) * .055);
height: calc(var(--cell) * .105); border: solid currentColor; border-width: 0 max(1.5px, var(--cell) * .02) max(1.5px, var(--cell) * .02) 0; rotate: 42deg;
}
.moved b { outline: 3px solid var(--accent); outline-offset: -3px; }
.tile:focus-visible { outline: none; z-index: 1; }
.tile:focus-visible b, :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
${places}
.tools, .player { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; padding: 4px; border-radius: 14px; background: var(--sunken); }
.keys { display: flex; flex: 1 1 120px; min-width: 0; }
.keys button { flex: 0 1 44px; min-width: 0; }
:is(.tools, .keys) button { display: grid; place-items: center; width: 44px; height: 44px; padding: 0; border: 0; border-radius: 10px; background: none; color: var(--ink); }
:is(.tools, .keys) button:hover { background: var(--surface); }
.keys :is(.play, .play:hover) { background: var(--accent); color: var(--accent-ink); }
[aria-disabled="true"] { color: var(--ink-2); cursor: default; }
[aria-disabled="true"] svg { opacity: .6; }
.tools svg, .keys svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 1.9; stroke-linecap: round; stroke-linejoin: round; }
.count { margin: 0 10px 0 auto; font-weight: 600; }
.won .count { color: var(--accent); font-weight: 700; }
input { flex: 1 1 60%; min-width: 80px; height: 44px; margin: 0; accent-color: var(--accent); }
output { white-space: nowrap; }
select { width: 60px; height: 44px; padding: 0 6px; border: 1px solid var(--line-strong); border-radius: 10px; background: var(--surface); color: inherit; font: inherit; }
.said { min-height: 1.4em; padding: 0 6px; text-align: center; overflow-wrap: anywhere; }
.warn { padding: 6px 12px; border-radius: 10px; background: var(--warn-soft); overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(96px, 1fr)); gap: 6px 12px; padding: 0 6px; }
dt { color: var(--ink-2); font-size: 13px; }
dd { font-weight: 650; }
.chart { display: block; width: 100%; height: 56px; overflow: visible; border-bottom: 1px solid var(--line-strong); }
.chart > * { fill: none; stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke; }
.chart polygon { fill: var(--home); stroke: none; }
.chart .now { stroke: var(--warn); }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: reduce) { .tile { transition: none; } }
@media (forced-colors: active) {
.tile b { border: 1px solid ButtonText; } .moved b { outline-color: Highlight; } .chart > * { stroke: CanvasText; } .chart polygon { fill: GrayText; }
}
`;
return { STYLE };
})();
modules["component/texts"] = (() => {
const TEXTS = {
__proto__: null,
en: {
board: "Board, {rows} rows of {cols}", tile: "{tile}, row {row}, column {col}", can: "{tile}, can move {way}",
blank: "blank", blankAt: "blank, row {row}, column {col}",
U: "up", D: "down", L: "left", R: "right",
slid: "Tile {tiles} {way}.", slidLine: "Tiles {tiles} {way}.",
move: "{n} move", moves: "{n} moves", solved: "Solved in {moves}.",
stuck: "Tile {tile} is not in the row or column of the blank.", nowhere: "No tile can move that way.",
unreachable: "This goal cannot be reached.",
noTile: "There is no tile {tile}.", enter: "Press Enter to move tile {tile}.", row: "Row {row}: {cells}.",
undo: "Undo", redo: "Redo", restart: "Restart", undone: "Undone.", redone: "Redone.", restarted: "Restarted.",
replay: "Replay", first: "To the start", prev: "One step back", next: "One step forward", last: "To the end",
play: "Play", pause: "Pause", speed: "Speed", step: "Step", stepBoard: "Step {step}: {cells}",
start: "The start.", moved: "Step {step}: tile {tile} moves {way}.",
expansion: "Expansion", depth: "Depth", f: "f = g + h", frontier: "Frontier", stored: "Stored", generated: "Generated",
of: "{step} of {total}", search: "Search", searchStart: "The search begins here.",
chart: "Depth of each expanded board, up to {depth}, and boards in the frontier, up to {frontier}",
waiting: "Waiting for the recording \u2026",
noBoard: "No board is given. Write one, such as board=\"1.2.3-4.5.6-7.0.8\".",
badBoard: "The {name} \u201c{text}\u201d cannot be read. Write rows such as 1.2.3-4.5.6-7.0.8, with 0 for the blank.",
badSize: "A board has 2 to 10 rows and columns. The {name} is {rows} \u00d7 {cols}.",
badTiles: "The {name} must have each number from 0 to {most} once.",
badGoal: "The goal is {rows} \u00d7 {cols}, and the board another size.",
badMoves: "The moves \u201c{text}\u201d cannot be read. Write directions of tiles, such as U2RDL3.",
manyMoves: "A replay has up to {most} moves.", wrongMove: "Move {step}, {way}, is impossible on this board.",
badRecording: "The recording cannot be read.", noRecording: "The recording cannot be loaded.",
},
de: {
board: "Brett, {rows} Zeilen mit {cols} Spalten", tile: "{tile}, Zeile {row}, Spalte {col}",
can: "{tile}, kann nach {way}", blank: "leer", blankAt: "leer, Zeile {row}, Spalte {col}",
U: "oben", D: "unten", L: "links", R: "rechts",
slid: "Stein {tiles} nach {way}.", slidLine: "Steine {tiles} nach {way}.",
move: "{n} Zug", moves: "{n} Z\u00fcge", solved: "Gel\u00f6st: {moves}.",
stuck: "Stein {tile} liegt nicht in der Zeile oder Spalte der L\u00fccke.", nowhere: "Dorthin kann kein Stein.",
unreachable: "Dieses Ziel ist nicht erreichbar.",
noTile: "Es gibt keinen Stein {tile}.", enter: "Enter bewegt Stein {tile}.", row: "Zeile {row}: {cells}.",
undo: "Zur\u00fcck", redo: "Wiederholen", restart: "Neu beginnen", undone: "Zur\u00fcckgenommen.", redone: "Wiederholt.",
restarted: "Neu begonnen.",
replay: "Wiedergabe", first: "Zum Anfang", prev: "Einen Schritt zur\u00fcck", next: "Einen Schritt vor", last: "Zum Ende",
play: "Abspielen", pause: "Anhalten", speed: "Tempo", step: "Schritt", stepBoard: "Schritt {step}: {cells}",
start: "Der Anfang.", moved: "Schritt {step}: Stein {tile} nach {way}.",
expansion: "Expansion", depth: "Tiefe", frontier: "Rand", stored: "Gespeichert", generated: "Erzeugt",
of: "{step} von {total}", search: "Suche", searchStart: "Hier beginnt die Suche.",
chart: "Tiefe jedes expandierten Bretts, bis {depth}, und Bretter im Rand, bis {frontier}",
waiting: "Die Aufzeichnung wird geladen \u2026",
},
es: {
board: "Tablero, {rows} filas de {cols}", tile: "{tile}, fila {row}, columna {col}",
can: "{tile}, puede ir {way}", blank: "hueco", blankAt: "hueco, fila {row}, columna {col}",
U: "arriba", D: "abajo", L: "a la izquierda", R: "a la derecha",
slid: "Ficha {tiles} {way}.", slidLine: "Fichas {tiles} {way}.",
move: "{n} movimiento", moves: "{n} movimientos", solved: "Resuelto en {moves}.",
stuck: "La ficha {tile} no est\u00e1 en la fila ni en la columna del hueco.", nowhere: "Ninguna ficha puede ir hacia all\u00ed.",
unreachable: "Este objetivo no se puede alcanzar.",
noTile: "No hay ficha {tile}.", enter: "Pulsa Intro para mover la ficha {tile}.", row: "Fila {row}: {cells}.",
undo: "Deshacer", redo: "Rehacer", restart: "Reiniciar", undone: "Deshecho.", redone: "Rehecho.",
restarted: "Reiniciado.",
replay: "Repetici\u00f3n", first: "Al principio", prev: "Un paso atr\u00e1s", next: "Un paso adelante", last: "Al final",
play: "Reproducir", pause: "Pausa", speed: "Velocidad", step: "Paso", stepBoard: "Paso {step}: {cells}",
start: "El principio.", moved: "Paso {step}: la ficha {tile} va {way}.",
expansion: "Expansi\u00f3n", depth: "Profundidad", frontier: "Frontera", stored: "Guardados", generated: "Generados",
of: "{step} de {total}", search: "B\u00fasqueda", searchStart: "La b\u00fasqueda empieza aqu\u00ed.",
chart: "Profundidad de cada tablero expandido, hasta {depth}, y tableros en la frontera, hasta {frontier}",
waiting: "Esperando la grabaci\u00f3n \u2026",
},
};

function sayer(wanted, texts = TEXTS) {
const find = (key) => (Object.hasOwn(texts, key) ? key : undefined);
const lang = find(wanted) ?? find(wanted.split("-")[0]) ?? "en";
const say = (name, values = {}) => (Object.hasOwn(texts[lang], name) ? texts[lang][name] : TEXTS.en[name])
.replace(/\{(\w+)\}/g, (whole, key) => (Object.hasOwn(values, key) ? values[key] : whole));
say.lang = lang;
say.number = (n) => n.toLocaleString(lang);
say.count = (n) => say(n === 1 ? "move" : "moves", { n: say.number(n) });
return say;
}
return { TEXTS, sayer };
})();
modules["component/element"] = (() => {
const { format } = modules["board"];
const { GameView } = modules["component/game"];
const { Unusable, make, readMoves, readPuzzle } = modules["component/parts"];
const { ReplayView, WatchView } = modules["component/steps"];
const { STYLE } = modules["component/style"];
const { TEXTS, sayer } = modules["component/texts"];

const REFLECTED = ["board", "goal", "moves", "watch", "theme", "controls", "label"];
const RETRY = 3000;

let sheet;

async function parsed(read) {
try {
return await read();
} catch {
throw new Unusable("badRecording");
}
}

class SlideWise extends HTMLElement {
static observedAttributes = [...REFLECTED, "lang"];
static texts = TEXTS;

#root = this.attachShadow({ mode: "open" });
#view = null;
#focus = null;
#build = 0;

constructor() {
super();
if (!sheet) {
sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);
}
this.#root.adoptedStyleSheets = [sheet];
this.#root.addEventListener("keydown", (event) => this.key(event));
}

connectedCallback() { this.#rebuild(); }

disconnectedCallback() {
this.#build += 1;
this.#view?.stop();
}

attributeChangedCallback() {
if (this.isConnected) this.#rebuild();
}

get step() { return this.#view?.step ?? 0; }
set step(step) { this.#view?.goTo?.(Number(step)); }
get position() { return this.#view?.board ? format(this.#view.board) : ""; }
get playing() { return this.#view?.playing ?? false; }
key(event) {
if (event.ctrlKey || event.metaKey || event.altKey || !this.#view?.key(event)) return;
event.preventDefault();
event.stopPropagation();
}

focus(options = {}) {
if (this.#view) this.#view.focus(options);
else this.#focus = options;
}

play() { this.#view?.play?.(); }
pause() { this.#view?.rest?.(); }

async #rebuild() {
const build = this.#build += 1;
await null;
if (build !== this.#build || !this.isConnected) return;
const say = sayer(this.closest("[lang]")?.lang ?? "", SlideWise.texts);
this.#view?.stop();
this.#view = null;
try {
this.#present(await this.#viewOf(say, build), say, build);
} catch (error) {
if (!(error instanceof Unusable)) throw error;
const english = sayer("en", SlideWise.texts);
this.#put(english, build, make("p", { class: "warn", role: "alert" }, english(error.message, error.values)));
}
}

async #viewOf(say, build) {
const text = (name) => this.getAttribute(name)?.trim() ?? "";
const emit = (type, detail) => {
if (this.#view) this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
};
const options = { label: text("label"), hasControls: !["none", "false"].includes(text("controls")) };
if (text("watch")) return new WatchView(await this.#recording(text("watch"), say, build), say, emit, options);
if (!text("board")) throw new Unusable("noBoard");
const puzzle = readPuzzle(text("board"), text("goal"));
return this.hasAttribute("moves") ? new ReplayView(puzzle, readMoves(text("moves"), puzzle.start), say, emit, options)
: new GameView(puzzle, say, emit, options);
}

#present(view, say, build) {
if (!this.#put(say, build, view.element)) return;
view.goTo?.(Number(this.getAttribute("step")));
this.#view = view;
if (this.#focus && document.activeElement === document.body) view.focus(this.#focus);
this.#focus = null;
}

#put(say, build, content) {
if (build !== this.#build) return false;
const theme = this.getAttribute("theme");
this.#root.replaceChildren(make("div", { class: "root", lang: say.lang, "data-theme": theme ?? "auto" }, content));
return true;
}

async #recording(named, say, build) {
if (named.startsWith("#")) {
if (document.readyState === "loading")
await new Promise((ready) => { document.addEventListener("DOMContentLoaded", ready, { once: true }); });
return parsed(() => JSON.parse(document.getElementById(named.slice(1))?.textContent ?? ""));
}
this.#put(say, build, make("p", { class: "said", role: "status" }, say("waiting")));
for (let wait = RETRY; ; ) {
const response = await fetch(named).catch(() => null);
if ([202, 429, 503].includes(response?.status)) {
await new Promise((ready) => { setTimeout(ready, wait); });
if (response.status !== 202) wait *= 2;
if (build !== this.#build) return null;
} else if (!response?.ok) throw new Unusable("noRecording");
else return parsed(() => response.json());
}
}
}

for (const name of REFLECTED)
Object.defineProperty(SlideWise.prototype, name, {
__proto__: null, enumerable: true, configurable: true,
get() { return this.getAttribute(name) ?? ""; },
set(value) { this.setAttribute(name, value); },
});

function start() {
if (!customElements.get("slide-wise")) customElements.define("slide-wise", SlideWise);
}
return { start };
})();
modules["component/element"].start();
})();
