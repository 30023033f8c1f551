// The viewer of recorded searches: each `[data-watch]` on the page is one.
import { Panel } from "./panel.js";
import { Trace } from "./trace.js";
import { Tree } from "./tree.js";
import { setting } from "../../site/settings.js";

const SAID_EVERY = 3_000; // milliseconds between announcements while it plays
const viewers = new Map();

class Viewer {
  constructor(section, trace) {
    this.section = section;
    this.trace = trace;
    this.at = 0;
    this.chosen = null;
    this.timer = null;
    this.saidAt = 0;
    const part = (name) => section.querySelector(`[data-part=${name}]`);
    this.part = part;
    this.recurs = trace.sorting === "recursion"; // in one tree, without iterations
    part("status").hidden = true;
    part("body").hidden = false;
    this.inAddress = "address" in section.dataset;
    this.tree = new Tree(part("tree"), trace, {
      choose: (node) => this.choose(node), zoomsAtOnce: this.inAddress,
    });
    this.panel = new Panel(part, trace, section.dataset.play);
    part("range").max = trace.last;
    this.button("goal").disabled = trace.solution.length === 0;
    for (const name of ["iteration", "iteration-back"]) this.button(name).hidden = trace.iterations.length < 2;
    if (this.recurs) {
      this.button("iteration-back").textContent = "Previous rise of f";
      this.button("iteration").textContent = "Next rise of f";
    }
    section.querySelector("[data-key=left]").hidden = !trace.leaves;
    if (!trace.complete) {
      part("note").hidden = false;
      part("note").textContent = `The first ${trace.expansions.toLocaleString("en")} of ${trace.expanded.toLocaleString("en")} expansions are shown. ${trace.words}`;
    }
    section.addEventListener("click", (event) => this.#click(event));
    part("range").addEventListener("input", () => this.stepTo(Number(part("range").value)));
    part("follow").addEventListener("change", () => this.show());
    part("tree").addEventListener("dblclick", () => this.#goThere());
    this.go(Math.min(Number(section.dataset.at), trace.last), { quietly: true });
  }

  button(name) { return this.section.querySelector(`[data-do=${name}]`); }

  // Show an expansion: what is shown follows from its number, wherever it was before.
  go(at, { quietly = false } = {}) {
    this.at = Math.max(0, Math.min(at, this.trace.last));
    this.chosen = null;
    this.show();
    if (!quietly) this.#say(this.panel.said(this.at));
    if (this.timer === null && !quietly) this.#showAddress();
  }

  choose(node) {
    this.pause();
    this.chosen = node === this.trace.current(this.at) ? null : node;
    this.show();
    if (node !== null) this.#say(`${this.panel.value(node, this.at)}. ${this.panel.fate(node, this.at)}`);
  }

  show() {
    const { at, chosen, part, trace } = this;
    this.tree.show(at, chosen, part("follow").checked);
    this.panel.show(at, chosen);
    part("count").textContent = trace.isEnd(at)
      ? `end, ${trace.expansions.toLocaleString("en")} expansions`
      : `expansion ${at.toLocaleString("en")} / ${trace.expansions.toLocaleString("en")}`;
    part("range").value = at;
    part("range").setAttribute("aria-valuetext", trace.isEnd(at) ? "the end" : `expansion ${at}`);
    const iteration = trace.iteration(at);
    if (iteration >= 0) {
      const [kind, limit] = trace.iterations[iteration];
      part("iteration").textContent = this.recurs
        ? `lowest f at the start: ${limit}`
        : `${kind} ${limit} (${iteration + 1} of ${trace.iterations.length})`;
    }
    this.button("there").hidden = chosen === null || this.#expansionOf(chosen) === null;
    this.button("unchoose").hidden = chosen === null;
    this.#mark();
  }

  // In the list in words, where the page has one
  #mark() {
    if (!this.inAddress) return;
    document.querySelector(".watch-words [aria-current]")?.removeAttribute("aria-current");
    const item = document.getElementById(`expansion-${this.at}`);
    if (!item) return;
    item.setAttribute("aria-current", "step");
    item.closest(".watch-words").scrollTop = item.offsetTop - 8;
  }

  stepTo(at) {
    this.pause();
    this.go(at);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.#showMode();
  }

  togglePlay() {
    if (this.timer !== null) {
      this.pause();
      this.#showAddress();
      this.#say(this.panel.said(this.at));
      return;
    }
    if (this.at >= this.trace.last) this.go(0, { quietly: true });
    this.timer = setTimeout(() => this.#advance(), 150);
    this.#showMode();
  }

  #advance() {
    if (this.at >= this.trace.last) return this.togglePlay();
    this.timer = setTimeout(() => this.#advance(), 800 / Number(this.part("speed").value));
    this.go(this.at + 1);
  }

  #showMode() {
    const playing = this.timer !== null;
    this.section.querySelector(".player").classList.toggle("playing", playing);
    this.button("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  }

  // At once when it stands, every few seconds while it plays
  #say(text) {
    const now = performance.now();
    if (this.timer !== null && now - this.saidAt < SAID_EVERY) return;
    this.saidAt = now;
    this.part("said").textContent = text;
  }

  #showAddress() {
    if (!this.inAddress) return;
    const url = new URL(location.href);
    url.searchParams.set("at", this.at);
    history.replaceState(history.state, "", url);
  }

  // The expansion of a node that is nearest on from here, or else the last before
  #expansionOf(node) {
    const all = this.trace.expansionsOf.get(node) ?? [];
    return all.find((one) => one > this.at) ?? all.at(-1) ?? null;
  }

