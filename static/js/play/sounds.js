// Short soft sounds, synthesized if switched on. Tiles knock, blocked tiles knock lower, and three
// rising notes mark the end.
import { setting } from "../storage.js";

const NOTES = { // hertz
  slide: [330],
  refused: [140, 125],
  solved: [523, 659, 784],
};
let audio = null;

function sound(name) {
  if (setting("sounds") !== "on" || navigator.userActivation?.hasBeenActive === false) return;
  audio ??= new AudioContext();
  NOTES[name].forEach((pitch, i) => note(pitch, audio.currentTime + 0.13 * i));
}

function note(frequency, at) {
  const tone = new OscillatorNode(audio, { type: "triangle", frequency });
  const volume = new GainNode(audio);
  volume.gain.setValueAtTime(0.12, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.16);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.17);
}

// Sounds follow changes of the page, so they are the same for every input
function listen(game) {
  const board = () => document.getElementById("play")?.dataset.board;
  const isWon = () => document.getElementById("won") !== null;
  let [before, wonBefore] = [board(), isWon()];
  new MutationObserver(() => {
    if (board() !== before) sound("slide");
    if (isWon() && !wonBefore) sound("solved");
    [before, wonBefore] = [board(), isWon()];
  }).observe(game, { subtree: true, childList: true, attributeFilter: ["data-board"] });
  document.addEventListener("slidewise:refused", () => sound("refused"));
}

let listens = false;

export function start() {
  const game = document.getElementById("game");
  if (game && !listens) listen(game);
  listens = true;
}

export const sample = () => sound("slide");
