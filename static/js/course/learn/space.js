// The page of the whole space: two searches painted on all boards, by time or by a slider, and a
// board with its place and its way. `space_worker.js` runs the searches.
import { draw, format, parse, spoken } from "../../board.js";
import { _, ngettext, number } from "../../language.js";
import { moves as movesOf } from "../../play/words.js";
import { cellsOf, numberOf, wayHome } from "./space_boards.js";
import { boardAt, place } from "./space_layout.js";
import { Painter, readColours } from "./space_painter.js";

const END = 1000; // of the slider
const PLAY_MILLISECONDS = 12_000;
const STILLS = 20; // pictures of a playback with reduced motion
const SAY_MILLISECONDS = 3000;
const REST_MILLISECONDS = 400; // a slider that rests has reached its place
const LATEST = 0.012; // part of all expansions that counts as just now
const LONGEST_PATH = 200; // moves: longer paths cover the picture

const WAYS = { ArrowDown: 0, ArrowUp: 1, ArrowRight: 2, ArrowLeft: 3 }; // the tile moves so, the blank against it

const root = document.getElementById("space");
const facts = document.getElementById("board-facts");
const part = (name, within = root) => within.querySelector(`[data-part=${name}]`);
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

class Space {
  constructor({ boards, rings, drawn, runs, start }) {
    Object.assign(this, { boards, rings, start, goal: parse(root.dataset.goal) });
    const colours = readColours(root);
    this.figures = [...root.querySelectorAll("[data-search]")].map((figure, place) => ({
      figure,
      ...runs[place],
      title: figure.querySelector("figcaption b").textContent,
      painter: new Painter(figure.querySelector("canvas"), drawn, boards, runs[place].expanded, colours),
    }));
    this.longest = Math.max(1, ...runs.map(({ expanded }) => expanded.length));
    this.range = part("range");
    this.position = END;
    for (const { figure } of this.figures) this.mark(figure, "start", start);
    this.listen();
    this.show();
    this.select(numberOf(boards, parse(root.dataset.board).cells));
  }

  listen() {
    const button = root.querySelector("[data-do=play]");
    button.disabled = this.range.disabled = false;
    button.addEventListener("click", () => (this.frame ? this.pause() : this.play()));
    this.range.addEventListener("input", () => {
      this.pause();
      this.position = Number(this.range.value);
      this.show();
      this.sayLater();
    });
    for (const { figure } of this.figures) this.listenTo(figure.querySelector(".disk"));
    const recolour = () => this.recolour();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
    new MutationObserver(recolour).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    document.getElementById("find-board").addEventListener("submit", (event) => this.find(event));
  }

  listenTo(disk) {
    const point = (event) => {
      const { left, top, width } = disk.getBoundingClientRect();
      const [x, y] = [event.clientX - left, event.clientY - top].map((at) => (2 * at) / width - 1);
      const board = boardAt(this.rings, x, y);
      if (board >= 0 && board !== this.board) this.select(board);
    };
    disk.addEventListener("pointermove", point);
    disk.addEventListener("click", (event) => {
      point(event);
      this.sayBoard();
    });
    disk.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isBlank = document.documentElement.dataset.arrows === "blank";
    let board = { Home: this.start, End: 0 }[event.key];
    if (event.key in WAYS) board = this.boards.neighbours[4 * this.board + (WAYS[event.key] ^ isBlank)];
    if (board === undefined) return;
    event.preventDefault();
    if (board < 0) {
      this.say(_("No tile can move there."));
      return;
    }
    this.select(board);
    this.sayBoard();
  }

  play() {
    if (this.position >= END) this.position = 0;
    root.classList.add("playing");
    part("play-word").textContent = _("Pause");
    let before = performance.now();
    let said = before;
    const step = (now) => {
      this.position = Math.min(END, this.position + (END * Math.max(0, now - before)) / PLAY_MILLISECONDS);
      before = now;
      if (this.position >= END) {
        this.pause();
        return;
      }
      this.frame = requestAnimationFrame(step);
      this.show();
      if (now - said > SAY_MILLISECONDS) {
        said = now;
        this.sayExpanded();
      }
    };
    this.frame = requestAnimationFrame(step);
  }

  pause() {
    if (!this.frame) return;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    root.classList.remove("playing");
    part("play-word").textContent = _("Play both");
    this.show();
    this.sayExpanded();
  }

  // Expansions at the slider's place: slowly at first, so that they can be followed
  get expansions() {
    const still = END / STILLS;
    const at = this.frame && reduced.matches ? still * Math.floor(this.position / still) : this.position;
    return Math.round(this.longest * (at / END) ** 3);
  }

