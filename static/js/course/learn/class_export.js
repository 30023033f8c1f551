// Exports of a class: CSV files, and the file of a gradebook with the points filled in.
import { make } from "../../dom.js";
import { download } from "../../files.js";
import { _, ngettext } from "../../language.js";
import { inLanguage } from "../write/write_results.js";
import { askAboutClass } from "../write/write_runner.js";
import { fileOf } from "./class_exercises.js";
import { csvOf, importOf } from "./class_csv.js";

const $ = (id) => document.getElementById(id);
const csvBlob = (text) => new Blob([text], { type: "text/csv" });
let filled = null; // { name, bytes } of the gradebook with its points

/** The exercise of the gradebook: the chosen one, or the only one of the files, otherwise "". */
function exerciseOf(graded) {
  const keys = new Set(graded.map(({ task }) => task?.exercise).filter(Boolean));
  return $("exercise").value || (keys.size === 1 ? [...keys][0] : "");
}

// A student's best file
function students(graded) {
  const best = new Map();
  const points = ({ report }) => (report?.read ? report.points : -1);
  for (const one of graded) {
    const key = one.row ? `row ${one.row.line}` : one.student || one.id ? `${one.student}_${one.id}` : one.path;
    if (!best.has(key) || points(one) > points(best.get(key))) best.set(key, one);
  }
  return [...best.values()];
}

/** Download the table of all files. */
export const downloadAll = (graded, name) => download(csvBlob(csvOf(graded)), name);

/** Download a table for the import of Moodle or Canvas, and say who is left out. */
export function downloadImport(system, graded) {
  const key = document.querySelector("[name=known-by]:checked").value;
  const all = students(graded);
  const known = all.filter((one) => one[key === "id" ? "userId" : key]);
  const without = all.length - known.length;
  const note = $("export-note");
  note.hidden = without === 0;
  note.textContent = key === "email"
    ? ngettext("%(num)s student has no known e-mail address. Drop the CSV file of the gradebook to add it.",
      "%(num)s students have no known e-mail address. Drop the CSV file of the gradebook to add them.", without)
    : ngettext("%(num)s student has no known ID. Drop the CSV file of the gradebook to add it.",
      "%(num)s students have no known ID. Drop the CSV file of the gradebook to add them.", without);
  if (known.length === 0) return;
  const { title, messages } = known.find(({ report }) => report)?.report ?? { title: "Slidewise", messages: {} };
  download(csvBlob(importOf(system, key, known, inLanguage(title, messages))), `${system}.csv`);
}

/** Fill the points into a gradebook, and show who is missing. Files get the `row` and `email` of their student. */
export async function fill(gradebook, graded, column) {
  filled = null;
  const exercise = exerciseOf(graded);
  const own = graded.filter(({ task, report }) => !report || task?.exercise === exercise);
  const grades = own.map(({ id, student, typed = "", report }) =>
    [id, [student, typed].filter(Boolean), report?.read ? report.points : null, report?.points_possible ?? 0]);
  $("gradebook").hidden = false;
  $("gradebook-name").textContent = gradebook.name;
  $("column").parentElement.hidden = true; // until its columns are known
  if (!exercise) {
    say(_("The files are of several exercises. Choose the one of this gradebook above."));
    return;
  }
  const about = { exercise, own: await fileOf(exercise).catch(() => "") };
  const answer = await askAboutClass({ gradebook: { file: gradebook.text, grades, column, ...about } });
  if (answer.why || answer.unreadable) {
    say(answer.why ?? inLanguage(answer.unreadable, answer.messages));
    return;
  }
  own.forEach((one, i) => {
    const row = answer.students[i];
    Object.assign(one, { row, email: row?.email ?? "", userId: row?.id || one.userId });
    if (row?.name) one.who = row.name;
  });
  showColumns(answer);
  if (!answer.students.some(Boolean)) say(_("None of these students is in it. Is it of this course?"));
  else if (answer.column) showFilled(gradebook.name, answer, own);
  else say(_("Choose the column of this exercise."));
}

function say(words) {
  $("gradebook-state").textContent = words;
  $("fill").hidden = true;
  $("unmatched").hidden = true;
}

function showColumns({ columns, column }) {
  const empty = column ? [] : [make("option", { value: "" }, _("Choose"))];
  $("column").replaceChildren(...empty, ...columns.map((title) => make("option", { value: title }, title)));
  $("column").value = column;
  $("column").parentElement.hidden = columns.length < 2;
}

function showFilled(name, { file, maximum, students: rows, missing }, own) {
  filled = { name, bytes: Uint8Array.from(file, (one) => one.charCodeAt(0)) };
  const lines = new Set(rows.map((row) => row?.line));
  const without = new Set(missing.map(({ line }) => line));
  const count = [...lines].filter((line) => line !== undefined && !without.has(line)).length;
  const words = [ngettext("%(num)s grade filled in.", "%(num)s grades filled in.", count)];
  if (maximum && own.some(({ report }) => report && report.points_possible !== maximum))
    words.push(_("In proportion to the maximum, %(maximum)s.", { maximum }));
  say(words.join(" "));
  $("fill").hidden = false;
  const notes = [
    ...own.filter(({ row }) => !row)
      .map(({ who }) => _("%(who)s: nobody in the gradebook, or several.", { who })),
    ...own.filter(({ row, report }) => row && !report?.read)
      .map(({ who }) => _("%(who)s: not read, so the cell is unchanged.", { who })),
    ...missing.filter(({ line }) => !lines.has(line))
      .map((row) => _("%(who)s: no file.", { who: row.label })),
  ];
  $("unmatched").hidden = notes.length === 0;
  $("unmatched-count").textContent = ngettext("%(num)s note", "%(num)s notes", notes.length);
  $("unmatched-list").replaceChildren(...notes.map((words) => make("li", {}, words)));
}

/** Download the gradebook as it was, with the points. */
export function downloadFilled() {
  if (filled) download(new Blob([filled.bytes], { type: "text/csv" }), filled.name);
}
