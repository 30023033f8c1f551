// The trainer: last rows against the clock, and the boards of the player's detours.
import { format, parse, solvable } from "../../board.js";
import { make } from "../../dom.js";
import { _, gameText } from "../../language.js";
import { clockText } from "../../play/clock.js";
import { DETOURS, LAST_ROWS, SHOWN_TIMES } from "../../play/progress.js";
import { play } from "../../play/view.js";
import { read, write } from "../../storage.js";
import { moves as inWords } from "../../play/words.js";
import { Practice, numbers, said, say } from "./practice.js";

const { given, kind, detour } = play().dataset;
const next = document.getElementById("next-board");
const clock = document.getElementById("time");

// A random board with the given tiles at home, each as likely as any other
function randomBoard() {
  const goal = parse(play().dataset.goal);
  const fixed = numbers(given);
  const free = goal.cells.filter((tile) => !fixed.includes(tile));
  for (;;) {
    for (let i = free.length - 1; i > 0; i -= 1) {
      const j = Math.floor(Math.random() * (i + 1));
      [free[i], free[j]] = [free[j], free[i]];
    }
    const rest = [...free];
    const cells = goal.cells.map((tile) => (fixed.includes(tile) ? tile : rest.shift()));
    const isGoal = cells.every((tile, cell) => tile === goal.cells[cell]);
    const board = { cols: goal.cols, cells };
    if (!isGoal && solvable(board, goal)) return format(board);
  }
}

class Stopwatch {
  #since = null; // when the first move was made
  #ticking = null;

  get seconds() { return (performance.now() - this.#since) / 1000; }

  start() {
    this.#since = performance.now();
    this.#ticking = setInterval(() => { clock.textContent = clockText(this.seconds); }, 50);
  }

  stop() { clearInterval(this.#ticking); }
}

const stopwatch = new Stopwatch();

function reset() {
  stopwatch.stop();
  if (clock) clock.textContent = clockText(0);
  said.classList.remove("hand-done");
  next?.classList.remove("primary");
}

function another() {
  reset();
  practice.setBoard(randomBoard());
  say("");
  document.querySelector("#board .tile[tabindex='0'], #board .tile").focus({ preventScroll: true });
}

function done(moves) {
  stopwatch.stop();
  said.classList.add("hand-done");
  if (detour !== undefined) return doneDetour(moves);
  const time = Math.floor(100 * stopwatch.seconds) / 100;
  clock.textContent = clockText(time);
  const all = read(LAST_ROWS);
  const { times = [], best } = all[kind] ?? {};
  const isBest = best !== undefined && time < best;
  all[kind] = { times: [...times, time].slice(-SHOWN_TIMES), best: Math.min(time, best ?? time) };
  write(LAST_ROWS, all);
  const news = isBest ? [_("Your best time!")] : [];
  say([`${clockText(time)}, ${inWords(moves)}.`, ...news].join(" "));
  showTimes();
  next.classList.add("primary");
  next.focus({ preventScroll: true });
}

function showTimes() {
  const { times = [], best } = read(LAST_ROWS)[kind] ?? {};
  const average = times.reduce((a, b) => a + b, 0) / times.length;
  const figures = { last: times.map(clockText).join(", "), five: times.length ? clockText(Math.min(...times)) : "",
    average: times.length ? clockText(average) : "", best: best === undefined ? "" : clockText(best) };
  for (const [part, text] of Object.entries(figures))
    document.querySelector(`[data-part=${part}]`).textContent = text || "–";
}

function doneDetour(moves) {
  const all = read(DETOURS);
  const fewest = all[detour]?.moves;
  const values = { moves: inWords(moves), fewest };
  if (fewest === undefined) say(gameText("solved-in", {}, moves));
  else if (moves > fewest)
    say(_("%(moves)s. The shortest way has %(fewest)s. Start again: you find it!", values));
  else {
    delete all[detour];
    write(DETOURS, all);
    say(_("Perfect! %(moves)s. This detour is gone.", values));
    listDetours();
    document.querySelector("#detours a, #all-rows").focus({ preventScroll: true });
  }
}

function listDetours() {
  const list = document.getElementById("detours");
  const items = Object.entries(read(DETOURS)).sort(([, a], [, b]) => a.moves - b.moves).map(([code, { moves }]) => {
    const { cols, cells } = parse(code.split("_")[0]);
    const href = `${list.dataset.url}?board=${code}`;
    return make("li", {}, make("a", { class: "btn", href, "aria-current": code === detour ? "page" : null },
      `${cells.length / cols} × ${cols}: ${inWords(moves)}`));
  });
  list.replaceChildren(...items);
  document.getElementById("no-detours").hidden = items.length > 0;
}

next?.addEventListener("click", another);
listDetours();
if (detour === undefined) showTimes();
const practice = new Practice({
  onFirst: detour === undefined ? () => stopwatch.start() : undefined,
  onDone: done,
  onRestart: reset,
});
if (detour === undefined) practice.setBoard(randomBoard());
