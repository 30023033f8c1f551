// A node as SVG: its board in a frame coloured by state, a badge, and f = g + h below.
import { svg } from "../../../dom.js";
import { moves } from "../../../play/words.js";
import { DROPPED_SCALE } from "./layout.js";
import { DROPPED, NAMES, REPLACED } from "./trace.js";

const rect = (name, w, h, rx) => svg("rect", { class: name, x: -w / 2, y: -h / 2, width: w, height: h, rx });

// Tiles of the board: a single shape for all, and their numbers
function tiles({ cols, cells }, { pitch, padding, w, h }) {
  const shapes = [];
  const numbers = [];
  cells.forEach((tile, cell) => {
    if (!tile) return;
    const [x, y] = [padding - w / 2 + (cell % cols) * pitch, padding - h / 2 + Math.floor(cell / cols) * pitch];
    shapes.push(`M${x + 3.5} ${y + 3.5}h${pitch - 7}v${pitch - 7}h${7 - pitch}z`);
    numbers.push(svg("text", { x: x + pitch / 2, y: y + pitch / 2 }, tile));
  });
  return svg("g", { class: "tiles", "font-size": pitch * 0.55 }, svg("path", { d: shapes.join("") }), ...numbers);
}

function badge(text, { w, h }, name) {
  const width = Math.max(26, 12 + 8 * text.length);
  return svg("g", { class: `no ${name}`, transform: `translate(${8 - w / 2 - width / 2} ${-h / 2 - 5})` },
    rect("", width, 24, 12),
    name === "cross" ? svg("path", { d: "M-4 -4 4 4M-4 4 4 -4" }) : svg("text", { y: 0.5 }, text));
}

// f = g + h, with f bold; the stored f can be larger
export function sum(trace, node, at) {
  const [f, g, h] = [trace.f(node, at), trace.g[node], trace.h[node]];
  if (!trace.isTold(node)) return split(moves(g));
  if (trace.formula === "h") return [`${h}`, " = h"];
  return [`${f}`, f === g + h ? ` = ${g} + ${h}` : ` (${g} + ${h})`];
}

const split = (words) => [words.split(" ")[0], words.slice(words.indexOf(" "))];

// `names` are further classes, `badgeText` is the badge's text, `plain` omits the board.
export function picture(trace, node, at, sizes, { names = "", badgeText = "", plain = false, label = true } = {}) {
  const state = trace.state(node, at);
  const dropped = state === DROPPED || state === REPLACED;
  const group = svg("g", { class: `node ${NAMES[state]} ${names}`, "data-node": node });
  const { w, h } = sizes;
  const inner = svg("g", dropped ? { transform: `scale(${DROPPED_SCALE})` } : {});
  inner.append(rect("ring", w + 12, h + 12, 18), rect("frame", w, h, 14));
  if (plain) inner.append(svg("text", { class: "value", "font-size": Math.min(h * 0.6, 44) },
    trace.isTold(node) ? trace.f(node, at) : trace.g[node]));
  else {
    if (!dropped) inner.append(rect("tray", w - 6, h - 6, 10));
    inner.append(tiles(trace.board(node), sizes));
  }
  group.append(inner);
  const scale = dropped ? DROPPED_SCALE : 1;
  if (badgeText || dropped) group.append(badge(badgeText, { w: w * scale, h: h * scale }, dropped ? "cross" : names.includes("next") ? "next" : ""));
  if (label && sizes.label > 4) {
    const [f, rest] = sum(trace, node, at);
    const y = (h * scale) / 2 + (names.includes("current") ? 23 : 16);
    group.append(svg("text", { class: "sum", y }, svg("tspan", {}, f), rest));
  }
  return group;
}

// A node as a separate picture
export function drawing(trace, node, at, sizes, options) {
  const [w, h] = [sizes.w + 14, sizes.h + 14];
  return svg("svg", { viewBox: `${-w / 2} ${-h / 2} ${w} ${h}`, "aria-hidden": true, focusable: false },
    picture(trace, node, at, sizes, { label: false, ...options }));
}
