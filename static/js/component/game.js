// A board to play: click, keys, swipe.
import { DIRECTIONS, beside, draw, format, line, parse, place, solvable, tileMoving } from "../board.js";
import { LocalGame, beginning, isOver, isSolved, lastOf } from "../game/position.js";
import { make } from "../dom.js";
import { boardOf, iconButton } from "./parts.js";

const SWIPED = 18; // pixels that make a swipe

export class GameView {
  #tiles; // elements by tile, 0 for the blank
  #typed = ""; // digits of a tile's number, until Enter
  #pressed = null; // pointer that went down: { id, x, y, tile }
  #swiped = false; // whether the next click belongs to a swipe

  constructor({ start, goal }, say, emit, { label, hasControls }) {
    const game = new LocalGame(beginning(format(start), format(goal)));
    Object.assign(this, { game, goal, say, emit });
    game.addEventListener("change", ({ detail }) => this.#onChange(detail));
    game.addEventListener("refused", ({ detail }) => this.#onRefused(detail));
    this.#tiles = new Map(start.cells.map((tile) => [tile, elementOf(tile)]));
    this.grid = make("div", { class: "grid" }, ...this.#tiles.values());
    const name = label || say("board", { rows: start.cells.length / start.cols, cols: start.cols });
    this.said = make("p", { role: "status", class: "hidden" });
    this.counter = make("span", { class: "count" });
    this.undo = iconButton("undo", say, () => game.act("undo"));
    this.redo = iconButton("redo", say, () => game.act("redo"));
    this.restart = iconButton("restart", say, () => game.shown.made && game.act("alone")); // Undo does not take it back
    this.element = make("div", { class: "view" }, boardOf(start, { role: "group", "aria-label": name }, this.grid),
      ...(hasControls ? [make("div", { class: "tools" }, this.undo, this.redo, this.restart, this.counter)] : []),
      ...(solvable(start, goal) ? [] : [make("p", { class: "warn" }, say("unreachable"))]), this.said);
    this.#listen();
    this.#show();
  }

  get board() { return parse(this.game.shown.board); }
  stop() {}
  focus(options) { this.stopHere.focus(options); }

  #onChange({ from, to, cause }) {
    const { say } = this;
    const kind = cause === "alone" ? "restart" : cause;
    const [earlier, later] = kind === "undo" ? [to, from] : [from, to];
    const { way, tiles } = lastSlide(earlier, later);
    this.#show(new Set(tiles));
    const slid = way && say(tiles.length > 1 ? "slidLine" : "slid", { tiles: tiles.join(", "), way: say(way) });
    const words = { slide: slid, undo: say("undone"), redo: say("redone"), restart: say("restarted") }[kind];
    const isWon = isSolved(to) && (kind === "slide" || kind === "redo");
    const count = say.count(to.moves);
    this.#announce(`${words} ${isWon ? say("solved", { moves: count }) : `${count}.`}`);
    const detail = { board: to.board, moves: to.moves, path: to.made };
    this.emit("move", { ...detail, kind, tiles, direction: way });
    if (isWon) this.emit("solved", detail);
  }

  #onRefused({ why, tile }) {
    if (why === "stuck") this.#announce(this.say("stuck", { tile }), true);
  }

  // Announced; shown too if it explains why nothing happened
  #announce(words, isShown = false) {
    this.said.textContent = words;
    this.said.className = isShown ? "warn" : "hidden";
  }

  #show(moved = new Set()) {
    const { board, goal, say, game: { shown } } = this;
    draw(board, goal, (tile) => this.#tiles.get(tile));
    board.cells.forEach((tile, cell) => {
      const [row, col] = place(board, cell).map((at) => at + 1);
      const way = !isOver(shown) && line(board, tile)?.way;
      const name = say(tile ? "tile" : "blankAt", { tile, row, col });
      if (tile) this.#tiles.get(tile).ariaLabel = way ? say("can", { tile: name, way: say(way) }) : name;
      else this.#tiles.get(0).textContent = name;
    });
    this.#order(board, moved);
    this.#keepOneStop();
    const moves = say.count(shown.moves);
    this.counter.textContent = isOver(shown) ? say("solved", { moves }) : moves;
    this.element.classList.toggle("won", isOver(shown));
    this.undo.ariaDisabled = this.restart.ariaDisabled = String(!shown.made);
    this.redo.ariaDisabled = String(!shown.undone);
  }

