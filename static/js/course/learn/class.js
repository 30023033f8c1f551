// Grades the files of a class, each in its own worker. Nothing is sent.
import { download, make } from "../../dom.js";
import { _, ngettext } from "../../language.js";
import { prepare, runTask } from "../write/write_runner.js";
import { csvOf } from "./class_csv.js";
import { inLanguage, picture } from "../write/write_results.js";
import { puzzleOf } from "../write/write_store.js";

const HEADER = 2_000; // characters of a file that may hold its header
const FIELDS = {
  exercise: /^# Slidewise exercise: *(\S.*?)[ \t\r]*$/m,
  seed: /^# Seed: *(\S.*?)[ \t\r]*$/m,
  name: /^# Name: *(\S.*?)[ \t\r]*$/m,
};
const MAX_NAME = 60; // characters
const main = document.querySelector("main");
const $ = (id) => document.getElementById(id);
const state = $("state");
const loads = state.textContent;
const { maxFiles, maxKilobytes } = main.dataset;
let files = []; // { file, who, code }
let reading; // a promise of the files chosen last
let graded = [];
let end = null; // ends the program that runs
let isStopped = false;

// A seed may be a name, as in `read_seed` of the library.
export function seedOf(text) {
  const seed = text.trim();
  if (/^\d{1,9}$/.test(seed)) return Number(seed);
  return seed ? [...seed].reduce((number, one) => (31 * number + one.codePointAt(0)) % 1e9, 0) : null;
}

const fieldOf = (code, name) => code.slice(0, HEADER).match(FIELDS[name])?.[1] ?? "";

const exerciseNamed = (key) => ($("exercise").querySelector(`option[value="${CSS.escape(key)}"]`) && key) || "";

// The code of a notebook is shown cell by cell; the worker reads the file itself.
function shownCode(name, text) {
  if (!name.endsWith(".ipynb")) return text;
  try {
    const cells = JSON.parse(text).cells.filter((cell) => cell.cell_type === "code");
    return cells.map(({ source }) => [source].flat().join("")).join("\n\n");
  } catch {
    return text;
  }
}

function refuse(words) {
  $("refused").hidden = !words;
  $("refused").textContent = words;
}

async function choose(list) {
  if (end) return;
  const chosen = [...list].filter(({ name }) => /\.(py|ipynb)$/i.test(name));
  const others = list.length - chosen.length;
  const all = list.length;
  refuse(others ? _("%(others)s of %(all)s files left out: only .py and .ipynb can be graded.", { others, all }) : "");
  if (chosen.length > maxFiles) {
    refuse(_("You chose %(count)s files; at most %(most)s can be graded at once. Choose fewer.",
      { count: chosen.length, most: maxFiles }));
    chosen.length = 0;
  }
  const these = reading = Promise.all(chosen.map(readFile));
  const read = await these;
  if (reading !== these) return; // other files were chosen meanwhile
  files = read.sort((one, other) => one.name.localeCompare(other.name));
  $("run").disabled = files.length === 0;
  state.textContent = files.length === 0 ? loads
    : ngettext("%(num)s file is ready.", "%(num)s files are ready.", files.length);
}

async function readFile(file) {
  const { name } = file;
  if (file.size > maxKilobytes * 1000)
    return { name, who: name, code: "",
      why: _("The file has more than %(most)s kB. Remove its output.", { most: maxKilobytes }) };
  try {
    const text = await file.text();
    const code = shownCode(name, text);
    return { name, text, code, who: fieldOf(code, "name").slice(0, MAX_NAME) || name };
  } catch {
    return { name, who: name, code: "", why: _("The file cannot be read. Choose it again.") };
  }
}

function taskOf({ name, text, code }) {
  const exercise = $("exercise").value || exerciseNamed(fieldOf(code, "exercise"))
    || exerciseNamed(name.replace(/\.\w+$/, ""));
  const own = fieldOf(code, "seed");
  const seed = seedOf($("seed").value) ?? (/^\d{1,9}$/.test(own) ? Number(own) : 1);
  const rules = [...document.querySelectorAll("[name=rules]:checked")].map(({ value }) => value).join(",");
  return { exercise, code: text, seed, rules, suffix: name.slice(name.lastIndexOf(".")).toLowerCase() };
}

