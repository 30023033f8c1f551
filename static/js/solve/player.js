// Player of a solution, also while it streams. Long solutions come in parts; the page holds one.
import { draw, format, parse, slide } from "../board.js";

let player = null; // { form, goal, total, step, boards, timer, wanted, fetching }

const replay = () => document.getElementById("replay"); // on the game's page only
const known = () => document.querySelectorAll("#steps button");
const piece = () => document.getElementById("piece"); // of a long solution only this part is here
const first = () => Number(piece().dataset.first); // the steps before it
const last = () => first() + known().length;
const still = () => document.querySelector(".stage .board.still");
const part = (name) => player.form.querySelector(`[data-go=${name}]`);
const STEP = { quick: 400, slow: 1200 }; // milliseconds, at 1×
let pace = () => undefined; // the milliseconds at a step, where a replay has its own
export const setPace = (given) => { pace = given; };
const delay = () => pace(player.step + 1) ?? (STEP[document.documentElement.dataset.speed] ?? 700) / Number(player.form.querySelector("[data-speed]").value);
export const isOpen = () => player !== null && !replay()?.hidden;

function boardAt(step) {
  const { boards } = player;
  const buttons = known();
  while (boards.length <= step - first())
    boards.push(slide(boards.at(-1), Number(buttons[boards.length - 1].dataset.tile)));
  return boards[step - first()];
}

export function go(step) {
  const wanted = Math.max(0, Math.min(step, player.total));
  const elsewhere = wanted > last() || (wanted <= first() && first() > 0);
  if (elsewhere && isWhole() && player.form.dataset.pieces) return fetchPiece(wanted);
  player.wanted = null; // what is still on its way was left
  show(Math.min(wanted, last()), player.step);
}

function show(step, before) {
  const buttons = known();
  player.step = step;
  if (replay()) replay().hidden = false;
  drawBoard(boardAt(step), buttons[step - first() - 1]);
  markMove(buttons, before);
  showPlace();
}

// Whether the part is complete and no step is still streaming
const isWhole = () => known().length >= Math.min(player.total - first(), Number(player.form.dataset.piece ?? player.total));

// While a part loads, only the last requested step counts
async function fetchPiece(step) {
  const { form } = player;
  player.wanted = step;
  if (player.fetching) return;
  player.fetching = true;
  try {
    while (player?.form === form && player.wanted !== null) {
      const wanted = player.wanted;
      const url = new URL(form.dataset.pieces, location.href);
      url.searchParams.set("step", wanted);
      const answer = await fetch(url, { headers: { "HX-Request": "true" } });
      if (!answer.ok) throw new Error(answer.status);
      const html = await answer.text();
      if (player?.form === form && player.wanted === wanted) takePiece(html, wanted);
    }
  } catch {
    if (player?.form !== form) return;
    pause();
    document.getElementById("step-text").textContent = "The next steps could not be fetched. Try again in a moment.";
  } finally {
    if (player?.form === form) player.fetching = false;
  }
}

function takePiece(html, step) {
  const hadFocus = piece().contains(document.activeElement);
  piece().outerHTML = html;
  Object.assign(player, { wanted: null, boards: [parse(piece().dataset.board)] });
  show(Math.min(step, last()), first());
  if (hadFocus) document.querySelector("#steps [aria-current]")?.focus({ preventScroll: true });
}

function drawBoard(board, current) {
  const tiles = still();
  draw(board, player.goal, (tile) => tiles.querySelector(`.t${tile}`));
  tiles.querySelector(".moved")?.classList.remove("moved");
  if (current) tiles.querySelector(`.t${current.dataset.tile}`).classList.add("moved");
  const cells = board.cells.map((tile, cell) => (tile || "blank") + ((cell + 1) % board.cols ? "" : ";"));
  tiles.setAttribute("aria-label", `Step ${player.step}: ${cells.join(" ").slice(0, -1)}`);
  document.getElementById("step-text").textContent = current?.title ?? "The start of the solution.";
}

