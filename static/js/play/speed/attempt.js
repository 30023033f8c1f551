// A timed solve: it observes board changes from any input, and times each slide by the page's clock.
import { format, line, parse, slide } from "../../board.js";
import { clock } from "../clock.js";
import { play } from "../view.js";

let attempt; // { state, slides, at, spoilt }: state is ready, running or over
let shown; // the last observed board, as text
let handlers; // functions for each change: begun, solved, ready

export const now = () => performance.now();
export const current = () => attempt;
export const elapsed = () => (attempt.state === "running" ? clock.played() : attempt.at.at(-1) ?? 0) - (attempt.at[0] ?? 0);
export const movesMade = () => attempt.slides.reduce((sum, { count }) => sum + count, 0);

// Reason that the solve does not count, reported at the end.
export function spoil(why) {
  if (attempt.state !== "over") attempt.spoilt ??= why;
}

function reset() {
  const { board, start, made } = play().dataset;
  const isReady = board === start && !made;
  attempt = { state: isReady ? "ready" : "over", slides: [], at: [], spoilt: null };
  if (!isReady) attempt.spoilt = "begun";
  handlers.ready(isReady);
}

// The slide between two boards: direction and number of tiles, or null
function slideBetween(before, after) {
  const [from, to] = [parse(before), parse(after)];
  const tile = from.cells[to.cells.indexOf(0)];
  const next = tile && slide(from, tile);
  if (!next || format(next) !== after) return null;
  const { way, tiles } = line(from, tile);
  return { way, count: tiles.length };
}

function onChange(before, after) {
  const { start, goal, made } = play().dataset;
  if (after === start && !made) return reset();
  if (attempt.state === "over") return;
  const step = slideBetween(before, after);
  if (!step) {
    attempt.state = "over";
    attempt.spoilt = "jumped";
    handlers.ready(false);
    return;
  }
  if (attempt.state === "ready") {
    attempt.state = "running";
    handlers.begun(now());
  }
  attempt.slides.push(step);
  const moment = clock.carried;
  // If the server counted less than this page, earlier times are reduced.
  attempt.at = [...attempt.at.map((one) => Math.min(one, moment)), moment];
  if (after !== goal) return;
  attempt.state = "over";
  handlers.solved(attempt);
}

function look(records) {
  const passed = records.filter(({ attributeName }) => attributeName === "data-board").map(({ oldValue }) => oldValue);
  for (const board of [...passed, play().dataset.board]) {
    if (!board || board === shown) continue;
    const before = shown;
    shown = board;
    onChange(before, board);
  }
  const { board, start, made } = play().dataset;
  if (board === start && !made && attempt.state !== "ready") reset(); // restarted at the start
}

export function start(changeHandlers) {
  handlers = changeHandlers;
  shown = play().dataset.board;
  reset();
  new MutationObserver(look).observe(document.getElementById("game"),
    { subtree: true, childList: true, attributes: true, attributeFilter: ["data-board", "data-made"], attributeOldValue: true });
}
