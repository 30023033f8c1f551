// The live board: tiles move at once, and the server's fragment confirms.
import { draw, parse, format, slide } from "./board.js";

const game = document.getElementById("game");
let pending = 0; // clicks that the server has not answered yet

export const play = () => document.getElementById("play");
export const board = () => parse(play().dataset.board);

// Move the tiles as the server will; a tile that cannot move is left to the server to explain.
function moveAtOnce(tile) {
  const after = slide(board(), tile);
  if (!after) return;
  play().dataset.board = format(after);
  document.getElementById("from-here").value = format(after);
  game.querySelectorAll(".moved").forEach((old) => old.classList.remove("moved"));
  draw(after, parse(play().dataset.goal), (n) => document.getElementById(`t${n}`));
  document.getElementById(`t${tile}`).classList.add("moved");
}

export function press(tile) {
  document.getElementById(`t${tile}`)?.click();
}

const inQueue = (ctx) => ctx?.target?.id === "play";

function showFailure(ctx) {
  const notice = document.getElementById("notice");
  const text = document.createElement("div");
  text.className = "notice";
  text.textContent = "The server cannot be reached. Your game is kept as it last answered; "
    + "try again in a moment, or reload the page.";
  notice.replaceChildren(text);
  if (inQueue(ctx)) undoLocalMoves();
}

// Show again what the server knows, since what it did not hear of did not happen.
async function undoLocalMoves() {
  try {
    const response = await fetch(location.pathname, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.getElementById("play");
    if (fresh) htmx.swap({ text: fresh.outerHTML, target: play(), swap: "outerMorph", sourceElement: game });
  } catch {
    // still not there: the notice says what to do
  }
}

function tick() {
  const clock = document.getElementById("clock");
  if (!clock?.dataset.started || clock.dataset.finished) return;
  const seconds = Math.max(0, Math.floor(Date.now() / 1000 - Number(clock.dataset.started)));
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
    if (inQueue(ctx)) pending += 1;
  });
  // an answer that later clicks have overtaken would move tiles back for a moment
  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx } = event.detail;
    if (inQueue(ctx) && pending > 1 && ctx.response?.status < 400) event.preventDefault();
    if (ctx?.response?.status < 400) document.getElementById("notice").replaceChildren();
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (inQueue(ctx)) pending -= 1;
  });
  document.addEventListener("htmx:error", ({ detail: { ctx } }) => showFailure(ctx));
  setInterval(tick, 250);
}
