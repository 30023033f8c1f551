// Keys of speed mode: Esc restarts the puzzle, N goes to the next.
import { replay } from "../keys.js";
import { CHOICE } from "../new.js";
import { read } from "../../storage.js";
import { setting } from "../../storage.js";

// Like "Next puzzle": the stored choice, else a puzzle like this one
function next() {
  const button = document.getElementById("next-puzzle");
  if (button) return button.click();
  const choice = read(CHOICE);
  const { href, dataset } = document.getElementById("new-game");
  location.assign(choice.size ? `${href}?${new URLSearchParams(choice)}` : dataset.nextUrl);
}

function onKey(event, isOn, onRestart) {
  const { key, target } = event;
  if (!isOn() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches("input, select, textarea") || document.querySelector("dialog[open]")) return;
  if (key === "Escape" && !replay.isOpen()) {
    document.querySelector("#restart:not([aria-disabled=true])")?.click();
    onRestart();
  } else if (key.toLowerCase() === "n" && setting("single-keys") !== "off") next();
  else return;
  event.preventDefault();
}

export const start = (isOn, onRestart) =>
  document.addEventListener("keydown", (event) => onKey(event, isOn, onRestart));
