// A room: polls its players and boards, counts down, and runs the clock of the race.
import { _ } from "../language.js";
import { clockText } from "../play/clock.js";

const main = document.querySelector("main[data-room]");
const SLOW = 5; // times slower in a hidden tab
const PATIENCE = 10_000; // milliseconds for an answer
const room = () => document.getElementById("room");
let timer = null;
let tag = main?.dataset.seen;
let isLeaving = false; // the page is about to go, and a poll would keep it
let isStaying = false; // the page will be replaced by a page of this room or the next

const wait = () => Number(room().dataset.wait) * (document.hidden ? SLOW : 1);

async function poll() {
  clearTimeout(timer);
  if (isLeaving) return;
  try {
    const url = `${main.dataset.room}?seen=${tag}`;
    const response = await fetch(url, { headers: { "HX-Request": "true" }, signal: AbortSignal.timeout(PATIENCE) });
    if (isLeaving) return;
    if (response.status === 410) return location.reload(); // the page of a room that is gone
    if (response.headers.get("Slidewise-Answer") === "room") await show(response);
  } catch {
    // offline: the game shows a notice, and the next poll tries again
  }
  timer = setTimeout(poll, wait());
}

async function show(response) {
  const text = await response.text();
  if (isLeaving) return;
  const { view } = room().dataset;
  tag = response.headers.get("Slidewise-Room");
  await htmx.swap({ text, target: room(), swap: "outerMorph", sourceElement: main });
  const { next } = room().dataset;
  isStaying = Boolean(next) || room().dataset.view !== view;
  if (next) location.assign(next);
  else if (isStaying) location.reload(); // the race has begun
}

// The start of the race on this page's clock: late by the way of the page's first byte, never early.
const sentAt = performance.getEntriesByType("navigation")[0]?.responseStart ?? performance.now();
const startsAt = sentAt + Number(main?.dataset.startsIn ?? 0) - Number(main?.dataset.raced ?? 0);

const isCounting = () => main.matches(".counting");

function countDown() {
  const left = Math.ceil((startsAt - performance.now()) / 1000);
  const words = document.getElementById("countdown");
  if (left > 0) {
    words.classList.add("number");
    if (words.textContent !== String(left)) words.textContent = left;
    return;
  }
  words.classList.remove("number");
  words.textContent = "";
  main.classList.remove("counting");
  document.getElementById("game").inert = false;
  document.getElementById("room-said").textContent = _("Go!");
}

function tick() {
  if (isCounting()) countDown();
  if (document.getElementById("won")) return;
  const clock = document.getElementById("race-clock");
  const text = clockText(Math.max(0, performance.now() - startsAt) / 1000).slice(0, -3);
  if (clock.textContent !== text) clock.textContent = text;
  requestAnimationFrame(tick);
}

// Keys and clicks wait for the start, as the server does.
function onClick(event) {
  if (!isCounting() || !event.target.closest("#game")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

// A race that is left is over for the player, so a slip does not leave it.
function onLeave(event) {
  const isPlaying = document.querySelector("main.race:not(:has(#won))") !== null;
  isLeaving = !isPlaying || confirm(_("Leave this race? You cannot come back to it."));
  if (!isLeaving) event.preventDefault();
}

// The answer replaces this page in the history: one step back leads out of the room.
async function onSubmit(event) {
  const { target: form, defaultPrevented } = event;
  isStaying = !defaultPrevented;
  if (defaultPrevented || !form.closest("#room, #leave, #finish")) return;
  event.preventDefault();
  const response = await fetch(form.action, { method: "post", body: new FormData(form) }).catch(() => null);
  if (response?.ok) location.replace(response.url);
  else form.submit(); // its answer is an error
}

document.addEventListener("click", onClick, { capture: true });
document.getElementById("leave")?.addEventListener("submit", onLeave);
addEventListener("submit", onSubmit);
// A player who closes or leaves the page is shown as away, until a page of the player polls again.
addEventListener("pagehide", () => isStaying || navigator.sendBeacon(main.dataset.away));
addEventListener("pageshow", ({ persisted }) => persisted && location.reload()); // back in a room that was left
document.addEventListener("visibilitychange", () => document.hidden || poll());
timer = setTimeout(poll, wait());
if (document.getElementById("race-clock")) tick();
