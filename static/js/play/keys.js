// The keyboard, while the focus is in the game or nowhere.
import { board, play, press, whenKnown } from "./game.js";
import * as player from "../solve/player.js";
import { setting } from "../site/settings.js";
import { OPPOSITE, tileMoving } from "../board.js";

const DIRECTIONS = {
  ArrowUp: "U", ArrowDown: "D", ArrowLeft: "L", ArrowRight: "R", w: "U", s: "D", a: "L", d: "R",
};
const FORGOTTEN = 4000; // milliseconds without another digit
let typed = ""; // the digits of a tile's number, until Enter
let timer = null;

function inGame(element, key) {
  if (element.matches("input:not([type=range]), select, textarea")) return false;
  return element === document.body || element.closest("#game, #replay, [data-replay] .stage, #steps") !== null
    || (key.startsWith("Arrow") && element.matches("button, summary") && !element.closest("dialog"));
}

function setTyped(digits, words = digits && `Tile ${digits}: Enter moves it`) {
  typed = digits;
  clearTimeout(timer);
  if (typed) timer = setTimeout(() => setTyped(""), FORGOTTEN);
  const place = document.getElementById("typed");
  if (place) place.textContent = words;
}

function number(key) {
  const isTile = (digits) => Number(digits) > 0 && Number(digits) < board().cells.length;
  if (/^[0-9]$/.test(key)) {
    const digits = [typed + key, key].find(isTile);
    if (digits) setTyped(digits);
    else setTyped("", `There is no tile ${typed + key}`);
  } else if (key === "Backspace" && typed) setTyped(typed.slice(0, -1));
  else if (key === "Escape" && typed) setTyped("");
  else if (key === "Enter" && typed) {
    const tile = Number(typed);
    whenKnown(() => press(tile));
    setTyped("");
  } else return false;
  return true;
}

function inReplay(key, target) {
  if (key === " " && !target.matches("button")) player.togglePlay();
  else if (key === "," || key === "ArrowLeft") player.stepBy(-1);
  else if (key === "." || key === "ArrowRight") player.stepBy(1);
  else return false;
  return true;
}

function inPlay(key) {
  if (number(key)) return true;
  setTyped("");
  const direction = DIRECTIONS[key];
  if (direction) {
    const way = setting("arrows") === "blank" ? OPPOSITE[direction] : direction;
    whenKnown(() => press(tileMoving(board(), way)));
    return true;
  }
  const button = { u: "undo", r: "redo", h: "hint" }[key];
  if (!button) return false;
  document.getElementById(button)?.click(); // a lesson may hide it
  return true;
}

// Undo and redo as other programs have them, with Ctrl or Command
function shortcut({ key, shiftKey, altKey, target }) {
  if (altKey || !play() || player.isOpen() || !inGame(target, key)) return false;
  const button = { z: shiftKey ? "redo" : "undo", y: shiftKey ? undefined : "redo" }[key.toLowerCase()];
  if (button) document.getElementById(button).click();
  return button !== undefined;
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey) {
    if (shortcut(event)) event.preventDefault();
    return;
  }
  if (event.altKey || !inGame(event.target, event.key)) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const single = key.length === 1 && key !== " ";
  if (single && setting("single-keys") === "off") return;
  if (event.target.matches("input[type=range]") && key.startsWith("Arrow")) return;
  let done = false;
  if (key === "g" && play()) {
    whenKnown(() => document.getElementById("solve-button")?.click());
    done = true;
  } else if (key === "f") {
    import("./screen.js").then((screen) => screen.toggleFullScreen());
    done = true;
  } else if (player.isOpen()) done = inReplay(key, event.target);
  else if (play()) done = inPlay(key);
  if (done) event.preventDefault();
}

export function start() {
  document.addEventListener("keydown", onKey);
  // A number is for the next key, and for nothing that is done otherwise
  for (const name of ["focusin", "pointerdown"])
    document.addEventListener(name, () => typed && setTyped(""));
}
