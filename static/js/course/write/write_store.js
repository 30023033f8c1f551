// Exercises in browser storage: code, last search, and whether they are done.
import { namesWith, readText, writeText } from "../../storage.js";
const DONE = "code done";
const nameOf = (exercise) => `code ${exercise}`;

export function doneExercises() {
  const done = readText(DONE);
  return done ? done.split(" ") : [];
}

export function markDone(exercise) {
  writeText(DONE, [...new Set([...doneExercises(), exercise])].join(" "));
}

export const loadCode = (exercise) => readText(nameOf(exercise));

// Return whether the code is stored; `null` removes it.
export const storeCode = (exercise, code) => writeText(nameOf(exercise), code);

const OPENED = "exercise ";

// The files of teachers' exercises that this browser has opened, by name
export const openedNames = () => namesWith(OPENED).map((name) => name.slice(OPENED.length)).sort();

export const loadFile = (name) => readText(OPENED + name);

// Return whether the file is stored; `null` removes it.
export const storeFile = (name, text) => writeText(OPENED + name, text);

// Call `action` when another tab has changed the code.
export function onOthersCode(exercise, action) {
  addEventListener("storage", ({ key }) => key === nameOf(exercise) && action());
}

const BOARD = /^\d+(?: \d+)+(?:\/\d+(?: \d+)+)+$/;
const MAX_SEARCH = 2_000; // expansions
const searchName = (exercise) => `search ${exercise}`;
const isBoard = (text) => typeof text === "string" && BOARD.test(text)
  && text.split(/[ /]/).map(Number).sort((one, other) => one - other).every((tile, i) => tile === i);

// Return whether the search is stored.
export const storeSearch = (exercise, search) => writeText(searchName(exercise), JSON.stringify(search));

// The search that the last run of an exercise made; null without any, or if it was stored without parents.
export function loadSearch(exercise) {
  let search;
  try {
    search = JSON.parse(readText(searchName(exercise)));
  } catch {
    return null;
  }
  const { board, goal, heuristic, expanded, parents, expansions, generated, path } = search ?? {};
  const boards = [expanded, path ?? []];
  const isWhole = [...boards, parents].every(Array.isArray) && [board, goal, ...boards.flat()].every(isBoard)
    && expanded.length > 0 && expanded.length <= MAX_SEARCH && parents.length === expanded.length
    && parents.every((parent, i) => Number.isInteger(parent) && parent >= -1 && parent < i)
    && [expansions, generated].every(Number.isInteger);
  return isWhole ? { exercise, board, goal, heuristic, expanded, parents, expansions, generated, path } : null;
}

// The last searches of all exercises
export function ownSearches() {
  const prefix = searchName("");
  return namesWith(prefix).sort().map((name) => loadSearch(name.slice(prefix.length))).filter(Boolean);
}

// Start and goal as in URLs
export const puzzleOf = ({ board, goal }) =>
  [board, goal].map((text) => text.replaceAll(" ", ".").replaceAll("/", "-")).join("_");
