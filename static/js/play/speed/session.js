// The session: best, mean, averages and the list of solves next to the board, the graph and files below it.
import { button, make, svg } from "../../dom.js";
import { copy, download } from "../../files.js";
import { _, ngettext, number as inDigits } from "../../language.js";
import { isEmpty, readText } from "../../storage.js";
import { gameUrl } from "../view.js";
import { moves as counted } from "../words.js";
import * as csv from "./csv.js";
import * as times from "./times.js";

const SHOWN = 50; // solves in the list; the figures and the file contain all
const notStored = () => (isEmpty()
  ? _("This browser stores nothing (private window or blocked storage), so the list lasts only until you leave the page.")
  : _("This browser has no space left, so the list lasts only until you leave the page."));

export class Session {
  #all = times.loadSolves(); // of every kind
  #kind;
  #isStored = true; // whether the browser has stored them all
  #title = make("h2", { tabindex: "-1" }, _("Session"));
  #figures = make("dl", "speed-figures");
  #none = make("p", {}, _("No solves of this size yet."));
  #list = make("ol", { class: "speed-list", reversed: "" });
  #graph = make("div");
  #status = make("p", { class: "small", role: "status" });
  #fileStatus = make("p", { class: "small", role: "status" });
  #csv = button(_("Save as CSV"), {}, () =>
    download(new Blob([csv.csvOf(this.#all)], { type: "text/csv" }), "slidewise-solves.csv"));
  #clear = button(_("Clear the list"), {}, () => this.#removeAll());

  // `kind` of the puzzle on this page, such as "3x3 1.2.3-4.5.6-7.8.0".
  constructor(kind) {
    this.#kind = kind;
    this.list = make("section", { id: "speed-session", class: "card speed", "aria-label": _("Session") },
      this.#title, this.#figures, make("p", "small muted", _("ao5 and ao12: the average of the last 5 or 12, without the best and the worst.")),
      this.#none, this.#list, this.#status);
    const isStored = readText("speed-mode") !== null; // the mode itself is stored
    const limits = !isStored ? notStored() : _("This browser stores your last %(solves)s solves, the latest %(replays)s with their moves. A file may have up to %(most)s MB.",
      { solves: inDigits(times.MOST_SOLVES), replays: times.MOST_REPLAYS, most: csv.MOST_BYTES / 1e6 });
    this.below = make("section", { id: "speed-times", class: "card speed", "aria-label": _("All times") },
      make("h2", {}, _("All times")), this.#graph, this.#fileStatus, make("p", "small muted", limits),
      make("p", "row", this.#csv, this.#openButton(), this.#clear));
    this.#show();
    addEventListener("storage", ({ key }) => {
      if (key === times.SOLVES || key === null) this.#update(this.#latest()); // null if everything is deleted
    });
  }

  add(solve) {
    this.#keep([...this.#latest(), { ...solve, kind: this.#kind }]);
  }

  // Screen reader text of a solve
  spoken(solve) {
    const ao5 = times.lastAverage(this.#own().map(times.resultOf), 5);
    const time = times.timeText(times.resultOf(solve));
    const parts = [solve.penalty === "+2" ? _("%(time)s with two seconds of penalty", { time }) : time,
      counted(solve.moves), ao5 !== null && _("average of five %(time)s", { time: times.timeText(ao5) })];
    return `${parts.filter(Boolean).join(", ")}.`;
  }

  #own() { return this.#all.filter(({ kind }) => kind === this.#kind); }

  #latest() { return this.#isStored ? times.loadSolves() : this.#all; } // another tab may have added solves

  #keep(solves) {
    const all = times.bounded(solves);
    this.#isStored = times.saveSolves(all);
    if (!this.#isStored) this.#status.textContent = notStored();
    this.#update(all);
  }

  #update(all) {
    this.#all = all;
    this.#show();
  }

  #show() {
    const own = this.#own();
    const results = own.map(times.resultOf);
    const open = [...this.#list.querySelectorAll("details[open]")].map(({ dataset }) => dataset.at);
    this.#figures.replaceChildren(...figuresOf(results));
    this.#graph.replaceChildren(...[graphOf(results)].filter(Boolean));
    this.#list.replaceChildren(...own.map((solve, i) => this.#item(solve, i + 1)).slice(-SHOWN).reverse());
    for (const at of open) {
      const item = this.#itemOf(at);
      if (!item) continue;
      item.append(this.#details(own.find((solve) => solve.at === Number(at))));
      item.open = true;
    }
    this.#none.hidden = own.length > 0;
    this.#clear.hidden = own.length === 0;
    this.#csv.hidden = this.#all.length === 0;
  }

  #itemOf(at) { return this.#list.querySelector(`[data-at="${at}"]`); }

  #item(solve, number) {
    const { ms, moves, at, penalty } = solve;
    const time = penalty === "DNF" ? `DNF (${times.cutText(ms)})`
      : `${times.timeText(times.resultOf(solve))}${penalty && "+"}`;
    const speed = times.movesASecond(moves, ms);
    const summary = make("summary", {}, make("span", "muted", `${number}.`), make("b", {}, time),
      make("span", {}, counted(moves)), make("span", "muted", speed === null ? "" : `${inDigits(speed, 1)}/s`));
    const item = make("details", { "data-at": at }, summary);
    item.addEventListener("toggle", () => {
      if (item.open && !item.querySelector(".speed-solve")) item.append(this.#details(solve));
    });
    return make("li", {}, item);
  }

  #details(solve) {
    const mark = (name) => {
      const isMarked = solve.penalty === name;
      return button(name, { "aria-pressed": isMarked }, () => this.#change(solve, { penalty: isMarked ? "" : name }));
    };
    return make("div", "speed-solve", solve.slides && splitsOf(solve), this.#replayOf(solve),
      make("p", "row", mark("DNF"), mark("+2"), button(_("Remove"), {}, () => this.#change(solve, null))));
  }

  #replayOf(solve) {
    const href = times.linkOf(solve, gameUrl());
    if (href) return make("p", "row", make("a", { class: "btn", href }, _("Replay")),
      button(_("Copy link"), {}, ({ target }) => this.#copy(href, target)));
    return make("p", "small muted", solve.slides
      ? _("A replay has up to %(most)s moves.", { most: inDigits(times.MOST_MOVES) })
      : _("No replay: moves are stored only for the latest %(count)s solves.", { count: times.MOST_REPLAYS }));
  }

  async #copy(link, pressed) {
    if (await copy(new URL(link, location.href).href)) pressed.textContent = _("Copied");
    else this.#status.textContent =
      _("Your browser does not let this page copy. Open the replay and copy its address.");
  }

  // Change or remove a solve, and restore the focus.
  #change(solve, changes) {
    const { textContent: words } = document.activeElement;
    this.#keep(this.#latest().flatMap((one) => (one.at !== solve.at || one.puzzle !== solve.puzzle ? [one]
      : changes ? [{ ...one, ...changes }] : [])));
    const buttons = changes ? this.#itemOf(solve.at)?.querySelectorAll("button") : null;
    const pressed = [...buttons ?? []].find(({ textContent }) => textContent === words);
    (pressed ?? this.#title).focus();
    if (!changes) this.#status.textContent = _("Solve removed.");
  }

  #removeAll() {
    const count = this.#own().length;
    if (!confirm(ngettext("Remove %(num)s solve of this size from the list?",
      "Remove %(num)s solves of this size from the list?", count))) return;
    this.#keep(this.#latest().filter(({ kind }) => kind !== this.#kind));
    this.#title.focus();
    this.#status.textContent = _("The list is empty.");
  }

  #openButton() {
    const input = make("input", { type: "file", accept: ".csv,text/csv" });
    input.addEventListener("change", async () => {
      if (input.files.length > 0) this.#fileStatus.textContent = await this.#import(input.files[0]);
      input.value = "";
    });
    return make("label", "btn file", _("Open CSV …"), input);
  }

  // Add the new solves of a file. Returns a report.
  async #import(file) {
    if (file.size > csv.MOST_BYTES)
      return _("The file is larger than %(most)s MB. Nothing was read.", { most: csv.MOST_BYTES / 1e6 });
    const { solves, mistake } = csv.read(await file.text());
    if (mistake) return `${mistake} ${_("Nothing was read.")}`;
    const before = this.#latest();
    const all = times.united(before, solves);
    const count = all.length - before.length;
    if (count === 0) return _("All its solves were already in the list.");
    this.#keep(all);
    return ngettext("%(num)s solve added.", "%(num)s solves added.", count);
  }
}

function figuresOf(results) {
  const finished = results.filter(Number.isFinite).length;
  const pairs = [
    [_("best"), times.best(results)],
    [finished < results.length ? _("mean of %(count)s", { count: finished }) : _("mean"), times.mean(results)],
    ["ao5", times.lastAverage(results, 5)], ["ao12", times.lastAverage(results, 12)],
    [_("best ao5"), times.bestAverage(results, 5)], [_("best ao12"), times.bestAverage(results, 12)],
  ];
  return pairs.map(([name, result]) => make("div", {}, make("dt", {}, name), make("dd", {}, times.timeText(result))));
}

function splitsOf(solve) {
  const [[start], [, goal]] = [solve.puzzle.split("_"), solve.kind.split(" ")];
  const rows = times.splits({ ...solve, start, goal }) ?? [];
  return make("ol", { class: "speed-splits", "aria-label": _("Splits") }, ...rows.map((ms, row) =>
    make("li", {}, _("Row %(row)s done at %(time)s", { row: row + 1, time: times.cutText(ms) }))));
}

const PLOTTED = 100; // the latest results
const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [360, 130, 52, 8, 10, 8];

// Graph of each time, and the average of five ending with it; null if there are too few
function graphOf(all) {
  const results = all.slice(-PLOTTED);
  const finite = results.filter((result) => result !== times.DNF);
  if (results.length < 2 || finite.length === 0) return null;
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const x = (i) => LEFT + (i * (WIDTH - LEFT - RIGHT)) / (results.length - 1);
  const y = (result) => (high === low ? HEIGHT / 2
    : TOP + ((high - Math.min(result, high)) * (HEIGHT - TOP - BOTTOM)) / (high - low));
  const fives = times.averages(all, 5).slice(-PLOTTED);
  const name = _("The last %(count)s times, from %(best)s to %(worst)s, and the averages of five",
    { count: results.length, best: times.timeText(low), worst: times.timeText(high) });
  const levels = low === high ? [low] : [high, low];
  return svg("svg", { class: "speed-graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": name },
    ...levels.flatMap((level) => [
      svg("path", { class: "axis", d: `M${LEFT} ${y(level)}H${WIDTH - RIGHT}` }),
      svg("text", { x: LEFT - 8, y: y(level) + 4, "text-anchor": "end" }, times.timeText(level)),
    ]),
    svg("path", { class: "line", d: through(results, x, y) }),
    ...results.map((result, i) =>
      svg("circle", { cx: x(i), cy: y(result), r: 3, class: result === times.DNF ? "dnf" : null })),
    svg("path", { class: "average", d: through(fives, x, y) }));
}

// A path through the points, broken at gaps
function through(values, x, y) {
  let isOpen = false;
  return values.map((value, i) => {
    const command = isOpen ? "L" : "M";
    isOpen = Number.isFinite(value ?? times.DNF);
    return isOpen ? `${command}${x(i).toFixed(1)} ${y(value).toFixed(1)}` : "";
  }).join("");
}
