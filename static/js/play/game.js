// The live board: tiles move at once, and the server's fragment confirms.
import { draw, line, parse, place } from "../board.js";
import * as clock from "./clock.js";
import * as connection from "./connection.js";
import * as unsent from "./unsent.js";
import { foresee } from "./foresight.js";

const game = document.getElementById("game");
const posts = []; // what the server has not answered yet: { ctx, action, body, from, to, isOld }, in order
let pressed = null; // what had the focus when the last post was made
let moves = 0; // made, with those that the server has not answered
const afterKnown = []; // actions that need a board only the server knows
let pointerUp;
export let releaseNow = () => {};

export const play = () => document.getElementById("play");
export const board = () => parse(play().dataset.board);
export const find = (tile) => document.getElementById(`t${tile}`);
const isNumber = (ctx) => ctx.sourceElement?.dataset?.of !== undefined; // fetched without a click
const postOf = (ctx) => posts.find((post) => post.ctx === ctx);
let serverReady = null; // settles once the server is there and has the game that the posts began on
const isUnknown = () => posts.some(({ to }) => to === null);

// Run an action that needs the board, now or once the board is known.
export function whenKnown(action) {
  if (isUnknown()) afterKnown.push(action);
  else action();
}

export function press(tile) {
  find(tile)?.click();
}

export function slideTile(tile) {
  if (game) send({ action: "slide", body: `tile=${tile}` });
  else play().dispatchEvent(new CustomEvent("slidewise:slide", { detail: tile })); // a board to practise on
}

function send({ action, body }) {
  const values = Object.fromEntries(new URLSearchParams(body));
  htmx.ajax("POST", `${connection.gameUrl()}/${action}`, { source: "#moves", values });
}

// Before a post of the game: show its result, and make sure that it arrives.
function onPost(event) {
  const { ctx } = event.detail;
  const action = ctx.request.action.split("/").at(-1);
  const fields = new URLSearchParams(ctx.request.body);
  if (action === "slide" && isSettled()) {
    event.preventDefault();
    tellSettled(fields.get("tile"));
    return;
  }
  document.getElementById("typed").textContent = "";
  clock.goOnFrom(Number(fields.get("played") ?? 0)); // it was made before, and is sent again
  const played = fields.has("played") ? Number(fields.get("played")) : clock.carry();
  fields.set("on", play().dataset.board);
  fields.set("played", played);
  const isOld = fields.has("at") || connection.isLost(); // it was not made on what the server just showed
  if (!fields.has("at")) fields.set("at", Date.now());
  ctx.request.body = fields;
  const body = fields.toString();
  if (isUnknown()) {
    event.preventDefault();
    afterKnown.push(() => send({ action, body }));
    return;
  }
  document.getElementById("to-go-said").replaceChildren(); // it was of the board before
  const { board, made, undone, start, left } = play().dataset;
  if (posts.length === 0) moves = countShown();
  const from = { board, made, undone, start, left: Number(left ?? 0), moves };
  const tile = Number(fields.get("tile"));
  const to = foresee(from, action, tile);
  if (to) moves = action === "restart" ? 0 : moves + count(to.made) - count(from.made);
  clock.noteMoves(from.moves, moves, played);
  const post = { ctx, action, body, from, to, played, isOld };
  posts.push(post);
  storeUnsent();
  ctx.request.timeout = 0; // it is waited for, and told
  ctx.fetch = (...asked) => sendOnce(post, asked).finally(() => pointerUp);
  if (action === "slide" && to.board !== from.board) clock.begin();
  if (to && to.board !== from.board) show(to, action === "slide" ? tile : 0);
  else if (action === "slide") shake(find(tile));
  connection.showLost();
}

const figure = () => document.getElementById("move-count");
const countShown = () => Number(figure().textContent.replaceAll(",", ""));
export const count = (slides) =>
  [...slides.matchAll(/[UDLR](\d*)/g)].reduce((sum, [, tiles]) => sum + Number(tiles || 1), 0);

// The figures come from the server; offline they are counted here.
function showFigures() {
  figure().textContent = moves.toLocaleString("en");
  figure().previousElementSibling.textContent = moves === 1 ? "move" : "moves";
  const inPlace = document.querySelector(".at-home b");
  if (inPlace) inPlace.textContent = game.querySelectorAll("#board .home").length;
  if (play().dataset.left && !play().dataset.made) tellRestarted();
  if (isSolved() && moves > 0)
    import("./finish.js").then(({ showAway }) => isSolved() && showAway(moves), () => {});
}

