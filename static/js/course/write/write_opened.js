// Fills the page with the exercise of a file that this browser has opened, and starts it.
import { load, make } from "../../dom.js";
import { _, ngettext } from "../../language.js";
import { readExercise } from "./write_own.js";
import { loadFile } from "./write_store.js";

const $ = (id) => document.getElementById(id);
const file = loadFile(new URLSearchParams(location.search).get("name") ?? "");
const exercise = readExercise(file);

// The other modules read the page when they load.
async function start() {
  const { name, title, starter, signature } = exercise;
  Object.assign(document.querySelector("main").dataset, { exercise: `own:${name}`, own: file, signature,
    head: `# Slidewise exercise: ${name}\n# To judge it: slidewise grade --exercise ${name} ${name}.py\n` });
  $("title").textContent = title;
  document.title = `${title} · Slidewise`;
  $("code").defaultValue = starter;
  $("code-title").textContent = `${name}.py`;
  $("download").download = `${name}.py`;
  $("download").textContent = _("Download %(file)s", { file: `${name}.py` });
  fill(exercise, await load("course/write/write_results.js"));
  await load("course/write/write.js");
}

function fill({ task, uses, hints, checks }, { code, paragraph }) {
  $("task-text").append(...paragraph(...code(task)).childNodes);
  if (uses.length > 0) $("given-names").append(` ${_("You are given %(names)s.", { names: uses.join(", ") })}`);
  $("hints").parentElement.hidden = hints.length === 0;
  $("hints").append(...hints.map((hint, i) => make("li", {}, make("details", {},
    make("summary", {}, _("Hint %(number)s", { number: i + 1 })), ...paragraph(...code(hint)).childNodes))));
  $("checks").append(...checks.map(({ key, text, points }) => {
    const item = $("check").content.firstElementChild.cloneNode(true);
    item.dataset.check = key;
    item.querySelector("[data-part=text]").textContent = text;
    item.querySelector("[data-part=points]").textContent = ngettext("%(num)s point", "%(num)s points", points);
    return item;
  }));
}

if (exercise) await start();
else {
  $("no-file").hidden = false;
  for (const part of document.querySelectorAll(".code-card, .give, .checks, #task")) part.hidden = true;
}
