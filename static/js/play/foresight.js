// Predicts the game after a click as the server will compute it: { board, made, undone, left }. `board`
// is text; `made` and `undone` are slides in move notation, the last at the end. `left` is the number
// of tiles moved before an undoable restart, else 0.
import { OPPOSITE, format, line, parse, slide, tileMoving } from "../board.js";

const KNOWN = 300; // the letters and digits of the last slides that a page is told

// Null if only the server can tell: the page knows only the last hundreds of slides.
export function foresee(game, action, tile) {
  if (action === "slide") return afterSlide(game, tile);
  if (action === "undo") return back(game);
  if (action === "redo") return forth(game);
  if (action === "restart") return restarted(game);
  return action === "play-on" ? null : game;
}

function afterSlide(game, tile) {
  const board = parse(game.board);
  const sliding = line(board, tile);
  if (!sliding) return game; // the server will say why
  const count = sliding.tiles.length > 1 ? sliding.tiles.length : "";
  return { board: format(slide(board, tile)), made: game.made + sliding.way + count, undone: "", left: 0 };
}

function back({ board, made, undone, left }) {
  const [last, way, count] = lastOf(made);
  if (!last) return left ? beforeRestart(board, undone, left) : null;
  return {
    left: 0,
    board: slid(board, OPPOSITE[way], count),
    made: made.slice(0, -last.length),
    undone: undone + last,
  };
}

function forth({ board, made, undone }) {
  const [last, way, count] = lastOf(undone);
  if (!last) return null;
  const rest = undone.slice(0, -last.length);
  return { board: slid(board, way, count), made: made + last, undone: rest, left: 0 };
}

// Undo of a restart: all its moves are made again.
function beforeRestart(start, undone, left) {
  let [board, made, rest] = [start, "", undone];
  for (let tiles = 0; tiles < left;) {
    const [last, way, count] = lastOf(rest);
    if (!last) return null;
    rest = rest.slice(0, -last.length);
    made += last;
    board = slid(board, way, count);
    tiles += Number(count || 1);
  }
  return { board, made, undone: rest, left: 0 };
}

// The old moves can only be made again if all of them are known.
function restarted({ start, made, undone, moves }) {
  if (!made || made.length >= KNOWN) return null;
  const again = made.match(/[UDLR]\d*/g).reverse().join("");
  return { board: start, made: "", undone: undone + again, left: moves };
}

const lastOf = (slides) => slides.match(/([UDLR])(\d*)$/) ?? [];

function slid(text, way, count) {
  const board = parse(text);
  return format(slide(board, tileMoving(board, way, Number(count || 1))));
}