function tellRestarted() {
  const tray = play().querySelector(".tray");
  if (tray.querySelector(".toast")) return;
  const [toast, undo] = ["p", "button"].map((tag) => document.createElement(tag));
  toast.className = "toast";
  Object.assign(undo, { type: "button", textContent: "Undo", onclick: () => document.getElementById("undo").click() });
  toast.append("Restarted. ", undo);
  tray.append(toast);
}

const isSolved = () => play().dataset.board === play().dataset.goal;

// A solved game only changes by the Undo and Restart buttons, or by continuing a solution. No accidental
// slide or key removes the finish.
export const isSettled = () => isSolved() && play().dataset.made !== "";

export function tellSettled(tile) {
  shake(tile && find(tile));
  document.getElementById("typed").textContent = "Solved. To play on here, use the Undo or Restart button.";
}

// Move the tiles as the server will.
function show(to, moved) {
  const { board: text, made, undone, left } = to;
  Object.assign(play().dataset, { board: text, made, undone });
  if (left) play().dataset.left = left;
  else delete play().dataset.left;
  document.getElementById("from-here").value = to.board;
  forgetOldBoard();
  draw(board(), parse(play().dataset.goal), find);
  if (!isSolved()) document.getElementById("won")?.remove();
  if (!left) play().querySelector(".toast")?.remove(); // the restart cannot be undone any more
  find(moved)?.classList.add("moved");
  label(board());
  for (const [id, able] of Object.entries({ undo: made || left, redo: undone, restart: made })) {
    if (able) document.getElementById(id).removeAttribute("aria-disabled");
    else document.getElementById(id).setAttribute("aria-disabled", "true");
  }
}

// Screen reader labels of the cells, in the server's words
const WAYS = { U: "up", D: "down", L: "left", R: "right" };

export function label(board) {
  board.cells.forEach((tile, cell) => {
    const [row, col] = place(board, cell);
    const where = `row ${row + 1}, column ${col + 1}`;
    const way = isSettled() ? "" : WAYS[line(board, tile)?.way];
    if (tile === 0) find(0).textContent = `blank, ${where}`;
    else find(tile).setAttribute("aria-label", `${tile}, ${where}${way ? `, can move ${way}` : ""}`);
  });
}

// Clear facts about the previous board: the tile moved last, a hint, the moves left.
function forgetOldBoard() {
  game.querySelectorAll(".moved, .hint").forEach((old) => old.classList.remove("moved", "hint"));
  const said = document.getElementById("said");
  if (said.matches(".hinted, .refused")) said.className = "visually-hidden";
  const toGo = document.getElementById("to-go");
  if (!toGo) return;
  toGo.dataset.of = "";
  toGo.querySelector("b").textContent = "…";
}

// Duration of a slide in milliseconds; 0 if the visitor prefers reduced motion
export const motion = (tile) => 1000 * parseFloat(getComputedStyle(tile).transitionDuration);

// Shake a tile that cannot move.
export function shake(tile) {
  const duration = tile && 2 * motion(tile);
  if (!duration) return;
  const offsets = [0, -3, 3, -2, 0].map((x) => ({ translate: `${x}px` }));
  tile.animate(offsets, { duration });
}

// Kind and board of a server response.
const kindOf = ({ response }) => response.headers.get("Slidewise-Answer");
const boardOf = ({ response }) => response.headers.get("Slidewise-Board");

// Accept a number only for the board that is shown.
function checkNumber(event) {
  const { ctx } = event.detail;
  const board = ctx.sourceElement.id === "to-go" ? play().dataset.board : ctx.sourceElement.dataset.of;
  if (kindOf(ctx) !== "moves-left" || boardOf(ctx) !== board) event.preventDefault();
}

const WANTED = { solve: "Ask again for a solution", "open-review": "Ask again for the review" };

// A request other than a move failed; it is not retried.
function showFailure(source) {
  connection.needsServer(WANTED[source?.id] ?? "Ask again for the rest");
  if (connection.isLost()) return;
  const text = document.createElement("div");
  text.className = "notice";
  text.textContent = "The server cannot be reached. Your game is kept; try again in a moment.";
  document.getElementById("notice").replaceChildren(text);
}

// Show the server's game.
async function showServersGame() {
  try {
    const text = await (await connection.currentGame()).text();
    if (posts.length === 0)
      await htmx.swap({ text, target: play(), swap: "outerMorph", sourceElement: game });
    clock.takeFromServer();
  } catch {
    // offline again: the next move waits for the server and shows its answer
  }
}