  show() {
    const { expansions } = this;
    if (Math.round(this.position) !== Number(this.range.value)) this.range.value = Math.round(this.position);
    if (expansions === this.shown) return;
    this.shown = expansions;
    this.range.setAttribute("aria-valuetext", ngettext("%(num)s expansion", "%(num)s expansions", expansions));
    for (const one of this.figures) {
      const isOver = expansions >= one.expanded.length;
      one.painter.show(expansions, isOver ? 0 : LATEST * expansions);
      part("expanded", one.figure).textContent = number(Math.min(expansions, one.expanded.length));
      part("at", one.figure).textContent = this.where(one);
      const isPath = isOver && one.path && one.path.length <= LONGEST_PATH;
      part("path", one.figure).setAttribute("points", isPath ? this.line(one.path) : "");
    }
  }

  // State of a search in words, after "expanded"
  where({ expanded, path }) {
    if (this.shown >= expanded.length)
      return path ? _(", solution of %(moves)s", { moves: movesOf(path.length - 1) }) : _(", stopped without a solution");
    if (!this.shown) return "";
    return _(", %(moves)s from the goal", { moves: movesOf(this.boards.distances[expanded[this.shown - 1]]) });
  }

  line(way) {
    return way.map((board) => place(this.rings, board).map((at) => at.toFixed(4)).join(",")).join(" ");
  }

  recolour() {
    const colours = readColours(root);
    for (const { painter } of this.figures) painter.recolour(colours);
    this.shown = undefined;
    this.show();
  }

  mark(figure, name, board) {
    const [x, y] = place(this.rings, board);
    part(name, figure).setAttribute("cx", x);
    part(name, figure).setAttribute("cy", y);
  }

  // Show a board below, and its place in both pictures
  select(board) {
    this.board = board;
    const drawn = { cols: 3, cells: cellsOf(this.boards, board) };
    const way = wayHome(this.boards, board);
    const tiles = way.slice(1).map((next, step) => this.tileBetween(way[step], next));
    const still = facts.querySelector(".board");
    draw(drawn, this.goal, (tile) => still.querySelector(`[data-tile="${tile}"]`));
    still.setAttribute("aria-label", `${_("Board")}: ${spoken(drawn, _("blank"))}`);
    part("distance", facts).textContent = movesOf(tiles.length);
    part("tiles", facts).textContent = tiles.join(" ") || _("none");
    part("numbers", facts).textContent = this.figures.map((one) => this.ordinal(one, board)).join(" ");
    facts.querySelector("[name=board]").value = format(drawn);
    const link = part("play-link", facts);
    link.href = link.href.replace(/\/play\/[\d.-]+/, `/play/${format(drawn)}`);
    for (const { figure } of this.figures) {
      this.mark(figure, "here", board);
      part("way", figure).setAttribute("points", this.line(way));
    }
  }

  tileBetween(board, next) {
    const blank = cellsOf(this.boards, board).indexOf(0);
    return cellsOf(this.boards, next)[blank];
  }

  ordinal({ title, expanded }, board) {
    const order = expanded.indexOf(board);
    return order < 0 ? _("%(search)s does not expand it.", { search: title })
      : _("%(search)s expands it as number %(order)s.", { search: title, order: number(order + 1) });
  }

  // Find a typed board here; other notations and errors go to the server
  find(event) {
    const digits = event.target.elements.board.value.match(/^[\s0-8.,/-]+$/)?.[0].match(/\d/g)?.map(Number) ?? [];
    const isBoard = digits.length === 9 && new Set(digits).size === 9;
    const board = isBoard ? numberOf(this.boards, digits) : -1;
    if (board < 0) return;
    event.preventDefault();
    this.select(board);
    this.sayBoard();
    const url = new URL(location.href);
    url.searchParams.set("board", event.target.elements.board.value);
    history.replaceState(history.state, "", url);
  }

  say(words) {
    part("said").textContent = words;
  }

  sayLater() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.sayExpanded(), REST_MILLISECONDS);
  }

  sayExpanded() {
    this.say(this.figures.map((one) => {
      const count = number(Math.min(this.shown, one.expanded.length));
      return _("%(search)s: %(count)s expanded%(where)s.", { search: one.title, count, where: this.where(one) });
    }).join(" "));
  }

  sayBoard() {
    const label = facts.querySelector(".board").getAttribute("aria-label");
    const distance = _("%(moves)s from the goal.", { moves: part("distance", facts).textContent });
    this.say(`${label}. ${distance} ${part("numbers", facts).textContent}`);
  }
}

function start() {
  const { worker: address, goal, start: first, searches, most } = root.dataset;
  const worker = new Worker(address, { type: "module" });
  const fail = () => { part("failed").hidden = false; };
  for (const type of ["error", "messageerror"]) worker.addEventListener(type, fail);
  worker.addEventListener("message", ({ data }) => {
    worker.terminate();
    new Space(data);
    root.dataset.ready = "";
  });
  worker.postMessage({
    goal: parse(goal).cells,
    start: parse(first).cells,
    searches: searches.split(" ").map((one) => {
      const [algorithm, heuristic] = one.split(":");
      return { algorithm, heuristic };
    }),
    most: Number(most),
  });
}

if (root) start();
