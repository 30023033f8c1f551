// Pseudocode of the search: the lines of each expansion, with the current values of its names.
import { make } from "../../../dom.js";
import { _ } from "../../../language.js";
import { markLine } from "../../line_playback.js";

const KEPT = {
  kept: _("new"), shorter: _("now lower"), reached: _("reached before"), "went back": _("back"),
  "over the depth limit": _("too deep"), "over the f-limit": _("f too high"), "not again": _("reached before"),
  "on the path": _("on the path"),
};
const LONG_TITLE = 28; // letters, with which the title of the code would take two lines
const OF_A_SUCCESSOR = ["each", "meet", "keep", "rank", "put"];

const waiting = (count) => _("%(count)s waiting", { count });

export class Code {
  constructor(part, trace) {
    this.part = part;
    this.trace = trace;
    this.parts = trace.code.map(([, , name]) => name);
    part("code").replaceChildren(...trace.code.map((line) => this.#line(...line)));
  }

  // Steps inside an expansion: the line of each, and the values that it sets
  steps(at) {
    const { trace } = this;
    const steps = [];
    const limit = trace.iterations[trace.iteration(Math.max(at, 1))]?.[1];
    let values = limit === undefined ? {} : { limit: _("limit %(limit)s", { limit }) };
    const add = (name, value = "", made = null) => {
      const line = this.parts.indexOf(name);
      if (line < 0) return;
      values = { ...values, [name]: value };
      steps.push({ line, values, made });
    };
    const begun = trace.iterations.find(([, limit, first, root]) => first === Math.max(at, 1) && root !== null && limit !== null && (at === 0 || root === trace.steps[at - 1].node));
    if (at === 0 || begun) {
      add("limit", values.limit);
      add("start", at === 0 ? waiting(trace.frontier(0).length) : "");
    }
    if (at === 0) return steps;
    const { node, made, sizes } = trace.steps[at - 1];
    if (at > 1 && at !== trace.gap?.after + 1 && trace.sorting === "recursion" && trace.parents[node] !== trace.steps[at - 2].node) add("back");
    if (trace.isEnd(at) && trace.sorting === "ends") {
      add("meet", _("yes"));
      return steps;
    }
    add("take", trace.isTold(node) ? `f = ${trace.f(node, at)}` : `g = ${trace.g[node]}`);
    add("goal", trace.isEnd(at) ? _("yes") : _("no"));
    const sure = made.every(([, , fate]) => trace.reasons[fate][0] !== "shorter");
    let left = made.filter(([, , fate]) => this.#isKept(fate)).length;
    made.forEach(([one, f, fate], i) => {
      const name = trace.reasons[fate][0];
      values = Object.fromEntries(Object.entries(values).filter(([key]) => !OF_A_SUCCESSOR.includes(key)));
      add("each", _("%(number)s of %(count)s", { number: i + 1, count: made.length }), one);
      add("meet", name === "met" ? _("yes") : _("no"), one);
      if (name === "met") return;
      add("keep", KEPT[name] ?? name, one);
      if (!this.#isKept(fate)) return;
      add("rank", this.#worked(one, f), one);
      left -= 1;
      add("put", sizes[0] !== null && (sure || left === 0) ? waiting(sizes[0] - left) : "", one);
    });
    return steps;
  }

  // Highlight the line of a step, by default the last; returns the current successor.
  show(at, index) {
    const steps = this.steps(at);
    const { line, values, made } = steps[index ?? steps.length - 1];
    markLine(this.part("code"), line, this.parts.map((name) => values[name]));
    const { algorithm } = this.trace;
    const title = algorithm.length < LONG_TITLE ? algorithm : _("Pseudocode");
    this.part("code-title").textContent = _("%(title)s, line %(line)s of %(lines)s",
      { title, line: line + 1, lines: this.parts.length });
    return made;
  }

  // Screen reader text of a line
  announcement(at, index) {
    const { line, values } = this.steps(at)[index];
    const value = values[this.parts[line]];
    const words = this.trace.code[line][1].replaceAll("**", "");
    return _("Line %(line)s: %(words)s.", { line: line + 1, words: value ? `${words}: ${value}` : words });
  }

  #isKept(fate) { return ["kept", "shorter", "met"].includes(this.trace.reasons[fate][0]); }

  #worked(node, f) {
    const { g, h, formula } = this.trace;
    if (formula === "h") return `${f}`;
    return f === g[node] + h[node] ? `${g[node]} + ${h[node]} = ${f}` : `${f}`;
  }

  #line(indent, words, step) {
    const pieces = words.split("**").map((piece, i) => (i % 2 ? make("b", {}, piece) : piece));
    return make("li", { class: `in-${indent}`, "data-step": step }, make("span", {}, ...pieces), make("var"));
  }
}
