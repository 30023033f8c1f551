// A timed solve, which follows the game's changes from any input, and the inspection before it.
import { format, line, parse, slide } from "../../board.js";
import { button, make } from "../../dom.js";
import { _, ngettext } from "../../language.js";
import { clock } from "../clock.js";
import { drawn, game } from "../view.js";
import { INSPECTION_SECONDS, LONGEST_INSPECTION_SECONDS, inspectionPenalty } from "./times.js";

// The slide between two boards: direction and number of tiles, or null
function slideBetween(before, after) {
  const [from, to] = [parse(before), parse(after)];
  const tile = from.cells[to.cells.indexOf(0)];
  const next = tile && slide(from, tile);
  if (!next || format(next) !== after) return null;
  const { way, tiles } = line(from, tile);
  return { way, count: tiles.length };
}

// Each slide is timed by the page's clock. `state` is ready, running or over.
export class Attempt {
  #shown = drawn().board;
  #handlers;

  // Functions for each change: `onReset`, also if the solve does not count, `onBegin` and `onSolved`
  constructor(handlers) {
    this.#handlers = handlers;
  }

  start() {
    this.#reset(drawn());
    game.addEventListener("change", ({ detail: { to, action } }) => to && this.#follow(to, action));
  }

  get isReady() { return this.state === "ready"; }
  get moves() { return this.slides.reduce((sum, { count }) => sum + count, 0); }
  get milliseconds() {
    return (this.state === "running" ? clock.played() : this.at.at(-1) ?? 0) - (this.at[0] ?? 0);
  }

  // Reason that the solve does not count, reported at the end.
  spoil(why) {
    if (this.state !== "over") this.spoilt ??= why;
  }

  #reset({ board, start, made }) {
    const isReady = board === start && !made;
    Object.assign(this, { state: isReady ? "ready" : "over", slides: [], at: [], spoilt: isReady ? null : "begun" });
    this.#handlers.onReset();
  }

  // Without an action the server or another tab changed the position.
  #follow(position, action) {
    const { board, start, goal, made } = position;
    const before = this.#shown;
    this.#shown = board;
    if (board === start && !made && !(this.isReady && board === before)) return this.#reset(position);
    if (board === before || this.state === "over") return;
    const step = action && slideBetween(before, board);
    if (!step) {
      Object.assign(this, { state: "over", spoilt: "jumped" });
      return this.#handlers.onReset();
    }
    if (this.isReady) {
      this.state = "running";
      this.#handlers.onBegin();
    }
    this.#add(step);
    if (board !== goal) return;
    this.state = "over";
    this.#handlers.onSolved();
  }

  #add(step) {
    const moment = clock.carried;
    this.slides.push(step);
    // If the server counted less than this page, earlier times are reduced.
    this.at = [...this.at.map((one) => Math.min(one, moment)), moment];
  }
}

// Seconds until the judge's calls (WCA A3a4) and until penalties
const CALLS = [8, 12, INSPECTION_SECONDS, LONGEST_INSPECTION_SECONDS];
const movesTiles = ({ target }) => target.closest("#board, #redo") !== null;

// Tiles are covered until the player uncovers them. The penalty depends on the time from there to the first move.
export class Inspection {
  isCovered = false;
  button = button(_("Start inspection"), { hidden: "", "aria-keyshortcuts": "Space" }, () => this.#uncover());
  #parts; // { time, below, status }
  #since = null; // time of uncovering the tiles, null outside an inspection
  #called = 0;
  #hasPressed = false; // whether the press that goes on uncovered the tiles

  constructor(parts) {
    this.#parts = parts;
    this.button.append(make("span", "for-keys", ` ${_("(Space)")}`));
    document.addEventListener("pointerdown", (event) => this.#onPress(event), true);
    document.addEventListener("click", (event) => this.#onClick(event), true);
    document.addEventListener("keydown", (event) => this.#onKey(event));
  }

  // End the inspection, and cover or uncover the tiles.
  cover(isCovered) {
    this.#since = null;
    this.isCovered = isCovered;
    document.getElementById("game").classList.toggle("covered", isCovered);
    this.button.hidden = !isCovered;
  }

  // The first move was made. Returns the penalty.
  end() {
    const penalty = this.#since === null ? "" : inspectionPenalty(performance.now() - this.#since);
    this.cover(false);
    if (this.#called > 0) this.#parts.status.textContent = "";
    this.#called = 0;
    return penalty;
  }

  #uncover() {
    if (!this.isCovered) return;
    this.cover(false);
    this.#since = performance.now();
    this.#called = 0;
    document.querySelector("#board button:not([tabindex='-1'])")?.focus({ preventScroll: true });
    requestAnimationFrame(() => this.#tick());
  }

  #tick() {
    if (this.#since === null) return;
    const { time, below, status } = this.#parts;
    const ms = performance.now() - this.#since;
    const penalty = inspectionPenalty(ms);
    const call = CALLS[this.#called];
    below.textContent = _("inspection");
    time.textContent = penalty || Math.ceil(INSPECTION_SECONDS - ms / 1000);
    if (ms > 1000 * call) {
      status.textContent = penalty || ngettext("%(num)s second", "%(num)s seconds", call);
      this.#called += 1;
    }
    if (ms <= 1000 * LONGEST_INSPECTION_SECONDS) requestAnimationFrame(() => this.#tick());
  }

  #onPress(event) {
    this.#hasPressed = this.isCovered && movesTiles(event);
    if (!this.#hasPressed) return;
    event.stopPropagation();
    this.#uncover();
  }

  #onClick(event) {
    if (!movesTiles(event) || !(this.isCovered || (this.#hasPressed && event.detail > 0))) return;
    this.#hasPressed = false;
    event.preventDefault();
    event.stopPropagation();
    queueMicrotask(() => this.#uncover()); // after all clicks that were held while this loaded
  }

  #onKey(event) {
    const isOnControl = event.target.matches("button, summary, a, input, select, textarea");
    if (event.key !== " " || !this.isCovered || isOnControl) return;
    event.preventDefault();
    this.#uncover();
  }
}
