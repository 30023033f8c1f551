// A board to play: click, keys, swipe.
import { DIRECTIONS, beside, count, draw, format, line, place, slide, solvable, tileMoving } from "../board.js";
import { boardOf, button, make } from "./parts.js";

const SWIPED = 18; // pixels that make a swipe

export class GameView {
  #tiles = new Map(); // elements by tile, 0 for the blank
  #past = []; // slides: { way, tiles }
  #future = [];
  #typed = ""; // digits of a tile's number, until Enter
  #pressed = null; // position at which a pointer went down
  #swiped = false; // whether the next click belongs to a swipe

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

  // After the last move no tile moves until it is undone
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

  // Announced; shown too if it explains why nothing happened
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

  // Sort the elements into reading order, but not the moved ones: reinserting a node ends its transition.
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

  // The board is one tab stop: the tile focused last, else the first that can move
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
    setTimeout(() => { this.#swiped = false; }); // after the click that comes with it
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
    if (hadFocus) this.#tiles.get(tile).focus({ preventScroll: true }); // the focus follows the tile
  }

  // Whether the view knows the key
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

  // Move the focus from tile to tile, also across the blank
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
