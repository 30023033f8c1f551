// The learning path: marks what this browser has opened or written, and the step to go on with.
import { _ } from "../../language.js";
import { doneExercises } from "../write/write_store.js";
import { markThing, openedThings } from "./progress.js";

const links = [...document.querySelectorAll(".path .do a")];

function show() {
  const [things, exercises] = [openedThings(), doneExercises()];
  for (const link of links) {
    const { exercise, thing } = link.dataset;
    link.classList.toggle("is-done", exercise ? exercises.includes(exercise) : things.includes(thing));
  }
  const steps = [...document.querySelectorAll(".path .step")];
  for (const step of steps) step.classList.toggle("is-done", !step.querySelector("a:not(.is-done)"));
  const here = steps.find((step) => !step.classList.contains("is-done"));
  for (const step of steps) step.classList.toggle("is-here", step === here);
  const done = links.filter((one) => one.matches(".is-done")).length;
  document.querySelector("#progress b").textContent = _("%(done)s of %(all)s", { done, all: links.length });
}

document.querySelector(".path").addEventListener("click", (event) => {
  const thing = event.target.closest("a")?.dataset.thing;
  if (thing) markThing(thing);
});
show(); // the page may be there before this
addEventListener("pageshow", show);
