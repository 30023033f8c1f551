// Shows a report: checks, the mistake, boards and the search's expansions.
import { endedWords } from "./write_runner.js";
import { puzzleOf, storeSearch } from "./write_store.js";
import { button, make } from "../../dom.js";
import { _, addTexts, ngettext, number } from "../../language.js";

await addTexts("exercises");

const MAX_STRIP = 5; // boards next to each other
const MAX_BOARDS = 6; // of a list that is drawn
const GAP = 10; // pixels between them
const MAX_CHECKED = 500; // expansions whose order "Check my work" gets
const MARKS = {
  yes: ["yes", "✓", _("passed")],
  no: ["no", "!", _("failed")],
  unjudged: ["wait", "–", _("not judged")],
  wait: ["wait", "", _("not run")],
};
const $ = (id) => document.getElementById(id);
const main = document.querySelector("main");
const { exercise } = main.dataset;
const wholePoints = new Map(); // in words, by a check's item
let trace = null;
let messages = {}; // of a report, by their English texts

export function start() {
  for (const item of $("checks").children) wholePoints.set(item, item.querySelector("[data-part=points]").textContent);
  $("at").addEventListener("input", showStrip);
  $("previous").addEventListener("click", () => step(-1));
  $("following").addEventListener("click", () => step(1));
  addEventListener("resize", () => { if (trace) showStrip(); });
}

export function clear() {
  for (const item of [...$("checks").children]) {
    item.hidden = false;
    if (wholePoints.has(item)) mark(item, "wait", "", wholePoints.get(item));
    else item.remove();
  }
  $("points").textContent = "";
  for (const id of ["says", "search", "done", "printed-card", "printed-full"]) $(id).hidden = true;
  $("understood").hidden = !isCorrected();
  $("printed").textContent = "";
}

// The form stays while it has a correction, which may itself be wrong.
function isCorrected() {
  return [...new FormData($("known")).values()].some(Boolean);
}

export function print(text, isFull) {
  $("printed-card").hidden = false;
  $("printed").append(`${text}\n`);
  $("printed-full").hidden = !isFull;
}

// A text of the report in the language of the page
const said = (text) => inLanguage(text, messages);

// A text with the messages of any report
export function inLanguage(text, messages) {
  if (typeof text === "number") return number(text);
  if (!Object.hasOwn(messages, text)) return endedWords(text);
  const { template, values } = messages[text];
  const shown = Object.entries(values).map(([name, value]) => [name, inLanguage(value, messages)]);
  return _(template, Object.fromEntries(shown));
}

export function show(report, goToLine) {
  ({ trace, messages } = report);
  const items = [...$("checks").children];
  const seen = new Set();
  for (const item of items) item.hidden = !report.checks.some(({ key }) => key === item.dataset.check);
  for (const check of report.checks) {
    const item = items.find(({ dataset }) => dataset.check === check.key) ?? addCheck(check);
    const isNew = !seen.has(check.note); // several checks may fail for the same reason
    const isError = report.error && check.note.startsWith(report.error.type); // shown above the checks
    const note = isNew && !isError && check.note ? said(check.note) : "";
    const state = stateOf(check, report);
    mark(item, state, note, pointWords(check, state) ?? wholePoints.get(item));
    seen.add(check.note);
  }
  showPoints(report);
  showUnderstood(report);
  showWords(report, goToLine);
  $("done").hidden = !report.passed;
  showSearch(report);
}

// A check that is not in the task, but in its form without a limit
function addCheck({ key, text }) {
  const item = $("checks").lastElementChild.cloneNode(true);
  item.dataset.check = key;
  item.hidden = false;
  item.querySelector("[data-part=text]").textContent = said(text);
  $("checks").append(item);
  return item;
}

function stateOf({ passed, judged }, { error, figures }) {
  if (error && figures.calls === 0) return "wait";
  if (!judged) return "unjudged";
  return passed ? "yes" : "no";
}

function pointWords({ points }, state) {
  if (state === "wait") return null;
  if (state === "unjudged") return "–";
  return _("%(points)s of %(possible)s", { points: state === "yes" ? points : 0, possible: points });
}

// Of all points, as a run that takes long may judge fewer checks than the run before
function showPoints({ points, points_possible: possible, figures, error }) {
  const words = error && figures.calls === 0 ? "" : _("%(points)s of %(possible)s points", { points, possible });
  $("points").textContent = words;
}