  #goThere() {
    const there = this.chosen === null ? null : this.#expansionOf(this.chosen);
    if (there !== null) this.stepTo(there);
  }

  iterate(by) {
    const { iterations } = this.trace;
    const here = this.trace.iteration(this.at);
    const wanted = by < 0 && this.at > iterations[here]?.[2] ? here : here + by;
    const target = iterations[Math.max(0, wanted)];
    this.stepTo(target && wanted < iterations.length ? target[2] : this.trace.last);
  }

  do(name) {
    const acts = {
      first: () => this.stepTo(0),
      prev: () => this.stepTo(this.at - 1),
      play: () => this.togglePlay(),
      next: () => this.stepTo(this.at + 1),
      last: () => this.stepTo(this.trace.last),
      goal: () => this.stepTo(this.trace.last),
      iteration: () => this.iterate(1),
      "iteration-back": () => this.iterate(-1),
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
    else if (button?.dataset.node) this.choose(Number(button.dataset.node));
  }

  key(event) {
    const { key, target } = event;
    const inTree = target.closest?.("[data-part=tree]");
    if (inTree && this.#keyInTree(event)) return true;
    if (target.matches("input:not([type=range]), select, textarea")) return false;
    if (target.matches("input[type=range]") && key.startsWith("Arrow")) return false;
    if (key === "," || key === "ArrowLeft") this.do("prev");
    else if (key === "." || key === "ArrowRight") this.do("next");
    else if (key === " " && !target.matches("button, a")) this.togglePlay();
    else return false;
    return true;
  }

  #keyInTree({ key, shiftKey }) {
    const pans = { ArrowUp: [0, 60], ArrowDown: [0, -60], ArrowLeft: [60, 0], ArrowRight: [-60, 0] };
    if (shiftKey && pans[key]) this.tree.pan(...pans[key]);
    else if (pans[key]) {
      const node = this.tree.beside(this.chosen ?? this.trace.current(this.at), key);
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
  const section = event.target.closest("[data-watch]")
    ?? (event.target === document.body && viewers.size === 1 ? [...viewers.keys()][0] : null);
  const viewer = section && viewers.get(section);
  if (!viewer || (event.key.length === 1 && event.key !== " " && setting("single-keys") === "off")) return;
  if (viewer.key(event)) event.preventDefault();
}

async function open(section, tries = 4) {
  const status = section.querySelector("[data-part=status]");
  try {
    const answer = await fetch(section.dataset.watch, { headers: { Accept: "application/json" } });
    if ([429, 503].includes(answer.status) && tries > 1) {
      const seconds = Number(answer.headers.get("Retry-After")) || 5;
      status.textContent = "All solvers are busy: it begins in some seconds.";
      setTimeout(() => open(section, tries - 1), 1000 * seconds);
      return;
    }
    const data = await answer.json();
    if (data.error) throw new Error(data.error);
    if (data.steps.length === 0) status.textContent = data.words;
    else viewers.set(section, new Viewer(section, new Trace(data)));
  } catch (error) {
    status.textContent = error instanceof SyntaxError || error instanceof TypeError
      ? "The search could not be loaded. Reload the page to try again." : error.message;
  }
}

for (const section of document.querySelectorAll("[data-watch]")) open(section);
document.addEventListener("keydown", onKey);
