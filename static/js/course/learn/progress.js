// Progress on the learning path in browser storage, such as "bfs Read", "bfs Watch" and "bfs Predict".
// Written exercises are in `../write/write_store.js`.
import { read, write } from "../../storage.js";
import { doneExercises } from "../write/write_store.js";

const OPENED = "learn opened";

// "Try" is an old name of "Watch"
export const openedThings = () => read(OPENED, []).map((thing) => `${thing}`.replace(/ Try$/, " Watch"));

export const markThing = (thing) => write(OPENED, [...new Set([...openedThings(), thing])]);

// Mark the steps of a lesson's trail whose exercises are written. Returns all written exercises.
export function markTrail() {
  const done = doneExercises();
  for (const step of document.querySelectorAll(".trail li"))
    step.classList.toggle("is-done", step.dataset.exercises.split(" ").every((one) => done.includes(one)));
  return done;
}
