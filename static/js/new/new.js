// The form for a new game: its stored choice, which "Next puzzle" repeats, and unfinished games to continue with.
import { loadStyle, make } from "../dom.js";
import { _ } from "../language.js";
import { read, write } from "../storage.js";
import { isSolved } from "../game/position.js";
import { games } from "../game/store.js";
import { moves } from "../play/words.js";

export const CHOICE = "new-game"; // the last choice: the fields below by their names
const MOST_UNFINISHED = 5;
const FIELDS = ["size", "rows", "cols", "difficulty", "goal"];
const dialog = document.getElementById("new");
const form = document.getElementById("new-form");
const lengths = JSON.parse(form.dataset.bands);
const [line] = form.querySelectorAll(".bands .of-other");
const [largerAreRandom] = line.childNodes;

const value = (name) => form.elements[name].value;

function fill(choice) {
  for (const name of FIELDS) {
    const isOfOther = name === "rows" || name === "cols"; // of other sizes; they begin with this game's size
    if (!choice[name] || (isOfOther && choice.size !== "other")) continue;
    const field = form.elements[name];
    const isThere = [...(field.options ?? field)].some((one) => one.value === choice[name]);
    if (isThere) field.value = choice[name]; // a choice stored by an older page may be unavailable
  }
  say();
}

const isUntouched = () => [...form.elements].every((field) => field.options
  ? field.selectedIndex === Math.max(0, [...field.options].findIndex((one) => one.defaultSelected))
  : field.checked === field.defaultChecked);

const shortest = ([least, most]) => (least === null ? _("Shortest solution: up to %(most)s moves", { most })
  : _("Shortest solution: %(least)s to %(most)s moves", { least, most }));

// For other sizes the page does not know the lengths in advance
function say() {
  const other = value("size") === "other";
  const known = lengths[`${value("rows")}x${value("cols")}`];
  form.classList.toggle("no-levels", other && !known);
  line.textContent = other && known ? shortest(known[value("difficulty")]) : largerAreRandom.data;
}

function keep() {
  write(CHOICE, Object.fromEntries(FIELDS.map((name) => [name, value(name)])));
}

function open(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  fill(read(CHOICE));
  dialog.showModal();
  form.querySelector("[name=size]:checked").focus();
}

function onClick(event) {
  const link = event.target.closest("[data-new], [data-next]");
  if (link?.dataset.new !== undefined && dialog) open(event);
  else if (link?.pathname.endsWith("/new")) { // a level leads to the next level
    const choice = read(CHOICE);
    if (choice.size) link.search = new URLSearchParams(choice);
  }
}

// Unfinished games of this browser, to continue with
function linkTo({ url, position }) {
  const rows = position.board.split("-");
  const size = `${rows.length} × ${rows[0].split(".").length}`;
  return make("li", {}, make("a", { href: url }, `${size}, ${moves(position.moves)}`));
}

function offerUnfinished() {
  const others = games().filter(({ url, position }) =>
    url !== location.pathname && position?.moves > 0 && !isSolved(position)).slice(0, MOST_UNFINISHED);
  if (others.length === 0) return;
  for (const place of document.querySelectorAll(".continue")) {
    place.ariaLabel = _("Continue");
    place.replaceChildren(make("b", {}, _("Continue")), make("ul", {}, ...others.map(linkTo)));
    place.hidden = false;
  }
}

if (dialog) await loadStyle(dialog.dataset.style);
offerUnfinished();
if (dialog) document.addEventListener("click", onClick);
else if (isUntouched()) fill(read(CHOICE));
else say(); // chosen while this was loading
form.addEventListener("change", say);
form.addEventListener("submit", keep);
const more = form.querySelector("details");
more.firstElementChild.addEventListener("click", () =>
  more.addEventListener("toggle", () => more.scrollIntoView({ block: "nearest" }), { once: true })); // not at load
form.querySelector("[data-settings]").addEventListener("click", () => {
  dialog?.close();
  document.getElementById("open-settings").click();
});
