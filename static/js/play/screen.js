// The screen: a wake lock during a game, and full screen by key.
import { isSolved } from "../game/position.js";
import { drawn, game } from "./view.js";

const IDLE_MILLISECONDS = 5 * 60_000; // without a key or a touch: a phone may be put down
const wake = { lock: null, timer: null };

async function stayAwake() {
  if (wake.lock || document.hidden || isSolved(drawn())) return;
  wake.lock = {}; // requested
  try {
    wake.lock = await navigator.wakeLock.request("screen");
    wake.lock.addEventListener("release", () => { wake.lock = null; }); // also by the browser, when the page is hidden
  } catch {
    wake.lock = null; // such as to save the battery
  }
}

const release = () => wake.lock?.release?.();

function onAction() {
  clearTimeout(wake.timer);
  wake.timer = setTimeout(release, IDLE_MILLISECONDS);
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
