// A lesson on the path: its figure and its program, step by step. The page has all nodes and, in `lesson-run`, the data
// of all steps, with sentences in the page's language.
import { make } from "../../dom.js";
import { locale } from "../../language.js";
import { setting } from "../../storage.js";
import { LinePlayback, markLine } from "../line_playback.js";
import { markThing, markTrail } from "./progress.js";

const FIGURE = ".lesson-bench";

class Lesson extends LinePlayback {
  speeds = { step: 1200, line: 500 };

  constructor(section, { parents, steps, answers }) {
    super(section, steps.length - 1, "words");
    Object.assign(this, { steps, answers });
    this.nodes = [...this.part("tree").querySelectorAll(".board-node")];
    const edges = this.part("tree").querySelectorAll(".edge");
    this.edges = new Map(parents.flatMap((parent, node) => (parent === null ? [] : [node])).map((node, i) => [node, edges[i]]));
    this.step = Number(this.slider.value);
    this.line = this.lastLine();
    section.addEventListener("click", (event) => this.#click(event));
    document.querySelector(".ask").addEventListener("submit", (event) => this.#answer(event));
    this.#follow();
  }

  linesAt(step) { return this.steps[step].moments; }

  // Show a step, and one of its lines, by default the last
  go(step, { line } = {}) {
    this.step = this.clamp(step);
    this.line = line ?? this.lastLine();
    this.showPlace(locale);
    this.#showTree();
    this.#showLine();
    this.#showBoard();
    if (this.step === this.total) markThing(`${this.section.dataset.topic} Watch`);
  }

  #showTree() {
    const { states, edges, numbers, values, view, limit } = this.steps[this.step];
    const tree = this.part("tree");
    tree.setAttribute("viewBox", view.join(" "));
    this.nodes.forEach((group, node) => {
      group.setAttribute("class", `board-node ${states[node] ?? "unmade"}`);
      this.edges.get(node)?.setAttribute("class", `edge ${edges[node] ?? "unmade"}`);
      group.querySelector(".number text").textContent = numbers[node] ?? "";
      if (values[node]) fillValue(group.querySelector(".value"), values[node], "tspan");
    });
    for (const level of tree.querySelectorAll(".level")) {
      if (tree.matches(".is-tall")) level.setAttribute("x", view[0] + view[2] - 8);
      else level.setAttribute("y", view[1] + 14);
    }
    for (const round of this.section.querySelectorAll("[data-limit]"))
      round.ariaCurrent = Number(round.dataset.limit) === limit ? "step" : null;
    this.#follow();
  }

  // Narrow screens show part of the tree: the current board
  #follow() {
    const window = this.part("window");
    const { node } = this.steps[this.step];
    if (node === null || window.scrollWidth <= window.clientWidth) return;
    const [box, frame] = [this.nodes[node], window].map((one) => one.getBoundingClientRect());
    window.scrollLeft += box.left + box.width / 2 - frame.left - frame.width / 2;
  }

  #showLine() {
    const [on, values] = this.linesAt(this.step)[this.line] ?? [-1, {}];
    markLine(this.part("lines"), on, values);
  }

  #showBoard() {
    const { node, value, words, store } = this.steps[this.step];
    const board = this.part("board").querySelector("svg");
    board.replaceChildren(this.nodes[node ?? 0].querySelector(".tiles").cloneNode(true));
    board.setAttribute("aria-label", this.nodes[node ?? 0].dataset.words);
    fillValue(this.part("value"), value, "b");
    this.part("words").textContent = words;
    const [name] = this.part("store").children;
    this.part("store").replaceChildren(name, ...store.map(([text, kind]) => make("li", kind, text)));
  }

  #click(event) {
    const go = event.target.closest("[data-go]");
    if (go) {
      event.preventDefault();
      this.goTo(Number(go.dataset.go));
    }
    const acts = {
      first: () => this.goTo(0), last: () => this.goTo(this.total), play: () => this.toggle(),
      prev: () => this.goTo(this.step - 1), next: () => this.goTo(this.step + 1),
    };
    acts[event.target.closest("[data-do]")?.dataset.do]?.();
  }

  // As the server marks an answer
  #answer(event) {
    event.preventDefault();
    const form = event.target;
    const chosen = Number(event.submitter.value) - 1;
    const right = this.answers.findIndex((one) => one.is_right);
    [...form.querySelectorAll(".option")].forEach((option, i) => {
      option.classList.toggle("is-right", i === right);
      option.classList.toggle("is-wrong", i === chosen && i !== right);
      option.ariaPressed = i === chosen ? "true" : null;
      option.querySelector("small").hidden = false;
    });
    const feedback = form.querySelector(".marked");
    feedback.classList.toggle("is-right", chosen === right);
    feedback.replaceChildren(make("b", {}, this.answers[chosen].feedback), ` ${this.answers[chosen].why}`);
    if (chosen === right) markThing(`${this.section.dataset.topic} Predict`);
  }
}

function fillValue(element, [bold, rest], tag) {
  const first = element.querySelector(tag);
  first.textContent = bold;
  element.replaceChildren(first, rest);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target !== document.body && !event.target.closest(FIGURE)) return;
  if (event.key.length === 1 && event.key !== " " && setting("single-keys") === "off") return;
  if (lesson?.key(event)) event.preventDefault();
}

const done = markTrail();
const section = document.querySelector(FIGURE);
const lesson = section && new Lesson(section, JSON.parse(document.querySelector("#lesson-run").textContent));
if (lesson) {
  markThing(`${section.dataset.topic} Read`);
  const lines = lesson.part("lines");
  const line = lines.querySelector("details");
  line.open ||= done.includes(lines.dataset.exercise);
  // The button goes when the line is shown, so that the focus needs another place
  const focus = () => line.querySelector("code").focus();
  line.addEventListener("click", () => line.addEventListener("toggle", focus, { once: true }));
  document.addEventListener("keydown", onKey);
}
