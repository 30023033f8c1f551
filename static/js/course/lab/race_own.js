// Lanes of the visitor's own searches on the board of the race, from the exercises' last runs.
import { _, number } from "../../language.js";
import { ownSearches, puzzleOf } from "../write/write_store.js";

const DECADES = 9; // of the log scale

export function show() {
  const rows = document.getElementById("race-own");
  const here = ownSearches().filter((search) => puzzleOf(search) === rows.dataset.puzzle);
  rows.replaceChildren(...here.map((search) => lane(search, rows)));
  rows.hidden = rows.children.length === 0;
}

function lane({ exercise, expansions, generated, path }, { dataset }) {
  const row = document.getElementById("race-own-lane").content.cloneNode(true);
  const part = (name) => row.querySelector(`[data-part=${name}]`);
  part("title").textContent = _("Your %(exercise)s", { exercise });
  part("expansions").textContent = number(expansions);
  part("generated").textContent = number(generated);
  part("found").textContent = path ? number(path.length - 1) : _("no path");
  part("watch").href = dataset.watch.replace("OWN", exercise);
  part("watch").querySelector("span").textContent = ` ${_("Your %(exercise)s", { exercise })}`;
  row.querySelector("rect").setAttribute("width", Math.min(100, (100 * Math.log10(1 + expansions)) / DECADES));
  return row;
}
