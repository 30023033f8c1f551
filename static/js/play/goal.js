// The goals with a name. While the goal is pressed or O is held, the board shows it: only the style
// changes (new.css), not the game.
import { _ } from "../language.js";
import { inGame } from "./keys.js";
import { setting } from "../storage.js";

const button = document.getElementById("hold-goal");

const rowsOf = (cells, cols) =>
  Array.from({ length: Math.ceil(cells.length / cols) }, (_, row) => cells.slice(row * cols, (row + 1) * cols));

// Each with its words, and the cells of the goal with the size of a board
export const GOALS = {
  "blank last": { words: "", arrange: ({ cells }) => cells.map((tile, cell) => (cell + 1) % cells.length) },
  "blank first": { words: _("blank first"), arrange: ({ cells }) => [...cells.keys()] },
  spiral: {
    words: _("spiral"),
    arrange({ cols, cells }) {
      let rows = rowsOf([...cells.keys()], cols);
      const way = [];
      while (rows.length > 0) {
        way.push(...rows.shift());
        rows = (rows[0] ?? []).map((first, col) => rows.map((row) => row[col])).reverse(); // a quarter turn
      }
      return cells.map((tile, cell) => (way.indexOf(cell) + 1) % cells.length);
    },
  },
};

function show(isHeld) {
  document.getElementById("game").classList.toggle("goal-held", isHeld);
}

function onKeyDown(event) {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const isPress = target === button && (key === " " || key === "Enter");
  const isShortcut = key.toLowerCase() === "o" && !ctrlKey && !metaKey && !altKey
    && setting("single-keys") !== "off" && (target === button || inGame(target, key));
  if (!isPress && !isShortcut) return;
  event.preventDefault();
  show(true);
}

export function start() {
  button.addEventListener("pointerdown", (event) => {
    if (event.button === 0) show(true);
  });
  button.addEventListener("mousedown", (event) => event.preventDefault()); // the focus stays in the game
  button.addEventListener("contextmenu", (event) => event.preventDefault()); // a long press on a phone
  document.addEventListener("keydown", onKeyDown);
  for (const name of ["pointerup", "pointercancel", "keyup"]) document.addEventListener(name, () => show(false));
  addEventListener("blur", () => show(false));
}
