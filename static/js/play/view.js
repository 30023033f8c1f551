// The board on the page, all that a click needs: clicks become actions of its `Game`, and its
// positions are drawn. The rest of the page follows in rest.js.
import { OPPOSITE, draw, line, parse, place, tileMoving } from "../board.js";
import { _, ngettext, number } from "../language.js";
import { Game } from "../game/game.js";
import { isOver, isSame, isSolved, lastOf, positionOf } from "../game/position.js";

const LONGEST_PRESS = 10_000; // milliseconds
const ACTIONS = ["slide", "undo", "redo", "restart", "alone", "assisted", "play-on"];

const stage = document.getElementById("game");
export let game = null; // the page's `Game`, null on other pages
export let refusal = null; // of the last action: { why, tile }
let pressed = null; // the focused element at the last action
let pointerUp;
export let releaseNow = () => {};

export const play = () => document.getElementById("play");
export const board = () => parse(play().dataset.board);
export const find = (tile) => document.getElementById(`t${tile}`);
export const drawn = () => positionOf(play().dataset);
export const gameUrl = () => new URL(document.getElementById("moves").action).pathname.replace(/\/slide$/, "");

// Run an action that needs the board, now or once the board is known.
export function whenKnown(action) {
  if (game) game.whenKnown(action);
  else action();
}

export const press = (tile) => find(tile)?.click();

export function slideTile(tile) {
  if (game) act("slide", { tile });
  else play().dispatchEvent(new CustomEvent("slidewise:slide", { detail: tile })); // a board to practise on
}

export function act(name, given = {}) {
  const fields = new URLSearchParams(new FormData(document.getElementById("moves")));
  for (const [field, value] of new URLSearchParams(given)) fields.set(field, value);
  const tile = Number(fields.get("tile"));
  for (const field of ["tile", "on"]) fields.delete(field);
  pressed = document.activeElement;
  game.act(name, { tile, fields: `${fields}` });
}

// The action that a form posts to, null for other forms
function actionAt(url) {
  const { pathname } = new URL(url, location.href);
  const name = pathname.split("/").at(-1);
  return pathname === `${gameUrl()}/${name}` && ACTIONS.includes(name) ? name : null;
}

// A click of the game is handled here, before htmx posts it, or the browser while htmx is not there.
function onRequest(event) {
  const { target, request } = event.detail.ctx;
  const name = target?.id === "play" && actionAt(request.action);
  if (!name) return;
  event.preventDefault();
  act(name, request.body);
}

function onSubmit(event) {
  const { target: form, submitter, defaultPrevented } = event;
  const name = !defaultPrevented && actionAt(submitter?.getAttribute("formaction") ?? form.action);
  if (!name) return;
  event.preventDefault();
  act(name, new FormData(form, submitter));
}

// The second half of a double click hits the tile that still slides.
function onClick(event) {
  if (event.detail > 1 && event.target.closest(".tile")?.getAnimations().length) event.preventDefault();
}

function onChange({ detail: { to, action } }) {
  if (action) document.getElementById("typed").textContent = "";
  refusal = null;
  if (to) show(to);
}

function onRefused({ detail }) {
  const { why, tile } = refusal = detail;
  document.getElementById("typed").textContent = "";
  if (why === "over") showSettled(tile);
  else shake(tile && find(tile));
}

export const isSettled = () => isOver(play().dataset);

export function showSettled(tile) {
  shake(tile && find(tile));
  document.getElementById("typed").textContent = _("Solved. To play on here, use the Undo or Restart button.");
}

function setState({ board: text, made, undone, moves, left, helped }) {
  const { dataset } = play();
  Object.assign(dataset, { board: text, made, undone, moves });
  if (moves >= dataset.firstVisit || isSolved(dataset)) delete dataset.firstVisit;
  if (left) dataset.left = left;
  else delete dataset.left;
  play().toggleAttribute("data-helped", helped);
}

function show(position) {
  const { board: text, goal, made, undone, left, moves } = position;
  setState(position);
  for (const field of play().querySelectorAll("#from-here, #moves [name=on]")) field.value = text;
  stage.querySelector(".hint")?.classList.remove("hint");
  const [last, way] = lastOf(made);
  draw(board(), parse(goal), find, last && tileMoving(board(), OPPOSITE[way]));
  label(board());
  showPiece();
  const isOver = isSolved(position) || document.getElementById("unsolvable");
  const able = { undo: made || left, redo: undone, restart: made, hint: !isOver };
  for (const [id, isAble] of Object.entries(able))
    for (const button of play().querySelectorAll(`#${id}`)) // none if a lesson hides it
      Object.assign(button, { ariaBusy: null, ariaDisabled: isAble ? null : "true" });
  const count = document.getElementById("move-count");
  count.textContent = number(moves);
  count.previousElementSibling.textContent = ngettext("move", "moves", moves);
  showPart(".toast", left && !made, play().querySelector(".tray"), "restarted-template");
}

