// The clock of a game. The page counts the time of play: not while a dialog or a replay is in front
// of the game, or another tab or window. Each post carries what it has counted, and the server, which believes
// it as far as the time that has passed allows, answers with what it counts.
let total = 0; // milliseconds of play
let last = null; // when they were counted last, null while the clock rests
let told = null; // the seconds that the server counted
const inFront = "dialog[open], #replay > *, #review > *";
const element = () => document.getElementById("clock");
const key = () => `clock ${location.pathname}`;

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
  if (last !== null) total += now - last;
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
  else if (seconds !== told) total = 1000 * seconds;
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

// A reload goes on from what was counted since the last move.
function remember() {
  try {
    sessionStorage.setItem(key(), JSON.stringify([element().dataset.seconds, played()]));
  } catch {
    // storage is off: a reload counts from the last move
  }
}

function recall() {
  try {
    const [seconds, counted] = JSON.parse(sessionStorage.getItem(key())) ?? [];
    if (seconds === element().dataset.seconds && element().dataset.running !== undefined) total = counted;
  } catch {
    // storage is off
  }
}

export function start() {
  if (!element()) return;
  takeFromServer();
  recall();
  for (const [target, name] of [[document, "visibilitychange"], [window, "pagehide"]])
    target.addEventListener(name, remember);
  addEventListener("blur", onBlur);
  for (const name of ["focus", "pointerdown", "keydown"])
    addEventListener(name, onReturn, { capture: true });
  tick();
}
