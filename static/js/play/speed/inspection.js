// Inspection: tiles are covered until the player uncovers them. The penalty depends on the time from
// there to the first move.
import { button, make } from "./elements.js";
import { _, ngettext } from "../../language.js";
import { setting } from "../../storage.js";
import { INSPECTION_SECONDS, LONGEST_INSPECTION_SECONDS, inspectionPenalty } from "./times.js";

// Seconds until the judge's calls (WCA A3a4) and until penalties
const CALLS = [8, 12, INSPECTION_SECONDS, LONGEST_INSPECTION_SECONDS];
const game = document.getElementById("game");
let parts; // { time, below, status }
let look; // the button
let since = null; // time of uncovering the tiles, null outside an inspection
let called = 0;
let pressed = false; // whether the press that goes on uncovered the tiles

export const isCovered = () => game.classList.contains("covered");
export const isOn = () => setting("inspection") === "on";

// Cover an unstarted game if inspection is on.
export function ready(canBegin) {
  since = null;
  const covers = canBegin && isOn();
  game.classList.toggle("covered", covers);
  look.hidden = !covers;
}

function uncover() {
  ready(false);
  since = performance.now();
  called = 0;
  document.querySelector("#board button:not([tabindex='-1'])")?.focus({ preventScroll: true });
  requestAnimationFrame(tick);
}

function tick() {
  if (since === null) return;
  const seconds = (performance.now() - since) / 1000;
  parts.below.textContent = _("inspection");
  parts.time.textContent = seconds <= INSPECTION_SECONDS ? Math.ceil(INSPECTION_SECONDS - seconds)
    : inspectionPenalty(1000 * seconds);
  if (seconds > CALLS[called]) say(inspectionPenalty(1000 * seconds) || ngettext("%(num)s second", "%(num)s seconds", CALLS[called]));
  if (seconds <= LONGEST_INSPECTION_SECONDS) requestAnimationFrame(tick);
}

function say(words) {
  parts.status.textContent = words;
  called += 1;
}

// The first move was made: compute the penalty
export function end(moment) {
  const penalty = since === null ? "" : inspectionPenalty(moment - since);
  ready(false);
  if (called > 0) parts.status.textContent = "";
  called = 0;
  return penalty;
}

function onPress(event) {
  pressed = isCovered() && event.target.closest("#board") !== null;
  if (!pressed) return;
  event.stopPropagation();
  uncover();
}

function onClick(event) {
  if (!event.target.closest("#board") || !(isCovered() || (pressed && event.detail > 0))) return;
  pressed = false;
  event.preventDefault();
  event.stopPropagation();
  if (isCovered()) uncover();
}

function onKey(event) {
  if (event.key !== " " || !isCovered() || event.target.matches("button, summary, a, input, select, textarea")) return;
  event.preventDefault();
  uncover();
}

export function start(shown) {
  parts = shown;
  look = button(_("Start inspection"), { hidden: "", "aria-keyshortcuts": "Space" }, uncover);
  look.append(make("span", { class: "for-keys" }, ` ${_("(Space)")}`));
  document.addEventListener("pointerdown", onPress, true);
  document.addEventListener("click", onClick, true);
  document.addEventListener("keydown", onKey);
  return look;
}
