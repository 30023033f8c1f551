// The tree of a search as SVG, drawn only where it is in sight.
import { DROPPED, NAMES, REPLACED, UNMADE } from "./trace.js";
import { ROW, layOut } from "./layout.js";
import { listen } from "./gestures.js";

const SVG = "http://www.w3.org/2000/svg";
const FAR = 0.42; // below this scale nodes are drawn together, without words
const FIRST_HORIZON = 8; // expansions that the first layout serves; later ones serve twice as many
const READABLE = 0.62; // the smallest scale that is chosen without being asked for
const SMALLEST = 0.06; // the smallest scale there is, at which a node is a dot
const MARGIN = 24; // pixels between the tree and the edge of its box

const make = (name, attributes = {}, text = "") => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
};

export class Tree {
  constructor(box, trace, { choose, zoomsAtOnce }) {
    this.box = box;
    this.trace = trace;
    this.world = box.querySelector("[data-part=world]");
    this.layouts = new Map();
    this.at = 0;
    this.chosen = null;
    this.view = { x: 0, y: 0, scale: 1 };
    this.width = (node) => (trace.isSmall(node) ? 22 : trace.informed ? 54 : 42);
    listen(box, {
      pan: (x, y) => this.pan(x, y),
      zoom: (factor, x, y) => this.zoom(factor, x, y),
      tap: (x, y) => choose(this.nodeAt(x, y)),
      zoomsAtOnce,
    });
    new ResizeObserver(() => this.resize()).observe(box);
  }

  get size() { return { w: this.box.clientWidth, h: this.box.clientHeight }; }

  layoutAt() {
    const { roots, first, last } = this.trace.tree(this.at);
    let until = first + FIRST_HORIZON;
    while (until < this.at) until = first + 2 * (until - first);
    if (until * 1.5 > last) until = last;
    const key = `${roots[0]} ${until}`;
    if (!this.layouts.has(key)) this.layouts.set(key, layOut(this.trace, roots, until, this.width));
    return this.layouts.get(key);
  }

  place(node) { return { x: this.layout.x.get(node), y: this.trace.depths[node] * ROW }; }

  // Show an expansion, and a chosen node in it if there is one.
  show(at, chosen, follow) {
    const before = this.layout;
    this.at = at;
    this.chosen = chosen;
    this.following = follow;
    this.layout = this.layoutAt();
    if (follow) this.follow(before !== this.layout);
    this.draw();
  }

  resize() {
    if (!this.layout || this.size.w === 0) return;
    if (this.following) this.follow(true);
    this.draw();
  }

  bounds() {
    let [left, right, depth] = [0, 0, 0];
    const { x, rows } = this.layout;
    rows.forEach((row, i) => {
      for (const node of row) {
        if (this.trace.state(node, this.at) === UNMADE) continue;
        left = Math.min(left, x.get(node) - this.width(node) / 2);
        right = Math.max(right, x.get(node) + this.width(node) / 2);
        depth = i;
      }
    });
    return { left, right, top: -16, bottom: depth * ROW + 16 };
  }

  // Keep the node that matters in sight: all of the tree where there is room for it.
  follow(fresh) {
    const { w, h } = this.size;
    const { view } = this;
    const box = this.bounds();
    if (!this.zoomed) view.scale = Math.max(READABLE, Math.min(1, this.scaleToFit(box)));
    if ((box.right - box.left) * view.scale <= w - MARGIN && (box.bottom - box.top) * view.scale <= h - MARGIN) {
      view.x = w / 2 - ((box.left + box.right) / 2) * view.scale;
      view.y = MARGIN - box.top * view.scale;
      return;
    }
    const node = this.place(this.chosen ?? this.trace.current(this.at));
    const [x, y] = [node.x * view.scale + view.x, node.y * view.scale + view.y];
    const inside = x > 0.12 * w && x < 0.88 * w && y > 0.12 * h && y < 0.78 * h;
    if (inside && !fresh) return;
    view.x = w / 2 - node.x * view.scale;
    view.y = Math.min(MARGIN + 16 * view.scale, 0.55 * h - node.y * view.scale);
  }

  scaleToFit({ left, right, top, bottom }) {
    const { w, h } = this.size;
    return Math.min((w - MARGIN) / (right - left), (h - 2 * MARGIN) / (bottom - top));
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

  // Move what is drawn with the next frame, and draw anew only where that is not enough
  soon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      const region = this.region(0);
      const { drawn } = this;
      const enough = drawn && drawn.far === this.view.scale < FAR && region.left >= drawn.left
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
  }

  // The nodes of a region that are made, and for edges those beside them.
  within({ left, right, top, bottom }) {
    const { x, rows } = this.layout;
    const found = [];
    const end = Math.min(rows.length - 1, Math.ceil(bottom / ROW) + 1);
    for (let depth = Math.max(0, Math.floor(top / ROW) - 1); depth <= end; depth += 1) {
      const row = rows[depth];
      let [low, high] = [0, row.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (x.get(row[middle]) < left - 60) low = middle + 1;
        else high = middle;
      }
      for (; low < row.length && x.get(row[low]) <= right + 60; low += 1)
        if (this.trace.state(row[low], this.at) !== UNMADE) found.push(row[low]);
    }
    return found.sort((one, other) => one - other);
  }

