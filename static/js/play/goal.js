// While the goal is pressed or O is held, the board shows it: only the style
// changes (new.css), not the game.
import { inGame } from "./keys.js";
import { setting } from "../storage.js";

const button = document.getElementById("hold-goal");

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