// A solved picture has its last piece in place of the blank.
function showPiece() {
  play().querySelector(".piece")?.remove();
  if (!isSolved(drawn())) return;
  const [row, col] = place(board(), board().cells.indexOf(0));
  const piece = document.createElement("span");
  piece.className = `piece r${row} c${col} gr${row} gc${col}`;
  piece.ariaHidden = "true";
  piece.append(document.createElement("b"));
  find(0).before(piece);
}

// Show or remove a part in its place, as the server writes it.
export function showPart(selector, isShown, place, template, fill = () => {}) {
  const shown = document.querySelector(selector);
  if (!isShown) shown?.remove();
  const sample = document.getElementById(template); // a race has none: its places are the server's
  if (!isShown || shown || !sample) return;
  const part = sample.content.firstElementChild.cloneNode(true);
  fill(part, drawn());
  place.append(part);
  globalThis.htmx?.process(part); // otherwise it processes the page later
}

const CAN_MOVE = {
  U: _("can move up"), D: _("can move down"), L: _("can move left"), R: _("can move right"),
};

/** The label of a cell with a tile, 0 for the blank, in the server's words. */
export function cellLabel(board, cell, tile) {
  const [row, column] = place(board, cell).map((at) => at + 1);
  return tile ? _("%(tile)s, row %(row)s, column %(column)s", { tile, row, column })
    : _("blank, row %(row)s, column %(column)s", { row, column });
}

export function label(board) {
  board.cells.forEach((tile, cell) => {
    const text = cellLabel(board, cell, tile);
    const way = isSettled() ? undefined : line(board, tile)?.way;
    const element = find(tile);
    if (tile === 0) element.textContent = text;
    else {
      element.ariaLabel = way ? `${text}, ${CAN_MOVE[way]}` : text;
      if (way) element.dataset.way = way;
      else delete element.dataset.way;
    }
  });
}

// Duration of a slide in milliseconds, 0 with reduced motion
export const motion = (tile) => 1000 * parseFloat(getComputedStyle(tile).transitionDuration);

export function shake(tile) {
  const duration = tile && 2 * motion(tile);
  if (!duration) return;
  const offsets = [0, -3, 3, -2, 0].map((x) => ({ translate: `${x}px` }));
  tile.animate(offsets, { duration });
}

/** Swap the server's fragment in, and show the player's actions since. */
export async function swapIn(text) {
  await htmx.swap({ text, target: play(), swap: "outerMorph", sourceElement: stage });
  if (game.shown && !isSame(drawn(), game.shown)) show(game.shown);
}

function afterSwap() {
  if (document.activeElement === document.body && pressed && !pressed.isConnected)
    stage.querySelector(".tile")?.focus({ preventScroll: true }); // it has disappeared with the finished game
  pressed = null;
}

// Answers move tiles, which would cancel a press, so they wait for its end.
function onPress() {
  pointerUp = new Promise((resolve) => {
    releaseNow = resolve;
    setTimeout(resolve, LONGEST_PRESS);
    document.addEventListener("pointerup", () => setTimeout(resolve), { once: true }); // after the click
  });
}

// Whether an earlier page may have left actions, which come first
function hasStored() {
  const keys = [`game ${gameUrl()} `, `unsent ${gameUrl()}`]; // now, and in earlier versions
  const isOfGame = (text) => keys.some((key) => text.includes(key));
  try {
    return isOfGame(window.name) || Object.entries(localStorage).some(([name, text]) =>
      isOfGame(name) && text.includes(`"action"`));
  } catch {
    return false; // storage is off
  }
}

function start() {
  if (!stage) return;
  game = new Game(drawn(), { settled: () => pointerUp });
  if (document.documentElement.dataset.cached || hasStored()) game.pause();
  game.addEventListener("change", onChange);
  game.addEventListener("refused", onRefused);
  stage.addEventListener("pointerdown", onPress);
  stage.addEventListener("click", onClick, { capture: true });
  document.addEventListener("submit", onSubmit);
  document.addEventListener("htmx:config:request", onRequest);
  document.addEventListener("htmx:after:swap", afterSwap);
}

start();