// How a function is called, and the checks that no run could show
function showUnderstood({ understood, checks }) {
  $("understood").hidden = !understood && !isCorrected();
  $("understood-list").replaceChildren();
  if (!understood) return;
  const { function: name, call, board, blank, goal, goal_name: variable, moves } = understood;
  const unjudged = checks.filter((check) => !check.judged).length;
  const items = [
    [_("function"), make("code", {}, call)],
    [_("board"), _("%(kind)s, blank %(blank)s", { kind: said(board), blank })],
    [_("goal"), goal ? picture(goal, _("Goal"), goal).firstChild : variable ? make("code", {}, variable) : _("any")],
    [_("expansions"), moves ? make("code", {}, moves) : _("not seen")],
  ];
  if (unjudged > 0) items.push([_("not judged"), ngettext("%(num)s check", "%(num)s checks", unjudged)]);
  $("understood-list").replaceChildren(...items.map(([label, value]) =>
    make("li", {}, make("small", {}, label), value)));
  $("known").elements.function.placeholder = name;
}

function mark(item, state, note, points) {
  const [className, sign, words] = MARKS[state];
  const symbol = item.querySelector(".mark");
  symbol.className = `mark ${className}`;
  symbol.textContent = sign;
  item.querySelector("[data-part=state]").textContent = `: ${words}`;
  item.querySelector("[data-part=note]").textContent = note;
  item.querySelector("[data-part=points]").textContent = points;
}

function showWords({ error, sentence, mistake, passed, hint, case: shown }, goToLine) {
  const says = $("says");
  says.hidden = passed;
  if (passed) return;
  const parts = [];
  if (error) {
    const name = error.line ? _("Line %(line)s: %(error)s", { line: error.line, error: error.type }) : error.type;
    parts.push(paragraph(["b", name], `: ${said(error.message)}`));
    if (sentence) parts.push(paragraph(said(sentence)));
    if (error.line) parts.push(lineButton(error.line, goToLine));
  }
  if (mistake) parts.push(...wordsOf(mistake));
  if (shown) parts.push(...caseOf(shown, error));
  if (hint && !mistake && !error) parts.push(hintOf(hint));
  const depth = shown?.arguments.match(/limit = (\d+)/)?.[1];
  const hidesReference = main.dataset.rules.includes("no-reference");
  if (trace && main.dataset.algorithm && !hidesReference && storeSearch(exercise, trace))
    parts.push(link(_("Watch both side by side"), `&beside=1&at=${trace.differs ?? 0}${depth ? `&depth=${depth}` : ""}`));
  says.replaceChildren(...parts);
}

function hintOf(hint) {
  const made = paragraph(["b", `${_("Hint:")} `], ...code(said(hint)));
  made.className = "hint-of-task";
  return made;
}

const wordsOf = ({ title, text, mend }) =>
  [paragraph(["b", `${said(title)}.`], ` ${said(text)}`), paragraph(...code(said(mend)))];

// The line to try with its mistake, before the link of the search
export function showLine({ number: line, old, new: changed, mistake, messages: ofLine }, onTry) {
  messages = { ...messages, ...ofLine };
  const made = make("div", "line");
  if (mistake) {
    $("says").querySelector(".hint-of-task")?.remove(); // it is about another line
    made.append(...wordsOf(mistake));
  }
  made.append(make("p", "small", _("Line %(line)s, to try", { line })),
    make("pre", {}, make("del", {}, old.trim()), "\n", make("ins", {}, changed.trim())),
    button(_("Try this line"), {}, onTry));
  $("says").insertBefore(made, $("says").querySelector(":scope > a"));
}

function caseOf({ board, goal, arguments: others, call, yours, expected }, error) {
  const parts = [];
  const boards = [[_("Board"), board], [_("Goal"), goal]].filter(([, text]) => text);
  const [mine, right] = error ? [] : [yours, expected].map(asBoard);
  if (mine && right) boards.push([_("yours"), yours], [_("expected"), expected]);
  const compared = mine && right ? [mine, right] : null;
  if (boards.length > 0)
    parts.push(make("div", "pair", ...boards.map(([label, text]) => picture(text, label, goal, compared))));
  if (call) parts.push(make("pre", "call", call));
  if (others) parts.push(paragraph(["code", others]));
  if (error || (mine && right)) return parts;
  const [mineAll, rightAll] = [yours, expected].map(asBoards);
  const list = make("dl", "outcomes");
  for (const [name, text, all, others] of [[_("Yours"), yours, mineAll, rightAll],
    [_("Expected"), expected, rightAll, mineAll]]) {
    if (!text) continue;
    const value = make("dd", all ? "pair" : "mono", all ? "" : said(text));
    for (const [i, one] of (all ?? []).entries()) {
      value.append(picture(one, "", goal));
      if (others && !others.includes(one)) value.lastChild.classList.add("odd");
      value.lastChild.firstChild.setAttribute("aria-label",
        _("%(name)s, board %(number)s: %(board)s", { name, number: i + 1, board: one.replaceAll("/", "; ") }));
    }
    list.append(make("dt", {}, name), value);
  }
  parts.push(list);
  return parts;
}