async function gradeOne(one) {
  if (one.why) return one;
  const task = taskOf(one);
  if (!task.exercise) return { ...one, why: _("The file names no exercise. Choose it above.") };
  const stopped = new Promise((resolve) => { end = resolve; });
  try {
    const { report, why } = await runTask(task, { stopped });
    if (report?.unreadable) {
      return { ...one, task, why: _("It cannot be graded: %(reason)s.", { reason: report.unreadable }) };
    }
    return report ? { ...one, task, report } : { ...one, task, why: why ?? _("It gave no report.") };
  } catch (error) {
    isStopped = true;
    const reason = error.message.split("\n").at(-1);
    return { ...one, task, why: _("Python could not be loaded. %(reason)s", { reason }) };
  }
}

async function gradeAll() {
  if (end) return;
  isStopped = false;
  graded = [];
  $("rows").replaceChildren();
  $("results").hidden = false;
  $("tomorrow").hidden = true;
  $("progress").max = files.length;
  const started = performance.now();
  showRunning(true);
  for (const one of files) {
    state.textContent = _("Running %(number)s of %(all)s: %(name)s",
      { number: graded.length + 1, all: files.length, name: one.name });
    $("progress").value = graded.length;
    const result = isStopped ? { ...one, why: one.why ?? _("Not run.") } : await gradeOne(one);
    graded.push(result);
    $("rows").append(...rowsOf(result));
    if (!isStopped) prepare().catch(() => {});
  }
  end = null;
  showRunning(false);
  const seconds = Math.round((performance.now() - started) / 1000);
  const done = graded.filter(({ report }) => report);
  const sums = _("%(done)s of %(all)s files graded in %(seconds)s s, %(passed)s with all points.",
    { done: done.length, all: graded.length, seconds, passed: done.filter(({ report }) => report.passed).length });
  state.textContent = isStopped ? `${_("Stopped.")} ${sums}` : sums;
  showMistakes();
}

function showRunning(isRunning) {
  const hadFocus = [$("run"), $("skip"), $("stop")].includes(document.activeElement);
  for (const id of ["skip", "stop", "progress"]) $(id).hidden = !isRunning;
  $("run").hidden = isRunning;
  for (const field of $("class-form").querySelectorAll("input, select")) field.disabled = isRunning;
  if (hadFocus) (isRunning ? $("stop") : $("run")).focus({ preventScroll: true });
}

const firstFailed = ({ checks }) => checks.find(({ passed }) => !passed);

// A title of the mistake, and a sentence about it
function wordsOf({ report, why }) {
  if (!report) return [why, ""];
  const { passed, mistake, error, messages } = report;
  if (passed) return ["", ""];
  if (mistake) return [mistake.title, mistake.text].map((text) => inLanguage(text, messages));
  if (error) {
    const { type, line } = error;
    const title = line ? _("%(error)s in line %(line)s", { error: type, line }) : type;
    return [title, inLanguage(error.message, messages)];
  }
  const { text = "", note = "" } = firstFailed(report) ?? {};
  return [text, note].map((words) => inLanguage(words, messages));
}

function rowsOf(one) {
  const { who, name, code, report } = one;
  const head = make("th", { scope: "row" }, who, who !== name && make("span", "small muted", name));
  const [title, text] = wordsOf(one);
  const words = make("td");
  if (report?.passed) words.append(make("span", "muted", _("None")));
  else words.append(make("b", {}, title), text ? ` ${text}` : "");
  if (report?.suspicious.length > 0) words.append(suspicion(report.suspicious));
  const points = make("td", "points", report
    ? _("%(points)s of %(possible)s", { points: report.points, possible: report.points_possible }) : "–");
  const row = make("tr", {}, head, points, words);
  if (!code) return [row];
  const summary = make("summary", {}, _("Code"), make("span", "visually-hidden", " ", _("of %(who)s", { who })));
  const details = make("details", {}, summary, make("pre", { tabindex: 0 }, code));
  return [row, make("tr", "program", make("td", { colspan: 3 }, details))];
}

