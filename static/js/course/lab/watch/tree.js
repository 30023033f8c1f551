// The tree of a search as SVG, drawn only in the visible region. Nodes are boards at high zoom, f
// values at medium zoom, and dots at low zoom.
import { svg } from "../../../dom.js";
import { _, number as numberText } from "../../../language.js";
import { NAMES, UNMADE } from "./trace.js";
import { layOut, measure } from "./layout.js";
import { listen } from "./gestures.js";
import { picture } from "./node.js";

const FAR = 0.2; // below this scale nodes are drawn together, without words
const BOARDS = 0.5; // from this scale on nodes hold their boards
const FIRST_HORIZON = 4; // expansions that the first layout serves
const FURTHER = 1.4; // factor of the next layout's horizon
const READABLE = 0.72; // the smallest scale chosen automatically
const READABLE_WHERE_LOW = 0.6; // the smallest scale chosen automatically in a low box
const LOW = 200;
const SMALLEST = 0.02; // the smallest scale of all, at which a node is a dot
const HEAD = 40; // pixels above the tree, for the names of the columns
const MARGIN = 20; // pixels between the tree and the edge of its box

export class Tree {
  constructor(box, trace, { choose, zoomsAtOnce }) {
    this.box = box;
    this.trace = trace;
    this.world = box.querySelector("[data-part=world]");
    this.names = box.querySelector("[data-part=columns]");
    this.sizes = measure(trace.start, trace.informed);
    this.layouts = new Map();
    this.at = 0;
    this.chosen = null;
    this.view = { x: 0, y: 0, scale: 1 };
    listen(box, {
      pan: (x, y) => this.pan(x, y),
      zoom: (factor, x, y) => this.zoom(factor, x, y),
      tap: (x, y) => choose(this.nodeAt(x, y)),
      zoomsAtOnce,
    });
    new ResizeObserver(() => this.resize()).observe(box);
  }

  get size() { return { w: this.box.clientWidth, h: this.box.clientHeight }; }

  get detail() { return this.view.scale < FAR ? "dots" : this.view.scale < BOARDS || !this.sizes.pitch ? "numbers" : "boards"; }

  layoutAt() {
    const { roots, first, last } = this.trace.tree(this.at);
    let until = first + FIRST_HORIZON;
    while (until < this.at) until = first + Math.ceil(FURTHER * (until - first));
    if (until > last) until = last;
    const key = `${roots[0]} ${until}`;
    if (!this.layouts.has(key)) this.layouts.set(key, layOut(this.trace, roots, until, this.sizes));
    return this.layouts.get(key);
  }

  place(node) { return { x: this.trace.depths[node] * this.sizes.step, y: this.layout.y.get(node) }; }

  isSeen(node) { return this.trace.state(node, this.at) !== UNMADE; }

  // Show an expansion, and optionally a chosen node in it; `made` is the current successor.
  show(at, chosen, made = null) {
    const before = this.layout;
    this.at = at;
    this.chosen = chosen;
    this.made = made;
    this.layout = this.layoutAt();
    this.follow(before !== this.layout);
    this.draw();
  }

  resize() {
    if (!this.layout || this.size.w === 0) return;
    this.follow(true);
    this.draw();
  }

  bounds() {
    const { y, columns } = this.layout;
    const { w, h, label } = this.sizes;
    let [top, bottom, depth] = [Infinity, -Infinity, 0];
    columns.forEach((column, i) => {
      for (const node of column) {
        if (!this.isSeen(node)) continue;
        top = Math.min(top, y.get(node));
        bottom = Math.max(bottom, y.get(node));
        depth = i;
      }
    });
    return { left: -w / 2 - 8, right: depth * this.sizes.step + w / 2 + 8, top: top - h / 2 - 18, bottom: bottom + h / 2 + label };
  }

