// Shows a class: figures, the mistakes by their number, and a row for each program, which filters and a name select.
import { make, svg } from "../../dom.js";
import { _, ngettext, number } from "../../language.js";
import { inLanguage, picture } from "../write/write_results.js";
import { puzzleOf } from "../write/write_store.js";
import { copiedOptions, watchUrl } from "./class_exercises.js";

const $ = (id) => document.getElementById(id);
const main = document.querySelector("main");
const BAR = 10; // points of a whole bar
const MOST_NAMED = 2; // programs that are alike
let shown = { filter: "all", name: "" }; // the filter is a state, "alike", or the key of a mistake
let all = []; // programs as the table has them

/** Whether a program is "right", has a "mistake", or is "unread". */
export const stateOf = ({ report }) => (!report?.read ? "unread" : report.passed ? "right" : "mistake");

const firstFailed = ({ checks }) => checks.find(({ passed }) => !passed);

// An error as `slidewise grade` writes it
function errorOf({ error: { type, message, line }, messages }) {
  const words = inLanguage(message, messages);
  if (type === "Stopped" || (type === "NameError" && !line)) return words;
  const title = line ? _("%(error)s in line %(line)s", { error: type, line }) : type;
  return words ? `${title}: ${words}` : title;
}

// A title of the known mistake, of the error or of the first failed check, and a sentence about it
function wordsOf({ report }) {
  const { mistake, error, messages } = report;
  if (mistake) return [mistake.title, mistake.text].map((text) => inLanguage(text, messages));
  if (error) return [errorOf(report), inLanguage(report.sentence, messages)];
  const { text = "", note = "" } = firstFailed(report) ?? {};
  return [text, note].map((words) => inLanguage(words, messages));
}

// Why a program was not read
function reasonOf({ report, why }) {
  const reason = why || (report.error ? errorOf(report) : _("its calls are unclear"));
  return report ? _("Not read: %(reason)s", { reason }) : reason;
}

const isCheck = ({ report: { mistake, error } }) => !mistake && !error;
const titleOf = (one) =>
  (isCheck(one) ? _("Check failed: %(check)s", { check: wordsOf(one)[0] }) : wordsOf(one)[0]);

// Programs with the same known mistake or failed check have the same key; errors have too many causes.
function keyOf(one) {
  const { exercise, mistake, error } = one.report ?? {};
  return stateOf(one) !== "mistake" || (error && !mistake) ? "" : `${exercise} ${titleOf(one)}`;
}

// A name as it fits into a cell: "Anna B."
function shortName(who) {
  const [family, given] = who.includes(",") ? who.split(/,\s*/) : [who.split(" ").at(-1), who.split(" ")[0]];
  return /\.(py|ipynb)$|\d/.test(who) || !given || !family || family === who ? who : `${given} ${family[0]}.`;
}

/** Show a class from its start; `again(one, known)` grades a program with corrections. */
export function show(graded, again) {
  all = graded;
  $("rows").replaceChildren(...graded.flatMap((one) => rowOf(one, again)));
  update();
}

/** Show the programs and figures anew, for example after one more is graded. */
export function add(one, again) {
  all = [...all, one];
  $("rows").append(rowOf(one, again));
  update();
}

function update() {
  const count = (state) => all.filter((one) => stateOf(one) === state).length;
  const read = all.filter(({ report }) => report?.read);
  const mean = read.reduce((sum, { report }) => sum + report.points, 0) / read.length;
  $("right").textContent = number(count("right"));
  $("mean").textContent = read.length ? number(Math.round(mean * 10) / 10) : "–";
  $("unread").textContent = number(count("unread"));
  const counts = { all: all.length, right: count("right"), mistake: count("mistake"), unread: count("unread"),
    alike: all.filter(({ alike }) => alike?.length).length };
  for (const button of $("filters").querySelectorAll("[data-filter]")) {
    button.querySelector("b").textContent = number(counts[button.dataset.filter]);
    button.hidden = button.dataset.filter === "alike" && counts.alike === 0;
  }
  showMistakes();
  select(shown);
}

