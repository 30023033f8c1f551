// Figures of the game: moves made, moves left with best play, the projected result. The page works
// them out after each action; the server's answer shows the same.
import { parse } from "../board.js";
import { load, make } from "../dom.js";
import { _, number as inWords } from "../language.js";
import { clock, clockText } from "./clock.js";
import { before } from "../game/position.js";
import * as view from "./view.js";
import * as words from "./words.js";

const MOST_KNOWN = 1000; // boards
const PAUSE = 150; // milliseconds on a board before a search for its number begins
const MOST_CELLS = 16; // of boards whose numbers the page can find
const known = new Map(); // moves left from a board: { moves, exact }
let engine = null; // of the goal, once it is loaded
let timer = null; // of the search
let announcedBoard = null; // the board whose exact number is shown and announced

const TWO_STARS = Number(document.getElementById("game")?.dataset.twoStars);

export const stars = (made, shortest) => (made <= shortest ? 3 : made <= TWO_STARS * shortest ? 2 : 1);

// Moves left from a board, null if unknown
function left(board) {
  if (!known.get(board)?.exact) noteExact(board, engine?.distanceNow(parse(board)));
  return known.get(board) ?? null;
}

export const canCompute = () => window.Worker !== undefined
  && parse(view.play().dataset.goal).cells.length <= MOST_CELLS;

export const isExact = (board) => left(board)?.exact === true;

const noteExact = (board, number) => number?.exact && number.moves < Infinity && note(board, number);

// Numbers of the server, and bounds that its search proved
function learn() {
  const places = document.querySelectorAll("#to-go, #shortest, #won-shortest, #live [data-of]");
  for (const { dataset: { of, least, exact } } of places)
    if (of && least) note(of, { moves: Number(least), exact: exact !== undefined });
}

function note(board, number) {
  const bound = known.get(board);
  if (bound?.exact || (!number.exact && number.moves <= bound?.moves)) return;
  known.delete(board);
  known.set(board, { moves: number.moves, exact: number.exact });
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value);
}

// Length of a shortest solution. A game that is as short as a lower bound proves it.
export function shortest({ start, board, goal, moves: made }) {
  const bound = left(start);
  return bound && board === goal && bound.moves === made ? { moves: made, exact: true } : bound;
}

// The level of a puzzle of this size ("3x3"), "" if its shortest solution is unknown or the size has no levels
export function level(size, game) {
  const length = shortest(game);
  const bands = JSON.parse(document.getElementById("new-form")?.dataset.bands ?? "{}")[size] ?? {};
  const names = length?.exact ? ["easy", "medium", "hard"] : [];
  return names.find((name) => length.moves <= bands[name]?.[1]) ?? "";
}

// The outcome of a challenge, "" without any
export function challenge({ moves: made, helped }) {
  const beat = Number(document.querySelector("#challenge [name=beat]")?.value);
  return beat ? words.challenge(beat, made, helped) : "";
}

export function start() {
  const { goal, board, start } = view.play().dataset;
  const { cached, shortest: length } = document.documentElement.dataset;
  if (cached === "blank") // the numbers on the page are of another board
    for (const place of document.querySelectorAll("#to-go, #shortest"))
      mark(place, length ? start : "", length ? { moves: Number(length), exact: true } : null);
  note(goal, { moves: 0, exact: true });
  learn();
  if (isExact(board)) announcedBoard = board;
  const live = document.getElementById("live");
  if (live) new MutationObserver(() => showNumbers(view.drawn())).observe(live, { childList: true });
  if (navigator.connection?.saveData) return;
  const report = () => view.game.dispatchEvent(new Event("shown")); // a finish may wait for its length
  const begin = () => prepare().then(report).catch(() => {}); // the server knows too
  const isPending = document.querySelector("#to-go:not([data-exact])") !== null;
  if (isPending) begin();
  else view.game.begun.then(begin); // the next number is pending
}

// Load the engine and have it compute its tables, up to 3 s of CPU time and 34 MB, and the board's
// number. Return it, null if the board is too large.
export async function prepare() {
  if (!canCompute()) return null;
  const { open } = await load("exact/exact.js");
  engine ??= open({ goal: parse(view.play().dataset.goal) });
  show(view.drawn());
  await engine.prepare();
  return engine;
}

function askFor(board) {
  clearTimeout(timer);
  if (!engine || isExact(board)) return;
  timer = setTimeout(async () => {
    noteExact(board, await engine.ask(parse(board)).catch(() => null)); // the server knows it too
    const game = view.drawn();
    if (game.board === board && isExact(board)) show(game);
  }, PAUSE);
}

export function show(game) {
  showNumbers(game);
  askFor(game.board);
}

function showNumbers(game) {
  learn();
  const number = left(game.board);
  showShortest(game);
  showLeft(game, number);
  showStars(game, number);
}

