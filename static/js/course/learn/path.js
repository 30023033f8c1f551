// The learning path: marks what this browser has opened or written, and the next thing to do.
import { _ } from "../../language.js";
import { doneExercises } from "../write/write_store.js";
import { openedThings } from "./progress.js";

const goOn = document.querySelector("#go-on");
const steps = [...document.querySelectorAll(".path-step:not(.path-written)")];
const marks = [...document.querySelectorAll(".path-mark")];

// Fill a mark, and count its exercises; its link leads to the first that is not written.
function fill(mark, things, done) {
  const { thing, exercises, words } = mark.dataset;
  const names = exercises?.split(" ") ?? [];
  const missing = names.filter((name) => !done.includes(name));
  const isDone = exercises ? missing.length === 0 : things.includes(thing);
  mark.classList.toggle("is-done", isDone);
  mark.title = isDone ? _("%(thing)s: done", { thing: words }) : words;
  mark.querySelector(".visually-hidden").textContent = mark.title;
  const count = mark.querySelector(".count");
  if (count) count.textContent = `${names.length - missing.length}/${names.length}`;
  if (exercises) mark.href = mark.href.replace(/[^/]+$/, missing[0] ?? names[0]);
}

// Turn the button into the first mark that is not filled; with all of them filled, into "All exercises".
function showNext(mark) {
  const last = document.querySelector(".path-written a");
  goOn.href = (mark ?? last).href;
  const isFirst = mark === marks[0];
  if (!isFirst)
    goOn.querySelector("span").textContent = mark ? _("Go on: %(thing)s", { thing: mark.dataset.words }) : last.text;
}

function show() {
  const [things, done] = [openedThings(), doneExercises()];
  for (const mark of marks) fill(mark, things, done);
  const open = steps.map((step) => step.querySelector(".path-mark:not(.is-done)"));
  const here = open.findIndex(Boolean);
  steps.forEach((step, i) => {
    step.classList.toggle("is-done", !open[i]);
    step.classList.toggle("is-here", i === here);
  });
  const bar = document.querySelector(".path-bar");
  [...bar.children].forEach((part, i) => {
    part.classList.toggle("on", !open[i]);
    part.classList.toggle("half", Boolean(open[i] && steps[i].querySelector(".is-done")));
  });
  const finished = open.filter((mark) => !mark).length;
  bar.setAttribute("aria-label", _("%(done)s of %(all)s steps done", { done: finished, all: steps.length }));
  const all = document.querySelector(".path-written");
  const written = all.dataset.exercises.split(" ").filter((name) => done.includes(name)).length;
  all.querySelector(".js-only b").textContent = written;
  all.querySelectorAll("i").forEach((dot, i) => dot.classList.toggle("on", i < written));
  showNext(open[here]);
}

show();
addEventListener("pageshow", show);
