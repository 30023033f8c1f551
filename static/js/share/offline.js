// Entry point of a solution's offline file: the player and its keys.
import { stepBy, start as startPlayer, togglePlay } from "../solve/player.js";

function onKey(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches("select")) return;
  if (key.startsWith("Arrow") && target.matches("input")) return;
  if (key === " " && !target.matches("button, a")) togglePlay();
  else if (key === "," || key === "ArrowLeft") stepBy(-1);
  else if (key === "." || key === "ArrowRight") stepBy(1);
  else return;
  event.preventDefault();
}

export function start() {
  document.documentElement.classList.add("js");
  startPlayer();
  document.addEventListener("keydown", onKey);
}
