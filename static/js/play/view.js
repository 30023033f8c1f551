// The game on the page: clicks become actions of its `Game`, and its positions are drawn. When nothing waits for an
// answer, htmx swaps the server's fragment in, which has the last word.
import { OPPOSITE, draw, line, parse, place, tileMoving } from "../board.js";
import { _ } from "../language.js";
import * as clock from "./clock.js";
import * as connection from "./connection.js";
import * as figures from "./figures.js";
import { fill as fillFinish, noteUnshown } from "./finish.js";
import { Game } from "./game.js";
import { isSame, isSolved, lastOf, positionOf } from "./position.js";
import { Server } from "./server.js";
import * as tabs from "./tabs.js";
import * as unsent from "./unsent.js";
import { reason, sentence } from "./words.js";

const PATIENCE = 5000; // milliseconds that a link waits for the server
const HINT_PATIENCE = 1000; // milliseconds until the hint is requested from the server too
const LONGEST_PRESS = 10_000; // milliseconds

const stage = document.getElementById("game");
export let game = null; // the page's `Game`, null on pages without one
let pressed = null; // the focused element at the last action
let hinted = null; // the last hint of the browser: { tile, text, board }
let pointerUp;
export let releaseNow = () => {};

export const play = () => document.getElementById("play");
export const board = () => parse(play().dataset.board);
export const find = (tile) => document.getElementById(`t${tile}`);
const drawn = () => positionOf(play().dataset);

// Run an action that needs the board, now or once the board is known.
export function whenKnown(action) {
  if (game) game.whenKnown(action);
  else action();
}

export function press(tile) {
  find(tile)?.click();
}

export function slideTile(tile) {
  if (game) act("slide", { tile });
  else play().dispatchEvent(new CustomEvent("slidewise:slide", { detail: tile })); // a board to practise on
}

// Make an action with the fields of its form.
function act(name, given = {}) {
  const fields = new URLSearchParams(new FormData(document.getElementById("moves")));
  for (const [field, value] of new URLSearchParams(given)) fields.set(field, value);
  const tile = Number(fields.get("tile"));
  for (const field of ["tile", "on"]) fields.delete(field);
  game.act(name, { tile, fields: `${fields}` });
}

// Show a change of the game, by an action or an answer.
function onChange({ detail: { from, to, cause, action } }) {
  const isAction = action !== undefined;
  if (isAction) {
    document.getElementById("typed").textContent = "";
    if (action.played !== clock.carried()) clock.goOnFrom(action.played); // it was stored
    hinted = null;
  }
  store();
  if (to) {
    setState(to);
    if (isAction && cause !== "hint") clock.follow(cause, from, to);
    show(to);
    if (isAction && cause !== "hint") figures.announce(cause, action.tile, from, to);
  }
  if (cause === "other-board")
    document.getElementById("typed").textContent = _("The server has another board of your game: here it is.");
  if (!isAction) return;
  document.getElementById("to-go-said").replaceChildren(); // it was of the board before
  connection.showLost();
  document.dispatchEvent(new Event("slidewise:played"));
}

// Show the server's fragment, unless the player went on meanwhile.
async function onAnswer({ detail: { answer, batch, isOvertaken } }) {
  const { kind, html, position } = answer;
  store();
  if (kind === "notice") showError(html);
  else if (position && batch && isOvertaken) noteUnshown(new DOMParser().parseFromString(html, "text/html"));
  else if (position && !isOvertaken)
    await htmx.swap({ text: html, target: play(), swap: "outerMorph", sourceElement: stage });
  if (batch && position) tabs.send(answer, batch);
  if (isOvertaken || game.queue.length > 0) return;
  if (position) clock.takeFromServer(batch && kind === "board" ? batch.at(-1).played : null);
  document.dispatchEvent(new Event("slidewise:sent"));
}

function showError(html) {
  document.getElementById("notice").innerHTML = html;
  game.refresh();
}

function onRefused({ detail: { why, tile } }) {
  if (why === "over") showSettled(tile);
  else refuse(reason(why, game.shown, tile), tile);
}

