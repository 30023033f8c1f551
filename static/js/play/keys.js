// Keyboard control, while the focus is in the game or nowhere. The board is a single tab stop.
import { board, game, isSettled, play, press, showSettled, whenKnown } from "./view.js";
import { setting } from "../storage.js";
import { DIRECTIONS, OPPOSITE, beside, tileMoving } from "../board.js";
import { _ } from "../language.js";
import { use } from "../dom.js";

// Views in place of the game, and their keys: solve/player.js and review.js fill these in
export const replay = { isOpen: () => false };
export const review = { isOpen: () => false };

const FORGOTTEN = 4000; // milliseconds without another digit
// The digits of a tile's number, until Enter. Without a tile of that number, Enter presses nothing else.
const entry = { digits: "", isRefused: false, timer: null };

function inGame(element, key) {
  if (element.matches("input:not([type=range]), select, textarea")) return false;
  return element === document.body || element.closest("#game, #finish, #practice, #replay, [data-replay] .stage, #steps") !== null
    || (key.startsWith("Arrow") && element.matches("button, summary") && !element.closest("dialog"));
}

function setTyped(digits, words = digits && _("Press Enter to move tile %(tile)s", { tile: digits })) {
  entry.digits = digits;
  entry.isRefused = !digits && words !== "";
  clearTimeout(entry.timer);
  if (digits) entry.timer = setTimeout(() => setTyped(""), FORGOTTEN);
  const line = document.getElementById("typed");
  if (line) line.textContent = words;
}

function number(key) {
  const { digits: typed } = entry;
  const isTile = (digits) => Number(digits) > 0 && Number(digits) < board().cells.length;
  if (/^[0-9]$/.test(key)) {
    const next = [typed + key, key].find(isTile);
    if (next) setTyped(next);
    else setTyped("", _("There is no tile %(tile)s", { tile: typed + key }));
  } else if (key === "Backspace" && typed) setTyped(typed.slice(0, -1));
  else if (key === "Escape" && typed) setTyped("");
  else if (key === "Enter" && typed) {
    const tile = Number(typed);
    whenKnown(() => press(tile));
    setTyped("");
  } else if (key === "Enter" && entry.isRefused) setTyped("");
  else return false;
  return true;
}

const tiles = () => [...document.querySelectorAll("#board .tile")];
const focused = () => document.activeElement.closest?.("#board .tile");

// The focus follows a focused tile that moves.
function slideThatWay(way) {
  const tile = tileMoving(board(), way);
  press(tile);
  say(tile ? "" : _("No tile can move that way."));
  if (tile && focused()) document.getElementById(`t${tile}`).focus({ preventScroll: true });
}

// Shift and arrows move the focus from tile to tile, also across the blank.
function focusBeside(key) {
  document.getElementById(`t${beside(board(), Number(focused().value), DIRECTIONS[key])}`)?.focus();
}

let stopHere = ""; // the tile that had the focus last, by its id

// The tab stop is the tile focused last, or the first movable tile.
function keepOneStop() {
  const all = tiles();
  const isOwnStop = setting("tile-stops") === "each";
  stopHere = focused()?.id ?? stopHere;
  const stop = all.find((tile) => tile.id === stopHere)
    ?? all.find((tile) => tile.dataset.way) ?? all[0];
  for (const tile of all)
    if (isOwnStop) tile.removeAttribute("tabindex");
    else tile.tabIndex = tile === stop ? 0 : -1;
}

function readAloud() {
  const { cols, cells } = board();
  const rows = [];
  for (let i = 0; i < cells.length; i += cols)
    rows.push(_("Row %(number)s: %(tiles)s.", {
      number: rows.length + 1, tiles: cells.slice(i, i + cols).map((tile) => tile || _("blank")).join(", "),
    }));
  say(rows.join(" "));
}

function say(words) {
  const line = document.getElementById("review-said");
  line.textContent = "";
  requestAnimationFrame(() => { line.textContent = words; }); // a repeated text is announced again
}

const isInSight = (element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
};

// After a dialog the game's keys work at once if the board is visible. Otherwise the browser restores
// the focus to the dialog's opener.
function backToGame({ target }) {
  if (!target.matches("dialog") || !play() || replay.isOpen() || document.querySelector("dialog[open]")) return;
  const stop = document.querySelector("#next-puzzle") ?? tiles().find((tile) => tile.tabIndex === 0);
  if (stop && isInSight(stop)) stop.focus({ preventScroll: true });
}

