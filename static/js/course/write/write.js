// The page of an exercise: runs a program in a worker and shows the report.
import * as editor from "./write_editor.js";
import * as results from "./write_results.js";
import { start as startHandIn } from "./write_hand_in.js";
import { prepare, runTask } from "./write_runner.js";
import { markDone, doneExercises } from "./write_store.js";
import { _, locale, ngettext, number } from "../../language.js";

const CASE_MILLISECONDS = 1000; // between two words on progress
const LEAST_SEEN = 220; // pixels of the results that are in sight
const main = document.querySelector("main");
const { exercise, rules, seed, own = "" } = main.dataset;
const button = (id) => document.getElementById(id);
const [run, stop, state] = ["run", "stop", "state"].map(button);
const known = button("known"); // the form that corrects the judge
const megabytes = state.textContent;
let shownAt = 0;
let end = null; // ends the run in progress
let endSearch = () => {}; // ends the search for a line to try
let searching = null; // a promise of its end

async function runProgram() {
  if (end) return;
  results.clear();
  editor.markLine(null);
  const stopped = new Promise((resolve) => { end = resolve; });
  showRunning(true);
  state.textContent = _("Loading Python…");
  button("task").open = false;
  endSearch();
  await searching;
  const task = { exercise, own, code: editor.code(), seed: Number(seed), hints: editor.hintsSeen(), rules,
    ...Object.fromEntries(new FormData(known)) };
  try {
    const seen = { stopped, onStart: showStart, onPrint: results.print, onCase: showCase };
    const result = await runTask(task, seen).catch(showFailure);
    if (result) show(result, task.code);
    searching = result?.findLine && showLine(result.findLine, task.code);
  } finally {
    end = null;
    showRunning(false);
    prepare().catch(() => {});
  }
}

async function showLine(findLine, code) {
  const line = await findLine(new Promise((resolve) => { endSearch = resolve; }));
  if (!line || code !== editor.code()) return;
  editor.markLine(line.number);
  results.showLine(line, () => {
    if (editor.replaceLine(line)) runProgram();
    else state.textContent = _("Line %(line)s has changed since. Run again.", { line: line.number });
  });
  state.textContent += ` ${_("There is a line to try.")}`;
}

function showStart() {
  state.textContent = _("Running…");
  shownAt = performance.now();
}

// Not for each of a hundred calls: a screen reader would read them all.
function showCase({ case: call, of }) {
  if (performance.now() - shownAt < CASE_MILLISECONDS) return;
  shownAt = performance.now();
  state.textContent = _("Running… call %(call)s of %(calls)s", { call: Number(call), calls: Number(of) });
}

function show({ why, report, seconds }, code) {
  if (!report || report.unreadable) {
    const reason = report && results.inLanguage(report.unreadable, report.messages);
    state.textContent = why ?? (own ? _("The exercise cannot be used: %(reason)s", { reason })
      : _("Goal: %(reason)s", { reason }));
    return;
  }
  const { passed, error } = report;
  state.textContent = why ?? (error ? errorWords(error) : resultWords(report, seconds));
  results.show(report, editor.goToLine);
  if (error && code === editor.code()) editor.markLine(error.line, true); // otherwise its line may be another line
  if (passed) markDone(exercise);
  showDone();
  showResults();
}

const errorWords = ({ line }) =>
  (line ? _("Your code has an error in line %(line)s.", { line }) : _("Your code has an error."));

function resultWords({ checks, figures: { calls }, passed }, time) {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const seconds = time.toLocaleString(locale, digits);
  if (passed && checks.some(({ judged }) => !judged)) {
    return ngettext("No check failed: %(seconds)s s, %(num)s call.",
      "No check failed: %(seconds)s s, %(num)s calls.", calls, { seconds });
  }
  if (passed) {
    return ngettext("All checks passed: %(seconds)s s, %(num)s call.",
      "All checks passed: %(seconds)s s, %(num)s calls.", calls, { seconds });
  }
  const failed = number(checks.filter((check) => !check.passed).length);
  return ngettext("%(failed)s of %(checks)s checks failed: %(seconds)s s, %(num)s call.",
    "%(failed)s of %(checks)s checks failed: %(seconds)s s, %(num)s calls.", calls,
    { failed, checks: number(checks.length), seconds });
}

// On phones the results are below the editor, and next to a long program they can be above the window.
function showResults() {
  const { top } = state.getBoundingClientRect();
  if (top < 0 || top > innerHeight - LEAST_SEEN) state.closest("section").scrollIntoView();
}

function showFailure(error) {
  state.textContent = navigator.onLine === false ? _("Python is not loaded yet, and there is no connection.")
    : _("Python could not be loaded. %(reason)s", { reason: error.message.split("\n").at(-1) });
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
known.addEventListener("submit", (event) => {
  event.preventDefault();
  runProgram();
});
stop.addEventListener("click", () => end?.({ why: _("Stopped.") }));
if (typeof WebAssembly === "undefined") {
  run.disabled = true;
  state.textContent = _("This browser has no WebAssembly, which Python needs. Download the file instead.");
} else if (!navigator.connection?.saveData) {
  state.textContent = _("%(size)s Loading…", { size: megabytes });
  prepare().then(() => { if (!end) state.textContent = _("Python is ready."); }, (error) => { if (!end) showFailure(error); });
}
