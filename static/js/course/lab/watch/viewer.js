// Viewers of recorded searches, for each `[data-watch]` on the page.
import { Code } from "./code.js";
import { Panel } from "./panel.js";
import { SearchTrace } from "./trace.js";
import { Tree } from "./tree.js";
import { load, make } from "../../../dom.js";
import { setting } from "../../../storage.js";
import { _, number } from "../../../language.js";
import { LinePlayback } from "../../line_playback.js";

const viewers = new Map();

const limitText = (kind, limit) => ({
  "depth limit": _("depth limit %(limit)s", { limit }), "f-limit": _("f-limit %(limit)s", { limit }),
}[kind] ?? kind);

class Viewer extends LinePlayback {
  speeds = { step: 800, line: 450 };

  constructor(section, trace) {
    super(section, trace.last, "said");
    const { part } = this;
    Object.assign(this, { trace, chosen: null });
    this.recurs = trace.sorting === "recursion"; // in one tree, without iterations
    part("status").hidden = true;
    for (const name of ["body", "side"]) part(name).hidden = false;
    this.inAddress = "address" in section.dataset;
    this.isTogether = "together" in section.dataset;
    this.tree = new Tree(part("tree"), trace, {
      choose: (node) => this.choose(node), zoomsAtOnce: this.inAddress,
    });
    this.panel = new Panel(part, trace, section.dataset.play);
    this.code = new Code(part, trace);
    this.slider.max = trace.last;
    this.#drawTicks();
    part("iterations").hidden = trace.iterations.length < 2;
    if (this.recurs) {
      for (const [name, label] of [["iteration-back", _("Previous rise of f")], ["iteration", _("Next rise of f")]])
        this.button(name).setAttribute("aria-label", label);
    }
    section.querySelector("[data-key=left]").hidden = !trace.leaves;
    if (trace.sorting === "ends") section.querySelector("[data-key=goal] span").textContent = _("where they met");
    section.addEventListener("click", (event) => this.#click(event));
    part("tree").addEventListener("dblclick", () => this.#goThere());
    this.go(Number(section.dataset.at), { quietly: true });
  }

  // A tick for each expansion if they fit, otherwise for each tenth
  #drawTicks() {
    const { last } = this.trace;
    const every = last <= 24 ? 1 : Math.ceil(last / 10);
    const ticks = [];
    for (let at = 0; at <= last; at += every) ticks.push(`M${(at / last) * 1000} 0v6`);
    this.part("ticks").setAttribute("d", ticks.join(""));
  }

  button(name) { return this.section.querySelector(`[data-do=${name}]`); }

  // Show an expansion; the view depends only on its number. `line` is a step inside it, by default the
  // last.
  go(at, { quietly = false, line = null } = {}) {
    if (this.isTogether && !quietly) this.#takeAlong(at);
    this.step = this.clamp(at);
    this.chosen = null;
    this.line = line ?? this.lastLine();
    this.show();
    if (this.playing || quietly) return;
    this.#say(line === null ? this.panel.announcement(this.step) : this.code.announcement(this.step, this.line));
    this.#showAddress();
  }

  // The other search of the page goes to the same expansion
  #takeAlong(at) {
    for (const other of viewers.values()) if (other !== this && other.isTogether) other.go(at, { quietly: true });
  }

  linesAt(step) { return this.code.steps(step); }

  choose(node) {
    this.stop();
    this.chosen = node === this.trace.current(this.step) ? null : node;
    this.show();
    if (node !== null) this.#say(`${this.panel.value(node, this.step)}. ${this.panel.fate(node, this.step)}`);
  }

  show() {
    const { step: at, chosen, part, trace } = this;
    const made = this.code.show(at, this.line);
    const whole = this.line === this.lastLine();
    this.tree.show(at, chosen, whole ? null : made);
    this.panel.show(at, chosen);
    const [here, all] = [trace.number(at), trace.number(trace.last)].map((one) => number(one));
    part("count").replaceChildren(make("b", {}, here), ` / ${all}`);
    part("range").value = at;
    part("range").setAttribute("aria-valuetext", trace.isEnd(at) ? _("the end") : _("expansion %(number)s", { number: here }));
    const iteration = trace.iteration(at);
    if (iteration >= 0) {
      const [kind, limit] = trace.iterations[iteration];
      part("iteration").textContent = this.recurs ? _("Lowest f at the start: %(f)s", { f: limit })
        : _("Iteration %(place)s of %(count)s: %(limit)s",
          { place: iteration + 1, count: trace.iterations.length, limit: limitText(kind, limit) });
    }
    this.button("there").hidden = chosen === null || this.#expansionOf(chosen) === null;
    this.button("unchoose").hidden = chosen === null;
    this.#mark();
  }

