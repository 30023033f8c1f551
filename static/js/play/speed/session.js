// The session: best, mean, averages and the list of solves beside the board, the graph and files below it.
import { _, ngettext, number as inDigits } from "../../language.js";
import { gameUrl } from "../view.js";
import { moves as counted } from "../words.js";
import { MOST_BYTES } from "./csv.js";
import { button, make } from "./elements.js";
import { fileButtons } from "./files.js";
import { graphOf } from "./graph.js";
import { MOST_MOVES, linkOf } from "./link.js";
import * as solves from "./solves.js";
import { best, bestAverage, lastAverage, mean, movesASecond, resultOf, splits, timeText } from "./times.js";

const SHOWN = 50; // solves in the list; the figures and the file contain all
let all = []; // of every kind
let kind = ""; // of the puzzle on this page, such as "3x3 1.2.3-4.5.6-7.8.0"
let isStored = true; // whether the browser has stored them all
let parts; // { figures, list, status }

const latest = () => (isStored ? solves.load() : all); // another tab may have added some
const ofKind = () => all.filter((solve) => solve.kind === kind);

export function add(solve) {
  all = solves.bounded([...latest(), { ...solve, kind }]);
  keep();
}

function keep() {
  isStored = solves.save(all);
  if (!isStored)
    parts.status.textContent = _("This browser has no more room, so the list lasts only until you leave the page.");
  show();
}

function figures() {
  const results = ofKind().map(resultOf);
  const finished = results.filter(Number.isFinite).length;
  const pairs = [
    [_("best"), best(results)],
    [finished < results.length ? _("mean of %(count)s", { count: finished }) : _("mean"), mean(results)],
    ["ao5", lastAverage(results, 5)], ["ao12", lastAverage(results, 12)],
    [_("best ao5"), bestAverage(results, 5)], [_("best ao12"), bestAverage(results, 12)],
  ];
  return pairs.map(([name, result]) => make("div", {}, make("dt", {}, name), make("dd", {}, timeText(result))));
}

const goalOf = () => kind.split(" ")[1];

async function copy(link, pressed) {
  try {
    await navigator.clipboard.writeText(new URL(link, location.href).href);
    pressed.textContent = _("Copied");
  } catch {
    parts.status.textContent = _("Your browser does not let this page copy. Open the replay and copy its address.");
  }
}

function details(solve) {
  const own = make("div", { class: "speed-solve" });
  if (solve.slides) {
    const { slides, times } = solve;
    const [start] = solve.puzzle.split("_");
    const rows = (splits({ start, goal: goalOf(), slides, times }) ?? [])
      .map((ms, row) => make("li", {}, _("Row %(row)s done at %(time)s", { row: row + 1, time: timeText(Math.floor(ms / 10)) })));
    own.append(make("ol", { class: "speed-splits", "aria-label": _("Splits") }, ...rows));
  }
  const link = linkOf(solve, gameUrl());
  if (link) own.append(make("p", { class: "row" }, make("a", { class: "btn", href: link }, _("Replay")),
    button(_("Copy link"), {}, (event) => copy(link, event.target))));
  else own.append(make("p", { class: "small muted" }, solve.slides
    ? _("A replay has up to %(most)s moves.", { most: inDigits(MOST_MOVES) })
    : _("No replay: only the latest %(count)s solves keep their moves.", { count: solves.MOST_REPLAYS })));
  const isDnf = solve.penalty === "DNF";
  own.append(make("p", { class: "row" },
    button("DNF", { "aria-pressed": isDnf }, () => change(solve, { penalty: isDnf ? "" : "DNF" })),
    button("+2", { "aria-pressed": solve.penalty === "+2" },
      () => change(solve, { penalty: solve.penalty === "+2" ? "" : "+2" })),
    button(_("Remove"), {}, () => change(solve, null))));
  return own;
}

// Change or remove a solve, and restore the focus
function change(solve, changes) {
  all = latest().flatMap((one) => (one.at !== solve.at || one.puzzle !== solve.puzzle ? [one]
    : changes ? [{ ...one, ...changes }] : []));
  const words = document.activeElement.textContent;
  keep();
  const again = changes && parts.list.querySelector(`[data-at="${solve.at}"]`);
  const place = again && [...again.querySelectorAll("button")].find((one) => one.textContent === words);
  if (place) place.focus();
  else parts.title.focus();
  if (!changes) parts.status.textContent = _("Solve removed.");
}