  // Keep the current node and the column after it in view, or the whole tree if it fits.
  follow(fresh) {
    const { w, h } = this.size;
    const { view } = this;
    const box = this.bounds();
    if (!this.zoomed) view.scale = Math.max(h < LOW ? READABLE_WHERE_LOW : READABLE, Math.min(1, this.scaleToFit(box)));
    const node = this.place(this.chosen ?? this.trace.current(this.at));
    const settle = (low, high, size, place, shift, [least, usual, most]) => {
      const room = (high - low) * view.scale;
      if (room <= size) return (size - room) / 2 - low * view.scale;
      const here = place * view.scale + shift;
      const wanted = fresh || here < least * size || here > most * size ? usual * size - place * view.scale : shift;
      return Math.min(-low * view.scale, Math.max(size - high * view.scale, wanted));
    };
    view.x = MARGIN / 2 + settle(box.left, box.right, w - MARGIN, node.x, view.x, [0.1, 0.6, 0.7]);
    view.y = HEAD + settle(box.top, box.bottom, h - HEAD - MARGIN / 2, node.y, view.y - HEAD, [0.2, 0.5, 0.8]);
  }

  scaleToFit({ left, right, top, bottom }) {
    const { w, h } = this.size;
    return Math.min((w - MARGIN) / (right - left), (h - HEAD - MARGIN / 2) / (bottom - top));
  }

  fit() {
    this.zoomed = true;
    this.view.scale = Math.max(SMALLEST, Math.min(1.2, this.scaleToFit(this.bounds())));
    this.follow(true);
    this.draw();
  }

  zoom(factor, x = this.size.w / 2, y = this.size.h / 2) {
    const { view } = this;
    this.zoomed = true;
    const scale = Math.min(3, Math.max(SMALLEST, view.scale * factor));
    view.x = x - (x - view.x) * (scale / view.scale);
    view.y = y - (y - view.y) * (scale / view.scale);
    view.scale = scale;
    this.soon();
  }

  pan(x, y) {
    this.view.x += x;
    this.view.y += y;
    this.soon();
  }

