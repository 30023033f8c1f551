// Exercises in browser storage: code, last search, and whether they are done.
const DONE = "code done";
const nameOf = (exercise) => `code ${exercise}`;

export function doneExercises() {
  const done = read(DONE);
  return done ? done.split(" ") : [];
}

export function markDone(exercise) {
  write(DONE, [...new Set([...doneExercises(), exercise])].join(" "));
}

export const loadCode = (exercise) => read(nameOf(exercise));

// Return whether the code is stored; `null` removes it.
export const storeCode = (exercise, code) => write(nameOf(exercise), code);

// Call `action` when another tab has changed the code.
export function onOthersCode(exercise, action) {
  addEventListener("storage", ({ key }) => key === nameOf(exercise) && action());
}

const BOARD = /^\d+(?: \d+)+(?:\/\d+(?: \d+)+)+$/;
const MAX_SEARCH = 2_000; // expansions
const searchName = (exercise) => `search ${exercise}`;
const isBoard = (text) => typeof text === "string" && BOARD.test(text);

// Return whether the search is stored.
export const storeSearch = (exercise, search) => write(searchName(exercise), JSON.stringify(search));

// The search that the last run of an exercise made, null without one.
export function loadSearch(exercise) {
  let search;
  try {
    search = JSON.parse(read(searchName(exercise)));
  } catch {
    return null;
  }
  const { board, goal, heuristic, expanded, expansions, generated, path } = search ?? {};
  const boards = [expanded, path ?? []];
  const isWhole = boards.every(Array.isArray) && [board, goal, ...boards.flat()].every(isBoard)
    && expanded.length > 0 && expanded.length <= MAX_SEARCH && [expansions, generated].every(Number.isInteger);
  return isWhole ? { exercise, board, goal, heuristic, expanded, expansions, generated, path } : null;
}

// The last searches of all exercises
export function ownSearches() {
  const prefix = searchName("");
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix)).sort()
      .map((name) => loadSearch(name.slice(prefix.length))).filter(Boolean);
  } catch {
    return [];
  }
}

// Start and goal as in URLs
export const puzzleOf = ({ board, goal }) =>
  [board, goal].map((text) => text.replaceAll(" ", ".").replaceAll("/", "-")).join("_");

function read(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // storage may be forbidden
  }
}

function write(name, text) {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
    return true;
  } catch {
    return false; // or full
  }
}
