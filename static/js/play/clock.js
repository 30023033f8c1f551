// The clock of a game. The page counts the time of play: not while a dialog or a replay is in front
// of the game, or another tab or window. Each post carries what it has counted, and the server, which believes
// it as far as the time that has passed allows, answers with what it counts.
let total = 0; // milliseconds of play
let last = null; // when they were counted last, null while the clock rests
let told = null; // the seconds that the server counted
const inFront = "dialog[open], #replay:not([hidden]) > *, #review > *";
const element = () => document.getElementById("clock");
const MOST_GAMES = 20; // whose clocks are stored: some kilobytes each

export function clockText(seconds) {
  const pad = (n) => String(n).padStart(2, "0");
  const hundredths = Math.floor(Math.round(1000 * seconds) / 10);
  const whole = Math.floor(hundredths / 100);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const text = hours ? `${hours}:${pad(minutes)}` : `${minutes}`;
  return `${text}:${pad(whole % 60)}.${pad(hundredths % 100)}`;
}

// A game that was solved without a connection is over, though only the server says so.
function isSolved() {
  const { board, goal } = document.getElementById("play")?.dataset ?? {};
  return board !== undefined && board === goal;
}

// Another window has the focus. It comes back with the focus, or with whatever is done on the page.
let isAway = false;

const isPaused = () => isAway || document.hidden || document.querySelector(inFront) !== null || isSolved();

function count() {
  const now = performance.now();
  if (last !== null && !isSolved()) total += now - last; // the last move's post has counted up to it
  last = element()?.dataset.running === undefined || isPaused() ? null : now;
}

// The milliseconds of play so far.
export function played() {
  count();
  return Math.round(total);
}

let ofPost = 0;

// The milliseconds of play that a post carries, of which speed mode tells the same
export function carry() {
  onReturn();
  return (ofPost = played());
}
export const carried = () => ofPost;

// When each move was made, in milliseconds of play, one a tile: a link to a ghost carries it.
const MOST_MOVES = 600; // as many as such a link carries
let moments = [];

// A post makes the moves from number `before` to `after`. What is not known stays a hole. Where the
// server counted less than this page, earlier moves were earlier than they were taken for.
export function noteMoves(before, after, played) {
  if (after <= before || after > MOST_MOVES) return;
  moments.length = before; // later ones were undone
  moments = moments.map((moment) => moment && Math.min(moment, played));
  moments.push(...Array(after - before).fill(played));
}

// The milliseconds of each of so many moves since the one before, null where they are not all known
export function timesOf(count) {
  const known = Array.from({ length: count }, (_, i) => moments[i]);
  if (known.some((moment) => typeof moment !== "number")) return null;
  return known.map((moment, i) => moment - known[Math.max(0, i - 1)]);
}

// The first move was made: the server says so later.
export function begin() {
  element().dataset.running = "";
  count();
}

// A move that is sent again was made after so many milliseconds of play.
export function goOnFrom(milliseconds) {
  count();
  total = Math.max(total, milliseconds);
}

// The server has counted: up to a post that `carried` the page's count, else up to some time before,
// and then the page's own count stands as long as the server's is the same.
export function takeFromServer(carried = null) {
  count();
  const { seconds } = element().dataset;
  if (element().dataset.running === undefined) total = 1000 * seconds; // what was counted since is no play
  else if (carried !== null) total = Math.max(0, total + 1000 * seconds - carried);
  else if (seconds !== told) {
    total = 1000 * seconds;
    recall();
  }
  told = seconds;
  count();
  show();
}

const coarse = matchMedia("(prefers-reduced-motion: reduce)");

function show() {
  const text = clockText(total / 1000);
  const shown = coarse.matches && last !== null ? text.slice(0, -3) : text;
  if (element().textContent !== shown) element().textContent = shown;
}

// A frame inside the page has the focus of this window: that is still here.
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

const stored = () => JSON.parse(localStorage.getItem("clocks")) ?? [];
const isHere = ([path]) => path === location.pathname;

// A reload, and another tab, go on from what was counted since the last move.
function remember() {
  try {
    const here = [location.pathname, element().dataset.seconds, played(), moments];
    const others = stored().filter((game) => !isHere(game));
    localStorage.setItem("clocks", JSON.stringify([here, ...others].slice(0, MOST_GAMES)));
  } catch {
    // storage is off: a reload counts from the last move
  }
}

function recall() {
  try {
    const [, seconds, counted, known] = stored().find(isHere) ?? [];
    if (seconds !== element().dataset.seconds) return;
    if (element().dataset.running !== undefined) total = Math.max(total, counted);
    moments = known;
  } catch {
    // storage is off
  }
}

// Another tab may have counted on.
function onSwitch() {
  if (document.hidden) return remember();
  count();
  recall();
  count();
}

export function start() {
  if (!element()) return;
  takeFromServer();
  recall();
  document.addEventListener("visibilitychange", onSwitch);
  addEventListener("pagehide", remember);
  addEventListener("blur", onBlur);
  for (const name of ["focus", "pointerdown", "keydown"])
    addEventListener(name, onReturn, { capture: true });
  tick();
}