// The length of the puzzle, if the page knows more than the server has shown
function showShortest(game) {
  const place = document.getElementById("shortest");
  const number = shortest(game);
  if (!place || !number?.moves || "exact" in place.dataset) return;
  if (!number.exact && number.moves <= Number(place.dataset.least)) return;
  mark(place, game.start, number);
  if (number.exact) place.removeAttribute("hx-get");
  place.replaceChildren(...aboutLength(game, number));
}

export const LEVELS = { easy: _("Easy"), medium: _("Medium"), hard: _("Hard") };

// "Easy · shortest solution: 12 moves", and the level noted on its place
export function aboutLength(game, number) {
  const { size } = document.getElementById("best").dataset;
  const name = level(size, game);
  if (name) document.getElementById("shortest").dataset.level = name;
  const parts = [["b", "level", name && LEVELS[name]], ["span", "dot", name && " · "],
    ["span", "length", _("shortest solution: %(length)s", { length: words.length(number) })]];
  return parts.filter(([, , text]) => text).map((part) => make(...part));
}

function showLeft(game, number) {
  const { board } = game;
  const place = document.getElementById("to-go");
  if (!place || (!number && place.dataset.of === board)) return; // it is being fetched
  const isNews = number?.exact && announcedBoard !== board;
  if (number?.exact) announcedBoard = board;
  mark(place, number ? board : "", number);
  const [label, figure] = [place.querySelector("dt"), place.querySelector("b")];
  if (number) place.classList.remove("js-only"); // it was pending
  if (number) label.textContent = number.exact ? _("moves left (best play)") : _("moves left (at least)");
  figure.textContent = number ? inWords(number.moves) : "…";
  if (isNews) document.getElementById("to-go-said").textContent = leftInWords(game, number); // unless the action's has it
}

// Note on an element whose number it shows, as the server does.
export function mark({ dataset }, board, number) {
  dataset.of = board;
  if (number) dataset.least = number.moves;
  else delete dataset.least;
  if (number?.exact) dataset.exact = "";
  else delete dataset.exact;
}

// The projected result, or the tiles in place if it is unknown on this size
function showStars(game, number) {
  const { moves: made, helped } = game;
  const place = document.getElementById("stars");
  const least = shortest(game);
  const result = number?.exact && least?.exact ? made + number.moves : null;
  if (place.matches(".at-home") && result !== null && document.getElementById("to-go")) makeCourse(place);
  const figure = place.querySelector("b");
  if (place.matches(".at-home")) {
    figure.textContent = document.querySelectorAll("#board .home").length;
    return;
  }
  figure.textContent = result === null ? "…" : words.moves(result);
  if (result !== null) place.removeAttribute("class");
  if (helped) place.querySelector("dd").replaceChildren(make("span", "badge", _("with help")));
  else if (result !== null) fillStars(place.querySelector(".stars") ?? addRow(place), stars(result, least.moves));
}

function makeCourse(place) {
  place.removeAttribute("class");
  place.querySelector("dt").innerHTML = _("on course for <b>%(moves)s</b>", { moves: "" });
  addRow(place);
}

function addRow(place) {
  const row = document.getElementById("won-template").content.querySelector(".stars").cloneNode(true);
  place.querySelector("dd").replaceChildren(row);
  return row;
}

export function fillStars(row, earned) {
  row.ariaLabel = _("%(earned)s of 3 stars", { earned });
  row.querySelectorAll(".star").forEach((star, index) => star.classList.toggle("off", index >= earned));
}

// For screen readers: the action and its effect
export function announce(action, tile, from, to) {
  const said = document.getElementById("said");
  const isSolved = to.board === to.goal;
  said.className = "visually-hidden";
  const text = action === "slide" ? words.afterSlide(from.board, tile, to.moves, isSolved) : words.after(action, from);
  if (isSolved) said.textContent = text + finish(to);
  else said.replaceChildren(text, ...(text ? effect(to) : []));
}

function effect(game) {
  const number = document.getElementById("to-go") && left(game.board);
  return number ? [make("span", "to-go", ` ${leftInWords(game, number)}`)] : [];
}

function leftInWords(game, number) {
  const last = game.undone ? null : before(game); // after an undo the last slide has no effect
  const was = last && left(last);
  return words.movesLeft(number, number.exact && was?.exact ? was : null);
}

/** Whether the page announces a finish. The time of a race is the server's, from the common start. */
export const saysFinish = document.querySelector("main.race") === null;

function finish(game) {
  if (!saysFinish) return "";
  const length = shortest(game);
  const solution = length ? ` ${_("Shortest solution: %(length)s.", { length: words.length(length) })}` : "";
  const time = ` ${_("Time: %(time)s.", { time: clockText(clock.carried / 1000) })}`;
  return `${time}${solution} ${challenge(game)}`.trimEnd();
}
