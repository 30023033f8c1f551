// Board editor: swap two tapped tiles, or place the tiles in order. The text follows, and the
// server checks it.
import { format, parse } from "../board.js";
import { _ } from "../language.js";
import { cellLabel } from "../play/view.js";

const form = document.getElementById("editor");
let isCutOff = false; // whether the last check failed
let placing = null; // while tiles are placed in order: the tapped cells
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
    const tile = placing ? placing.indexOf(cell) + 1 : board.cells[cell];
    button.firstElementChild.textContent = tile || "";
    button.classList.toggle("blank-cell", !tile);
    button.classList.remove("home");
    button.setAttribute("aria-label", cellLabel(board, cell, tile));
    button.setAttribute("aria-pressed", "false");
  }
  const switcher = document.querySelector("[data-place]");
  switcher.setAttribute("aria-pressed", String(Boolean(placing)));
  switcher.textContent = placing ? _("Tap a cell for %(tile)s (press here to cancel)", { tile: placing.length + 1 })
    : _("Place tiles one by one");
}

function type(name, text) {
  const field = document.getElementById(name);
  field.value = typed[name] = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// The check needs the server; the fields stay as they are.
async function checkOnServer(url, request) {
  const response = await fetch(url, request).catch((error) => {
    if (error.name === "AbortError") throw error; // the next check is under way
    return null;
  });
  isCutOff = !response?.headers.has("Slidewise-Build");
  return isCutOff ? new Response(cutOff(), { headers: { "Content-Type": "text/html" } }) : response;
}

const cutOff = () => `<p class="proof unproved" id="wrong" role="alert">${
  _("No connection. Only the server can check your own board; your text stays here.")}</p>`;

// Without a connection the form would leave the page, and lose the boards.
function onSubmit(event) {
  if (navigator.onLine && !isCutOff) return;
  event.preventDefault();
  checkAgain();
  document.getElementById("checked").scrollIntoView({ block: "nearest" });
}

const checkAgain = () => form.start.dispatchEvent(new Event("input", { bubbles: true }));

function onChoice({ target }) {
  if (target.dataset.fills) type(target.dataset.fills, target.value);
}

document.addEventListener("click", onClick);
document.addEventListener("change", onChoice);
const named = document.querySelector("[data-fills]");
if (named && !named.selectedOptions[0].defaultSelected) onChoice({ target: named }); // chosen while this was loading
document.addEventListener("htmx:after:swap", tapAgain);
document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  if (ctx.target?.id === "checked") ctx.fetch = checkOnServer;
});
form.addEventListener("submit", onSubmit);
form.addEventListener("input", () => { placing = null; });
addEventListener("online", () => isCutOff && checkAgain());