  // Highlight in the list in words, if there is a list
  #mark() {
    if (!this.inAddress) return;
    document.querySelector(".watch-words [aria-current]")?.removeAttribute("aria-current");
    const item = document.getElementById(`expansion-${this.step}`);
    if (!item) return;
    item.setAttribute("aria-current", "step");
    item.closest(".watch-words").scrollTop = item.offsetTop - 8;
  }

  rest() {
    this.stop();
    this.#showAddress();
    this.#say(this.panel.announcement(this.step));
  }

  showMode() {
    super.showMode();
    this.part("play-word").textContent = this.playing ? _("Pause") : _("Play steps");
  }

  // Screen readers announce manual steps, and nothing during playback
  #say(text) { this.part("said").textContent = text; }

  #showAddress() {
    if (!this.inAddress) return;
    const url = new URL(location.href);
    url.searchParams.set("at", this.step);
    history.replaceState(history.state, "", url);
  }

  // The nearest later expansion of a node, or else its last earlier expansion
  #expansionOf(node) {
    const all = this.trace.expansionsOf.get(node) ?? [];
    return all.find((one) => one > this.step) ?? all.at(-1) ?? null;
  }

  #goThere() {
    const there = this.chosen === null ? null : this.#expansionOf(this.chosen);
    if (there !== null) this.goTo(there);
  }

  iterate(by) {
    const firsts = this.trace.iterations.map(([, , first]) => first);
    this.goTo(by < 0 ? firsts.findLast((first) => first < this.step) ?? 0
      : firsts.find((first) => first > this.step) ?? this.total);
  }

  do(name) {
    const acts = {
      first: () => this.goTo(0),
      prev: () => this.goTo(this.step - 1),
      play: () => this.toggle(),
      next: () => this.goTo(this.step + 1),
      last: () => this.goTo(this.total),
      line: () => this.byLine(1),
      "line-back": () => this.byLine(-1),
      iteration: () => this.iterate(1),
      "iteration-back": () => this.iterate(-1),
      gap: () => this.goTo(this.trace.gap.after + !this.trace.isLate(this.step)),
      in: () => this.tree.zoom(1.3),
      out: () => this.tree.zoom(1 / 1.3),
      fit: () => this.tree.fit(),
      there: () => this.#goThere(),
      unchoose: () => this.choose(null),
    };
    acts[name]?.();
  }

  #click({ target }) {
    const button = target.closest("button");
    if (button?.dataset.do) this.do(button.dataset.do);
    else if (button?.dataset.tab) this.#showTab(button);
    else if (button?.dataset.node) this.choose(Number(button.dataset.node));
  }

  // Narrow screens show a single part of the panel at a time
  #showTab(button) {
    this.section.dataset.shown = button.dataset.tab;
    for (const one of this.section.querySelectorAll("[data-tab]")) one.setAttribute("aria-pressed", one === button);
  }

  key(event) {
    const { key, target } = event;
    const inTree = target.closest?.("[data-part=tree]");
    if (inTree && this.#keyInTree(event)) return true;
    const end = { Home: "first", End: "last" }[key];
    if (!end || target.matches("input, select, textarea") || !this.section.contains(target)) return super.key(event);
    this.do(end);
    return true;
  }

  #keyInTree({ key, shiftKey }) {
    const pans = { ArrowUp: [0, 60], ArrowDown: [0, -60], ArrowLeft: [60, 0], ArrowRight: [-60, 0] };
    if (shiftKey && pans[key]) this.tree.pan(...pans[key]);
    else if (pans[key]) {
      const node = this.tree.beside(this.chosen ?? this.trace.current(this.step), key);
      if (node !== null) this.choose(node);
    } else if (key === "+" || key === "=") this.do("in");
    else if (key === "-") this.do("out");
    else if (key === "0") this.do("fit");
    else if (key === "Enter") this.#goThere();
    else if (key === "Escape" && this.chosen !== null) this.choose(null);
    else return false;
    return true;
  }
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const only = viewers.size === 1 ? [...viewers.keys()][0] : document.querySelector("[data-own][data-together]");
  const section = event.target.closest("[data-watch]") ?? (event.target === document.body ? only : null);
  const viewer = section && viewers.get(section);
  if (!viewer || (event.key.length === 1 && event.key !== " " && setting("single-keys") === "off")) return;
  if (viewer.key(event)) event.preventDefault();
}

// A student's own search, stored in this browser alone
async function openOwn(section) {
  const [{ recordingOf }, { loadSearch, puzzleOf }] = await Promise.all([load("course/lab/watch/own.js"),
    load("course/write/write_store.js")]);
  const search = loadSearch(section.dataset.own);
  section.removeAttribute("aria-busy");
  if (search && puzzleOf(search) === section.dataset.puzzle) {
    viewers.set(section, new Viewer(section, new SearchTrace(recordingOf(search))));
    return;
  }
  section.querySelector("[data-part=status]").hidden = true;
  section.querySelector("[data-part=missing]").hidden = false;
}

// Until the search is loaded, `aria-busy` reserves its space.
async function open(section, tries = 4) {
  const status = section.querySelector("[data-part=status]");
  try {
    const answer = await fetch(section.dataset.watch, { headers: { Accept: "application/json" } });
    if (answer.status === 202) { // queued, or being recorded
      status.textContent = (await answer.json()).waiting;
      setTimeout(() => open(section, tries), 1000 * Number(answer.headers.get("Retry-After")));
      return;
    }
    if ([429, 503].includes(answer.status) && tries > 1) {
      const seconds = Number(answer.headers.get("Retry-After")) || 5;
      status.textContent = _("All solvers are busy: yours starts in a few seconds.");
      setTimeout(() => open(section, tries - 1), 1000 * seconds);
      return;
    }
    const data = await answer.json();
    if (data.error) throw new Error(data.error);
    if (data.steps.length === 0) status.textContent = data.words;
    else viewers.set(section, new Viewer(section, new SearchTrace(data)));
    section.removeAttribute("aria-busy");
  } catch (error) {
    section.removeAttribute("aria-busy");
    status.textContent = error instanceof SyntaxError || error instanceof TypeError
      ? _("The search could not be loaded. Reload the page to try again.") : error.message;
  }
}

for (const section of document.querySelectorAll("[data-watch]")) (section.dataset.own ? openOwn : open)(section);
document.addEventListener("keydown", onKey);