  draw() {
    const region = this.region(0.5);
    const far = this.view.scale < FAR;
    const nodes = this.within(region);
    const focus = this.chosen ?? this.trace.current(this.at);
    const bold = this.trace.bold(focus, this.at, this.chosen !== null);
    const onPath = new Set(bold);
    const plain = [];
    for (const node of nodes) if (this.trace.parents[node] >= 0 && !onPath.has(node)) plain.push(this.edge(node));
    const parts = [
      make("path", { class: "edge", d: plain.join("") }),
      make("path", { class: "edge path", d: bold.filter((node) => this.trace.parents[node] >= 0).map((node) => this.edge(node)).join("") }),
      ...this.meeting(nodes),
      ...(far ? this.together(nodes, onPath, focus) : nodes.map((node) => this.element(node, onPath.has(node), focus))),
    ];
    this.world.replaceChildren(...parts);
    this.drawn = { ...region, far };
    this.move();
  }

  edge(node) {
    const [from, to] = [this.place(this.trace.parents[node]), this.place(node)];
    const middle = (from.y + to.y) / 2;
    return `M${round(from.x)} ${from.y}C${round(from.x)} ${middle} ${round(to.x)} ${middle} ${round(to.x)} ${to.y}`;
  }

  // A line between the two nodes of one board at which the ends have met
  meeting(nodes) {
    const met = nodes.find((node) => this.trace.others[node] >= 0);
    if (met === undefined) return [];
    const [from, to] = [this.place(met), this.place(this.trace.others[met])];
    return [make("path", { class: "edge path meeting", d: `M${round(from.x)} ${from.y}Q${round((from.x + to.x) / 2)} ${Math.max(from.y, to.y) + 1.4 * ROW} ${round(to.x)} ${to.y}` })];
  }

  names(node, isBold, focus) {
    const names = ["node", NAMES[this.trace.state(node, this.at)]];
    if (this.trace.isSmall(node)) names.push("small");
    if (isBold) names.push("path");
    if (node === this.trace.current(this.at)) names.push("current");
    if (node === focus && this.chosen !== null) names.push("chosen");
    return names.join(" ");
  }

  element(node, isBold, focus) {
    const { x, y } = this.place(node);
    const { trace } = this;
    const state = trace.state(node, this.at);
    const group = make("g", { class: this.names(node, isBold, focus), transform: `translate(${round(x)} ${y})`, "data-node": node });
    if (trace.isSmall(node)) {
      group.append(make("rect", { class: "ring", x: -9, y: -9, width: 18, height: 18, rx: 6 }), make("path", { class: "cross", d: "M-4 -4 4 4M-4 4 4 -4" }));
      return group;
    }
    const [w, h] = trace.informed ? [46, 32] : [32, 24];
    group.append(
      make("rect", { class: "ring", x: -w / 2 - 3.5, y: -h / 2 - 3.5, width: w + 7, height: h + 7, rx: 9 }),
      make("rect", { class: "box", x: -w / 2, y: -h / 2, width: w, height: h, rx: 6 }),
    );
    if (trace.informed) {
      group.append(make("text", { class: "f", y: -2 }, trace.f(node, this.at)), make("text", { y: 11 }, `${trace.g[node]}+${trace.h[node]}`));
    } else group.append(make("text", { y: 4 }, trace.g[node]));
    if (state === DROPPED || state === REPLACED) group.append(make("path", { class: "cross", d: `M${w / 2 - 9} ${3 - h / 2}l6 6m0-6-6 6` }));
    return group;
  }

  // From afar: one shape for all nodes of a kind
  together(nodes, onPath, focus) {
    const kinds = new Map();
    for (const node of nodes) {
      const names = this.names(node, onPath.has(node), focus);
      const { x, y } = this.place(node);
      const big = names.includes("current") || names.includes("chosen");
      const [w, h] = this.trace.isSmall(node) ? [6, 6] : big ? [60, 46] : [this.width(node) - 10, 28];
      kinds.set(names, `${kinds.get(names) ?? ""}M${round(x - w / 2)} ${y - h / 2}h${w}v${h}h${-w}z`);
    }
    return [...kinds].sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([names, d]) => make("path", { class: `far ${names}`, d }));
  }

  // The node at a place of the box, if there is one
  nodeAt(x, y) {
    const { view, trace } = this;
    const [left, top] = [(x - view.x) / view.scale, (y - view.y) / view.scale];
    const row = this.layout.rows[Math.round(top / ROW)] ?? [];
    if (Math.abs(top - Math.round(top / ROW) * ROW) > 22) return null;
    return row.find((node) => trace.state(node, this.at) !== UNMADE
      && Math.abs(this.layout.x.get(node) - left) <= this.width(node) / 2) ?? null;
  }

  // The node that an arrow key leads to from another one
  beside(node, key) {
    if (key === "ArrowUp") return this.trace.parents[node] >= 0 ? this.trace.parents[node] : null;
    const seen = (row) => (row ?? []).filter((one) => this.trace.state(one, this.at) !== UNMADE);
    const depth = this.trace.depths[node];
    if (key === "ArrowDown")
      return seen(this.layout.rows[depth + 1]).find((one) => this.trace.parents[one] === node) ?? null;
    const row = seen(this.layout.rows[depth]);
    return row[row.indexOf(node) + (key === "ArrowLeft" ? -1 : 1)] ?? null;
  }
}

const round = (number) => Math.round(number * 10) / 10;
