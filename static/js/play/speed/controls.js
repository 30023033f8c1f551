// Controls of speed mode: hovering slides tiles without a press, Esc restarts the puzzle, N goes to the next.
import { line } from "../../board.js";
import { read, readText, setting } from "../../storage.js";
import { replay } from "../keys.js";
import { CHOICE } from "../../new/new.js";
import { isSolved } from "../../game/position.js";
import { board, drawn, slideTile, whenKnown } from "../view.js";

// The pointer moves tiles along the blank's line. A finger drags the blank instead.
class Hover {
  #isOn;
  #last = null; // the last position of the pointer: { x, y }
  #leading = null; // the id of the finger that leads the blank

  constructor(isOn) {
    this.#isOn = isOn;
  }

  start() {
    const game = document.getElementById("game");
    const listen = (type, action) => game.addEventListener(type, action, { capture: true });
    listen("pointerdown", (event) => this.#onDown(event));
    listen("pointermove", (event) => this.#onMove(event));
    for (const end of ["pointerup", "pointercancel"]) listen(end, (event) => this.#onUp(event));
    listen("click", (event) => this.#onClick(event));
    game.addEventListener("pointerleave", () => { this.#last = null; });
  }

  #onDown(event) {
    const point = { x: event.clientX, y: event.clientY };
    if (event.pointerType !== "touch" || !event.isPrimary || !this.#isOn() || tileAt(point) !== 0) return;
    [this.#leading, this.#last] = [event.pointerId, point];
    event.stopPropagation(); // not a swipe
  }

  #onUp(event) {
    if (event.pointerId !== this.#leading) return;
    [this.#leading, this.#last] = [null, null];
    event.stopPropagation();
  }

  #onMove(event) {
    const leads = event.pointerId === this.#leading;
    if (event.pointerType === "touch" && !leads) return; // a swipe does the move
    if (leads) event.stopPropagation();
    const points = event.getCoalescedEvents?.() ?? [];
    const step = grid().width / board().cols / 4;
    for (const { clientX: x, clientY: y } of points.length > 0 ? points : [event]) {
      const way = between(this.#last ?? { x, y }, { x, y }, step);
      this.#last = { x, y };
      if (this.#isOn() && (leads || event.buttons === 0)) way.forEach((point) => whenKnown(() => pass(point)));
    }
  }

  // The pointer already moved this tile, so a click must not move it back.
  #onClick(event) {
    if (!this.#isOn() || event.pointerType === "touch" || event.detail === 0) return;
    if (!event.target.closest("#board")) return;
    event.preventDefault();
    event.stopPropagation();
  }
}

const grid = () => document.querySelector("#board .grid").getBoundingClientRect();

// The tile whose cell is at a point, as tiles may still be moving: 0 for the blank, undefined outside
function tileAt({ x, y }) {
  const { cols, cells } = board();
  const { left, top, width, height } = grid();
  const rows = cells.length / cols;
  const [col, row] = [Math.floor((cols * (x - left)) / width), Math.floor((rows * (y - top)) / height)];
  return col < 0 || row < 0 || col >= cols || row >= rows ? undefined : cells[row * cols + col];
}

// Points between two positions, dense enough to hit every cell
function between(from, to, step) {
  const count = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / step));
  return Array.from({ length: count }, (_, i) => {
    const part = (i + 1) / count;
    return { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) };
  });
}

function pass(point) {
  const tile = tileAt(point);
  if (tile && !isSolved(drawn()) && line(board(), tile)) slideTile(tile);
}

// Like "Next puzzle": the stored choice, or a puzzle of this kind
function next() {
  const button = document.getElementById("next-puzzle");
  if (button) return button.click();
  const choice = read(CHOICE);
  const { href, dataset } = document.getElementById("new-game");
  location.assign(choice.size ? `${href}?${new URLSearchParams(choice)}` : `${dataset.nextUrl}${hash()}`);
}

// Without storage the address of the next puzzle names the mode, for theme.js.
const hash = () => (readText("speed-mode") === null ? "#speed" : "");

function nameMode({ target }) {
  if (target.id === "next-puzzle") target.hash = hash();
  if (target.id === "new-form") target.action = target.action.split("#")[0] + hash();
}

function onKey(event, onRestart) {
  const { key, target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches("input, select, textarea") || document.querySelector("dialog[open]")) return;
  if (key === "Escape" && !replay.isOpen()) {
    document.querySelector("#restart:not([aria-disabled=true])")?.click();
    onRestart();
  } else if (key.toLowerCase() === "n" && setting("single-keys") !== "off") next();
  else return;
  event.preventDefault();
}

// `isOn` and `hovers` return whether keys and the pointer act now.
export function start({ isOn, hovers, onRestart }) {
  new Hover(hovers).start();
  for (const name of ["click", "submit"]) document.addEventListener(name, (event) => isOn() && nameMode(event), true);
  document.addEventListener("keydown", (event) => isOn() && onKey(event, onRestart));
}
