// The screen: a wake lock during a game, and full screen by key.
const IDLE_MILLISECONDS = 5 * 60_000; // without a key or a touch: a phone may be put down
let lock = null;
let idle = null;

const isPlayed = () => {
  const { board, goal } = document.getElementById("play").dataset;
  return board !== goal;
};

async function stayAwake() {
  if (lock || document.hidden || !isPlayed()) return;
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
  for (const name of ["htmx:after:swap", "slidewise:played"])
    document.addEventListener(name, () => isPlayed() || release());
  onAction();
}

export function toggleFullScreen() {
  const { documentElement: page, fullscreenElement } = document;
  const change = fullscreenElement ? document.exitFullscreen() : page.requestFullscreen?.();
  change?.catch(() => {}); // the browser does not allow it
}
