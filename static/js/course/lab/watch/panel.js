// Panel next to the tree of a search: the node taken and why, the frontier, the counts.
import { format, place } from "../../../board.js";
import { make } from "../../../dom.js";
import { _, listed, ngettext, number } from "../../../language.js";
import { moves } from "../../../play/words.js";
import { measure } from "./layout.js";
import { drawing, sum } from "./node.js";
import { EXPANDED, GOAL, LEFT, REPLACED } from "./trace.js";

const LONG = 120; // letters of a reason that stands without more
const QUEUED = 12; // nodes of the frontier that are shown

export class Panel {
  constructor(part, trace, playUrl) {
    this.part = part;
    this.trace = trace;
    this.playUrl = playUrl;
    this.sizes = measure(trace.start, false);
    part("title").textContent = trace.title;
    part("order").textContent = inShort(trace.order);
    part("order").title = trace.order; // the full text of a shortened order
  }

  show(at, chosen) {
    this.#showNode(chosen ?? this.trace.current(at), at, chosen);
    this.#showFrontier(at);
    if (!this.trace.complete) this.#showNote(at);
  }

  heading(at) {
    if (at === 0) return _("The start");
    return this.trace.isEnd(at) ? _("The end") : _("Expansion %(number)s", { number: number(this.trace.number(at)) });
  }

  why(at) {
    if (at === 0) return _("Nothing has been expanded yet: only the start is waiting.");
    const { gap, steps } = this.trace;
    return at === gap?.after + 1 ? `… ${gap.words} … ${steps[at - 1].why}` : steps[at - 1].why;
  }

  // Screen reader text of an expansion
  announcement(at) { return `${this.heading(at)}. ${this.value(this.trace.current(at), at)}. ${this.why(at)}`; }

  value(node, at) {
    const { trace } = this;
    if (!trace.isTold(node)) return `g = ${trace.g[node]}`;
    return `g = ${trace.g[node]}, h = ${trace.h[node]}, f = ${trace.f(node, at)}`;
  }

  // History of a node up to an expansion
  fate(node, at) {
    const { trace } = this;
    const state = trace.state(node, at);
    if (state === REPLACED) return _("Replaced: a shorter path to its board was found.");
    if (state === LEFT) return trace.sorting === "rank" ? _("Taken at the depth limit, so not expanded.")
      : _("Left: the search has gone back and forgotten the nodes below it.");
    if (this.trace.isBeyond(at) && (trace.fates[node] < 0 || state === GOAL) && trace.parents[node] >= 0) return _("On the path, after the expansions that are shown.");
    if (trace.isLate(at) && trace.numberOf(node, at) === undefined) {
      if (state === EXPANDED) return _("Expanded before: that is not recorded.");
      if (trace.fates[node] < 0) return _("Kept by an expansion that is not recorded.");
    }
    if (state === EXPANDED && trace.numberOf(node, at) === undefined) return _("On the path. Its expansion is not shown.");
    if (state === EXPANDED) return _("This is expansion %(number)s.", { number: number(trace.number(trace.numberOf(node, at))) });
    const fate = trace.fates[node] < 0 ? _("waits as the root of the tree") : trace.reasons[trace.fates[node]][1];
    return `${fate[0].toUpperCase()}${fate.slice(1)}.`;
  }

