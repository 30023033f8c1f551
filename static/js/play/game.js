// The live board. The page plays, the server confirms: each action shows and is posted at once. One request is
// under way at a time, later actions go together in the next, and the answer has the last word.
import { OPPOSITE, draw, line, parse, place, tileMoving } from "../board.js";
import { _ } from "../language.js";
import * as clock from "./clock.js";
import * as connection from "./connection.js";
import * as figures from "./figures.js";
import { fill as fillFinish, noteUnshown } from "./finish.js";
import { foresee, lastOf, stateOf } from "./foresight.js";
import * as unsent from "./unsent.js";
import { sentence } from "./words.js";

const PATIENCE = 5000; // milliseconds that a link or a reloaded game waits for the server
const RETRY = 1000; // milliseconds until a file is requested again
const HINT_PATIENCE = 1000; // milliseconds until the hint is requested from the server too
const MOST_CONFIRMED = 100; // confirmed actions that can be posted again

const game = document.getElementById("game");
// Actions without an answer, in order: { action, body, from, to, played, isOld, isFinish, isShown }, the last of
// a hint that the browser found
const posts = [];
let sent = null; // the request under way, of the first of them: { action, posts, body, ctx, lost }
const confirmed = []; // the last actions that the server has answered with their board
let isSending = false; // while htmx is given that request
let pressed = null; // the focused element at the last action
let hinted = null; // the last hint of the browser: { tile, text, board }
const afterKnown = []; // actions that need a board only the server knows
let pointerUp;
export let releaseNow = () => {};

export const play = () => document.getElementById("play");
export const board = () => parse(play().dataset.board);
export const find = (tile) => document.getElementById(`t${tile}`);
const isNumber = (ctx) => ctx.sourceElement?.dataset?.of !== undefined; // fetched without a click
let serverReady = null; // settles once the server is there and has the game that the posts began on
let isResuming = false; // while stored posts, or the game from which they go on, are fetched
const isUnknown = () => isResuming || posts.some(({ to }) => to === null);

// Run an action that needs the board, now or once the board is known.
export function whenKnown(action) {
  if (isUnknown()) afterKnown.push(action);
  else action();
}

export function press(tile) {
  find(tile)?.click();
}

export function slideTile(tile) {
  if (game) act("slide", { tile });
  else play().dispatchEvent(new CustomEvent("slidewise:slide", { detail: tile })); // a board to practise on
}

// Make an action with its fields. Stored ones also have `at`, their time, and `played`.
function act(action, given = {}) {
  const fields = new URLSearchParams(new FormData(document.getElementById("moves")));
  for (const [name, value] of new URLSearchParams(given)) fields.set(name, value);
  const tile = Number(fields.get("tile"));
  if (action === "slide" && isSettled()) return showSettled(tile);
  document.getElementById("typed").textContent = "";
  const isOld = fields.has("at") || connection.isLost(); // made on a board that the server has not confirmed
  if (!fields.has("at")) fields.set("at", Date.now());
  const played = fields.has("played") ? clock.goOnFrom(Number(fields.get("played"))) : clock.carry();
  fields.set("played", played);
  if (isUnknown()) return afterKnown.push(() => act(action, fields));
  const from = stateOf(play());
  fields.set("on", from.board);
  const to = foresee(from, action, tile);
  if (typeof to === "string") return refuse(to, tile);
  hinted = null;
  const isFinish = to !== null && to.board === to.goal && from.board !== from.goal;
  if (!connection.isServerless()) posts.push({ action, body: fields.toString(), from, to, played, isOld, isFinish });
  storeUnsent(to ?? from);
  if (to && to !== from) {
    setState(to);
    clock.follow(action, from, to);
    show(to);
    figures.announce(action, tile, from, to);
  }
  document.getElementById("to-go-said").replaceChildren(); // it was of the board before
  connection.showLost();
  document.dispatchEvent(new Event("slidewise:played"));
  queueMicrotask(send); // in this task, with the other actions of it
}