// The browser's own hint; the server's too if that takes long, and the first is shown.
async function askHint(form) {
  const { board: text, goal } = play().dataset;
  if (isSolved(drawn())) return refuse(_("it is already solved"));
  if (document.getElementById("unsolvable")) return refuse(_("no move helps: this goal cannot be reached"));
  const own = import("./hint.js").then((hint) => hint.find(text, goal)).catch(() => null);
  const late = new Promise((resolve) => { if (!connection.isLost()) setTimeout(resolve, HINT_PATIENCE); });
  const found = await Promise.race([own, late]);
  if (play().dataset.board !== text) return; // the player did not wait
  if (!found && connection.isServerless()) return refuse("hints are for boards of up to 16 cells");
  act(found ? "assisted" : "hint", form);
  const shown = found ?? await own;
  const post = game.queue.findLast(({ name, from }) => ["assisted", "hint"].includes(name) && from?.board === text);
  if (!shown || !(found || post) || play().dataset.board !== text) return; // the server's is there
  if (!found) {
    post.isShown = true;
    store();
  }
  hinted = { ...shown, board: text };
  showHint();
  connection.showLost();
}

// The server's answers do not know of it.
function showHint() {
  if (hinted?.board !== play().dataset.board) hinted = null;
  if (!hinted) return;
  find(hinted.tile).classList.add("hint");
  const said = document.getElementById("said");
  said.className = "hinted";
  if (said.textContent === hinted.text) return;
  said.textContent = hinted.text;
  said.scrollIntoView({ block: "nearest" });
}

function refuse(why, tile) {
  document.getElementById("typed").textContent = "";
  shake(tile && find(tile));
  const said = document.getElementById("said");
  said.className = "refused";
  said.textContent = sentence(why);
  document.dispatchEvent(new Event("slidewise:refused"));
}

const isNumber = (ctx) => ctx.sourceElement?.dataset?.of !== undefined; // fetched without a click

// A click of the game is made here.
function onRequest(event) {
  const { ctx } = event.detail;
  if (isNumber(ctx) && figures.isExact(numbered(ctx))) return event.preventDefault(); // the page knows it
  if (isNumber(ctx)) return;
  if (!connection.isLost()) document.getElementById("notice").replaceChildren(); // of the past
  if (["review", "review-at"].includes(ctx.target?.id))
    Object.assign(ctx, { fetch: reviewOrFetch, reviewed: shownNow() });
  if (ctx.target?.id !== "play") return;
  event.preventDefault();
  pressed = document.activeElement;
  const name = ctx.request.action.split("/").at(-1);
  if (name === "hint") game.whenKnown(() => askHint(ctx.request.body));
  else act(name, ctx.request.body);
}

const shownNow = () => `${play().dataset.board} ${play().dataset.moves}`;

// The browser's own review; the server's if the browser has none.
async function reviewOrFetch(url, request) {
  const own = await import("./review_here.js").then((here) => here.answer(url)).catch(() => null);
  if (own) return own;
  await whenSent(); // it is of the server's game
  return fetch(url, request);
}

// A solved game only changes by the Undo and Restart buttons, or by continuing a solution. No accidental
// slide or key removes the finish.
export const isSettled = () => play().dataset.board === play().dataset.goal && play().dataset.made !== "";

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

