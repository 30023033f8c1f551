// Grades the files of a class, each in its own worker. Nothing is sent.
import { _, ngettext } from "../../language.js";
import { inLanguage } from "../write/write_results.js";
import { askAboutClass, prepare, runTask } from "../write/write_runner.js";
import { chosenTitle, exerciseNamed, fileOf } from "./class_exercises.js";
import { downloadAll, downloadFilled, downloadImport, fill } from "./class_export.js";
import { byName, fieldOf, readFiles, sourceOf } from "./class_files.js";
import { add, select, show } from "./class_results.js";

const MAX_COMPARED = 100_000; // characters of a program that is compared with the others
const main = document.querySelector("main");
const $ = (id) => document.getElementById(id);
const state = $("state");
const loads = state.textContent;
let files = [];
let gradebook = null;
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

const checkedRules = () => [...document.querySelectorAll("[name=rules]:checked")];

function showChosen() {
  const seed = $("seed").value.trim();
  const rules = checkedRules().map((rule) => rule.parentElement.textContent.trim());
  const words = [chosenTitle(), seed && _("seed %(seed)s", { seed }), ...rules];
  $("chosen").textContent = words.filter(Boolean).join(" · ");
}

async function choose(list) {
  if (end || list.length === 0) return;
  state.textContent = _("Reading the files.");
  const these = reading = readFiles([...list]);
  const read = await these;
  if (reading !== these) return; // other files were chosen meanwhile
  $("refused").hidden = read.refused.length === 0;
  $("refused").textContent = read.refused.join(" ");
  gradebook = read.gradebook ?? gradebook;
  if (read.exercise) $("exercise").value = read.exercise;
  showChosen();
  if (read.files.length > 0 || !(read.gradebook || read.exercise)) files = read.files;
  $("run").disabled = files.length === 0;
  if (read.files.length > 0) $("run").classList.add("primary");
  const words = files.length === 0 ? [loads]
    : [ngettext("%(num)s file is ready.", "%(num)s files are ready.", files.length)];
  if (gradebook) words.push(_("%(name)s will be filled in.", { name: gradebook.name }));
  state.textContent = words.join(" ");
  if (read.gradebook && read.files.length === 0 && graded.length > 0) await fillIn("");
}

async function taskOf(one, known) {
  const { name, text, code, helpers } = one;
  const named = known.exercise || $("exercise").value || exerciseNamed(fieldOf(code, "exercise"));
  const exercise = named || exerciseNamed(name.replace(/(?:-\d+| \(\d+\))?\.\w+$/, ""));
  const own = fieldOf(code, "seed");
  const seed = seedOf($("seed").value) ?? (/^\d{1,9}$/.test(own) ? Number(own) : 1);
  const rules = checkedRules().map(({ value }) => value).join(",");
  const suffix = name.slice(name.lastIndexOf(".")).toLowerCase();
  return { ...known, exercise, explicit: Boolean(named), own: await fileOf(exercise), code: text, seed, rules, suffix,
    files: helpers };
}

async function gradeOne(one, known = {}) {
  if (!one.text?.trim()) return one; // `why` has the reason
  const stopped = new Promise((resolve) => { end = resolve; });
  const { why: before, ...rest } = one;
  let task;
  try {
    task = await taskOf(one, known);
    const name = task.exercise ? "" : fieldOf(one.code, "exercise");
    if (name) return { ...rest, why: _("The exercise %(name)s is not here. Drop its file too.", { name }) };
    const { report, why } = await runTask(task, { stopped });
    if (report?.unreadable) {
      const reason = inLanguage(report.unreadable, report.messages);
      return { ...rest, task, why: _("It cannot be graded: %(reason)s.", { reason }) };
    }
    if (report) task.exercise = report.exercise; // of a file that names none
    return { ...rest, task, report, why: report ? !report.read && why : why ?? _("It gave no report.") };
  } catch (error) {
    isStopped = true;
    const reason = error.message.split("\n").at(-1);
    return { ...rest, task, why: task ? _("Python could not be loaded. %(reason)s", { reason })
      : _("The exercise could not be loaded. %(reason)s", { reason }) };
  }
}

