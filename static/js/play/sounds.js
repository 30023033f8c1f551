// Short soft sounds, synthesized if switched on. Tiles knock, blocked tiles knock lower, and three
// rising notes mark the end.
import { setting } from "../storage.js";
import { isSolved } from "../game/position.js";
import { game } from "./view.js";

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

function onChange({ detail: { from, to } }) {
  if (!from || !to || from.board === to.board) return;
  sound("slide");
  if (isSolved(to)) sound("solved");
}

const onRefused = () => sound("refused");
const onAnswer = ({ detail: { isRefused } }) => isRefused && onRefused();

export const sample = () => sound("slide");

// Sounds follow the game, so they are the same for every input.
game?.addEventListener("change", onChange);
game?.addEventListener("refused", onRefused);
game?.addEventListener("answer", onAnswer);
