// Marks the exercises that this browser has done.
import { doneExercises } from "./write_store.js";

for (const exercise of doneExercises()) {
  const item = document.querySelector(`[data-exercise="${CSS.escape(exercise)}"]`);
  if (!item) continue;
  item.classList.add("is-done");
  item.querySelector(".done").hidden = false;
}
