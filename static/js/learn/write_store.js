// What the browser stores of exercises: the code of each, and those that are done.
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

// The boards of a run are drawn from the page's seed.
export const seedOf = ({ search }) => Number(new URLSearchParams(search).get("seed")?.match(/^\d{1,9}$/)?.[0] ?? 1);

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
