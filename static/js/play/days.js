// The page of the days tells which of their puzzles this browser has seen solved.
import { DAYS, moves, read } from "./records.js";
import { clockText } from "./clock.js";

function tell() {
  const days = read(DAYS);
  const solved = (day) => Number.isInteger(days[day]?.moves) && Number.isInteger(days[day].seconds);
  for (const place of document.querySelectorAll("[data-daily]")) {
    const { daily } = place.dataset;
    place.hidden = !solved(daily);
    if (place.hidden) continue;
    const { moves: made, seconds, helped } = days[daily];
    place.textContent = `Solved: ${moves(made)}, ${clockText(seconds)}${helped ? ", with help" : ""}`;
  }
  for (const place of document.querySelectorAll("[data-solved-of]")) {
    const count = ["3x3", "4x4"].filter((size) => solved(`${place.dataset.solvedOf} ${size}`)).length;
    place.textContent = ["", "1 of 2 solved", "both solved"][count];
  }
}

export function start() {
  tell();
  addEventListener("pageshow", tell); // back from a game
}