// Boards of a list such as "2 boards: 1 2/3 0, 1 0/3 2"; null for other texts, and for long lists.
function asBoards(text) {
  const all = text?.match(/^\d+ boards?: (.*)$/)?.[1].split(", ");
  return all?.length <= MAX_BOARDS && all.every(asBoard) ? all : null;
}

const watchUrl = () => `${main.dataset.watch.replace("CODE", puzzleOf(trace))}?own=${exercise}`;

const link = (words, query) => make("a", { class: "small", href: `${watchUrl()}${query}` }, words);

const lineButton = (line, goToLine) => button(_("Go to line %(line)s", { line }), {}, () => goToLine(line));

// Text in `backticks` as code
export function code(text) {
  return text.split(/`([^`]+)`/).map((part, i) => (i % 2 ? ["code", part] : part));
}

export const paragraph = (...parts) =>
  make("p", {}, ...parts.map((part) => (Array.isArray(part) ? make(part[0], {}, part[1]) : part)));

function asBoard(text) {
  const isBoard = /^\d+( \d+)+(\/\d+( \d+)+)+$/.test(text ?? "");
  return isBoard ? text.split("/").map((row) => row.split(" ").map(Number)) : null;
}

export function picture(text, label, goalText, compared = null) {
  const rows = asBoard(text);
  if (!rows) return make("figure");
  const goal = asBoard(goalText) ?? [];
  const name = `${label}: ${text.replaceAll("/", "; ").replace(/\b0\b/, _("blank"))}`;
  const mini = make("div", { class: `mini cols-${rows[0].length}`, role: "img", "aria-label": name });
  rows.forEach((row, r) => row.forEach((tile, c) => {
    const classes = [tile === 0 ? "blank" : goal[r]?.[c] === tile ? "home" : ""];
    if (compared && compared[0][r]?.[c] !== compared[1][r]?.[c] && tile === 0) classes.push("differs");
    mini.append(make("i", classes.filter(Boolean).join(" "), tile || ""));
  }));
  return make("figure", {}, mini, label && make("figcaption", {}, label));
}

function showSearch(report) {
  $("search").hidden = !trace;
  if (!trace) return;
  const { figures } = report;
  const cards = [
    [trace.path ? number(trace.path.length - 1) : "–", _("moves")],
    [number(trace.expansions), _("expanded")],
    [number(trace.generated), _("generated")],
  ];
  $("sums").textContent = _("In all %(calls)s calls: %(expanded)s expanded, %(generated)s generated.",
    { calls: number(figures.calls), expanded: number(figures.expansions), generated: number(figures.generated) });
  $("sums").hidden = figures.calls < 2;
  $("differs").textContent = differenceWords(trace);
  $("figures").replaceChildren(...cards.map(([figure, words]) =>
    make("div", {}, make("b", {}, figure), make("span", {}, words))));
  $("at").max = trace.expanded.length;
  $("at").value = trace.differs ?? 1;
  const puzzle = puzzleOf(trace);
  const { race, algorithm } = main.dataset;
  $("watch").hidden = Boolean(main.dataset.own) || !storeSearch(exercise, trace);
  $("watch").href = watchUrl();
  $("race").href = race.replace("CODE", puzzle);
  $("compare").hidden = !algorithm;
  const fields = { board: trace.board, goal: trace.goal, algorithm, heuristic: trace.heuristic ?? "manhattan",
    given: trace.expanded.slice(0, MAX_CHECKED).join("\n") };
  for (const [name, value] of Object.entries(fields)) $("compare").elements[name].value = value;
  showStrip();
}

function differenceWords({ differs, expansions }) {
  if (!differs) return "";
  return differs > expansions ? _("The reference goes on after your last expansion.")
    : _("Expansion %(number)s is the first that the reference makes otherwise.", { number: number(differs) });
}

function step(by) {
  $("at").value = Number($("at").value) + by;
  showStrip();
}

function showStrip() {
  const { expanded, expansions } = trace;
  const at = Number($("at").value);
  $("strip").replaceChildren(picture(trace.board, "", trace.goal));
  const width = $("strip").firstChild.offsetWidth + GAP;
  const shown = Math.max(1, Math.min(MAX_STRIP, Math.floor(($("strip").clientWidth + GAP) / width)));
  const first = Math.max(0, Math.min(at - 1 - Math.floor(shown / 2), expanded.length - shown));
  $("strip").replaceChildren(...expanded.slice(first, first + shown).map((board, i) => {
    const figure = picture(board, String(first + i + 1), trace.goal);
    figure.classList.toggle("now", first + i + 1 === at);
    return figure;
  }));
  $("place").replaceChildren(make("b", {}, number(at)), ` / ${number(expansions)}`);
}
