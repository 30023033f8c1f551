// Game clock. The page counts play time, without dialogs, replays and other tabs or windows. Each post
// carries the count. The server accepts it up to the real time passed, and returns its own count.
import { clocks } from "../game/store.js";
import { drawn, gameUrl } from "./view.js";

const inFront = "dialog[open], #replay:not([hidden]) > *, #review > *";
const MOST_MOVES = 600; // with times, at most: in a link to a ghost
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

const element = () => document.getElementById("clock");
const isRunning = () => element()?.dataset.running !== undefined;

// Identifies a position, with the last of its slides
const mark = ({ board, made }) => `${board} ${made.replace("…", "").slice(-20)}`;

export function clockText(seconds) {
  const pad = (n) => String(n).padStart(2, "0");
  const hundredths = Math.floor(Math.round(1000 * seconds) / 10);
  const whole = Math.floor(hundredths / 100);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const text = hours ? `${hours}:${pad(minutes)}` : `${minutes}`;
  return `${text}:${pad(whole % 60)}.${pad(hundredths % 100)}`;
}

// A game solved offline is over, even before the server confirms it.
const isSolved = () => drawn().board === drawn().goal;

class Clock {
  /** Milliseconds of play in the last post; speed mode reports the same. */
  carried = 0;
  #total = 0; // milliseconds of play
  #last = null; // time of the last count, null while the clock rests
  #serverSeconds = null; // the server's last count
  #isAway = false; // another window has the focus, until focus or any action on the page
  #moments = []; // of each move in milliseconds of play, one per tile, for links to a ghost
  #beforeRestart = null; // play and moments
  #atStart = []; // clocks that were stored

  /** `position` is the position that the page came with. */
  start(position) {
    this.takeFromServer();
    this.#atStart = clocks(gameUrl());
    this.recall(position);
    document.addEventListener("visibilitychange", () => this.#onSwitch());
    addEventListener("blur", () => this.#onBlur());
    for (const name of ["focus", "pointerdown", "keydown"])
      addEventListener(name, () => this.#onReturn(), { capture: true });
    this.#tick();
  }

  /** Milliseconds of play so far. */
  played() {
    this.#count();
    return Math.round(this.#total);
  }

  /** Milliseconds of play so far, for a post. */
  carry() {
    this.#onReturn();
    return (this.carried = this.played());
  }

  /** Milliseconds of each of the first `count` moves, null if some are unknown. */
  timesOf(count) {
    const known = Array.from({ length: count }, (_, i) => this.#moments[i]);
    if (known.some((moment) => typeof moment !== "number")) return null;
    return known.map((moment, i) => moment - known[Math.max(0, i - 1)]);
  }

  /** Follow an action from game to game; the server confirms it later. */
  follow(action, from, to) {
    const resumes = from.left > 0 && (action === "undo" || action === "redo");
    this.#noteMoves(from.moves, to.moves);
    const isAtStart = ["restart", "alone"].includes(action);
    if (isAtStart) {
      this.#beforeRestart = action === "restart" ? { total: this.#total, moments: this.#moments } : null;
      [this.#total, this.#moments, this.#last] = [0, [], null];
    } else if (resumes && this.#beforeRestart) {
      this.#total = this.#beforeRestart.total;
      if (action === "undo") this.#moments = this.#beforeRestart.moments;
    }
    if (isAtStart || isSolved()) delete element().dataset.running;
    else if (action === "slide" || resumes || from.board === from.goal) element().dataset.running = "";
    this.#count();
    this.#show();
  }

  // Moves from number `before` to `after` were made now. Unknown times stay empty. If the server counted
  // less than this page, earlier times are reduced.
  #noteMoves(before, after) {
    if (after <= before || after > MOST_MOVES) return;
    this.#moments.length = before; // later moves were undone
    this.#moments = this.#moments.map((moment) => moment && Math.min(moment, this.carried));
    this.#moments.push(...Array(after - before).fill(this.carried));
  }

  /** An action sent again was made after this many milliseconds of play. */
  goOnFrom(milliseconds) {
    this.#count();
    this.#total = Math.max(this.#total, milliseconds);
    return (this.carried = milliseconds);
  }

  /**
   * Accept the server's count. If a post `carried` the page's count, it is exact up to that post. Otherwise the
   * page's own count stands until the server's changes.
   */
  takeFromServer(carried = null) {
    this.#count();
    const { seconds } = element().dataset;
    if (!isRunning()) this.#total = 1000 * seconds; // the time since then was not play
    else if (carried !== null) this.#total = Math.max(0, this.#total + 1000 * seconds - carried);
    else if (seconds !== this.#serverSeconds) {
      this.#total = 1000 * seconds;
      this.recall();
    }
    this.#serverSeconds = seconds;
    this.#count();
    this.#show();
  }

  /** The clock as it is stored: a reload or another tab continues from it. */
  stored() {
    return { shown: mark(drawn()), played: this.played(), moments: this.#moments };
  }

  /** Continue from the longest stored count of the position shown. */
  recall(position = drawn()) {
    const counts = [...clocks(gameUrl()), ...this.#atStart].filter(({ shown }) => shown === mark(position));
    const [{ played, moments } = {}] = counts.sort((a, b) => b.played - a.played);
    if (!element() || played === undefined) return;
    if (isRunning()) this.#total = Math.max(this.#total, played);
    this.#moments = moments;
  }

  #count() {
    const now = performance.now();
    if (this.#last !== null && !isSolved()) this.#total += now - this.#last; // the last move's post has counted up to it
    const isPaused = this.#isAway || document.hidden || document.querySelector(inFront) !== null || isSolved();
    this.#last = isRunning() && !isPaused ? now : null;
  }

  #show() {
    const text = clockText(this.#total / 1000);
    const shown = reduced.matches && this.#last !== null ? text.slice(0, -3) : text;
    if (element().textContent !== shown) element().textContent = shown;
  }

  #tick() {
    requestAnimationFrame(() => this.#tick());
    if (!element() || (this.#last === null && !isRunning())) return;
    this.#count();
    this.#show();
  }

  // A frame inside the page has the focus, so this window is still active.
  #onBlur() {
    this.#count();
    this.#isAway = !document.hasFocus();
    this.#count();
  }

  #onReturn() {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#onSwitch();
  }

  // Another tab or window may have counted further.
  #onSwitch() {
    this.#count();
    if (document.hidden) return;
    this.recall();
    this.#count();
  }
}

/** The clock of the page's game. */
export const clock = new Clock();
