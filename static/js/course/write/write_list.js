// Marks the exercises that this browser has done, and opens files of teachers' exercises.
import { button, make } from "../../dom.js";
import { _ } from "../../language.js";
import { readExercise } from "./write_own.js";
import { doneExercises, loadFile, openedNames, storeFile } from "./write_store.js";

const { opened, maxBytes } = document.querySelector("main").dataset;
const [input, list, refused] = ["open-file", "opened", "refused"].map((id) => document.getElementById(id));
const urlOf = (name) => `${opened}?name=${encodeURIComponent(name)}`;

function showOpened() {
  const found = openedNames().map((name) => readExercise(loadFile(name))).filter(Boolean);
  list.replaceChildren(...found.map(({ name, title, signature }, i) => {
    const remove = button(_("Remove"), { class: "icon", "aria-label": _("Remove %(title)s", { title }) }, () => {
      storeFile(name, null);
      showOpened();
      input.focus();
    });
    return make("li", { class: "card", "data-exercise": `own:${name}` },
      make("span", { class: "number", "aria-hidden": "true" }, i + 1),
      make("h3", {}, make("a", { href: urlOf(name) }, title)), make("p", {}, make("code", {}, signature)),
      make("p", { class: "small done", hidden: "" }, _("Done")), make("p", {}, remove));
  }));
  markDone();
}

function markDone() {
  const done = doneExercises();
  for (const item of document.querySelectorAll("[data-exercise]")) {
    if (!done.includes(item.dataset.exercise)) continue;
    item.classList.add("is-done");
    item.querySelector(".done").hidden = false;
  }
}

async function open(file) {
  const text = file.size <= Number(maxBytes) ? await file.text() : "";
  const exercise = readExercise(text);
  if (!exercise) {
    refuse(_("%(file)s is no exercise of Slidewise. Ask the person who gave it to you for another file.",
      { file: file.name }));
  } else if (!storeFile(exercise.name, text)) refuse(_("This browser stores nothing, so it cannot open an exercise."));
  else location.assign(urlOf(exercise.name));
}

function refuse(words) {
  refused.textContent = words;
  refused.hidden = false;
  input.value = "";
}

input.addEventListener("change", () => { if (input.files.length > 0) open(input.files[0]); });
showOpened();