function beforeSwap(event) {
  const { ctx } = event.detail;
  if (isNumber(ctx)) checkNumber(event);
  const post = postOf(ctx);
  if (!post) return;
  const answered = ["board", "refused"].includes(kindOf(ctx)) ? boardOf(ctx) : null; // null: it went wrong
  if (post.to && post.to.board !== (answered ?? post.from.board)) dropLater(post);
  if (!answered) showServersGame();
  else if (posts.at(-1) !== post) event.preventDefault(); // overtaken: tiles would jump back
}

// Drop actions that followed a move rejected by the server.
function dropLater(post) {
  for (const { ctx } of posts.splice(posts.indexOf(post) + 1)) ctx.dropped = true;
}

function onAnswered({ detail: { ctx } }) {
  const post = postOf(ctx);
  if (!post) return;
  posts.splice(posts.indexOf(post), 1);
  storeUnsent();
  if (posts.length === 0) {
    clock.takeFromServer(kindOf(ctx) === "board" ? post.played : null);
    if (ctx.response) others?.postMessage(play().dataset.board);
  }
  while (afterKnown.length > 0 && !isUnknown()) afterKnown.shift()();
}

async function sendOnce({ from, isOld }, asked) {
  const instead = await serverReady; // the game that was chosen in place of this one
  if (instead) return instead;
  const response = await connection.patiently(...asked);
  if (!(isOld || response.isLate) || kindOf({ response }) !== "refused") return response;
  const { choose } = await import("./stored.js"); // the game went on in another tab meanwhile
  return await choose(response, from) ?? connection.patiently(...asked);
}

function storeUnsent() {
  const { board, made, undone, left } = play().dataset;
  const game = posts[0]?.from ?? { board, made, undone, left: Number(left ?? 0), moves: countShown() };
  unsent.store(connection.gameUrl(), game, posts);
}

// Resume from browser storage: show the newer game of a cached page, and send its unsent posts.
async function resume() {
  const isAlone = await unsent.hold(connection.gameUrl());
  const { game: begun, posts: stored } = unsent.load(connection.gameUrl(), isAlone);
  const { cached } = document.documentElement.dataset;
  if (cached) return goOnFrom(begun, stored, connection.untilReached());
  const isReload = performance.getEntriesByType("navigation")[0]?.type === "reload";
  if (stored.length > 0 || isReload || unsent.isAnother(begun, play().dataset)) await showServersGame();
  const next = unsent.since(play().dataset, stored);
  if (next === null) goOnFrom(begun, stored, connection.untilReached());
  else if (next.length > 0) next.forEach(send);
}

// Continue from `begun` while offline; then check whether the server has that game.
async function goOnFrom(begun, stored, server) {
  const { showStored, choose } = await import("./stored.js");
  showStored(begun, (game) => show(game, 0));
  serverReady = server.then(async (response) => {
    const instead = await choose(response, posts[0]?.from);
    if (posts.length === 0) showServersGame();
    serverReady = null;
    return instead;
  });
  stored.forEach(send);
}

// The pressed control may have disappeared with the finished game.
function keepFocus() {
  if (document.activeElement === document.body && pressed && !pressed.isConnected)
    game.querySelector(".tile")?.focus({ preventScroll: true });
  pressed = null;
}

// Tabs of one game notify each other of server responses, so that each shows the newest game.
let others = null;

function onOthersMove({ data }) {
  if (data !== play().dataset.board && !connection.isLost()) update();
}

// Another tab may have continued this game.
function lookAgain() {
  if (!document.hidden) update();
}

function update() {
  if (posts.length > 0) return;
  const { board } = play().dataset;
  showServersGame().then(() => {
    if (play().dataset.board !== board)
      document.getElementById("typed").textContent = "Your game went on in another tab.";
  });
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
  game.addEventListener("pointerdown", onPress);
  connection.start(() => posts.map(({ action }) => action), showFigures);
  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail;
    if (isNumber(ctx)) return;
    if (!connection.isLost()) document.getElementById("notice").replaceChildren(); // of the past
    if (ctx.target?.id !== "play") return;
    pressed = document.activeElement;
    onPost(event);
  });
  document.addEventListener("htmx:before:request", (event) => {
    if (event.detail.ctx.dropped) event.preventDefault();
  });
  document.addEventListener("htmx:before:swap", beforeSwap);
  document.addEventListener("htmx:after:swap", keepFocus);
  document.addEventListener("visibilitychange", lookAgain);
  others = new BroadcastChannel(`game ${connection.gameUrl()}`);
  others.addEventListener("message", onOthersMove);
  document.addEventListener("htmx:finally:request", onAnswered);
  document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
    if (ctx && !isNumber(ctx)) showFailure(ctx.sourceElement);
  });
  resume();
}
