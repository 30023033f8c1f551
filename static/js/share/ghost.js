// A ghost with known times: it moves by the player's clock. The first move of either starts the game,
// and the ghost pauses with the clock.
import { parse, place, slide, spoken, tileMoving } from "../board.js";
import { _ } from "../language.js";
import { clock } from "../play/clock.js";
import { readTimes } from "../play/speed/times.js";
import { play } from "../play/view.js";

const { moves, times } = document.getElementById("ghost-times").dataset;
const boards = []; // after each move, the start first
const ends = [0]; // when each was reached, in milliseconds of play

function draw(board) {
  const [...paths] = document.querySelectorAll("#ghost path");
  const goal = parse(play().dataset.goal);
  const tiles = board.cells.flatMap((tile, cell) => (tile === 0 ? [] : [[tile, cell]]));
  for (const [i, [tile, cell]] of tiles.entries()) {
    const [row, col] = place(board, cell);
    const [path, text] = [paths[i], paths[i].nextElementSibling];
    path.setAttribute("d", `M${col}.05 ${row}.05h.9v.9h-.9z`);
    path.classList.toggle("home", goal.cells[cell] === tile);
    text.setAttribute("x", col + 0.5);
    text.setAttribute("y", row + 0.68);
    text.textContent = tile;
  }
}

function label(board) {
  const text = `${_("The ghost’s board")}: ${spoken(board, _("blank"))}`;
  document.querySelector("#ghost svg").setAttribute("aria-label", text);
}

// Number of the ghost's moves so far
function movesMade() {
  const { board, goal, made } = play().dataset;
  const hasBegun = made !== "" || board === goal;
  const now = clock.played();
  return hasBegun ? ends.findLastIndex((end) => end <= now) : 0;
}

const PACE = _("It moves at the challenger’s pace and waits while your clock is paused.");

function show() {
  requestAnimationFrame(show);
  const isOver = play().dataset.board === play().dataset.goal;
  const number = movesMade();
  const values = { number, last: moves.length };
  const words = number === moves.length ? _("Move %(number)s of %(last)s: solved.", values)
    : isOver ? _("Move %(number)s of %(last)s when you solved it.", values)
      : `${_("Move %(number)s of %(last)s.", values)} ${PACE}`;
  const said = document.getElementById("ghost-at");
  if (said.textContent === words) return; // the answer to a click moves the ghost move by move
  said.textContent = words;
  draw(boards[number]);
  label(boards[number]);
}

const each = readTimes(times, moves.length);
if (each) { // otherwise move by move, as the server has it
  boards.push(parse(play().dataset.start));
  for (const way of moves) boards.push(slide(boards.at(-1), tileMoving(boards.at(-1), way)));
  for (const ms of each) ends.push(ends.at(-1) + ms);
  show();
}