  // Move the drawing in the next frame, and redraw only if that is not enough
  soon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      const region = this.region(0);
      const { drawn } = this;
      const enough = drawn && drawn.detail === this.detail && region.left >= drawn.left
        && region.right <= drawn.right && region.top >= drawn.top && region.bottom <= drawn.bottom;
      if (enough) this.move();
      else this.draw();
    });
  }

  region(more) {
    const { w, h } = this.size;
    const { x, y, scale } = this.view;
    return {
      left: (-more * w - x) / scale, right: ((1 + more) * w - x) / scale,
      top: (-more * h - y) / scale, bottom: ((1 + more) * h - y) / scale,
    };
  }

  move() {
    const { x, y, scale } = this.view;
    this.world.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
    const { w } = this.size;
    const step = this.sizes.step * scale;
    const every = Math.max(1, Math.ceil(64 / step));
    const names = [svg("rect", { width: w, height: HEAD - 6 })];
    for (let g = 0; g < this.layout.columns.length; g += every)
      if (x + g * step > -40 && x + g * step < w + 40)
        names.push(svg("text", { x: round(x + g * step), y: 24 }, `g = ${g}`));
    this.names.replaceChildren(...names);
  }

  // Existing nodes of a region; for edges also their neighbours.
  within({ left, right, top, bottom }) {
    const { y, columns } = this.layout;
    const { step, h } = this.sizes;
    const found = [];
    const end = Math.min(columns.length - 1, Math.ceil(right / step) + 1);
    for (let depth = Math.max(0, Math.floor(left / step) - 1); depth <= end; depth += 1) {
      const column = columns[depth];
      let [low, high] = [0, column.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (y.get(column[middle]) < top - h) low = middle + 1;
        else high = middle;
      }
      for (; low < column.length && y.get(column[low]) <= bottom + h; low += 1)
        if (this.isSeen(column[low])) found.push(column[low]);
    }
    return found.sort((one, other) => one - other);
  }

  draw() {
    const region = this.region(0.5);
    const { detail, trace, at } = this;
    const nodes = this.within(region);
    const focus = this.chosen ?? trace.current(at);
    const bold = trace.bold(focus, at, this.chosen !== null);
    const onPath = new Set(bold);
    this.next = trace.next(at);
    this.world.replaceChildren(
      ...this.edges(nodes, bold, onPath),
      ...this.meeting(nodes),
      ...(detail === "dots" ? this.together(nodes, onPath, focus) : nodes.map((node) => this.element(node, onPath.has(node), focus))),
    );
    this.drawn = { ...region, detail };
    this.move();
  }

  // A single shape for each kind of edge
  edges(nodes, bold, onPath) {
    const kinds = new Map();
    const add = (kind, node) => {
      if (this.trace.parents[node] >= 0) kinds.set(kind, `${kinds.get(kind) ?? ""}${this.edge(node)}`);
    };
    for (const node of nodes) if (!onPath.has(node)) add(NAMES[this.trace.state(node, this.at)], node);
    for (const node of bold) add("path", node);
    return [...kinds].map(([kind, d]) => svg("path", { class: `edge ${kind}`, d }));
  }

  edge(node) {
    const [from, to] = [this.place(this.trace.parents[node]), this.place(node)];
    const [left, right] = [from.x + this.sizes.w / 2, to.x - this.sizes.w / 2];
    const middle = (left + right) / 2;
    return `M${left} ${round(from.y)}C${middle} ${round(from.y)} ${middle} ${round(to.y)} ${right} ${round(to.y)}`;
  }

  // A line between the two nodes of the board at which both ends met
  meeting(nodes) {
    const met = nodes.find((node) => this.trace.others[node] >= 0);
    if (met === undefined) return [];
    const [from, to] = [this.place(met), this.place(this.trace.others[met])];
    const out = Math.max(from.x, to.x) + this.sizes.w;
    const d = `M${from.x} ${round(from.y)}Q${out} ${round((from.y + to.y) / 2)} ${to.x} ${round(to.y)}`;
    return [svg("path", { class: "edge path meeting", d })];
  }

  classes(node, isBold, focus) {
    const names = [];
    if (isBold) names.push("path");
    if (node === this.trace.current(this.at)) names.push("current");
    if (node === focus && this.chosen !== null) names.push("chosen");
    if (node === this.made) names.push("made");
    if (node === this.next) names.push("next");
    return names.join(" ");
  }

  element(node, isBold, focus) {
    const { x, y } = this.place(node);
    const number = this.trace.numberOf(node, this.at);
    const group = picture(this.trace, node, this.at, this.sizes, {
      names: this.classes(node, isBold, focus),
      badgeText: node === this.next ? _("next") : number === undefined ? "" : numberText(this.trace.number(number)),
      plain: this.detail === "numbers",
      label: this.detail === "boards" || !this.sizes.pitch,
    });
    group.setAttribute("transform", `translate(${x} ${round(y)})`);
    return group;
  }

  // At low zoom: a single shape for all nodes of a kind
  together(nodes, onPath, focus) {
    const kinds = new Map();
    for (const node of nodes) {
      const names = `${NAMES[this.trace.state(node, this.at)]} ${this.classes(node, onPath.has(node), focus)}`;
      const { x, y } = this.place(node);
      const shrunk = this.trace.isDropped(node) ? 0.4 : 0.8;
      const [w, h] = [this.sizes.w * shrunk, this.sizes.h * shrunk];
      kinds.set(names, `${kinds.get(names) ?? ""}M${round(x - w / 2)} ${round(y - h / 2)}h${w}v${h}h${-w}z`);
    }
    return [...kinds].sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([names, d]) => svg("path", { class: `far ${names}`, d }));
  }

  // The node at a position in the box, if any
  nodeAt(x, y) {
    const { view, sizes, layout } = this;
    const [left, top] = [(x - view.x) / view.scale, (y - view.y) / view.scale];
    const depth = Math.round(left / sizes.step);
    if (Math.abs(left - depth * sizes.step) > sizes.w / 2 + 6) return null;
    return (layout.columns[depth] ?? []).find((node) => this.isSeen(node)
      && Math.abs(layout.y.get(node) - top) <= sizes.h / 2 + 6) ?? null;
  }

  // The node reached by an arrow key
  beside(node, key) {
    if (key === "ArrowLeft") return this.trace.parents[node] >= 0 ? this.trace.parents[node] : null;
    const seen = (column) => (column ?? []).filter((one) => this.isSeen(one));
    const depth = this.trace.depths[node];
    if (key === "ArrowRight")
      return seen(this.layout.columns[depth + 1]).find((one) => this.trace.parents[one] === node) ?? null;
    const column = seen(this.layout.columns[depth]);
    return column[column.indexOf(node) + (key === "ArrowUp" ? -1 : 1)] ?? null;
  }
}

const round = (number) => Math.round(number * 10) / 10;