/** Show the programs of a filter and a name only. */
export function select(change) {
  shown = { ...shown, ...change };
  const { filter, name } = shown;
  const states = { all: () => true, alike: ({ alike }) => alike?.length > 0 };
  const fits = states[filter] ?? ((one) => stateOf(one) === filter || keyOf(one) === filter);
  const words = name.trim().toLocaleLowerCase();
  let found = 0;
  all.forEach((one) => {
    const text = `${one.who} ${one.email ?? ""} ${one.name}`.toLocaleLowerCase();
    const isShown = Boolean(fits(one)) && text.includes(words);
    one.tableRow.hidden = !isShown;
    if (one.details) one.details.hidden = !isShown;
    found += isShown;
  });
  for (const button of document.querySelectorAll("[data-filter]"))
    button.setAttribute("aria-pressed", String(button.dataset.filter === filter));
  $("nobody").hidden = found > 0 || all.length === 0;
  const group = all.filter((one) => keyOf(one) === filter);
  $("mistake").hidden = group.length === 0;
  $("mistake").replaceChildren(...group.length ? mistakeParts(group) : []);
}

function rowOf(one, again) {
  const { who, name, email, report, alike = [] } = one;
  const state = stateOf(one);
  const under = email || (who === name ? "" : name);
  const head = make("th", { scope: "row" }, who, under && make("small", {}, " ", under));
  const bar = make("span", "meter", make("i"));
  bar.firstChild.style.setProperty("--points", report?.read ? report.points / report.points_possible * BAR : 0);
  const points = make("td", "points", ...report?.read
    ? [make("b", { "aria-hidden": "true" }, number(report.points)), make("span", "visually-hidden",
      _("%(points)s of %(possible)s", { points: report.points, possible: report.points_possible }))]
    : [make("b", {}, "?")], bar);
  const words = make("td", "words", state === "right" ? make("span", "right", _("✓ right"))
    : state === "unread" ? reasonOf(one) : titleOf(one));
  if (report?.suspicious.length > 0) words.append(" ", make("span", "small", _("Read its code.")));
  const see = make("button", { type: "button", class: "see", "aria-expanded": "false" },
    state === "unread" ? _("Tell it") : _("See"), make("span", "visually-hidden", " ", who));
  const same = make("td");
  if (alike.length > 0) {
    const more = alike.length > MOST_NAMED && ` +${alike.length - MOST_NAMED}`;
    const names = alike.slice(0, MOST_NAMED).map((other) => shortName(other.who)).join(", ");
    const chip = make("button", { type: "button", class: `same same-${one.group % 2}` },
      make("span", {}, copyIcon(), names, more));
    chip.addEventListener("click", () => see.click());
    same.append(chip);
  }
  const row = make("tr", `is-${state}`, head, points, words, same, make("td", "last", one.code && see));
  see.addEventListener("click", () => toggle(one, see, again));
  one.tableRow = row;
  one.details = null;
  return row;
}

const copyIcon = () => svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
  svg("rect", { x: 8, y: 8, width: 12, height: 12, rx: 2 }), svg("path", { d: "M16 8V4H4v12h4" }));

function toggle(one, see, again) {
  const isOpen = one.details !== null;
  if (isOpen) one.details.remove();
  one.details = isOpen ? null : make("tr", "program", make("td", { colspan: 5 }, ...detailsOf(one, again)));
  if (!isOpen) one.tableRow.after(one.details);
  see.setAttribute("aria-expanded", String(!isOpen));
}

function detailsOf(one, again) {
  const parts = [];
  if (stateOf(one) === "mistake") parts.push(make("div", "found", ...caseParts(one)));
  if (stateOf(one) === "unread" && one.code) parts.push(tellForm(one, again));
  if (one.report?.suspicious.length > 0) parts.push(suspicion(one.report.suspicious));
  if (one.alike?.length > 0) {
    parts.push(make("p", "small", _("The same without names, comments and layout. It is a reason to ask, not proof.")));
  }
  const programs = [one, ...one.alike ?? []].map(({ who, code }) =>
    make("figure", {}, make("figcaption", {}, who), make("pre", { tabindex: 0, "aria-label": who }, code)));
  return [...parts, make("div", "programs", ...programs)];
}

