// Game clock. The page counts play time, without dialogs, replays and other tabs or windows. Each post
// carries the count. The server accepts it up to the real time passed, and returns its own count.
import { clocks } from "./store.js";
import { gameUrl } from "./view.js";

let total = 0; // milliseconds of play
let last = null; // time of the last count, null while the clock rests
let serverSeconds = null; // the server's last count
const inFront = "dialog[open], #replay:not([hidden]) > *, #review > *";
const element = () => document.getElementById("clock");

export function clockText(seconds) {
  const pad = (n) => String(n).padStart(2, "0");
  const hundredths = Math.floor(Math.round(1000 * seconds) / 10);
  const whole = Math.floor(hundredths / 100);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const text = hours ? `${hours}:${pad(minutes)}` : `${minutes}`;
  return `${text}:${pad(whole % 60)}.${pad(hundredths % 100)}`;
}

// A game solved offline is over, even before the server confirms it.
function isSolved() {
  const { board, goal } = document.getElementById("play")?.dataset ?? {};
  return board !== undefined && board === goal;
}

// Another window has the focus. Focus or any action on the page resumes the clock.
let isAway = false;

const isPaused = () => isAway || document.hidden || document.querySelector(inFront) !== null || isSolved();

function count() {
  const now = performance.now();
  if (last !== null && !isSolved()) total += now - last; // the last move's post has counted up to it
  last = element()?.dataset.running === undefined || isPaused() ? null : now;
}

// Milliseconds of play so far.
export function played() {
  count();
  return Math.round(total);
}

let ofPost = 0;

// Milliseconds of play in a post; speed mode reports the same
export function carry() {
  onReturn();
  return (ofPost = played());
}
export const carried = () => ofPost;

// Time of each move in milliseconds of play, one per tile, for links to a ghost.
const MOST_MOVES = 600; // at most in a link to a ghost
let moments = [];

// Moves from number `before` to `after` were made now. Unknown times stay empty. If the server counted
// less than this page, earlier times are reduced.
function noteMoves(before, after) {
  if (after <= before || after > MOST_MOVES) return;
  moments.length = before; // later ones were undone
  moments = moments.map((moment) => moment && Math.min(moment, ofPost));
  moments.push(...Array(after - before).fill(ofPost));
}

// Milliseconds of each of the first `count` moves, null if some are unknown
export function timesOf(count) {
  const known = Array.from({ length: count }, (_, i) => moments[i]);
  if (known.some((moment) => typeof moment !== "number")) return null;
  return known.map((moment, i) => moment - known[Math.max(0, i - 1)]);
}

let beforeRestart = null; // play and moments before a restart

// Follow an action from game to game; the server confirms it later.
export function follow(action, from, to) {
  const resumes = from.left > 0 && (action === "undo" || action === "redo");
  noteMoves(from.moves, to.moves);
  const isAtStart = ["restart", "alone"].includes(action);
  if (isAtStart) {
    beforeRestart = action === "restart" ? { total, moments } : null;
    [total, moments, last] = [0, [], null];
  } else if (resumes && beforeRestart) {
    ({ total } = beforeRestart);
    if (action === "undo") ({ moments } = beforeRestart);
  }
  if (isAtStart || isSolved()) delete element().dataset.running;
  else if (action === "slide" || resumes || from.board === from.goal) element().dataset.running = "";
  count();
  show();
}

// An action sent again was made after this many milliseconds of play.
export function goOnFrom(milliseconds) {
  count();
  total = Math.max(total, milliseconds);
  return (ofPost = milliseconds);
}

// Accept the server's count. If a post `carried` the page's count, it is exact up to that post.
// Otherwise the page's own count stands until the server's changes.
export function takeFromServer(carried = null) {
  count();
  const { seconds } = element().dataset;
  if (element().dataset.running === undefined) total = 1000 * seconds; // the time since then was not play
  else if (carried !== null) total = Math.max(0, total + 1000 * seconds - carried);
  else if (seconds !== serverSeconds) {
    total = 1000 * seconds;
    recall();
  }
  serverSeconds = seconds;
  count();
  show();
}

const coarse = matchMedia("(prefers-reduced-motion: reduce)");

function show() {
  const text = clockText(total / 1000);
  const shown = coarse.matches && last !== null ? text.slice(0, -3) : text;
  if (element().textContent !== shown) element().textContent = shown;
}

// A frame inside the page has the focus, so this window is still active.
function onBlur() {
  count();
  isAway = !document.hasFocus();
  count();
}

function onReturn() {
  if (!isAway) return;
  count();
  isAway = false;
  count();
}

function tick() {
  requestAnimationFrame(tick);
  if (!element()) return;
  if (last === null && element().dataset.running === undefined) return;
  count();
  show();
}

// Identifies a position, with the last of its slides
const mark = ({ board, made }) => `${board} ${made.replace("…", "").slice(-20)}`;
const drawn = () => document.getElementById("play").dataset;

// A reload or another tab continues from it.
export const stored = () => ({ shown: mark(drawn()), played: played(), moments });

const atStart = []; // clocks that were stored

// Continue from the longest stored count of the position shown.
export function recall(position = drawn()) {
  const counts = [...clocks(gameUrl()), ...atStart].filter(({ shown }) => shown === mark(position));
  const [{ played, moments: known } = {}] = counts.sort((a, b) => b.played - a.played);
  if (!element() || played === undefined) return;
  if (element().dataset.running !== undefined) total = Math.max(total, played);
  moments = known;
}

// Another tab may have counted further.
function onSwitch() {
  count();
  if (document.hidden) return;
  recall();
  count();
}

// `position` is the one that the page came with.
export function start(position) {
  takeFromServer();
  atStart.push(...clocks(gameUrl()));
  recall(position);
  document.addEventListener("visibilitychange", onSwitch);
  addEventListener("blur", onBlur);
  for (const name of ["focus", "pointerdown", "keydown"])
    addEventListener(name, onReturn, { capture: true });
  tick();
}