// The browser's own hint; the server's too if that takes long, and the first is shown.
async function askHint(form) {
  const { board: text, goal } = play().dataset;
  if (isSolved()) return refuse(_("it is already solved"));
  if (document.getElementById("unsolvable")) return refuse(_("no move helps: this goal cannot be reached"));
  const own = import("./hint.js").then((hint) => hint.find(text, goal)).catch(() => null);
  const late = new Promise((resolve) => { if (!connection.isLost()) setTimeout(resolve, HINT_PATIENCE); });
  const found = await Promise.race([own, late]);
  if (play().dataset.board !== text) return; // the player did not wait
  if (!found && connection.isServerless()) return refuse("hints are for boards of up to 16 cells");
  act(found ? "assisted" : "hint", form);
  const shown = found ?? await own;
  const post = posts.findLast(({ action, from }) => ["assisted", "hint"].includes(action) && from.board === text);
  if (!shown || !(found || post) || play().dataset.board !== text) return; // the server's is there
  if (!found) {
    post.isShown = true;
    storeUnsent();
    const helped = foresee(stateOf(play()), "assisted");
    setState(helped);
    show(helped);
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
  shake(tile && find(tile));
  const said = document.getElementById("said");
  said.className = "refused";
  said.textContent = sentence(why);
  document.dispatchEvent(new Event("slidewise:refused"));
}

// Send the next batch of actions, unless one is under way.
function send() {
  if (sent || posts.length === 0) return;
  sent = unsent.nextBatch(posts);
  isSending = true;
  htmx.ajax("POST", `${connection.gameUrl()}/${sent.action}`, { source: game });
  isSending = false;
}

// A click of the game is made here. The page's own request gets its form, and arrives for sure.
function onRequest(event) {
  const { ctx } = event.detail;
  const { request } = ctx;
  if (isNumber(ctx) && figures.isExact(numbered(ctx))) return event.preventDefault(); // the page knows it
  if (isNumber(ctx)) return;
  if (!connection.isLost()) document.getElementById("notice").replaceChildren(); // of the past
  if (["review", "review-at"].includes(ctx.target?.id))
    Object.assign(ctx, { fetch: reviewOrFetch, reviewed: position() });
  if (ctx.target?.id !== "play") return;
  if (!isSending) {
    event.preventDefault();
    pressed = document.activeElement;
    const action = request.action.split("/").at(-1);
    if (action === "hint") whenKnown(() => askHint(request.body));
    else act(action, request.body);
    return;
  }
  const batch = Object.assign(sent, { ctx });
  request.body = batch.body;
  request.timeout = 0; // connection.js has its own timeout
  ctx.fetch = (...args) => sendOnce(batch, args).finally(() => pointerUp);
}

const position = () => `${play().dataset.board} ${play().dataset.moves}`;

// The browser's own review; the server's if the browser has none.
async function reviewOrFetch(url, request) {
  const own = await import("./review_here.js").then((here) => here.answer(url)).catch(() => null);
  if (own) return own;
  await whenSent(); // it is of the server's game
  return fetch(url, request);
}

const isSolved = () => play().dataset.board === play().dataset.goal;

// A solved game only changes by the Undo and Restart buttons, or by continuing a solution. No accidental
// slide or key removes the finish.
export const isSettled = () => isSolved() && play().dataset.made !== "";

export function showSettled(tile) {
  shake(tile && find(tile));
  document.getElementById("typed").textContent = _("Solved. To play on here, use the Undo or Restart button.");
}

function setState({ board: text, made, undone, moves, left, helped }) {
  const { dataset } = play();
  Object.assign(dataset, { board: text, made, undone, moves });
  if (moves >= dataset.firstVisit || isSolved()) delete dataset.firstVisit;
  if (left) dataset.left = left;
  else delete dataset.left;
  play().toggleAttribute("data-helped", helped);
}

// Show a game as the server will.
function show({ board: text, goal, made, undone, left, moves }) {
  for (const field of play().querySelectorAll("#from-here, #moves [name=on]")) field.value = text;
  game.querySelector(".hint")?.classList.remove("hint");
  const [last, way] = lastOf(made);
  draw(board(), parse(goal), find, last && tileMoving(board(), OPPOSITE[way]));
  label(board());
  showPiece();
  const isOver = isSolved() || document.getElementById("unsolvable");
  const able = { undo: made || left, redo: undone, restart: made, hint: !isOver };
  for (const [id, isAble] of Object.entries(able)) {
    if (isAble) document.getElementById(id)?.removeAttribute("aria-disabled");
    else document.getElementById(id)?.setAttribute("aria-disabled", "true"); // a lesson may hide it
  }
  figures.show(stateOf(play()));
  showPart("#won", isSettled() && moves > 0, document.getElementById("finish"), "won-template", fillFinish);
  showPart(".toast", left && !made, play().querySelector(".tray"), "restarted-template");
}

// A solved picture has its last piece in place of the blank.
function showPiece() {
  play().querySelector(".piece")?.remove();
  if (!isSolved()) return;
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
  fill(part, stateOf(play()));
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

const NO_COOKIE = "no-cookie"; // kind of the answer to moves of a game whose cookie did not come

// Kind and board of a server response.
const kindOf = ({ response }) => response.headers.get("Slidewise-Answer");
const boardOf = ({ response }) => response.headers.get("Slidewise-Board");

// Board of a requested number of moves left
const numbered = ({ sourceElement: { id, dataset } }) => (id === "to-go" ? play().dataset.board : dataset.of);

// Accept a number only for the board that is shown.
function checkNumber(event) {
  const { ctx } = event.detail;
  if (kindOf(ctx) !== "moves-left" || boardOf(ctx) !== numbered(ctx)) event.preventDefault();
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

// Show the server's game, unless the player went on meanwhile. Return whether it is shown.
async function showServersGame(signal) {
  const state = () => JSON.stringify(stateOf(play()));
  const before = state();
  try {
    const text = await (await connection.currentGame(signal)).text();
    if (posts.length > 0 || state() !== before) return false;
    posts.push(...takeLost(text));
    if (posts.length === 0) {
      await showGame(text);
      return true;
    }
    storeUnsent();
    send();
    return false;
  } catch {
    return false; // offline again: the next move waits for the server and shows its answer
  }
}

async function showGame(text) {
  await htmx.swap({ text, target: play(), swap: "outerMorph", sourceElement: game });
  clock.takeFromServer();
}

function beforeSwap(event) {
  const { ctx } = event.detail;
  if (isNumber(ctx)) checkNumber(event);
  if (ctx.reviewed && ctx.reviewed !== position()) event.preventDefault(); // the game went on
  if (ctx !== sent?.ctx) return;
  if (kindOf(ctx) === NO_COOKIE || sent.lost?.length > 0) return event.preventDefault();
  const answered = ["board", "refused"].includes(kindOf(ctx)) ? boardOf(ctx) : null; // null after an error
  const [{ from }, { to }] = [sent.posts[0], sent.posts.at(-1)];
  const isOther = to && to.board !== (answered ?? from.board);
  if (isOther) posts.length = sent.posts.length; // later actions were made on another board
  if (!answered) showServersGame();
  else if (posts.length > sent.posts.length) {
    event.preventDefault(); // overtaken: tiles would jump back
    noteUnshown(new DOMParser().parseFromString(ctx.text, "text/html"));
  } else if (isOther && kindOf(ctx) === "board")
    document.getElementById("typed").textContent = _("The server has another board of your game: here it is.");
}

function onAnswered({ detail: { ctx } }) {
  if (ctx !== sent?.ctx) return;
  const { action, posts: answered, lost = [] } = sent;
  const kind = ctx.response && kindOf(ctx);
  sent = null;
  if (lost.length > 0) posts.unshift(...lost);
  else posts.splice(0, kind === NO_COOKIE ? posts.length : answered.length);
  if (kind === "board") confirmed.push(...answered);
  confirmed.splice(0, confirmed.length - MOST_CONFIRMED);
  storeUnsent();
  if (["board", "refused"].includes(kind)) {
    const text = kind === "board" && action !== "hint" ? ctx.text : null;
    others.postMessage({ board: boardOf(ctx), view: VIEW, text });
  }
  if (posts.length === 0) {
    if (kind !== NO_COOKIE) clock.takeFromServer(kind === "board" ? answered.at(-1).played : null);
    document.dispatchEvent(new Event("slidewise:sent"));
  }
  actAfterKnown();
  send();
}

function actAfterKnown() {
  while (afterKnown.length > 0 && !isUnknown()) afterKnown.shift()();
}

// Moves are lost without it, and the connection may just have come back: try until it is there.
async function loadStored() {
  for (;;) {
    try {
      return await import("./stored.js");
    } catch {
      await new Promise((resolve) => { setTimeout(resolve, RETRY); });
    }
  }
}

const stateIn = (text) => new DOMParser().parseFromString(text, "text/html").getElementById("play")?.dataset;

// Whether the server made the batch before: a race has it even if the response was lost.
function hasArrived(batch, text) {
  const [{ to }, shown] = [batch.at(-1), stateIn(text)];
  return to && shown && !unsent.isAnother(to, shown);
}

// Take the confirmed actions that the server's game has lost: a late answer to a page before this one sets the
// cookie back. Another tab may have undone them.
function takeLost(text) {
  const shown = stateIn(text);
  if (isMet || !shown || !unsent.isAnother(confirmed.at(-1)?.to, shown)) return [];
  const first = confirmed.findLastIndex(({ from }) => !unsent.isAnother(from, shown));
  return first < 0 ? [] : confirmed.splice(first);
}

async function sendOnce(request, args) {
  const { posts: batch } = request;
  const instead = await serverReady; // the game that was chosen in place of this one
  if (instead) return instead;
  const response = await connection.patiently(...args);
  if (kindOf({ response }) === NO_COOKIE) return sendAgain(batch[0].from, args);
  if (kindOf({ response }) !== "refused") return response;
  const text = await response.clone().text();
  request.lost = takeLost(text);
  const isOld = batch.length > 1 || batch[0].isOld || response.isLate;
  if (!isOld || request.lost.length > 0) return response;
  if (hasArrived(batch, text)) return connection.untilReached();
  const { choose } = await loadStored(); // the game went on in another tab meanwhile
  return await choose(response, batch[0].from) ?? connection.patiently(...args);
}

// The game's cookie may only have been deleted: make the game again from its start, and post the batch once more.
async function sendAgain(from, args) {
  const { makeAgain: remake } = await loadStored();
  await remake(from);
  const response = await connection.patiently(...args);
  if (kindOf({ response }) === NO_COOKIE) connection.playWithoutCookies();
  return response;
}

// Settles once the server has the game, or soon.
export function whenSent() {
  if (posts.length === 0 || connection.isLost()) return Promise.resolve();
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
  if (!isOfGame || link.matches("[hx-get*='/review']") || link === followed || posts.length === 0 || connection.isLost()) return;
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
  if (!button || !isUnknown()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  whenKnown(() => button.click());
}

function storeUnsent(shown = stateOf(play())) {
  unsent.store(connection.gameUrl(), posts[0]?.from ?? shown, posts);
}

export let resumed = null; // settles once a cached page shows the stored game

// Resume from browser storage: show the newer game of a cached page, and send its unsent posts.
async function resume() {
  const gameUrl = connection.gameUrl();
  const { cached } = document.documentElement.dataset;
  isResuming = Boolean(cached) || unsent.hasPosts(gameUrl); // clicks wait for them
  const known = isResuming ? null : unsent.load(gameUrl); // before a click stores posts of its own
  const isAlone = await unsent.hold(gameUrl);
  connection.setAlone(isAlone && !isMet);
  const { game: begun, posts: stored } = known ?? unsent.load(gameUrl, isAlone);
  if (cached) return goOnFrom(begun, stored, connection.untilReached());
  const isReload = performance.getEntriesByType("navigation")[0]?.type === "reload";
  const isOlder = isReload || unsent.isAnother(begun, play().dataset);
  if (stored.length > 0 || (isOlder && posts.length === 0)) // answers to posts show the server's game too
    await showServersGame(AbortSignal.timeout(PATIENCE));
  const next = unsent.since(play().dataset, stored);
  if (next === null) return goOnFrom(begun, stored, connection.untilReached());
  makeAgain(next);
  if (stored.length > 0) storeUnsent(); // the server may have them all
}

// Make the stored posts, and then what waited for them.
function makeAgain(stored) {
  isResuming = false;
  for (const { action, body } of stored) act(action, body);
  clock.recall();
  actAfterKnown();
}

// Continue from `begun` while offline; then check whether the server has that game.
async function goOnFrom(begun, stored, server) {
  const { showStored, choose } = await loadStored();
  showStored(begun, (shown) => {
    setState(shown);
    show(stateOf(play()));
  });
  serverReady = server.then(async (response) => {
    const instead = await choose(response, posts[0]?.from);
    if (posts.length === 0) showServersGame();
    serverReady = null;
    return instead;
  });
  makeAgain(stored);
}

// The pressed control may have disappeared with the finished game.
function keepFocus() {
  if (document.activeElement === document.body && pressed && !pressed.isConnected)
    game.querySelector(".tile")?.focus({ preventScroll: true });
  pressed = null;
}

// Tabs of one game send each other the server's answers, so that each shows the newest game.
let others = null;
const VIEW = location.search; // answers to another view differ
let isMet = false; // whether another tab has sent something
const HELLO = "hello"; // from a tab that opens the game
const HERE = "here"; // to it

async function onNews({ data }) {
  isMet = true;
  connection.setAlone(false);
  if (data === HELLO) others.postMessage(HERE);
  if (data === HELLO || data === HERE || connection.isLost()) return;
  await pointerUp;
  const { board: before } = play().dataset;
  if (data.board === before || posts.length > 0) return;
  if (data.view !== VIEW || !data.text) return update();
  await showGame(data.text);
  sayWentOn(before);
}

let isStale = false; // whether another tab may have continued this game
let isUpdating = false;

// Fetch the server's game, once more if it changes meanwhile.
async function update() {
  isStale = true;
  if (isUpdating) return;
  isUpdating = true;
  while (isStale && posts.length === 0 && !connection.isServerless()) {
    isStale = false;
    const { board: before } = play().dataset;
    if (await showServersGame()) sayWentOn(before);
  }
  isUpdating = false;
}

function sayWentOn(before) {
  if (play().dataset.board !== before)
    document.getElementById("typed").textContent = _("Your game went on in another tab.");
}

// Answers move tiles, which would cancel a press, so they wait for its end.
function onPress() {
  pointerUp = new Promise((resolve) => {
    releaseNow = resolve;
    setTimeout(resolve, 10_000);
    document.addEventListener("pointerup", () => setTimeout(resolve), { once: true }); // after the click
  });
}

export function start() {
  if (!game) return;
  figures.start();
  game.addEventListener("pointerdown", onPress);
  connection.start(() => posts.map(({ action, isShown }) => (isShown ? "assisted" : action)));
  for (const onClick of [onLink, onSolve]) document.addEventListener("click", onClick, { capture: true });
  document.addEventListener("htmx:config:request", onRequest);
  document.addEventListener("htmx:before:swap", beforeSwap);
  document.addEventListener("htmx:after:swap", () => {
    keepFocus();
    showHint();
    figures.show(stateOf(play()));
  });
  document.addEventListener("visibilitychange", () => document.hidden || update());
  others = new BroadcastChannel(`game ${connection.gameUrl()}`);
  others.addEventListener("message", onNews);
  others.addEventListener("messageerror", update);
  others.postMessage(HELLO);
  document.addEventListener("htmx:finally:request", onAnswered);
  document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
    if (ctx && !isNumber(ctx)) showFailure(ctx.sourceElement);
  });
  resumed = resume().finally(() => {
    makeAgain([]); // clicks wait no longer, even after an error
    document.documentElement.dataset.resumed = "";
  });
}