let isWon = false; // whether the finish was shown before

// After the last move, the next key continues, whatever the input device.
function goOn() {
  const next = document.querySelector("#won #next-puzzle");
  const { activeElement } = document;
  if (next && !isWon && (activeElement === document.body || activeElement.closest("#game, #finish"))) {
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" }); // the pages of a low phone must not cover it
  }
  isWon = next !== null;
}

// No key removes the finish. The Undo button does.
function pressButton(name) {
  if (name === "undo" && isSettled()) showSettled();
  else document.getElementById(name)?.click(); // a lesson may hide it
}

function inPlay(key) {
  if (number(key)) return true;
  setTyped("");
  const direction = DIRECTIONS[key];
  if (direction) {
    const way = setting("arrows") === "blank" ? OPPOSITE[direction] : direction;
    whenKnown(() => slideThatWay(way));
    return true;
  }
  if (key === "b") {
    readAloud();
    return true;
  }
  const button = { u: "undo", r: "redo", h: "hint" }[key];
  if (!button) return false;
  pressButton(button);
  return true;
}

function shortcut({ key, shiftKey, altKey, target }) {
  if (altKey || !play() || replay.isOpen() || !inGame(target, key)) return false;
  const button = { z: shiftKey ? "redo" : "undo", y: shiftKey ? undefined : "redo" }[key.toLowerCase()];
  if (button) pressButton(button);
  return button !== undefined;
}

function solve() {
  if (!isSettled()) whenKnown(() => document.getElementById("solve-button")?.click());
}

// Whether the page knows the key
function handle(event) {
  const { target, repeat, shiftKey, altKey, ctrlKey, metaKey } = event;
  if (repeat && event.key === "Enter" && target.id === "next-puzzle") return true; // still held from the last move
  if (ctrlKey || metaKey) return shortcut(event);
  if (altKey || !inGame(target, event.key)) return false;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isArrow = key.startsWith("Arrow");
  if (key.length === 1 && key !== " " && setting("single-keys") === "off") return false;
  if (isArrow && target.matches("input[type=range]")) return false;
  if (isArrow && shiftKey && play() && focused()) focusBeside(key);
  else if (key === "g" && play()) solve();
  else if (key === "f") use("play/screen.js", (screen) => screen.toggleFullScreen());
  else {
    const view = [review, replay].find((one) => one.isOpen());
    return view ? view.key(event) : play() !== null && inPlay(key);
  }
  return true;
}

// While the goal is pressed or O is held, the board shows it: only its style changes.
function holdGoal(button) {
  const show = (isHeld) => document.getElementById("game").classList.toggle("goal-held", isHeld);
  button.addEventListener("pointerdown", (event) => event.button === 0 && show(true));
  button.addEventListener("mousedown", (event) => event.preventDefault()); // the focus stays in the game
  button.addEventListener("contextmenu", (event) => event.preventDefault()); // a long press on a phone
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const isPress = target === button && (key === " " || key === "Enter");
    const isShortcut = key.toLowerCase() === "o" && !ctrlKey && !metaKey && !altKey
      && setting("single-keys") !== "off" && (target === button || inGame(target, key));
    if (!isPress && !isShortcut) return;
    event.preventDefault();
    show(true);
  });
  for (const name of ["pointerup", "pointercancel", "keyup"]) document.addEventListener(name, () => show(false));
  addEventListener("blur", () => show(false));
}

export function start() {
  document.addEventListener("keydown", (event) => handle(event) && event.preventDefault());
  const goal = document.getElementById("hold-goal");
  if (goal) holdGoal(goal);
  if (play()) {
    keepOneStop();
    for (const name of ["focusin", "change"]) document.addEventListener(name, keepOneStop);
    document.addEventListener("close", backToGame, { capture: true });
    isWon = document.getElementById("won") !== null;
    game?.addEventListener("shown", () => {
      keepOneStop();
      goOn();
    });
  }
  // A typed count applies only to the next key
  for (const name of ["focusin", "pointerdown"])
    document.addEventListener(name, () => (entry.digits || entry.isRefused) && setTyped(""));
}