  // Sort the elements into reading order, except the moved: reinserting a node ends its transition.
  #order({ cells }, moved) {
    const focused = this.#focused();
    let next = null;
    for (const tile of cells.toReversed()) {
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

  // The board is a single tab stop: the tile focused last, or the first that can move
  #keepOneStop() {
    this.stopHere = this.#focused() ?? this.stopHere
      ?? this.#tiles.get(this.board.cells.find((tile) => line(this.board, tile)));
    for (const [tile, element] of this.#tiles) if (tile) element.tabIndex = element === this.stopHere ? 0 : -1;
  }

  #listen() {
    this.grid.addEventListener("click", ({ target }) => {
      const tile = target.closest("button.tile");
      if (tile && !this.#swiped) this.#slide(Number(tile.value));
    });
    this.grid.addEventListener("focusin", () => this.#keepOneStop());
    const board = this.grid.parentNode;
    board.addEventListener("pointerdown", (event) => {
      this.#swiped = false;
      if (!event.isPrimary || event.button !== 0) return;
      const tile = Number(event.target.closest("button.tile")?.value); // later the target is the component
      this.#pressed = { id: event.pointerId, x: event.clientX, y: event.clientY, tile };
    });
    board.addEventListener("pointerup", (event) => this.#release(event));
    board.addEventListener("pointercancel", () => { this.#pressed = null; });
  }

  #release({ pointerId, clientX, clientY }) {
    const from = this.#pressed;
    this.#pressed = null;
    if (from?.id !== pointerId) return;
    const [dx, dy] = [clientX - from.x, clientY - from.y];
    if (Math.max(Math.abs(dx), Math.abs(dy)) < SWIPED) return;
    this.#swiped = true;
    setTimeout(() => { this.#swiped = false; }); // after the click that comes with it
    const way = Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "R" : "L") : dy > 0 ? "D" : "U";
    this.#slideThatWay(way, line(this.board, from.tile)?.way === way ? from.tile : undefined);
  }

  #slide(tile) { this.game.act("slide", { tile }); }

  #slideThatWay(way, tile = tileMoving(this.board, way)) {
    if (isOver(this.game.shown)) return;
    if (!tile) return this.#announce(this.say("nowhere"));
    const hadFocus = this.#focused();
    this.#slide(tile);
    if (hadFocus) this.#tiles.get(tile).focus({ preventScroll: true }); // the focus follows the tile
  }

  // Whether the view knows the key
  key({ key, shiftKey, target }) {
    if (shiftKey && key in DIRECTIONS && key.startsWith("Arrow")) return this.#focusBeside(DIRECTIONS[key]);
    if (this.#number(key, target)) return true;
    const name = key.length === 1 ? key.toLowerCase() : key;
    if (name in DIRECTIONS) this.#slideThatWay(DIRECTIONS[name]);
    else if (name === "u") this.game.act("undo");
    else if (name === "r") this.game.act("redo");
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
    this.#slide(Number(typed));
    return true;
  }

  #readAloud() {
    const { say, board: { cols, cells } } = this;
    const rows = Array.from({ length: cells.length / cols }, (_, row) => cells.slice(row * cols, (row + 1) * cols));
    const inWords = (row) => row.map((tile) => tile || say("blank")).join(", ");
    this.#announce(rows.map((row, i) => say("row", { row: i + 1, cells: inWords(row) })).join(" "));
  }
}

const elementOf = (tile) => (tile === 0 ? make("span", { class: "hidden" })
  : make("button", { type: "button", class: "tile", value: tile }, make("b", {}, String(tile))));

// The slide between two positions: direction and tiles, none after a restart
function lastSlide({ board: text }, { made }) {
  const [, way, count] = lastOf(made);
  const board = parse(text);
  return way ? line(board, tileMoving(board, way, Number(count || 1))) : { way: "", tiles: [] };
}
