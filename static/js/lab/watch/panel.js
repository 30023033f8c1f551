// What stands beside the tree of a search: a node's board and path, its successors, the frontier.
import { draw, format, place } from "../../board.js";
import { EXPANDED, LEFT, REPLACED } from "./trace.js";

const MAX_LISTED = 50;
const ARROWS = { up: "↑", down: "↓", left: "←", right: "→" };

const make = (name, text = "", attributes = {}) => {
  const element = document.createElement(name);
  element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

const number = (value) => value.toLocaleString("en");

export class Panel {
  constructor(part, trace, playUrl) {
    this.part = part;
    this.trace = trace;
    this.playUrl = playUrl;
    this.tiles = this.#makeBoard();
    part("title").textContent = trace.title;
    part("order").textContent = trace.order;
  }

  show(at, chosen) {
    const node = chosen ?? this.trace.current(at);
    this.#showNode(node, at, chosen);
    this.#showSuccessors(node, at, chosen);
    this.#showFrontier(at);
  }

  // What a screen reader is told of an expansion
  said(at) {
    const { trace } = this;
    if (at === 0) return `The start: nothing is expanded yet. ${this.value(trace.current(0), 0)}`;
    return `${trace.isEnd(at) ? "The end" : `Expansion ${at}`}. ${this.value(trace.current(at), at)}. ${trace.steps[at - 1].why}`;
  }

  value(node, at) {
    const { trace } = this;
    if (!trace.informed) return `g = ${trace.g[node]}`;
    return `g = ${trace.g[node]}, h = ${trace.h[node]}, f = ${trace.f(node, at)}`;
  }

  // How a node came to be what it is at an expansion
  fate(node, at) {
    const { trace } = this;
    const state = trace.state(node, at);
    if (state === REPLACED) return "Replaced: a shorter path to its board was found.";
    if (state === LEFT) return trace.sorting === "rank" ? "Taken at the depth limit, and not expanded." : "Left: the search has gone back, and forgotten what is below.";
    if (state === EXPANDED) return `Expanded at ${number(trace.expansionsOf.get(node).findLast((one) => one <= at))}.`;
    const fate = trace.fates[node] < 0 ? "waits as the root of the tree" : trace.reasons[trace.fates[node]][1];
    return `${fate[0].toUpperCase()}${fate.slice(1)}.`;
  }

  #makeBoard() {
    const { cols, cells } = this.trace.start;
    const board = make("div", "", { class: `board still small rows-${cells.length / cols} cols-${cols}`, role: "img" });
    const grid = make("div", "", { class: "grid" });
    for (const tile of [...cells].sort((one, other) => one - other).slice(1)) {
      const element = make("span", "", { class: `tile t${tile}` });
      element.append(make("b", tile));
      grid.append(element);
    }
    board.append(grid);
    this.part("board").replaceChildren(board);
    return board;
  }

  #showNode(node, at, chosen) {
    const { trace, part } = this;
    const board = trace.board(node);
    draw(board, trace.goal, (tile) => this.tiles.querySelector(`.t${tile}`));
    this.tiles.querySelector(".moved")?.classList.remove("moved");
    if (board.tiles.length > 0) this.tiles.querySelector(`.t${board.tiles.at(-1)}`).classList.add("moved");
    this.tiles.setAttribute("aria-label", `Board of the node: ${rowsOf(board).join("; ")}`);
    const heading = chosen === null
      ? at === 0 ? "The start" : trace.isEnd(at) ? "The end" : `Expansion ${number(at)}`
      : "The node chosen";
    part("heading").textContent = heading;
    const why = at === 0 ? "Nothing is expanded yet: the start waits." : trace.steps[at - 1].why;
    part("why").textContent = chosen === null ? why : this.fate(node, at);
    const facts = [["g, moves so far", trace.g[node]]];
    if (trace.informed) facts.push(["h, estimate to go", trace.h[node]], [this.#nameOfF(), trace.f(node, at)]);
    this.#list("facts", facts);
    const from = trace.isFromGoal(node) ? "From the goal" : "From the start";
    part("path").textContent = board.tiles.length > 0
      ? `${from}, the tile${board.tiles.length > 1 ? "s" : ""} ${shortened(board.tiles)}.` : `${from}: no moves.`;
    const goal = format(trace.goal);
    part("play-link").href = this.playUrl.replace(/[^/]+$/, `${format(board)}_${goal}`);
  }

  #nameOfF() {
    const { formula, sorting } = this.trace;
    if (sorting === "recursion") return "f, as stored";
    return formula ? `f = ${formula}` : "f";
  }

  #showSuccessors(node, at, chosen) {
    const { trace, part } = this;
    const expanded = trace.expansionsOf.get(node)?.findLast((one) => one <= at && !trace.isEnd(one));
    const made = expanded ? trace.steps[expanded - 1].made : [];
    part("successors-title").textContent = made.length > 0
      ? `Its ${made.length} successors` : trace.isEnd(at) && chosen === null ? "The search ends here" : "No successors: not expanded yet";
    part("successors").replaceChildren(...made.map(([one, f, fate]) => this.#successor(one, f, fate)));
  }

  #successor(node, f, fate) {
    const { trace } = this;
    const button = make("button", "", { type: "button", "data-node": node });
    const tile = trace.board(node).tiles.at(-1);
    const word = direction(trace, node);
    const value = trace.informed ? `${trace.g[node]} + ${trace.h[node]}, f ${f}` : `g ${trace.g[node]}`;
    button.append(make("b", `${tile} ${ARROWS[word]}`, { "aria-label": `tile ${tile} ${word}` }), make("span", value, { class: "mono" }), make("span", trace.reasons[fate][1], { class: "small muted" }));
    const item = make("li");
    item.append(button);
    return item;
  }

  #showFrontier(at) {
    const { trace, part } = this;
    const waiting = trace.frontier(at);
    part("frontier").replaceChildren(...waiting.slice(0, MAX_LISTED).map((node) => {
      const item = make("li");
      const end = trace.sorting === "ends" ? `${trace.isFromGoal(node) ? "goal" : "start"} ` : "";
      const text = trace.informed ? `${trace.f(node, at)}: ${trace.g[node]}+${trace.h[node]}` : `${end}${trace.g[node]}`;
      item.append(make("button", text, { type: "button", "data-node": node, "aria-label": `${end}${this.value(node, at)}: ${rowsOf(trace.board(node)).join("; ")}` }));
      return item;
    }));
    const more = waiting.length - MAX_LISTED;
    part("more").textContent = waiting.length === 0 ? "Empty." : more > 0 ? `and ${number(more)} more` : "";
    const sizes = at > 0 ? trace.steps[at - 1].sizes : [waiting.length, waiting.length, waiting.length];
    const facts = [["Frontier", sizes[0]], [trace.kept === "reached" ? "Reached (boards)" : "Kept in memory", sizes[1]], ["Generated", sizes[2]]];
    if (trace.informed && waiting.length > 0) facts.push(["Lowest f waiting", Math.min(...waiting.map((node) => trace.f(node, at)))]);
    this.#list("sizes", facts.map(([name, value]) => [name, number(value)]));
  }

  #list(name, facts) {
    this.part(name).replaceChildren(...facts.flatMap(([term, value]) => [make("dt", term), make("dd", value)]));
  }
}

// The way the tile goes, which is the opposite of the blank's
function direction(trace, node) {
  const [row, col] = place(trace.start, trace.blanks[node]);
  const [beforeRow, beforeCol] = place(trace.start, trace.blanks[trace.parents[node]]);
  if (row !== beforeRow) return row < beforeRow ? "down" : "up";
  return col < beforeCol ? "right" : "left";
}

const rowsOf = ({ cells, cols }) => Array.from({ length: cells.length / cols }, (_, row) => (
  cells.slice(row * cols, (row + 1) * cols).map((tile) => tile || "blank").join(" ")));

const shortened = (tiles) => (tiles.length > 60
  ? `${tiles.slice(0, 10).join(" ")} … ${tiles.slice(-40).join(" ")} (${number(tiles.length)} moves)`
  : tiles.join(" "));
