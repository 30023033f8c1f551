// The keyboard, while the focus is in the game or nowhere.
import { board, play, press, whenKnown } from "./game.js";
import * as player from "./player.js";
import { setting } from "./settings.js";
import { OPPOSITE, tileMoving } from "./board.js";

const DIRECTIONS = {
  ArrowUp: "U", ArrowDown: "D", ArrowLeft: "L", ArrowRight: "R", w: "U", s: "D", a: "L", d: "R",
};
let typed = ""; // the digits of a tile's number, until Enter

function inGame(element) {
  if (element.matches("input:not([type=range]), select, textarea")) return false;
  return element === document.body || element.closest("#game, #replay, [data-replay] .stage, #steps") !== null;
}

function showTyped() {
  const place = document.getElementById("typed");
  if (place) place.textContent = typed && `Tile ${typed}: Enter moves it`;
}

function number(key) {
  if (/^[0-9]$/.test(key)) typed = (typed + key).slice(-3);
  else if (key === "Backspace" && typed) typed = typed.slice(0, -1);
  else if (key === "Escape" && typed) typed = "";
  else if (key === "Enter" && typed) {
    const tile = document.getElementById(`t${Number(typed)}`);
    const field = document.querySelector("#by-number [name=tile]");
    const tileNumber = Number(typed);
    if (tile?.matches("button")) whenKnown(() => press(tileNumber));
    else { // the server says which tiles there are
      field.value = typed;
      field.form.requestSubmit();
      field.value = "";
    }
    typed = "";
  } else return false;
  showTyped();
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
  const direction = DIRECTIONS[key];
  if (direction) {
    const way = setting("arrows") === "blank" ? OPPOSITE[direction] : direction;
    whenKnown(() => press(tileMoving(board(), way)));
    return true;
  }
  const button = { u: "undo", r: "redo", h: "hint" }[key];
  if (!button) return number(key);
  document.getElementById(button)?.click(); // a lesson may hide it
  return true;
}

// Undo and redo as other programs have them, with Ctrl or Command
function shortcut({ key, shiftKey, altKey, target }) {
  if (altKey || !play() || player.isOpen() || !inGame(target)) return false;
  const button = { z: shiftKey ? "redo" : "undo", y: shiftKey ? undefined : "redo" }[key.toLowerCase()];
  if (button) document.getElementById(button).click();
  return button !== undefined;
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey) {
    if (shortcut(event)) event.preventDefault();
    return;
  }
  if (event.altKey || !inGame(event.target)) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const single = key.length === 1 && key !== " ";
  if (single && setting("single-keys") === "off") return;
  if (event.target.matches("input[type=range]") && key.startsWith("Arrow")) return;
  let done = false;
  if (key === "g" && play()) {
    whenKnown(() => document.getElementById("give-up")?.click());
    done = true;
  } else if (player.isOpen()) done = inReplay(key, event.target);
  else if (play()) done = inPlay(key);
  if (done) event.preventDefault();
}

export function start() {
  document.addEventListener("keydown", onKey);
}
