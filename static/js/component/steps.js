// Views with steps to play and to scrub: the moves of a solution, the expansions of a search.
import { OPPOSITE, format, line } from "../board.js";
import { Trace } from "./trace.js";
import { Playback, follow } from "../playback.js";
import { make, svg } from "../dom.js";
import { iconButton, setIcon, stillBoard } from "./parts.js";

const STEP = 700; // milliseconds at 1×

// Buttons, slider and speed; a view extends it by `show(step)`
class StepsView extends Playback {
  constructor(total, say, emit, { label, hasControls }) {
    super(total, {
      slider: make("input", { type: "range", min: 0, max: total, "aria-label": say("step") }),
      place: make("output", { "aria-live": "off" }), said: make("p", { role: "status", class: "said" }),
    });
    Object.assign(this, { say, emit });
    this.playButton = iconButton("play", say, () => this.toggle());
    const to = (name, step) => iconButton(name, say, () => this.goTo(step()));
    this.speed = make("select", { "aria-label": say("speed") },
      ...[["0.5", "½×"], ["1", "1×"], ["2", "2×"], ["4", "4×"]].map(([value, text]) => make("option", { value, selected: value === "1" ? "" : null }, text)));
    const player = make("div", { class: "player", role: "group", "aria-label": label || say("replay") },
      this.slider, this.place, make("div", { class: "keys" }, to("first", () => 0), to("prev", () => this.step - 1),
        this.playButton, to("next", () => this.step + 1), to("last", () => total)), this.speed);
    this.element = make("div", { class: "view" }, ...(hasControls ? [player] : []), this.said);
  }

  focus(options) { this.playButton.focus(options); }

  delay() { return STEP / Number(this.speed.value); }

  go(step) {
    this.step = this.clamp(step);
    this.board = this.show(this.step);
    this.showPlace(this.say.lang);
    this.emit("step", { step: this.step, total: this.total, board: format(this.board) });
  }

  showMode() { setIcon(this.playButton, this.playing ? "pause" : "play", this.say); }
}

export class ReplayView extends StepsView {
  constructor({ start, goal }, tiles, say, emit, options) {
    super(tiles.length, say, emit, options);
    this.tiles = tiles;
    this.boardAt = follow(start, (move) => tiles[move]);
    this.still = stillBoard(goal, say);
    this.element.prepend(this.still.element);
  }

  show(step) {
    const { say } = this;
    const board = this.boardAt(step);
    const tile = this.tiles[step - 1];
    this.still.show(board, step, tile);
    const way = tile && say(OPPOSITE[line(board, tile).way]); // back it goes the other way
    this.said.textContent = tile ? say("moved", { step: say.number(step), tile, way }) : say("start");
    return board;
  }
}

const HEIGHT = 40; // of the chart, in its own units

export class WatchView extends StepsView {
  constructor(data, say, emit, options) {
    const trace = new Trace(data);
    if (!(trace.last >= 0)) throw new TypeError("no steps");
    super(trace.last, say, emit, options);
    this.trace = trace;
    this.still = stillBoard(trace.goal, say);
    this.facts = make("dl");
    this.now = svg("line", { y1: 0, y2: HEIGHT, class: "now" });
    const title = make("p", { class: "title" }, options.label || String(data.title ?? say("search")));
    this.element.prepend(title, this.still.element, this.#chart());
    this.said.before(this.facts);
    this.said.lang = "en"; // recordings give their reasons in English
    for (const step of [trace.last, 0]) this.show(step); // throws for a damaged recording
  }

  // Depth of each expanded node as a line, the frontier as an area
  #chart() {
    const { trace, say } = this;
    const depths = trace.steps.map(({ node }) => trace.depths[node]);
    const waiting = trace.steps.map(({ sizes }) => sizes[0] ?? 0);
    const [depth, frontier] = [depths, waiting].map((values) => values.reduce((most, one) => Math.max(most, one), 1));
    const points = (values, most) => values.map((value, i) => `${i + 1},${(HEIGHT * (1 - value / most)).toFixed(1)}`).join(" ");
    const label = say("chart", { depth: say.number(depth), frontier: say.number(frontier) });
    return svg("svg", { class: "chart", viewBox: `0 0 ${Math.max(trace.last, 1)} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
      svg("polygon", { points: `0,${HEIGHT} ${points(waiting, frontier)} ${trace.last},${HEIGHT}` }),
      svg("polyline", { points: points(depths, depth) }), this.now);
  }

  show(at) {
    const { trace, say } = this;
    const node = trace.current(at);
    const board = trace.board(node);
    this.still.show(board, at, board.tiles.at(-1));
    const [frontier, stored, generated] = trace.steps[at - 1]?.sizes ?? [];
    const number = Math.min(trace.number(at), trace.expanded); // the goal is taken, and not expanded
    const facts = [["expansion", at && say("of", { step: say.number(number), total: say.number(trace.expanded) })],
      ["depth", trace.depths[node]], ["f", trace.isTold(node) && `${trace.g[node]} + ${trace.h[node]} = ${trace.f(node, at)}`],
      ["frontier", frontier], ["stored", stored], ["generated", generated]];
    this.facts.replaceChildren(...facts.filter(([, value]) => typeof value === "number" || value)
      .map(([name, value]) => make("div", {}, make("dt", {}, say(name)), make("dd", {}, typeof value === "number" ? say.number(value) : value))));
    for (const end of ["x1", "x2"]) this.now.setAttribute(end, at);
    this.said.textContent = trace.isEnd(at) ? trace.words : trace.steps[at - 1]?.why ?? say("searchStart");
    return board;
  }
}
