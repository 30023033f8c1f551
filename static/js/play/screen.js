// The screen: a wake lock during a game, and full screen by key.
import { isSolved } from "./position.js";
import { drawn, game } from "./view.js";

const IDLE_MILLISECONDS = 5 * 60_000; // without a key or a touch: a phone may be put down
let lock = null;
let idle = null;

async function stayAwake() {
  if (lock || document.hidden || isSolved(drawn())) return;
  lock = "asked";
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => { lock = null; }); // the browser also releases it when the page is hidden
  } catch {
    lock = null; // such as to save the battery
  }
}

const release = () => lock?.release?.();

function onAction() {
  clearTimeout(idle);
  idle = setTimeout(release, IDLE_MILLISECONDS);
  stayAwake();
}

export function keepAwake() {
  for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, onAction);
  game.addEventListener("shown", () => isSolved(drawn()) && release());
  onAction();
}

export function toggleFullScreen() {
  const { documentElement: page, fullscreenElement } = document;
  const change = fullscreenElement ? document.exitFullscreen() : page.requestFullscreen?.();
  change?.catch(() => {}); // the browser does not allow it
}
