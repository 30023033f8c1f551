// The page of an exercise: runs a program in a worker and shows the report.
import * as editor from "./write_editor.js";
import * as results from "./write_results.js";
import { start as startHandIn } from "./write_hand_in.js";
import { prepare, runTask } from "./write_runner.js";
import { markDone, doneExercises } from "./write_store.js";

const CASE_MILLISECONDS = 1000; // between two words on progress
const LEAST_SEEN = 220; // pixels of the results that are in sight
const main = document.querySelector("main");
const { exercise, rules, seed } = main.dataset;
const button = (id) => document.getElementById(id);
const [run, stop, state] = ["run", "stop", "state"].map(button);
const megabytes = state.textContent;
let shownAt = 0;
let end = null; // ends the run in progress

async function runProgram() {
  if (end) return;
  results.clear();
  editor.markLine(null);
  const stopped = new Promise((resolve) => { end = resolve; });
  showRunning(true);
  state.textContent = "Loading Python…";
  const task = { exercise, code: editor.code(), seed: Number(seed), hints: editor.hintsSeen(), rules };
  try {
    const seen = { stopped, onStart: showStart, onPrint: results.print, onCase: showCase };
    const result = await runTask(task, seen).catch(showFailure);
    if (result) show(result);
  } finally {
    end = null;
    showRunning(false);
    prepare().catch(() => {});
  }
}

function showStart() {
  state.textContent = "Running…";
  shownAt = performance.now();
}

// Not for each of a hundred calls: a screen reader would read them all.
function showCase({ case: number, of }) {
  if (performance.now() - shownAt < CASE_MILLISECONDS) return;
  shownAt = performance.now();
  state.textContent = `Running… call ${Number(number)} of ${Number(of)}`;
}

function show({ why, report, seconds }) {
  if (!report) {
    state.textContent = why;
    return;
  }
  const { figures, passed, error } = report;
  state.textContent = why ?? (error ? `Your code has an error${error.line ? ` in line ${error.line}` : ""}.`
    : `${passed ? "All checks passed" : results.failedWords(report)}: ${seconds.toFixed(1)} s, ${
      figures.calls.toLocaleString("en")} ${figures.calls === 1 ? "call" : "calls"}.`);
  results.show(report, editor.goToLine);
  if (error) editor.markLine(error.line);
  if (passed) markDone(exercise);
  showDone();
  showResults();
}

// On phones the results are below the editor
function showResults() {
  const { top } = state.getBoundingClientRect();
  if (top > innerHeight - LEAST_SEEN) state.closest("section").scrollIntoView();
}

function showFailure(error) {
  state.textContent = navigator.onLine === false ? "Python is not loaded yet, and there is no connection."
    : `Python could not be loaded. ${error.message.split("\n").at(-1)}`;
  return null;
}

function showRunning(isRunning) {
  const hadFocus = [run, stop].includes(document.activeElement);
  run.hidden = isRunning;
  stop.hidden = !isRunning;
  if (hadFocus) (isRunning ? stop : run).focus({ preventScroll: true });
}

function showDone() {
  const done = doneExercises();
  for (const item of document.querySelectorAll(".trail li")) item.classList.toggle("done", done.includes(item.dataset.exercise));
}

editor.start(exercise, runProgram);
results.start();
startHandIn(editor.code);
showDone();
run.addEventListener("click", runProgram);
stop.addEventListener("click", () => end?.({ why: "Stopped." }));
if (typeof WebAssembly === "undefined") {
  run.disabled = true;
  state.textContent = "This browser has no WebAssembly, which Python needs. Download the file instead.";
} else if (!navigator.connection?.saveData) {
  state.textContent = `${megabytes} Loading…`;
  prepare().then(() => { if (!end) state.textContent = "Python is ready."; }, (error) => { if (!end) showFailure(error); });
}