function item(solve, number) {
  const { ms, moves, at, penalty } = solve;
  const result = resultOf(solve);
  const time = penalty === "DNF" ? `DNF (${timeText(Math.floor(ms / 10))})` : `${timeText(result)}${penalty && "+"}`;
  const speed = movesASecond(moves, ms);
  const summary = make("summary", {}, make("span", { class: "muted" }, `${number}.`), make("b", {}, time),
    make("span", {}, counted(moves)), make("span", { class: "muted" }, speed === null ? "" : `${inDigits(speed, 1)}/s`));
  const folded = make("details", { "data-at": at }, summary);
  folded.addEventListener("toggle", () => {
    if (folded.open && !folded.querySelector(".speed-solve")) folded.append(details(solve));
  });
  return make("li", {}, folded);
}

export function show() {
  const mine = ofKind();
  const open = [...parts.list.querySelectorAll("details[open]")].map(({ dataset }) => dataset.at);
  parts.figures.replaceChildren(...figures());
  parts.graph.replaceChildren(...[graphOf(mine.map(resultOf))].filter(Boolean));
  parts.list.replaceChildren(...mine.map((solve, i) => item(solve, i + 1)).slice(-SHOWN).reverse());
  for (const at of open) {
    const folded = parts.list.querySelector(`[data-at="${at}"]`);
    if (!folded) continue;
    folded.append(details(mine.find((solve) => solve.at === Number(at))));
    folded.open = true;
  }
  parts.none.hidden = mine.length > 0;
  parts.clear.hidden = mine.length === 0;
}

// Import the new solves of a file; returns their number.
function addAll(others) {
  const before = latest();
  const mark = ({ at, puzzle }) => `${at} ${puzzle}`;
  const there = new Set(before.map(mark));
  const news = others.filter((one) => !there.has(mark(one)) && there.add(mark(one)));
  all = solves.bounded([...before, ...news]);
  if (news.length > 0) keep();
  return news.length;
}

function clear() {
  const count = ofKind().length;
  if (!confirm(ngettext("Remove %(num)s solve of this size from the list?",
    "Remove %(num)s solves of this size from the list?", count))) return;
  all = latest().filter((solve) => solve.kind !== kind);
  keep();
  parts.title.focus();
  parts.status.textContent = _("The list is empty.");
}

// Screen reader text of a solve
export function spoken(solve) {
  const results = ofKind().map(resultOf);
  const ao5 = lastAverage(results, 5);
  const time = timeText(resultOf(solve));
  const figures = [solve.penalty === "+2" ? _("%(time)s with two seconds of penalty", { time }) : time,
    counted(solve.moves), ao5 !== null && _("average of five %(time)s", { time: timeText(ao5) })];
  return `${figures.filter(Boolean).join(", ")}.`;
}

export function begin(ofPuzzle) {
  kind = ofPuzzle;
  all = solves.load();
  parts = {
    title: make("h2", { tabindex: "-1" }, _("Session")),
    figures: make("dl", { class: "speed-figures" }),
    graph: make("div"),
    list: make("ol", { class: "speed-list", reversed: "" }),
    none: make("p", {}, _("No solves of this size yet.")),
    bound: make("p", { class: "small muted" }, _("This browser keeps your last %(solves)s solves, the latest %(replays)s with their moves. A file may have up to %(most)s MB.",
      { solves: inDigits(solves.MOST_SOLVES), replays: solves.MOST_REPLAYS, most: MOST_BYTES / 1e6 })),
    status: make("p", { class: "small", role: "status" }),
    clear: button(_("Clear the list"), {}, clear),
  };
  const { title, figures: dl, graph, list, none, bound, status, clear: last } = parts;
  const read = make("p", { class: "small", role: "status" });
  const files = fileButtons(() => all, addAll, (words) => { read.textContent = words; });
  const section = make("section", { id: "speed-session", class: "card speed", "aria-label": _("Session") },
    title, dl, none, list, status);
  const rest = make("section", { id: "speed-times", class: "card speed", "aria-label": _("All times") },
    make("h2", {}, _("All times")), graph, read, bound, make("p", { class: "row" }, ...files, last));
  show();
  addEventListener("storage", ({ key }) => {
    if (key !== solves.NAME && key !== null) return; // null if all is deleted
    all = latest();
    show();
  });
  return [section, rest];
}