// Show a game as the server will.
function show({ board: text, goal, made, undone, left, moves }) {
  for (const field of play().querySelectorAll("#from-here, #moves [name=on]")) field.value = text;
  stage.querySelector(".hint")?.classList.remove("hint");
  const [last, way] = lastOf(made);
  draw(board(), parse(goal), find, last && tileMoving(board(), OPPOSITE[way]));
  label(board());
  showPiece();
  const isOver = isSolved(drawn()) || document.getElementById("unsolvable");
  const able = { undo: made || left, redo: undone, restart: made, hint: !isOver };
  for (const [id, isAble] of Object.entries(able)) {
    if (isAble) document.getElementById(id)?.removeAttribute("aria-disabled");
    else document.getElementById(id)?.setAttribute("aria-disabled", "true"); // a lesson may hide it
  }
  figures.show(drawn());
  showPart("#won", isSettled() && moves > 0, document.getElementById("finish"), "won-template", fillFinish);
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
function showPart(selector, isShown, place, template, fill = () => {}) {
  const shown = document.querySelector(selector);
  if (!isShown) shown?.remove();
  const sample = document.getElementById(template); // a race has none: its places are the server's
  if (!isShown || shown || !sample) return;
  const part = sample.content.firstElementChild.cloneNode(true);
  fill(part, drawn());
  place.append(part);
  htmx.process(part);
}

const CAN_MOVE = {
  U: _("can move up"), D: _("can move down"), L: _("can move left"), R: _("can move right"),
};

// Labels of the cells, in the server's words
export function label(board) {
  board.cells.forEach((tile, cell) => {
    const [row, col] = place(board, cell);
    const where = { tile, row: row + 1, column: col + 1 };
    const way = isSettled() ? undefined : line(board, tile)?.way;
    const element = find(tile);
    if (tile === 0) element.textContent = _("blank, row %(row)s, column %(column)s", where);
    else {
      const text = _("%(tile)s, row %(row)s, column %(column)s", where);
      element.ariaLabel = way ? `${text}, ${CAN_MOVE[way]}` : text;
      if (way) element.dataset.way = way;
      else delete element.dataset.way;
    }
  });
}

// Duration of a slide in milliseconds, 0 with reduced motion
export const motion = (tile) => 1000 * parseFloat(getComputedStyle(tile).transitionDuration);

// Shake a tile that cannot move.
export function shake(tile) {
  const duration = tile && 2 * motion(tile);
  if (!duration) return;
  const offsets = [0, -3, 3, -2, 0].map((x) => ({ translate: `${x}px` }));
  tile.animate(offsets, { duration });
}

// Board of a requested number of moves left
const numbered = ({ sourceElement: { id, dataset } }) => (id === "to-go" ? play().dataset.board : dataset.of);

// Accept a number only for the board that is shown.
function checkNumber(event) {
  const { ctx } = event.detail;
  const { headers } = ctx.response;
  if (headers.get("Slidewise-Answer") !== "moves-left" || headers.get("Slidewise-Board") !== numbered(ctx)) event.preventDefault();
}

const WANTED = {
  solve: _("Ask again for a solution later."), "open-review": _("Ask again for the review later."),
};

// A request other than a move failed; it is not retried.
function showFailure(source) {
  connection.needsServer(WANTED[source?.id] ?? _("Ask again for the rest later."));
  if (connection.isLost()) return;
  const text = document.createElement("div");
  text.className = "notice";
  text.textContent = _("The server cannot be reached. Your game is kept; try again in a moment.");
  document.getElementById("notice").replaceChildren(text);
}

function beforeSwap(event) {
  const { ctx } = event.detail;
  if (isNumber(ctx)) checkNumber(event);
  if (ctx.reviewed && ctx.reviewed !== shownNow()) event.preventDefault(); // the game went on
}

function afterSwap() {
  if (game.shown && !isSame(drawn(), game.shown)) { // the player went on during the swap
    setState(game.shown);
    show(game.shown);
  }
  keepFocus();
  showHint();
  figures.show(drawn());
}

// Settles once the server has the game, or soon.
export function whenSent() {
  if (game.queue.length === 0 || connection.isLost()) return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener("slidewise:sent", resolve, { once: true });
    setTimeout(resolve, PATIENCE);
  });
}

let followed = null; // the link that has waited for the server

// Pages about this game show the server's copy, so links wait for it.
async function onLink(event) {
  const link = event.target.closest("a[href]");
  const isOfGame = link && new URL(link.href).pathname.startsWith(`${connection.gameUrl()}/`);
  if (!isOfGame || link.matches("[hx-get*='/review']") || link === followed || game.queue.length === 0 || connection.isLost()) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey) return; // it opens elsewhere
  event.preventDefault();
  event.stopImmediatePropagation();
  await whenSent();
  followed = link;
  link.click();
  followed = null;
}

// A search waits for the board too.
function onSolve(event) {
  const button = event.target.closest("#solve-button");
  if (!button || game.isKnown) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  game.whenKnown(() => button.click());
}

const store = () => unsent.store(connection.gameUrl(), game.confirmed, game.queue);

// The pressed control may have disappeared with the finished game.
function keepFocus() {
  if (document.activeElement === document.body && pressed && !pressed.isConnected)
    stage.querySelector(".tile")?.focus({ preventScroll: true });
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

export let resumed = null; // settles once a cached page shows the stored game

export function start() {
  if (!stage) return;
  figures.start();
  stage.addEventListener("pointerdown", onPress);
  const settled = () => pointerUp;
  const server = connection.isStatic ? null : new Server(connection.gameUrl(), { search: location.search });
  game = new Game(drawn(), { server, played: clock.carry, settled });
  game.addEventListener("change", onChange);
  game.addEventListener("answer", onAnswer);
  game.addEventListener("refused", onRefused);
  connection.start(game);
  for (const onClick of [onLink, onSolve]) document.addEventListener("click", onClick, { capture: true });
  document.addEventListener("htmx:config:request", onRequest);
  document.addEventListener("htmx:before:swap", beforeSwap);
  document.addEventListener("htmx:after:swap", afterSwap);
  document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
    if (ctx && !isNumber(ctx)) showFailure(ctx.sourceElement);
  });
  resumed = tabs.start(game, settled).finally(() => {
    game.goOn(); // clicks wait no longer, even after an error
    clock.recall();
    document.documentElement.dataset.resumed = "";
  });
}