// Names in a program that may change its report of expansions
function suspicion(found) {
  const [before, after] = _("It may change its expansions: %(words)s is in it. Read its code.", { words: "\n" }).split("\n");
  return make("p", "small", before, ...found.flatMap((word, i) => [i ? " " : "", make("code", {}, word)]), after);
}

// The smallest board: of few cells, then of few expansions
const sizeOf = ({ report: { case: shown, trace } }) =>
  (shown?.board ? shown.board.split(/[ /]/).length : 100) * 1e6 + (trace?.expansions ?? 0);

function showMistakes() {
  const groups = new Map();
  for (const one of graded) {
    if (!one.report || one.report.passed) continue;
    const key = `${one.report.exercise} ${wordsOf(one)[0]}`;
    groups.set(key, [...groups.get(key) ?? [], one]);
  }
  const sorted = [...groups.values()].sort((one, other) => other.length - one.length);
  $("tomorrow").hidden = sorted.length === 0;
  $("mistakes").replaceChildren(...sorted.map(mistakeItem));
}

function mistakeItem(group) {
  const smallest = group.reduce((best, one) => (sizeOf(one) < sizeOf(best) ? one : best));
  const { report } = smallest;
  const [title, text] = wordsOf(smallest);
  const words = make("div", "words", make("h3", {}, title),
    make("p", "small muted", [ngettext("%(num)s student", "%(num)s students", group.length),
      inLanguage(report.title, report.messages)].join(", ")),
    make("p", {}, text));
  const item = make("li", {}, words);
  const { board, goal, arguments: others, yours, expected } = report.case ?? {};
  if (!board) return item;
  const pair = make("div", "pair", picture(board, _("Board"), goal), goal && picture(goal, _("Goal"), goal));
  const [given, theirs, right] = [others, yours, expected].map((one) => one && inLanguage(one, report.messages));
  const outcomes = make("p", "small", [given, theirs && _("Theirs: %(result)s", { result: theirs }),
    right && _("Expected: %(result)s", { result: right })].filter(Boolean).join(". "));
  item.append(pair);
  if (!report.error) words.append(outcomes);
  if (goal) words.append(linksOf(report.exercise, { board, goal }));
  return item;
}

function linksOf(exercise, puzzle) {
  const links = make("p", "links");
  const watch = $("exercise").querySelector(`option[value="${CSS.escape(exercise)}"]`)?.dataset.watch;
  for (const [words, url] of [[_("Play this board"), main.dataset.play],
    [_("Watch the right search"), watch]]) {
    if (!url) continue;
    links.append(make("a", { href: url.replace("CODE", puzzleOf(puzzle)) }, words), " ");
  }
  return links;
}

function downloadCsv(event) {
  event.preventDefault();
  download(new Blob([csvOf(graded)], { type: "text/csv" }), event.currentTarget.download);
}

$("files").addEventListener("change", ({ target }) => choose(target.files));
if ($("files").files.length > 0) choose($("files").files); // chosen while this was loading
for (const name of ["dragover", "drop"]) main.addEventListener(name, (event) => {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault(); // the browser would open the file
  if (name === "drop") choose(event.dataTransfer.files);
});
$("class-form").addEventListener("submit", (event) => event.preventDefault());
$("run").addEventListener("click", gradeAll);
$("skip").addEventListener("click", () => end?.({ why: _("Skipped.") }));
$("stop").addEventListener("click", () => {
  isStopped = true;
  end?.({ why: _("Stopped.") });
});
$("csv").addEventListener("click", downloadCsv);
if (typeof WebAssembly === "undefined") {
  $("files").disabled = true;
  state.textContent =
    _("This browser has no WebAssembly, which Python needs. Use slidewise grade instead.");
}
