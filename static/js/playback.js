// Playback of the steps of a solution or a search, for pages and the component. A view extends it
// by `go(step)`, which shows a step, `delay()`, the milliseconds until the next step, and
// `showMode()`, whether it plays.
import { slide } from "./board.js";

export class Playback {
  #timer = null;
  step = 0;

  // Elements: the slider, the place in figures, and the words of the step, which are a status
  constructor(total, { slider, place, said }) {
    Object.assign(this, { total, slider, place, said });
    slider.addEventListener("input", () => this.goTo(Number(slider.value)));
  }

  get playing() { return this.#timer !== null; }
  get isAtEnd() { return this.step >= this.total; }

  clamp(step) { return Math.max(0, Math.min(Math.round(step) || 0, this.total)); }

  // Show a step at rest
  goTo(step) {
    this.stop();
    this.go(step);
  }

  showPlace(lang) {
    this.slider.value = this.step;
    this.place.textContent = [this.step, this.total].map((count) => count.toLocaleString(lang)).join(" / ");
  }

  // During playback steps are not announced: they come too fast for screen readers
  play(wait = 150) {
    if (this.playing) return;
    this.#timer = setTimeout(() => this.#tick(), wait);
    this.said.ariaLive = "off";
    this.showMode();
    if (this.isAtEnd) this.go(0);
  }

  #tick() {
    if (this.isAtEnd) {
      this.rest();
      return;
    }
    this.#timer = setTimeout(() => this.#tick(), this.delay());
    this.advance();
  }

  advance() { this.go(this.step + 1); }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.said.ariaLive = "polite";
    this.showMode();
  }

  // Stop, and announce the step
  rest() {
    this.stop();
    this.said.replaceChildren(this.said.textContent);
  }

  toggle() {
    if (this.playing) this.rest();
    else this.play();
  }

  // Whether the player knows the key
  key({ key, target }) {
    if (target.matches("select, textarea, input:not([type=range])")) return false;
    if (target.matches("input") && /^(Arrow|Home|End|Page)/.test(key)) return false;
    if (key === " " && !target.matches("button, a")) this.toggle();
    else if (key === "," || key === "ArrowLeft") this.goTo(this.step - 1);
    else if (key === "." || key === "ArrowRight") this.goTo(this.step + 1);
    else return false;
    return true;
  }
}

// Function from a step to its board, which follows the moves both ways: a tile slides back as it came.
// `tileOf` returns the tile of a move, the first is 0.
export function follow(board, tileOf) {
  let at = 0;
  return (step) => {
    for (; at < step; at += 1) board = slide(board, tileOf(at));
    for (; at > step; at -= 1) board = slide(board, tileOf(at - 1));
    return board;
  };
}
