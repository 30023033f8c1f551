// The page of an exercise: runs a program in a worker and shows the report.
import * as editor from "./write_editor.js";
import * as results from "./write_results.js";
import { markDone, doneExercises, seedOf } from "./write_store.js";

const SECONDS = 20; // time limit of a run
const CASE_MILLISECONDS = 1000; // between two words on progress
const LEAST_SEEN = 220; // pixels of the results that are in sight
const main = document.querySelector("main");
const { exercise } = main.dataset;
const button = (id) => document.getElementById(id);
const [run, stop, state] = ["run", "stop", "state"].map(button);
const megabytes = state.textContent;
let files; // a promise of the worker's files
let next; // a promise of a worker that is ready
let shownAt = 0;
let end = null; // ends the run in progress

async function fetchBytes(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} for ${url}`);
  return response.arrayBuffer();
}

async function fetchFiles() {
  const names = ["machine", "library", "sources"];
  const bytes = await Promise.all(names.map((name) => fetchBytes(main.dataset[name])));
  return Object.fromEntries(names.map((name, i) => [name, bytes[i]]));
}

// A worker runs one program, so the next one starts without traces of it.
async function startWorker() {
  files ??= fetchFiles();
  const worker = new Worker(main.dataset.worker, { type: "module" });
  worker.postMessage({ files: await files });
  return new Promise((resolve, reject) => {
    worker.onerror = ({ message }) => reject(new Error(message || "Python could not be loaded"));
    worker.onmessage = async ({ data }) => {
      if (data.machine instanceof WebAssembly.Module) files = Promise.resolve({ ...await files, machine: data.machine });
      if (data.ready) resolve(worker);
      if (data.ended) reject(new Error(data.ended));
    };
  });
}

function prepare() {
  next ??= startWorker();
  next.catch(() => {
    next = undefined;
    files = undefined;
  });
  return next;
}

async function runProgram() {
  if (end) return;
  results.clear();
  editor.markLine(null);
  const stopped = new Promise((resolve) => { end = resolve; });
  showRunning(true);
  state.textContent = "Loading Python…";
  const worker = await Promise.race([prepare().catch(showFailure), stopped]);
  try {
    if (worker instanceof Worker) show(await resultOf(worker, stopped));
    else if (worker) show(worker);
  } finally {
    end = null;
    showRunning(false);
    prepare().catch(() => {});
  }
}

async function resultOf(worker, stopped) {
  next = undefined;
  state.textContent = "Running…";
  shownAt = performance.now();
  const result = await Promise.race([stopped, finished(worker)]);
  worker.terminate();
  return result;
}

// The worker's report, or why there is none. Its messages are data that a program may forge.
function finished(worker) {
  const started = performance.now();
  return new Promise((resolve) => {
    let place = "";
    const timer = setTimeout(() => resolve({ why: `Stopped after ${SECONDS} seconds${place}. A loop may have no end.` }),
      SECONDS * 1000);
    const over = (result) => {
      clearTimeout(timer);
      resolve({ ...result, seconds: (performance.now() - started) / 1000 });
    };
    worker.onerror = ({ message }) => over({ why: `Python ended. ${message ?? ""}` });
    worker.onmessage = ({ data }) => {
      if (data.printed !== undefined) results.print(String(data.printed), data.full);
      else if (data.case) {
        place = `, in call ${Number(data.case)} of ${Number(data.of)}`;
        showCase(data);
      }
      else if (data.report) over({ report: JSON.parse(data.report) });
      else if (data.ended) over({ why: `Python ended. ${String(data.ended).split("\n").at(-1)}` });
    };
    worker.postMessage({ task: { exercise, code: editor.code(), seed: seedOf(location), hints: editor.hintsSeen() } });
  });
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
  state.textContent = error ? `Your code has an error${error.line ? ` in line ${error.line}` : ""}.`
    : `${passed ? "All checks passed" : results.failedWords(report)}: ${seconds.toFixed(1)} s, ${
      figures.calls.toLocaleString("en")} ${figures.calls === 1 ? "call" : "calls"}.`;
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