  #showNode(node, at, chosen) {
    const { trace, part } = this;
    const board = trace.board(node);
    const picture = make("div", { role: "img", "aria-label": _("Board of the node: %(rows)s", { rows: rowsOf(board).join("; ") }) });
    if (this.sizes.pitch) picture.append(drawing(trace, node, at, this.sizes, { names: chosen === null && at > 0 ? "current" : "" }));
    part("board").replaceChildren(picture);
    part("heading").textContent = chosen === null ? this.heading(at) : _("The node chosen");
    part("facts").replaceChildren(...this.#equation(node, at));
    const [because, more] = chosen === null ? [this.why(at), this.#more(node, at)] : [this.fate(node, at), this.#estimate(node)];
    const end = because.search(/; |\. | … |$/) + 1;
    part("why").replaceChildren(make("b", {}, because.slice(0, end)),
      `${because.slice(end)} ${because.length < LONG ? more : ""}`);
    const path = { tiles: shortened(board.tiles) };
    part("path").textContent = board.tiles.length === 0 ? ""
      : trace.isFromGoal(node) ? _("Tiles moved from the goal: %(tiles)s.", path) : _("Tiles moved from the start: %(tiles)s.", path);
    part("path").hidden = chosen === null;
    part("play-link").href = this.playUrl.replace(/[^/]+$/, `${format(board)}_${format(trace.goal)}`);
  }

  // f = g + h, each over its name
  #equation(node, at) {
    const { trace } = this;
    const [f, g, h] = [trace.f(node, at), trace.g[node], trace.h[node]];
    const terms = trace.isTold(node) ? this.#terms(f, g, h) : [[g, _("g, moves")]];
    return terms.map(([value, name, sign]) =>
      make("div", { "data-sign": sign || null }, make("dt", {}, name), make("dd", {}, value)));
  }

