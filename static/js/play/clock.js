// The clock of a game. It goes on from the seconds that the server counted last: the time of this
// device may be wrong.
let counted = { seconds: null, at: 0 }; // what the server counted, and when it was read here

export function clockText(seconds) {
  const pad = (n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

function tick() {
  const clock = document.getElementById("clock");
  if (clock?.dataset.running === undefined) return;
  if (clock.dataset.seconds !== counted.seconds)
    counted = { seconds: clock.dataset.seconds, at: performance.now() };
  const since = (performance.now() - counted.at) / 1000;
  clock.textContent = clockText(Math.floor(Number(counted.seconds) + since));
}

export function start() {
  if (document.getElementById("clock")) setInterval(tick, 250);
}
