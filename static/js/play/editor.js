// Board editor: swap two tapped tiles, or place tiles one after the other. The text follows, and the
// server checks it.
import { format, parse, place as placeOf } from "../board.js";
import { _ } from "../language.js";
import { isStatic } from "./connection.js";
import { cellLabel } from "./words.js";

const form = document.getElementById("editor");
let here = null; // the last check, if the browser made it: { html, code }
let placing = null; // while tiles are placed one by one: the cells that were tapped, in order
let chosen = null; // the first of two tiles that change places: { edits, board, cell }
const typed = {}; // boards that taps made, by their fields: their pictures follow with the check

function onClick({ target }) {
  const fill = target.closest("[data-fill]");
  if (fill) type(fill.dataset.fill, fill.dataset.board);
  if (target.closest("[data-place]")) {
    placing = placing ? null : [];
    showPlaced();
    if (placing) document.querySelector("[data-edits=start] button").focus({ preventScroll: true }); // the board stands before
  }
  const button = target.closest("button[data-cell]");
  if (!button) return;
  if (placing && button.closest("[data-edits=start]")) place(Number(button.dataset.cell));
  else swap(button);
}

const boardOf = ({ dataset: { edits, board } }) => (typed[edits] === form[edits].value ? typed[edits] : board);

function swap(button) {
  const picture = button.closest("[data-edits]");
  const first = picture.querySelector("[aria-pressed=true]");
  const { edits } = picture.dataset;
  const text = boardOf(picture);
  chosen = first ? null : { edits, board: text, cell: button.dataset.cell };
  if (!first || first === button) {
    button.setAttribute("aria-pressed", String(!first));
    return;
  }
  first.setAttribute("aria-pressed", "false"); // the next tap chooses another
  const board = parse(text);
  const [a, b] = [Number(first.dataset.cell), Number(button.dataset.cell)];
  [board.cells[a], board.cells[b]] = [board.cells[b], board.cells[a]];
  type(edits, format(board));
}

// Taps before an answer stay selected, as the answer redraws the boards
function tapAgain() {
  if (placing && document.querySelector("[data-edits=start]")) showPlaced();
  if (!chosen) return;
  const picture = document.querySelector(`[data-edits=${chosen.edits}]`);
  if (!picture || boardOf(picture) !== chosen.board) chosen = null;
  else picture.querySelector(`[data-cell="${chosen.cell}"]`).setAttribute("aria-pressed", "true");
}

// A second tap frees a cell, with everything placed after it
function place(cell) {
  const at = placing.indexOf(cell);
  if (at >= 0) placing.length = at;
  else placing.push(cell);
  const board = parse(document.querySelector("[data-edits=start]").dataset.board);
  if (placing.length < board.cells.length - 1) return showPlaced();
  board.cells.fill(0);
  placing.forEach((placed, index) => { board.cells[placed] = index + 1; });
  placing = null;
  showPlaced();
  type("start", format(board));
}

function showPlaced() {
  const picture = document.querySelector("[data-edits=start]");
  const board = parse(picture.dataset.board);
  for (const button of picture.querySelectorAll("button")) {
    const cell = Number(button.dataset.cell);
    const [row, col] = placeOf(board, cell);
    const tile = placing ? placing.indexOf(cell) + 1 : board.cells[cell];
    button.firstElementChild.textContent = tile || "";
    button.classList.toggle("blank-cell", !tile);
    button.classList.remove("home");
    button.setAttribute("aria-label", cellLabel(tile, row + 1, col + 1));
    button.setAttribute("aria-pressed", "false");
  }
  const switcher = document.querySelector("[data-place]");
  switcher.setAttribute("aria-pressed", String(Boolean(placing)));
  switcher.textContent = placing ? _("Tap where %(tile)s goes (press to cancel)", { tile: placing.length + 1 })
    : _("Place tiles one by one");
}

function type(name, text) {
  const field = document.getElementById(name);
  field.value = typed[name] = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// The server's check; without a connection the browser's own
async function fetchOrCheck(url, request) {
  const response = isStatic ? null : await fetch(url, request).catch((error) => {
    if (error.name === "AbortError") throw error; // the next one is under way
    return null;
  });
  if (response?.headers.has("Slidewise-Build")) {
    here = null;
    return response;
  }
  await checkHere();
  return new Response(here.html, { headers: { "Content-Type": "text/html" } });
}

async function checkHere() {
  here = (await import("./editor_here.js")).check(form);
}

// Without a connection the form cannot be sent: the link to its puzzle works.
async function onSubmit(event) {
  if (navigator.onLine && !here && !isStatic) return;
  event.preventDefault();
  await checkHere();
  if (here.code) location.assign(new URL(`play/${here.code}`, form.action));
  else document.getElementById("checked").scrollIntoView(); // it shows the reason
}

// The page from the cache was of another link. Text typed while this was loading stays.
function fillFromLink() {
  const fields = new URLSearchParams(location.search);
  for (const name of ["start", "goal", "size"])
    if (fields.has(name) && form[name].value === form[name].defaultValue) form[name].value = fields.get(name);
  form.start.dispatchEvent(new Event("input", { bubbles: true }));
}

function onChoice({ target }) {
  if (target.dataset.fills) type(target.dataset.fills, target.value);
}

export function start() {
  document.addEventListener("click", onClick);
  document.addEventListener("change", onChoice);
  const named = document.querySelector("[data-fills]");
  if (named && !named.selectedOptions[0].defaultSelected) onChoice({ target: named }); // chosen while this was loading
  document.addEventListener("htmx:after:swap", tapAgain);
  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    if (ctx.target?.id === "checked") ctx.fetch = fetchOrCheck;
  });
  form.addEventListener("submit", onSubmit);
  form.addEventListener("input", () => { placing = null; });
  if (document.documentElement.dataset.cached) fillFromLink();
}
