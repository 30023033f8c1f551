// The Solve card: its choices, and its state after a search. The htmx extension shows the stream of a search.
import "../../vendor/hx-sse-4.0.1.min.js";
import { load, make, opening, use } from "../dom.js";
import { _ } from "../language.js";
import { game } from "../play/view.js";
import { readText, writeText } from "../storage.js";

const algorithm = document.getElementById("algorithm");
const solver = document.getElementById("solver");
const job = document.getElementById("job"); // holds the number of the search that runs

// Options unused by the algorithm are disabled; a long wait is announced.
function showChoices() {
  const { dataset } = algorithm.selectedOptions[0];
  document.getElementById("heuristic").disabled = dataset.heuristic === "no";
  for (const label of document.querySelectorAll("[data-option]")) {
    label.classList.remove("unused"); // as the page came
    label.hidden = !dataset.options.split(" ").includes(label.dataset.option);
  }
  document.getElementById("forecast").textContent = dataset.forecast;
}

// Stop replaces Solve during a search, so the focus moves on.
function moveFocus() {
  const [from, to] = job.firstElementChild ? ["solve-button", "stop"] : ["stop", "solve-button"];
  if (document.activeElement?.id === from) document.getElementById(to).focus({ preventScroll: true });
}

// A verdict without a solution may be below the fold; with one, the player shows the board.
function showVerdict() {
  const verdict = document.getElementById("verdict");
  if (verdict.firstElementChild && !document.getElementById("player")) verdict.scrollIntoView({ block: "nearest" });
}

function forgetLastSearch({ target, submitter }) {
  if (target.id !== "solve" || submitter?.hasAttribute("formaction")) return;
  job.replaceChildren();
  solver.classList.remove("moved");
}

// A search's bounds hold only for the board that it started from.
function onChange({ detail: { from, to } }) {
  if (from?.board !== to?.board) solver.classList.add("moved");
}

function onStreamClosed({ target }) {
  if (target.id !== "solve" || !job.firstElementChild) return; // the search has ended already
  if (document.getElementById("waiting")) return; // the search goes back into the queue
  showBrokenOff();
}

// Without a connection the browser solves the board itself, if it has an engine for the chosen search.
function onLost(event) {
  const { sourceElement } = event.detail.ctx ?? {};
  if (sourceElement?.id !== "solve" || algorithm.value !== "best" || !document.getElementById("solved-here")) return;
  event.stopImmediatePropagation(); // the game would show that it needs the server
  load("solve/here.js").then((here) => here.solveHere()).catch(showBrokenOff);
}

// The player loads with the first search, whose answer waits for it.
function onRequest({ detail: { ctx } }) {
  if (ctx.sourceElement.id !== "solve") return;
  const player = loadPlayer();
  ctx.fetch = async (...args) => {
    const response = await fetch(...args);
    await player;
    if (response.status >= 500 && !response.headers.has("Slidewise-Answer")) throw new TypeError("an answer of a proxy");
    return response;
  };
}

const loadPlayer = () => use("solve/player.js"); // without it a step is a link

function showBrokenOff() {
  job.replaceChildren();
  document.getElementById("live").replaceChildren();
  const text = _("The search stopped because the server cannot be reached. Solve again in a moment.");
  document.getElementById("verdict").replaceChildren(make("p", "refused", text));
  showVerdict();
}

// A field's error disappears when the field changes.
function onInput({ target }) {
  if (!target.matches("#solve [aria-invalid]")) return;
  target.removeAttribute("aria-invalid");
  document.getElementById("wrong").remove();
}

// After a key press the player looks at the board, so the card may be out of view.
function announceSearch() {
  const typed = document.getElementById("typed");
  document.addEventListener("submit", ({ target, submitter }) => {
    if (target.id === "solve" && !submitter?.hasAttribute("formaction")) typed.textContent = _("Looking for a solution …");
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx.sourceElement.id === "solve") typed.textContent = "";
  });
}

// The list of algorithms stays open for visitors who used it last.
const OPEN = "algorithms";

function keepOpen() {
  const details = document.getElementById(OPEN);
  const keep = () => writeText(OPEN, details.open ? "open" : null);
  details.open ||= readText(OPEN) === "open";
  keep(); // it may have been opened before this was there
  details.addEventListener("toggle", keep);
}

if (algorithm) {
  algorithm.addEventListener("change", showChoices);
  showChoices();
}
if (job) {
  game.addEventListener("change", onChange);
  new MutationObserver(moveFocus).observe(job, { childList: true });
  if (opening() !== "navigate") loadPlayer(); // for the last solution
  document.addEventListener("htmx:config:request", onRequest);
  document.addEventListener("submit", forgetLastSearch, { capture: true }); // before htmx leaves it
  document.addEventListener("htmx:sse:after:message", showVerdict);
  document.addEventListener("htmx:sse:close", onStreamClosed);
  document.addEventListener("htmx:error", onLost, { capture: true }); // before the page's
  document.addEventListener("input", onInput);
  announceSearch();
  keepOpen();
}