  #terms(f, g, h) {
    const rest = [[g, _("g, moves")], [h, _("h, estimate")]];
    if (f === g + h) return [[f, "f"], [...rest[0], "="], [...rest[1], "+"]];
    if (this.trace.formula === "h") return [[f, "f = h"], [...rest[0], ""]];
    return [[f, this.trace.sorting === "recursion" ? _("f, stored") : `f = ${this.trace.formula}`], ...rest.map((one) => [...one, ""])];
  }

  // Values of the other nodes, and the sources of h
  #more(node, at) {
    const { trace } = this;
    if (at === 0 || trace.isEnd(at) || !trace.isTold(node)) return "";
    const others = trace.sorting === "rank" && !trace.isLate(at) ? trace.frontier(at - 1).filter((one) => one !== node) : [];
    const lowest = Math.min(...others.slice(0, 1).map((one) => trace.f(one, at)));
    if (!(lowest > trace.f(node, at) && lowest < Infinity)) return this.#estimate(node);
    const isEqual = others.every((one) => trace.f(one, at) === lowest);
    const words = isEqual ? _("The others had %(f)s.", { f: lowest }) : _("The others had at least %(f)s.", { f: lowest });
    return `${words} ${this.#estimate(node)}`;
  }

  #estimate(node) {
    const { trace } = this;
    const { cells } = trace.board(node);
    const far = new Map();
    cells.forEach((tile, cell) => {
      const home = trace.goal.cells.indexOf(tile);
      if (!tile || cell === home) return;
      const [[row, col], [goalRow, goalCol]] = [place(trace.goal, cell), place(trace.goal, home)];
      const distance = Math.abs(row - goalRow) + Math.abs(col - goalCol);
      far.set(distance, [...(far.get(distance) ?? []), tile]);
    });
    const all = [...far.values()].flat();
    if (all.length === 0 || all.length > 8 || !trace.isTold(node) || trace.isFromGoal(node)) return "";
    const h = `h\u00a0=\u00a0${trace.h[node]}`;
    if (trace.heuristic === "misplaced") return _("%(h)s: not at home: %(tiles)s.", { h, tiles: listed(sorted(all)) });
    if (trace.heuristic !== "manhattan") return "";
    const parts = sorted(far.keys()).map((distance) => {
      const tiles = sorted(far.get(distance));
      return ngettext("%(moves)s for tile %(tiles)s", "%(moves)s each for tiles %(tiles)s", tiles.length,
        { moves: moves(distance), tiles: listed(tiles) });
    });
    return far.size > 2 ? "" : `${h}: ${parts.join(", ")}.`;
  }

  // The gap, and a link across it
  #showNote(at) {
    const { part, trace } = this;
    const { expansions, expanded, gap, solution, words } = trace;
    const first = number(gap === null ? expansions : gap.after);
    const last = number(expansions - (gap?.after ?? 0));
    const all = number(expanded);
    let text = solution.length > 0 ? _("The first %(first)s of %(all)s expansions are shown, then the end with the path.", { first, all })
      : _("The first %(first)s of %(all)s expansions are shown.", { first, all });
    if (gap === null) text = `${text} ${words}`;
    else {
      text = trace.isLate(at) ? `… ${gap.words} … ${_("Shown: the first %(first)s, the last %(last)s and the paths to them.", { first, last })}`
        : _("The first %(first)s and the last %(last)s of %(all)s expansions are recorded.", { first, last, all });
      part("over").textContent = trace.isLate(at) ? _("Back to the first %(first)s", { first }) : _("Jump to the last %(last)s", { last });
    }
    part("note-words").textContent = text;
    part("note").hidden = false;
    part("over").hidden = gap === null;
  }

  #showFrontier(at) {
    const { trace, part } = this;
    const waiting = trace.frontier(at);
    part("frontier").replaceChildren(...waiting.slice(0, QUEUED).map((node, i) => this.#queued(node, at, i)));
    const [frontier, kept, generated] = at > 0 ? trace.steps[at - 1].sizes : [waiting.length, waiting.length, waiting.length];
    const rest = this.#rest(waiting.length, frontier, at);
    if (rest) part("frontier").append(make("li", "muted", rest));
    const counts = [[_("expanded"), trace.number(at) - trace.isEnd(at)], [_("generated"), generated],
      [trace.kept === "reached" ? _("reached") : _("in memory"), kept], [_("waiting"), frontier]];
    part("sizes").replaceChildren(...counts.map(([name, value]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, value === null ? "–" : number(value)))));
  }

  // Number of frontier nodes not shown
  #rest(waiting, frontier, at) {
    const { trace } = this;
    if (trace.isBeyond(at) || (trace.isLate(at) && waiting === 0)) return _("The frontier at this point is not recorded.");
    const more = trace.isLate(at) && frontier !== null ? frontier - Math.min(waiting, QUEUED) : waiting - QUEUED;
    if (trace.isLate(at)) return more > 0 ? _("and %(count)s more, most of them not recorded", { count: number(more) })
      : _("and others that are not recorded");
    return waiting === 0 ? _("Empty.") : more > 0 && _("and %(count)s more", { count: number(more) });
  }

  #queued(node, at, i) {
    const { trace } = this;
    const end = trace.sorting === "ends" ? (trace.isFromGoal(node) ? _("from goal") : _("from start")) : "";
    const first = i === 0 && trace.next(at) === node;
    const rank = trace.isLate(at) ? "–" : i + 1; // among all that wait, which are not known then
    const [f, rest] = sum(trace, node, at);
    const note = end || (at > 0 && trace.made(node) === at && trace.fates[node] >= 0 ? _("just added") : "");
    const label = `${end} ${this.value(node, at)}: ${rowsOf(trace.board(node)).join("; ")}`.trim();
    return make("li", {}, make("button", { type: "button", "data-node": node, "aria-label": label },
      first ? make("span", "place next", _("next")) : make("span", "place", rank),
      this.sizes.pitch && drawing(trace, node, at, this.sizes),
      make("span", "sum", make("b", {}, f), rest), make("span", "tag", note)));
  }
}

const rowsOf = ({ cells, cols }) => Array.from({ length: cells.length / cols }, (unused, row) => (
  cells.slice(row * cols, (row + 1) * cols).map((tile) => tile || _("blank")).join(" ")));

// Order of nodes, without the frontier's name
function inShort(order) {
  const words = order.replace(/^[^:]*: /, "").replace(/\.$/, "");
  return words[0].toUpperCase() + words.slice(1);
}

const sorted = (numbers) => [...numbers].sort((one, other) => one - other);

const shortened = (tiles) => (tiles.length > 60
  ? `${tiles.slice(0, 10).join(" ")} … ${tiles.slice(-40).join(" ")} (${moves(tiles.length)})`
  : tiles.join(" "));
