// Dragging and swiping by mouse, pen or finger. A movable tile follows the pointer, with the tiles
// between it and the blank. A swipe elsewhere moves a tile next to the blank.
import { OPPOSITE, line, tileMoving } from "../board.js";
import { board, isSettled, motion, play, releaseNow, shake, slideTile, whenKnown } from "./view.js";
import { setting } from "../storage.js";

const SLACK = 8; // pixels that a click may slip
const FAR = 0.4; // part of a tile's way after which a released tile moves on
const SWIPED = 24; // pixels that make a swipe
const FAST = 0.4; // pixels a millisecond that make a flick
const RECENT = 80; // milliseconds over which its speed is taken

let pointer = null; // the press under way: { id, type, x, y, tile, samples, drag }
let dragged = false; // whether the press was a drag, so that its click is ignored
let tapped = null; // the tile of a finger's tap without a click so far

function onDown(event) {
  if (!event.isPrimary || event.button !== 0 || !event.target.closest("#board")) return;
  dragged = false;
  const { pointerId: id, pointerType: type, clientX: x, clientY: y } = event;
  const tile = event.target.closest("button.tile");
  pointer = { id, type, x, y, tile, samples: [], drag: null };
}

function onMove(event) {
  if (event.pointerId !== pointer?.id) return;
  const [dx, dy] = [event.clientX - pointer.x, event.clientY - pointer.y];
  if (!dragged) {
    if (Math.hypot(dx, dy) < SLACK) return;
    dragged = true;
    releaseNow();
    pointer.drag = begin(dx, dy);
    if (!pointer.drag) shake(pointer.tile);
    document.getElementById("board").setPointerCapture(pointer.id);
  }
  if (!pointer.drag) return;
  follow(pointer.drag, dx, dy);
  pointer.samples.push({ at: event.timeStamp, along: pointer.drag.along });
}

// The dragged line of tiles in the pointer's direction, or null.
function begin(dx, dy) {
  if (isSettled()) return null;
  const now = board();
  const way = Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "R" : "L") : dy > 0 ? "D" : "U";
  const { tile, type } = pointer;
  const held = tile && line(now, Number(tile.value));
  if (held?.way === way) return grip(way, held);
  if (tile && type === "mouse") return null; // a mouse holds only that tile
  const beside = tileMoving(now, setting("arrows") === "blank" ? OPPOSITE[way] : way);
  return beside ? grip(way, line(now, beside)) : null;
}

// Start dragging a line. Paused animations hold its tiles, so that server responses can update the
// board meanwhile.
function grip(pointed, { way, tiles }) {
  const elements = tiles.map((tile) => document.getElementById(`t${tile}`));
  const { width, height } = elements[0].getBoundingClientRect();
  const size = way === "U" || way === "D" ? height : width;
  const to = { U: `0 ${-size}px`, D: `0 ${size}px`, L: `${-size}px`, R: `${size}px` }[way];
  const shown = elements.map((tile) => tile.animate([{ translate: "0" }, { translate: to }], 1000));
  shown.forEach((animation) => animation.pause());
  return { pointed, tiles, elements, shown, size, to, along: 0, of: play().dataset.board };
}

function follow(drag, dx, dy) {
  const along = { U: -dy, D: dy, L: -dx, R: dx }[drag.pointed];
  drag.along = Math.max(0, Math.min(along, drag.size));
  for (const animation of drag.shown) animation.currentTime = 999 * drag.along / drag.size;
}

function onUp(event) {
  if (event.pointerId !== pointer?.id) return;
  const { drag, samples, tile, type } = pointer;
  const swipes = !tile || type !== "mouse";
  tapped = !dragged && type === "touch" && event.type === "pointerup" ? tile : null;
  pointer = null;
  setTimeout(() => { dragged = false; }); // after the click that comes with it
  if (drag) release(drag, event.type === "pointerup" && isFar(drag, samples, swipes, event.timeStamp));
}

function isFar({ along, size }, samples, swipes, now) {
  if (along >= FAR * size || (swipes && along >= SWIPED)) return true;
  const first = samples.find(({ at }) => now - at < RECENT);
  return first !== undefined && (along - first.along) / Math.max(1, now - first.at) >= FAST;
}

function release(drag, moves) {
  const { elements, shown, along, size, to } = drag;
  const duration = motion(elements[0]);
  shown.forEach((animation) => animation.cancel());
  const held = to.replace(/-?[\d.]+(?=px)/, (whole) => whole * along / size);
  if (duration)
    for (const tile of elements)
      tile.animate([{ translate: held }, { translate: "0" }], { duration, easing: "ease-out" });
  if (moves && play().dataset.board === drag.of) whenKnown(() => slideTile(drag.tiles.at(-1)));
}

// Browsers may send no click for the first tap after a flick, as it could stop the scrolling.
function onTouchEnd(event) {
  if (!tapped) return;
  event.preventDefault(); // no second click may follow
  tapped.click();
  tapped = null;
}

// The click that ends a drag would move the tile again.
function onClick(event) {
  if (!dragged || !event.target.closest("#board")) return;
  event.preventDefault();
  event.stopPropagation();
}

export function start() {
  const game = document.querySelector("#game, #practice");
  if (!game) return;
  game.addEventListener("pointerdown", onDown);
  game.addEventListener("pointermove", onMove);
  for (const end of ["pointerup", "pointercancel"]) game.addEventListener(end, onUp);
  game.addEventListener("touchend", onTouchEnd, { passive: false });
  game.addEventListener("click", onClick, { capture: true });
}