async function gradeAll() {
  if (end) return;
  isStopped = false;
  graded = [];
  show(graded, gradeAgain);
  main.classList.add("has-results");
  $("options").open = false;
  $("progress").max = files.length;
  const started = performance.now();
  showRunning(true);
  for (const one of files) {
    state.textContent = _("Running %(number)s of %(all)s: %(name)s",
      { number: graded.length + 1, all: files.length, name: one.name });
    $("progress").value = graded.length;
    const result = isStopped ? { ...one, why: one.why ?? _("Not run.") } : await gradeOne(one);
    graded.push(result);
    add(result, gradeAgain);
    if (!isStopped) prepare().catch(() => {});
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  await compare();
  end = null;
  showRunning(false);
  const done = graded.filter(({ report }) => report?.read);
  const sums = _("%(done)s of %(all)s files graded in %(seconds)s s, %(passed)s with all points.",
    { done: done.length, all: graded.length, seconds, passed: done.filter(({ report }) => report.passed).length });
  $("run").classList.remove("primary"); // next is the download
  state.textContent = isStopped ? `${_("Stopped.")} ${sums}` : sums;
}

// Programs that are alike, the title, and the gradebook
async function compare() {
  const programs = graded.map((one) => {
    const [code, suffix] = one.code && one.code.length < MAX_COMPARED ? sourceOf(one) : ["", ".py"];
    return [code, suffix, one.task?.exercise ?? ""];
  });
  const { groups = [] } = graded.length > 1 && !isStopped ? await askAboutClass({ alike: { programs } }) : {};
  for (const one of graded) one.alike = [];
  groups.forEach((group, number) => group.forEach((index) => {
    graded[index].group = number;
    graded[index].alike = group.filter((other) => other !== index).map((other) => graded[other]);
  }));
  showTitle();
  if (gradebook && !isStopped) await fillIn("");
  else show(graded, gradeAgain);
}

async function fillIn(column) {
  const before = end;
  end ??= () => {}; // the judge answers one question at a time
  await fill(gradebook, graded, column);
  graded.sort(byName); // with the names of the gradebook
  end = before;
  show(graded, gradeAgain);
}

function showTitle() {
  const titles = new Set(graded.filter(({ report }) => report)
    .map(({ report: { title, messages } }) => inLanguage(title, messages)));
  const count = ngettext("%(num)s program", "%(num)s programs", graded.length);
  $("title").textContent = titles.size === 1 ? `${[...titles][0]}, ${count}` : count;
  $("lead").textContent = _("Graded in this browser. Nothing was sent.");
}

// A program that was not read, with corrections of the teacher
async function gradeAgain(one, known) {
  if (end) return;
  showRunning(true);
  state.textContent = _("Running %(number)s of %(all)s: %(name)s", { number: 1, all: 1, name: one.name });
  isStopped = false;
  const result = await gradeOne(one, known);
  graded[graded.indexOf(one)] = result;
  await compare();
  end = null;
  showRunning(false);
  result.tableRow.querySelector(".see")?.focus({ preventScroll: true });
  state.textContent = result.report?.read
    ? _("%(name)s is graded.", { name: result.name }) : _("%(name)s was not read again.", { name: result.name });
}

function showRunning(isRunning) {
  const hadFocus = [$("run"), $("skip"), $("stop")].includes(document.activeElement);
  for (const id of ["skip", "stop", "progress"]) $(id).hidden = !isRunning;
  $("run").hidden = isRunning;
  const fields = main.querySelectorAll("#class-form input, #class-form select, #files");
  for (const field of fields) field.disabled = isRunning;
  if (hadFocus) (isRunning ? $("stop") : $("run")).focus({ preventScroll: true });
}

$("files").addEventListener("change", ({ target }) => choose(target.files));
if ($("files").files.length > 0) choose($("files").files); // chosen while this was loading
for (const name of ["dragover", "drop"]) main.addEventListener(name, (event) => {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault(); // the browser would open the file
  if (name === "drop") choose(event.dataTransfer.files);
});
$("class-form").addEventListener("submit", (event) => event.preventDefault());
$("class-form").addEventListener("input", showChosen);
showChosen();
$("run").addEventListener("click", gradeAll);
$("skip").addEventListener("click", () => end?.({ why: _("Skipped.") }));
$("stop").addEventListener("click", () => {
  isStopped = true;
  end?.({ why: _("Stopped.") });
});
$("csv").addEventListener("click", (event) => {
  event.preventDefault();
  downloadAll(graded, event.currentTarget.download);
});
for (const system of ["moodle", "canvas"]) $(system).addEventListener("click", () => downloadImport(system, graded));
$("fill").addEventListener("click", downloadFilled);
$("column").addEventListener("change", ({ target }) => { if (!end) fillIn(target.value); });
$("exercise").addEventListener("change", () => { if (gradebook && graded.length > 0 && !end) fillIn(""); });
main.addEventListener("click", ({ target }) => {
  const filter = target.closest("[data-filter]")?.dataset.filter;
  if (filter) select({ filter: target.closest("[aria-pressed=true]")?.dataset.filter === filter ? "all" : filter });
});
$("find").addEventListener("input", ({ target }) => select({ name: target.value }));
if (typeof WebAssembly === "undefined") {
  $("files").disabled = true;
  state.textContent =
    _("This browser has no WebAssembly, which Python needs. Use slidewise grade instead.");
}
