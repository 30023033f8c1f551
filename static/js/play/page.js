// The parts of a game's page other than its board. When nothing waits for an answer, htmx swaps the
// server's fragment in, which has the last word.
import { _, gameText } from "../language.js";
import { make, use } from "../dom.js";
import { clock } from "./clock.js";
import * as connection from "./connection.js";
import * as figures from "./figures.js";
import * as finish from "./finish.js";
import { isShared, isSolved, isUntouched } from "../game/position.js";
import { Server } from "../game/server.js";
import * as tabs from "./tabs.js";
import { store as write } from "../game/store.js";
import { act, drawn, game, gameUrl, isSettled, play, refusal, showPart, swapIn } from "./view.js";
import { reason, sentence } from "./words.js";

const PATIENCE = 5000; // milliseconds that a link waits for the server
const HINT_PATIENCE = 1000; // milliseconds until the browser looks for a hint too

export const store = () => write(gameUrl(), game.confirmed, game.queue, clock.stored());

// The clock goes on after a reload. Before stored moves are shown, and without moves, nothing is stored.
function onLeave() {
  const isBegun = game.queue.length > 0 || !isUntouched(game.confirmed);
  if (isBegun && document.documentElement.dataset.resumed !== undefined) store();
}

function onChange({ detail: { from, to, cause, action } }) {
  if (action?.isStored && action.played !== null) clock.goOnFrom(action.played);
  store();
  const isMove = action && to && cause !== "hint";
  if (isMove) clock.follow(cause, from, to);
  if (to) showFigures();
  if (isMove && !action.isStored) figures.announce(cause, action.tile, from, to);
  if (cause === "other-board")
    document.getElementById("typed").textContent = _("The board now shows your game as it is on the server.");
  if (!action || action.isStored) document.getElementById("said").replaceChildren(); // of another position
  if (!action) return;
  document.getElementById("to-go-said").replaceChildren(); // of the board before
  connection.showLost();
  reportShown();
}

const reportShown = () => game.dispatchEvent(new Event("shown"));

function showFigures() {
  figures.show(drawn());
  const place = document.getElementById("finish");
  showPart("#won", isSettled() && drawn().moves > 0, place, "won-template", finish.fill);
}

const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

// Show the fragment, unless the player went on
async function onAnswer({ detail: { answer, batch, isOvertaken, isRefused } }) {
  const { kind, html, position } = answer;
  const isFinish = batch && position && position.board === position.goal;
  if (isFinish) await finish.noteProgress(parsed(html)); // if the page is left, the next sends it
  store();
  if (kind === "notice") showError(html);
  else if (position && batch && isOvertaken) finish.noteUnshown(parsed(html));
  else if (position && !isOvertaken) {
    await swapIn(html);
    if (batch && (isRefused || !isShared(batch[0]) || !figures.saysFinish)) copyWords(parsed(html));
  }
  if (batch && position) tabs.send(answer, batch);
  if (isOvertaken || game.queue.length > 0) return;
  if (position) clock.takeFromServer(batch && kind === "board" ? batch.at(-1).played : null);
  game.dispatchEvent(new Event("sent"));
}

// Words that only the server knows: a hint, a refusal, a place in a race
function copyWords(page) {
  const [said, { className, textContent }] = [document.getElementById("said"), page.getElementById("said")];
  said.className = className;
  if (said.textContent !== textContent) said.textContent = textContent;
  if (className === "hinted") said.scrollIntoView({ block: "nearest" });
}

function showError(html) {
  document.getElementById("notice").innerHTML = html;
  game.refresh();
}

function onRefused() {
  const { why, tile } = refusal;
  if (why !== "over") refuse(reason(why, game.shown, tile));
}

export function refuse(why) {
  const said = document.getElementById("said");
  said.className = "refused";
  said.textContent = sentence(why);
}

const isNumber = (ctx) => ctx.sourceElement?.dataset?.of !== undefined; // fetched without a click

function onRequest(event) {
  const { ctx } = event.detail;
  if (isNumber(ctx) && figures.isExact(numbered(ctx))) return event.preventDefault(); // the page knows it
  if (isNumber(ctx)) return;
  if (!connection.isLost()) document.getElementById("notice").replaceChildren(); // earlier notices are outdated
  if (["review", "review-at"].includes(ctx.target?.id))
    Object.assign(ctx, { fetch: fetchReview, reviewed: shownNow() });
  if (ctx.target?.id !== "play" || !ctx.request.action.endsWith("/hint")) return;
  event.preventDefault();
  const { body } = ctx.request;
  game.whenKnown(() => takeHint(body));
}