// Mark the current move and those before it. Lists can be long: only changes are touched.
function markMove(buttons, before) {
  const step = player.step - first();
  const was = before - first();
  for (let i = Math.min(was, step); i < Math.max(was, step); i += 1)
    buttons[i]?.classList.toggle("past", i < step);
  document.querySelector("#steps [aria-current]")?.removeAttribute("aria-current");
  const current = buttons[step - 1];
  current?.setAttribute("aria-current", "step");
  const list = document.getElementById("steps"); // scroll it, and not the page
  if (!current) list.scrollTop = 0;
  else if (current.offsetTop < list.scrollTop
    || current.offsetTop + current.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = current.offsetTop - list.clientHeight / 2;
}

function showPlace() {
  const { form, step, total } = player;
  form.querySelector("output").textContent = [step, total].map((count) => count.toLocaleString("en")).join(" / ");
  form.querySelector("input[type=range]").value = step;
  part("prev").value = Math.max(0, step - 1);
  part("next").value = Math.min(total, step + 1);
  for (const end of ["x1", "x2"]) document.getElementById("profile-now")?.setAttribute(end, step);
  const playOn = document.querySelector("#play-on [name=moves]");
  if (playOn) playOn.value = [...known()].slice(0, step - first()).map((b) => b.dataset.move).join("");
  if (playOn) showNewPuzzle(playOn.form, first() > 0); // the page does not know all moves to a step so far on
  if (!player.timer) showAddress();
}

function showNewPuzzle(form, isFar) {
  const link = document.getElementById("play-position");
  form.hidden = isFar;
  link.hidden = !isFar;
  if (isFar) nameBoard(link);
}

function nameBoard(link) {
  const goal = link.getAttribute("href").match(/_[\d.-]+$/)?.[0] ?? "";
  link.href = link.getAttribute("href").replace(/\/play\/.*/, `/play/${format(boardAt(player.step))}${goal}`);
}

// On the replay page the URL names the step, and "play on" the board
function showAddress() {
  const link = document.getElementById("play-from-here");
  if (!link) return;
  nameBoard(link);
  const url = new URL(location.href);
  url.searchParams.set("step", player.step);
  history.replaceState(history.state, "", url);
}

function advance() {
  if (player.step >= player.total) return rest();
  player.timer = setTimeout(advance, delay());
  if (!player.fetching) go(player.step + 1);
}

function pause() {
  clearTimeout(player.timer);
  player.timer = null;
  showMode();
  showAddress();
}

// Announce the step at rest.
function rest() {
  pause();
  const line = document.getElementById("step-text");
  line.replaceChildren(line.textContent);
}

function play(wait = 150) {
  if (player.step >= player.total) go(0);
  player.timer = setTimeout(advance, wait);
  showMode();
}

// During playback, steps come too fast to be announced
function showMode() {
  const playing = player.timer !== null;
  player.form.classList.toggle("playing", playing);
  part("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  document.getElementById("step-text").setAttribute("aria-live", playing ? "off" : "polite");
}

export const togglePlay = () => (player.timer ? rest() : play());

export function stepBy(count) {
  pause();
  go(player.step + count);
}

function open(form) {
  close();
  const { start, goal, total, step } = form.dataset;
  player = { form, goal: parse(goal), total: Number(total), step: Number(step), boards: [parse(piece()?.dataset.board ?? start)], timer: null, wanted: null };
  form.querySelector("input[type=range]").addEventListener("input", (event) => {
    pause();
    go(Number(event.target.value));
  });
  if (!replay() || form.dataset.kept) return go(player.step);
  const { activeElement } = document;
  const wasInGame = activeElement === document.body || activeElement.closest("#game") !== null;
  replay().hidden = false;
  if (wasInGame) part("play").focus({ preventScroll: true }); // the game is hidden now
  // on phones it is above the Solve card; in landscape the board stays visible but the player does not
  (getComputedStyle(still()).position === "fixed" ? form : still()).scrollIntoView({ block: "nearest" });
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) play(900);
}

// A reload restores the shown solution, if storage is on and has room
const PARTS = ["live", "verdict", "solution", "replay"];

function keep() {
  if (!player || !isWhole()) return sessionStorage.removeItem("solution");
  pause();
  Object.assign(player.form.dataset, { step: player.step, kept: "yes" });
  const parts = PARTS.map((id) => document.getElementById(id).innerHTML.replace(/ style="[^"]*"/g, ""));
  sessionStorage.setItem("solution", JSON.stringify({ of: location.pathname, hidden: replay().hidden, parts }));
}

function restore() {
  const kept = JSON.parse(sessionStorage.getItem("solution"));
  if (kept?.of !== location.pathname || performance.getEntriesByType("navigation")[0]?.type === "navigate") return;
  PARTS.forEach((id, i) => {
    document.getElementById(id).innerHTML = kept.parts[i];
  });
  htmx.process(replay());
  findPlayer();
  replay().hidden = kept.hidden;
}

function attempt(action) {
  try {
    action();
  } catch {
    // the solution is lost on reload
  }
}

function close() {
  clearTimeout(player?.timer);
  player = null;
}

function leave() {
  pause();
  replay().hidden = true;
  document.querySelector("#game .tile")?.focus(); // and the board comes into sight
}

function findPlayer() {
  const form = document.getElementById("player");
  if (!form) close();
  else if (form !== player?.form) open(form);
}

function onSubmit(event) {
  if (event.target.id === "player") {
    event.preventDefault();
    pause();
    go(Number(event.submitter?.value ?? player.step));
  } else if (event.target.id === "play-on") {
    setTimeout(leave); // once the form has been read
  }
}

function onClick(event) {
  const target = event.target.closest("[data-go=play], #leave-replay");
  if (target?.id === "leave-replay") leave();
  else if (target) togglePlay();
}

export function start() {
  const stage = document.querySelector(".stage");
  if (!stage) return;
  new MutationObserver(findPlayer).observe(stage, { childList: true, subtree: true });
  document.addEventListener("submit", onSubmit);
  document.addEventListener("click", onClick);
  if (replay() && document.getElementById("solver")) {
    addEventListener("pagehide", () => attempt(keep));
    attempt(restore);
  }
  findPlayer();
}
