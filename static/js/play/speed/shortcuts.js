// The keys of speed mode: Esc begins the puzzle again, N goes to the next.
import { gameUrl } from "../connection.js";
import { play } from "../game.js";
import { setting } from "../../site/settings.js";
import * as player from "../../solve/player.js";

// The next puzzle as the page offers it, else another of this size
function nextUrl() {
  const offered = document.querySelector("[data-next]")?.dataset.next
    ?? document.querySelector("#won a[href*='/new?']")?.href;
  const rows = play().dataset.goal.split("-");
  return offered ?? gameUrl().replace(/\/play\/.*/, `/new?size=${rows.length}x${rows[0].split(".").length}`);
}

function onKey(event, isOn, onRestart) {
  const { key, target } = event;
  if (!isOn() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches("input, select, textarea") || document.querySelector("dialog[open]")) return;
  if (key === "Escape" && !player.isOpen()) {
    document.getElementById("restart")?.click();
    onRestart();
  } else if (key.toLowerCase() === "n" && setting("single-keys") !== "off") location.assign(nextUrl());
  else return;
  event.preventDefault();
}

export const start = (isOn, onRestart) =>
  document.addEventListener("keydown", (event) => onKey(event, isOn, onRestart));