// Corrections for a program that was not read
function tellForm(one, again) {
  const form = $("tell").content.firstElementChild.cloneNode(true);
  form.elements.exercise.append(...copiedOptions());
  form.elements.exercise.value = one.task?.exercise ?? "";
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    again(one, Object.fromEntries(new FormData(form)));
  });
  return form;
}

// Names in a program that may change its report of expansions
function suspicion(found) {
  const words = _("It may change its expansions: %(words)s is in it. Read its code.", { words: "\n" });
  const [before, after] = words.split("\n");
  return make("p", "small", before, ...found.flatMap((word, i) => [i ? " " : "", make("code", {}, word)]), after);
}

// The smallest board: of few cells, then of few expansions
const sizeOf = ({ report: { case: found, trace } }) =>
  (found?.board ? found.board.split(/[ /]/).length : 100) * 1e6 + (trace?.expansions ?? 0);

function showMistakes() {
  const groups = new Map();
  for (const one of all) {
    const key = keyOf(one);
    if (key) groups.set(key, [...groups.get(key) ?? [], one]);
  }
  const sorted = [...groups].sort(([, one], [, other]) => other.length - one.length);
  $("tomorrow").hidden = sorted.length === 0;
  const lines = sorted.map(([key, group]) => {
    const bar = make("span", "meter", make("i"));
    bar.firstChild.style.setProperty("--points", group.length / sorted[0][1].length * BAR);
    const button = make("button", { type: "button", "data-filter": key }, make("b", {}, wordsOf(group[0])[0]), bar,
      make("em", {}, make("span", { "aria-hidden": "true" }, number(group.length)),
        make("span", "visually-hidden", ngettext("%(num)s program", "%(num)s programs", group.length))));
    return make("li", {}, button);
  });
  const checks = lines.filter((line, i) => isCheck(sorted[i][1][0]));
  $("mistakes").replaceChildren(...lines.filter((line) => !checks.includes(line)));
  $("failed-checks").replaceChildren(...checks);
  $("checks-title").hidden = checks.length === 0;
}

// A mistake with the smallest board that shows it
function mistakeParts(group) {
  const smallest = group.reduce((best, one) => (sizeOf(one) < sizeOf(best) ? one : best));
  const text = wordsOf(smallest)[1];
  return [make("h3", {}, titleOf(smallest)), make("p", {}, text), ...caseParts(smallest, false)];
}

function caseParts(one, hasWords = true) {
  const { report } = one;
  const text = hasWords && wordsOf(one)[1];
  const parts = text ? [make("p", {}, text)] : [];
  const { board, goal, arguments: others, yours, expected } = report.case ?? {};
  if (!board) return parts;
  const [given, theirs, right] = [others, yours, expected].map((text) => text && inLanguage(text, report.messages));
  parts.push(make("div", "pair", picture(board, _("Board"), goal), goal && picture(goal, _("Goal"), goal)));
  if (!report.error) {
    parts.push(make("p", "small", [given, theirs && _("Theirs: %(result)s", { result: theirs }),
      right && _("Expected: %(result)s", { result: right })].filter(Boolean).join(". ")));
  }
  if (goal) parts.push(linksOf(report.exercise, { board, goal }));
  return parts;
}

function linksOf(exercise, puzzle) {
  const links = make("p", "links");
  for (const [words, url] of [[_("Play this board"), main.dataset.play],
    [_("Watch the right search"), watchUrl(exercise)]]) {
    if (!url) continue;
    links.append(make("a", { href: url.replace("CODE", puzzleOf(puzzle)) }, words), " ");
  }
  return links;
}
