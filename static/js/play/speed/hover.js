// Hover control: moving the pointer along the blank's line slides tiles without a press. A finger drags
// the blank instead.
import { line } from "../../board.js";
import { board, play, slideTile, whenKnown } from "../view.js";

let last = null; // the last position of the pointer: { x, y }
let leading = null; // the id of the finger that leads the blank

// The cell at a point of the grid, as tiles may still be moving; -1 outside
function cellAt({ x, y }, { cols, cells }) {
  const { left, top, width, height } = document.querySelector("#board .grid").getBoundingClientRect();
  const rows = cells.length / cols;
  const [col, row] = [Math.floor((cols * (x - left)) / width), Math.floor((rows * (y - top)) / height)];
  return col < 0 || row < 0 || col >= cols || row >= rows ? -1 : row * cols + col;
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
  const now = board();
  const tile = now.cells[cellAt(point, now)];
  const isSolved = play().dataset.board === play().dataset.goal;
  if (tile && !isSolved && line(now, tile)) slideTile(tile);
}

function onDown(event, isOn) {
  const point = { x: event.clientX, y: event.clientY };
  const now = board();
  if (event.pointerType !== "touch" || !event.isPrimary || !isOn() || now.cells[cellAt(point, now)] !== 0) return;
  [leading, last] = [event.pointerId, point];
  event.stopPropagation(); // it is no swipe
}

function onUp(event) {
  if (event.pointerId !== leading) return;
  [leading, last] = [null, null];
  event.stopPropagation();
}

function onMove(event, isOn) {
  const leads = event.pointerId === leading;
  if (event.pointerType === "touch" && !leads) return; // a swipe does it
  if (leads) event.stopPropagation();
  const points = event.getCoalescedEvents?.() ?? [];
  const { width } = document.querySelector("#board .grid").getBoundingClientRect();
  const step = width / board().cols / 4;
  for (const { clientX: x, clientY: y } of points.length > 0 ? points : [event]) {
    const way = between(last ?? { x, y }, { x, y }, step);
    last = { x, y };
    if (isOn() && (leads || event.buttons === 0)) way.forEach((point) => whenKnown(() => pass(point)));
  }
}

// The pointer already moved this tile, so a click must not move it back.
function onClick(event, isOn) {
  if (!isOn() || event.pointerType === "touch" || event.detail === 0) return;
  if (!event.target.closest("#board")) return;
  event.preventDefault();
  event.stopPropagation();
}

// `isOn` returns whether hovering moves tiles now.
export function start(isOn) {
  const game = document.getElementById("game");
  const listen = (type, action) => game.addEventListener(type, (event) => action(event, isOn), { capture: true });
  listen("pointerdown", onDown);
  listen("pointermove", onMove);
  for (const end of ["pointerup", "pointercancel"]) listen(end, onUp);
  listen("click", onClick);
  game.addEventListener("pointerleave", () => { last = null; });
}