// The server's hint, or the browser's own if that takes long.
function takeHint(body) {
  if (isSolved(drawn())) return refuse(gameText("is-solved"));
  if (document.getElementById("unsolvable")) return refuse(gameText("is-unsolvable"));
  if (connection.isServerless() && !figures.canCompute()) return refuse(_("hints are for boards of up to 16 cells"));
  if (game.queue.at(-1)?.name === "hint") return; // it is under way
  act("hint", body);
  const action = game.queue.at(-1);
  if (action) document.getElementById("hint").ariaBusy = "true"; // until the answer or a move
  const showOwn = () => {
    if (!action || game.queue.includes(action)) use("play/hint.js", (hint) => hint.show(action)).catch(() => {});
  };
  setTimeout(showOwn, connection.isLost() ? 0 : HINT_PATIENCE);
}

const shownNow = () => `${play().dataset.board} ${play().dataset.moves}`;

const fetchReview = (...request) => whenSent().then(() => fetch(...request)); // it is of the server's game

// Board of a requested number of moves left
const numbered = ({ sourceElement: { id, dataset } }) => (id === "to-go" ? play().dataset.board : dataset.of);

// Accept a number only for the board that is shown.
function checkNumber(event) {
  const { ctx } = event.detail;
  const [kind, of] = ["Slidewise-Answer", "Slidewise-Board"].map((name) => ctx.response.headers.get(name));
  if (kind !== "moves-left" || of !== numbered(ctx)) event.preventDefault();
}

const WANTED = {
  solve: _("Try Solve again later."), "open-review": _("Open the review later."),
  "share-result": _("Share your result later."),
};

// A request other than a move failed; it is not retried.
export function showFailure(source) {
  connection.needsServer(WANTED[source?.id] ?? _("Try again later."));
  if (connection.isLost()) return;
  const words = _("The server cannot be reached. Your game is stored; try again in a moment.");
  document.getElementById("notice").replaceChildren(make("div", "notice", words));
}

function beforeSwap(event) {
  const { ctx } = event.detail;
  if (isNumber(ctx)) checkNumber(event);
  if (ctx.reviewed && ctx.reviewed !== shownNow()) event.preventDefault(); // the game went on
}

// Settles once the server has the game, or soon.
export function whenSent() {
  if (!game || game.queue.length === 0 || connection.isLost()) return Promise.resolve();
  return new Promise((resolve) => {
    game.addEventListener("sent", resolve, { once: true });
    setTimeout(resolve, PATIENCE);
  });
}

let followed = null; // the link that has waited for the server

// Pages about this game show the server's copy, so links wait for it.
async function onLink(event) {
  const link = event.target.closest("a[href]");
  const isOfGame = link && new URL(link.href).pathname.startsWith(`${gameUrl()}/`);
  if (!isOfGame || link.matches("[hx-get*='/review']") || link === followed) return;
  if (game.queue.length === 0 || connection.isLost()) return;
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

// Actions that were made before this code was there
function catchUp() {
  const [first] = game.queue;
  const before = clock.played();
  for (const action of game.queue) {
    action.played = clock.goOnFrom(before + action.at - first.at);
    if (action.after) clock.follow(action.name, action.from, action.after);
  }
  if (!first) return;
  store();
  if (!isSettled()) clock.goOnFrom(before + Date.now() - first.at);
  const { name, tile, from, after } = game.queue.at(-1);
  showFigures();
  if (after) figures.announce(name, tile, from, after);
}

export function start() {
  if (!game) return;
  clock.start(game.confirmed);
  figures.start();
  document.getElementById("said").setAttribute("hx-morph-skip", ""); // the page announces by itself
  game.addEventListener("change", onChange);
  game.addEventListener("answer", onAnswer);
  game.addEventListener("refused", onRefused);
  for (const onClick of [onLink, onSolve]) document.addEventListener("click", onClick, { capture: true });
  document.addEventListener("htmx:config:request", onRequest);
  document.addEventListener("htmx:before:swap", beforeSwap);
  document.addEventListener("htmx:after:swap", () => {
    figures.show(drawn());
    reportShown();
  });
  document.addEventListener("visibilitychange", () => document.hidden && onLeave());
  for (const name of ["pagehide", "blur"]) addEventListener(name, onLeave); // another tab may go on
  document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
    if (ctx && !isNumber(ctx)) showFailure(ctx.sourceElement);
  });
  const server = connection.isStatic ? null : new Server(gameUrl(), { search: location.search });
  connection.start(server);
  tabs.start(server).finally(() => {
    game.goOn(); // clicks wait no longer, even after an error
    clock.recall();
    document.documentElement.dataset.resumed = "";
  });
  catchUp(); // now that what earlier pages have stored is read
  if (refusal) onRefused();
  finish.start();
  game.connect(server, () => clock.carry());
}
