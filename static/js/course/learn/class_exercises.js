// The exercises to choose for a class: built-in, of the site, and of files that this browser has opened.
import { make } from "../../dom.js";
import { _ } from "../../language.js";
import { readExercise } from "../write/write_own.js";
import { loadFile, openedNames, storeFile } from "../write/write_store.js";

const select = document.getElementById("exercise");
const group = make("optgroup", { label: _("Exercises from files") });
const opened = new Map(); // the files of exercises by name
const optionOf = (name) => select.querySelector(`option[value="${CSS.escape(name)}"]`);

/** The exercise of this name, "" if there is none. */
export const exerciseNamed = (name) => (name && optionOf(name) ? name : "");

/** The title of the chosen exercise, or how it is found. */
export const chosenTitle = () => select.selectedOptions[0].textContent;

/** URL of the built-in search on a board, undefined for others. */
export const watchUrl = (name) => optionOf(name)?.dataset.watch;

/** The file of a teacher's exercise, "" for a built-in one. Rejects if the site does not send it. */
export async function fileOf(name) {
  const url = name && optionOf(name)?.dataset.file;
  if (url && !opened.has(name)) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${response.status} for ${url}`);
    opened.set(name, await response.text());
  }
  return opened.get(name) ?? "";
}

/** Add the exercise of a file to the choice, also for later visits. Returns its name, "" if it is no exercise. */
export function addExercise(text) {
  const name = offer(text);
  if (name) storeFile(name, text);
  return name;
}

function offer(text) {
  const { name, title } = readExercise(text) ?? {};
  const known = name && optionOf(name);
  const isBuiltIn = known && !known.closest("optgroup");
  if (!name || isBuiltIn) return "";
  known?.remove();
  if (!group.parentElement) select.append(group);
  group.append(make("option", { value: name, translate: "no" }, title));
  opened.set(name, text);
  return name;
}

/** The choice of exercises for a form that grades a program again. */
export const copiedOptions = () =>
  [make("option", { value: "" }, _("Choose")), ...[...select.cloneNode(true).children].slice(1)];

for (const name of openedNames()) if (!optionOf(name)) offer(loadFile(name));
