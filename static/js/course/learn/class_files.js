// The files that a teacher chose: programs of students, also those in zips, the CSV file of a gradebook, and the
// file of an exercise.
import { _ } from "../../language.js";
import { addExercise } from "./class_exercises.js";
import { readZip } from "./class_zip.js";

const HEADER = 2_000; // characters of a file that may hold its header
const FIELDS = {
  exercise: /^# Slidewise exercise: *(\S.*?)[ \t\r]*$/m,
  seed: /^# Seed: *(\S.*?)[ \t\r]*$/m,
  name: /^# Name: *(\S.*?)[ \t\r]*$/m,
};
const MAX_NAME = 60; // characters
const IMPORT = /^[ \t]*(?:from[ \t]+\.?(\w+)|import[ \t]+(\w+))/gm; // as `imported_modules` of the library
const { dataset } = document.querySelector("main");
const bounds = JSON.parse(dataset.bounds);
const patterns = JSON.parse(dataset.submitted).map((pattern) => new RegExp(pattern));

/** A field of a file's header, "" if it has none. */
export const fieldOf = (code, name) => code.slice(0, HEADER).match(FIELDS[name])?.[1] ?? "";

/** The order of programs in the table. */
export const byName = (one, other) => one.who.localeCompare(other.who);

const isProgram = (name) => /\.(py|ipynb)$/i.test(name);
const isHidden = (path) => path.split("/").some((part) => /^(\.|__)/.test(part));

/** Student, ID and file of a name in the zips of Moodle and Canvas, as in `read_file_name` of the library. */
export function submittedAs(path) {
  const found = patterns.map((pattern) => path.match(pattern)).find(Boolean);
  const [student = "", id = "", file = ""] = found?.slice(1) ?? ["", "", path];
  return { student, id, file };
}

/** Read a list of files. Resolves to { files, gradebook, exercise, refused }: programs to grade, sorted by their
 * students, the file of a gradebook and the name of an exercise, if there are any, and why others are left out. */
export async function readFiles(list) {
  const chosen = [];
  const refused = [];
  const left = { bytes: bounds.total * 1000 };
  let gradebook = null;
  let exercise = "";
  let others = 0;
  for (const file of list) {
    if (/\.csv$/i.test(file.name)) gradebook = await readGradebook(file);
    else if (/\.json$/i.test(file.name)) {
      const added = file.size <= bounds.exercise && addExercise(await file.text());
      if (added) exercise = added;
      else refused.push(notAnExercise(file.name));
    }
    else if (/\.zip$/i.test(file.name)) {
      try {
        chosen.push(...await unzipped(file, left));
      } catch (error) {
        refused.push(`${file.name}: ${error.message}`);
      }
    } else if (isProgram(file.name)) chosen.push({ ...submittedAs(file.name), path: file.name, blob: file });
    else others += 1;
  }
  if (others) {
    refused.push(_("%(others)s of %(all)s files left out: only .py and .ipynb can be graded.",
      { others, all: list.length }));
  }
  if (chosen.length > bounds.files) {
    refused.push(_("You chose %(count)s files; at most %(most)s can be graded at once. Choose fewer.",
      { count: chosen.length, most: bounds.files }));
    chosen.length = 0;
  }
  const files = withNumbers(withHelpers(await Promise.all(chosen.map(readFile))));
  return { files: files.sort(byName), gradebook, exercise, refused };
}

const notAnExercise = (file) => _("%(file)s is no exercise of Slidewise. Make it with %(command)s.",
  { file, command: "slidewise grade --exercise FOLDER --pack FILE" });

async function readGradebook(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = ""; // a character for each byte, which Python makes bytes again
  for (let at = 0; at < bytes.length; at += 10_000) text += String.fromCharCode(...bytes.subarray(at, at + 10_000));
  return { name: file.name, text };
}

// The programs of a zip, and the students of an LMS without one
async function unzipped(file, left) {
  const found = new Map();
  for await (const { read, why, ...one } of entriesOf(file)) {
    const { path } = one;
    const key = one.id || one.student ? `${one.student}_${one.id}` : path;
    if (why) found.set(path, { ...one, blob: why });
    else if (isProgram(path)) found.set(path, { ...one, blob: await blobOf(read, left) });
    else if (key !== path && !found.has(key)) {
      found.set(key, { ...one, key, blob: new Error(_("No .py or .ipynb file: %(name)s.", { name: one.file })) });
    }
    if (found.size > bounds.files) break;
  }
  const all = [...found.values()];
  if (all.length === 0) throw new Error(_("It has no .py or .ipynb file."));
  const withPrograms = new Set(all.filter(({ key }) => !key).map(({ student, id }) => `${student}_${id}`));
  return all.filter(({ key }) => !withPrograms.has(key));
}

