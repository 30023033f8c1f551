// The live board: tiles move at once, and the server's fragment confirms.
import { draw, parse, format, slide } from "./board.js";

const game = document.getElementById("game");
let pending = 0; // requests that the server has not answered yet
let unforeseen = 0; // those of them whose board only the server knows: undo, redo, restart
const waiting = []; // what was pressed meanwhile, and depends on that board
const ours = new WeakSet(); // the requests of the game: an error gives its request another target

export const play = () => document.getElementById("play");
export const board = () => parse(play().dataset.board);

// Move the tiles as the server will; a tile that cannot move is left to the server to explain.
function moveAtOnce(tile) {
  const after = slide(board(), tile);
  if (!after) return;
  play().dataset.board = format(after);
  document.getElementById("from-here").value = format(after);
  forgetOldBoard();
  draw(after, parse(play().dataset.goal), (n) => document.getElementById(`t${n}`));
  document.getElementById(`t${tile}`).classList.add("moved");
}

// What was said of the board before the move: which tile moved last, a hint, the moves to go.
function forgetOldBoard() {
  game.querySelectorAll(".moved, .hint").forEach((old) => old.classList.remove("moved", "hint"));
  const said = document.getElementById("said");
  if (said.matches(".hinted")) said.className = "visually-hidden";
  const toGo = document.querySelector("#to-go b");
  if (toGo) toGo.textContent = "…";
}

const isUnforeseen = (ctx) => !/\/(slide|hint)$/.test(ctx.request.action);
const isNumber = (ctx) => ctx.sourceElement?.dataset?.of !== undefined; // fetched without a click

// Let a number in only if it is one, and if it is of the board that is shown.
function checkNumber(event) {
  const { ctx } = event.detail;
  const board = ctx.sourceElement.id === "to-go" ? play().dataset.board : ctx.sourceElement.dataset.of;
  if (!ctx.text.includes(`data-of="${board}"`)) event.preventDefault();
}

// Do something that depends on the board, now or once the board is known.
export function whenKnown(action) {
  if (unforeseen > 0 || waiting.length > 0) waiting.push(action);
  else action();
}

export function press(tile) {
  document.getElementById(`t${tile}`)?.click();
}

function showFailure(ctx) {
  const notice = document.getElementById("notice");
  const text = document.createElement("div");
  text.className = "notice";
  text.textContent = "The server cannot be reached. Your game is kept as it last answered; "
    + "try again in a moment, or reload the page.";
  notice.replaceChildren(text);
  if (ours.has(ctx)) undoLocalMoves();
}

// Show again what the server knows, since what it did not hear of did not happen.
async function undoLocalMoves() {
  try {
    const response = await fetch(location.pathname, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = ["play", "figures"].map((id) => page.getElementById(id)?.outerHTML);
    if (pending > 0 || fresh.includes(undefined)) return;
    htmx.swap({ text: fresh.join(""), target: play(), swap: "outerMorph", sourceElement: game });
  } catch {
    // still not there: the notice says what to do
  }
}

function beforeSwap(event) {
  const { ctx } = event.detail;
  if (isNumber(ctx)) checkNumber(event);
  if (!ours.has(ctx)) return;
  if (ctx.hx.retarget) undoLocalMoves(); // the server says why it did not do it
  else if (!ctx.text.includes('id="play"')) { // it did not come from the app
    event.preventDefault();
    showFailure(ctx);
  } else if (pending > 1) event.preventDefault(); // overtaken: tiles would move back for a moment
}

// The clock goes on from the seconds that the server counted last: this device's may be wrong.
let counted = { seconds: null, at: 0 };

function tick() {
  const clock = document.getElementById("clock");
  if (clock?.dataset.running === undefined) return;
  if (clock.dataset.seconds !== counted.seconds)
    counted = { seconds: clock.dataset.seconds, at: performance.now() };
  const seconds = Math.floor(Number(counted.seconds) + (performance.now() - counted.at) / 1000);
  const pad = (n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  clock.textContent = hours
    ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

export function start() {
  if (!game) return;
  game.addEventListener("click", (event) => {
    const tile = event.target.closest("button.tile");
    if (tile) moveAtOnce(Number(tile.value));
  }, { capture: true });
  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    if (isNumber(ctx)) return;
    document.getElementById("notice").replaceChildren(); // it was about what was done before
    if (ctx.target?.id !== "play") return;
    document.getElementById("to-go-said").replaceChildren(); // it was of the board before
    ours.add(ctx);
    pending += 1;
    if (isUnforeseen(ctx)) unforeseen += 1;
  });
  document.addEventListener("htmx:before:swap", beforeSwap);
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (!ours.has(ctx)) return;
    pending -= 1;
    if (isUnforeseen(ctx)) unforeseen -= 1;
    while (unforeseen === 0 && waiting.length > 0) waiting.shift()();
  });
  document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
    if (!isNumber(ctx)) showFailure(ctx);
  });
  setInterval(tick, 250);
}
