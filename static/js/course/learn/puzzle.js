// The lesson on the puzzle: a board to play, and the state that a program sees of it.
import { parse, place, tileMoving } from "../../board.js";
import { _ } from "../../language.js";
import { moves as inWords } from "../../play/words.js";
import { Practice, say } from "./practice.js";
import { markThing, markTrail } from "./progress.js";

const ARROWS = { D: "↓", U: "↑", R: "→", L: "←" }; // of the tiles, in the order of the blank's moves

class Lesson extends Practice {
  show(position, moved) {
    super.show(position, moved);
    const board = parse(position.board);
    const cell = board.cells.indexOf(0);
    const [row, column] = place(board, cell);
    const actions = Object.entries(ARROWS).map(([way, arrow]) => [tileMoving(board, way), arrow]);
    fill("state", `(${board.cells.join(", ")})`);
    fill("blank", _("index %(cell)s: row %(row)s, column %(column)s", { cell, row, column }));
    fill("actions", actions.filter(([tile]) => tile).map((one) => one.join(" ")).join(" · "));
    fill("cost", inWords(position.moves));
  }
}

function fill(id, text) {
  document.getElementById(id).textContent = text;
}

new Lesson({ onDone: (moves) => say(_("Solved in %(moves)s.", { moves: inWords(moves) })) });
markThing("puzzle Read");
markTrail();