const shownIn = async (file) => (await readZip(file, bounds.entries))
  .map(({ name, read }) => ({ path: name.replaceAll("\\", "/"), read })).filter(({ path }) => !isHidden(path));

// The files of a zip. The zip of a student has its programs in its place, or the reason why they cannot be read.
async function* entriesOf(file) {
  for (const { path, read } of await shownIn(file)) {
    const one = { ...submittedAs(path), path, read };
    try {
      yield* /\.zip$/i.test(path) ? await programsOf(one) : [one];
    } catch (error) {
      yield { ...one, why: error instanceof RangeError ? tooLarge(bounds.zip) : error };
    }
  }
}

async function programsOf({ student, id, path: outer, read }) {
  const programs = (await shownIn(await read(bounds.zip * 1000))).filter(({ path }) => isProgram(path));
  if (programs.length === 0) throw new Error(_("It has no .py or .ipynb file."));
  if (programs.length > bounds.inZip) {
    throw new Error(_("The zip has %(count)s programs; at most %(most)s can be graded. Remove libraries.",
      { count: programs.length, most: bounds.inZip }));
  }
  const isOfStudent = student || id;
  return programs.map(({ path, ...one }) => ({ ...one,
    ...isOfStudent ? { student, id, file: path, path: `${outer}/${path}` } : { ...submittedAs(path), path } }));
}

// A file's content, or the error
async function blobOf(read, left) {
  try {
    const blob = await read(bounds.kilobytes * 1000);
    left.bytes -= blob.size;
    if (left.bytes >= 0) return blob;
    return new Error(_("The programs have more than %(most)s kB together.", { most: bounds.total }));
  } catch (error) {
    return error instanceof RangeError ? tooLarge(bounds.kilobytes) : error;
  }
}

const tooLarge = (most) => new Error(_("The file has more than %(most)s kB. Remove its output.", { most }));

async function readFile({ student, id, file, path, blob }) {
  const name = file.split("/").at(-1);
  // Moodle's number is of this assignment alone, and no ID of the student.
  const userId = path.includes("_assignsubmission_") ? "" : id;
  const one = { name, path, student, id, userId, who: student || id || name, code: "", helpers: [] };
  if (blob instanceof Error) return { ...one, why: blob.message };
  if (blob.size > bounds.kilobytes * 1000) return { ...one, why: tooLarge(bounds.kilobytes).message };
  try {
    const text = await blob.text();
    const code = shownCode(name, text);
    const typed = fieldOf(code, "name").slice(0, MAX_NAME);
    const why = text.trim() ? undefined : _("The file is empty.");
    return { ...one, text, code, typed, why, who: student || typed || id || name };
  } catch {
    return { ...one, why: _("The file cannot be read. Choose it again.") };
  }
}

// The code of a notebook is shown cell by cell; the worker reads the file itself.
function shownCode(name, text) {
  if (!name.endsWith(".ipynb")) return text;
  try {
    return codeCells(text).map(({ source }) => [source].flat().join("")).join("\n\n");
  } catch {
    return text;
  }
}

const codeCells = (text) => JSON.parse(text).cells.filter((cell) => cell.cell_type === "code");

/** A file without the output of its cells, and its suffix, as the judge reads it. */
export function sourceOf({ name, text, code }) {
  if (!name.endsWith(".ipynb") || text === code) return [code, ".py"];
  const cells = codeCells(text).map(({ source }) => ({ cell_type: "code", source }));
  return [JSON.stringify({ cells }), ".ipynb"];
}

// Students with the same name, such as all "Participants" of a blind assignment, get their ID.
function withNumbers(files) {
  const isOther = ({ student, id }) => (one) => one.student === student && one.id !== id;
  return files.map((one) =>
    (one.student && files.some(isOther(one)) ? { ...one, who: `${one.student} ${one.id}` } : one));
}

// Modules that another file of the same student or folder imports are no submissions of their own.
function withHelpers(files) {
  const groups = new Map();
  for (const one of files) {
    const folder = one.path.includes("/") ? one.path.replace(/\/[^/]*$/, "") : one.path;
    const key = one.student || one.id ? `${one.student}_${one.id}` : folder;
    groups.set(key, [...groups.get(key) ?? [], one]);
  }
  return [...groups.values()].flatMap((group) => {
    const modules = group.filter(({ name, text }) => text && name.endsWith(".py"));
    const imported = new Set(modules.flatMap(({ text }) =>
      [...text.matchAll(IMPORT)].map(([, one, other]) => one ?? other)));
    const isHelper = ({ name }) => name.endsWith(".py") && imported.has(name.slice(0, -3));
    const own = group.every(isHelper) ? group : group.filter((one) => !isHelper(one));
    return own.map((one) => ({ ...one,
      helpers: modules.filter((other) => other !== one).map(({ name, text }) => [name, text]) }));
  });
}
