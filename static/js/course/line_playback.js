// Playback of a search beside its program: each step has lines, the last of which is shown with the step. A view
// extends it by `linesAt(step)`, `go(step, { line })` and `speeds`, { step, line }: milliseconds that each stands at
// speed 1.
import { Playback } from "../playback.js";

export class LinePlayback extends Playback {
  constructor(section, total, said) {
    const part = (name) => section.querySelector(`[data-part=${name}]`);
    super(total, { slider: part("range"), place: part("count"), said: part(said) });
    Object.assign(this, { section, part });
  }

  lastLine(step = this.step) { return this.linesAt(step).length - 1; }

  get isAtEnd() { return super.isAtEnd && this.line >= this.lastLine(); }

  // A line forward or back, into the next or the last step if necessary
  stepLine(by) {
    const line = this.line + by;
    if (line >= 0 && line <= this.lastLine()) this.go(this.step, { line });
    else if (by > 0 && this.step < this.total) this.go(this.step + 1, { line: 0 });
    else if (by < 0 && this.step > 0) this.go(this.step - 1, { line: this.lastLine(this.step - 1) });
  }

  byLine(by) {
    this.stop();
    this.stepLine(by);
  }

  delay() {
    const { value } = this.part("speed");
    return value === "line" ? this.speeds.line : this.speeds.step / Number(value);
  }

  advance() {
    if (this.part("speed").value === "line") this.stepLine(1);
    else super.advance();
  }

  showMode() { this.section.querySelector(".transport").classList.toggle("playing", this.playing); }

  // Shift and an arrow move by lines.
  key(event) {
    const { key, shiftKey, target } = event;
    if (!shiftKey || !["ArrowLeft", "ArrowRight"].includes(key) || target.matches("input, select, textarea"))
      return super.key(event);
    this.byLine(key === "ArrowLeft" ? -1 : 1);
    return true;
  }
}

/** Mark a line of a program by its index, and fill the values of the names in each line. */
export function markLine(list, on, values) {
  [...list.children].forEach((item, i) => {
    item.classList.toggle("on", i === on);
    item.ariaCurrent = i === on ? "step" : null;
    item.querySelector("var").textContent = values[i] ?? "";
  });
}
