// Predicts the game after an action as the server will compute it: { board, made, undone, left, moves,
// helped }. `board` is text; `made` and `undone` are slides in move notation, the last at the end, after
// an ellipsis if there are more. `left` is the number of tiles moved before an undoable restart, else 0.
import { OPPOSITE, format, line, parse, slide, tileMoving } from "../board.js";
import { _ } from "../language.js";
import { refusal } from "./words.js";

export function stateOf({ dataset }) {
  const { board, goal, made, undone, start, left, moves, helped } = dataset;
  return { board, goal, made, undone, start, left: Number(left ?? 0), moves: Number(moves), helped: helped !== undefined };
}

// Null if the action needs the server; the reason as text if it is impossible.
export function foresee(game, action, tile) {
  if (action === "slide") return afterSlide(game, tile);
  if (action === "undo") return back(game);
  if (action === "redo") return forth(game);
  if (action === "restart") return restarted(game);
  if (action === "assisted") return { ...game, helped: game.helped || game.board !== game.goal };
  return action === "play-on" ? null : game;
}

function afterSlide(game, tile) {
  const board = parse(game.board);
  const sliding = line(board, tile);
  if (!sliding) return refusal(board, tile);
  const { way, tiles: { length } } = sliding;
  return { ...game, board: format(slide(board, tile)), made: `${game.made}${way}${length > 1 ? length : ""}`,
    undone: "", left: 0, moves: game.moves + length };
}

function back(game) {
  const { board, made, undone, left, moves } = game;
  const [last, way, count] = lastOf(made);
  if (!last) return made ? null : left ? beforeRestart(game) : _("there is no move to undo");
  return {
    ...game,
    left: 0,
    board: slid(board, OPPOSITE[way], count),
    made: made.slice(0, -last.length),
    undone: undone + last,
    moves: moves - Number(count || 1),
  };
}

function forth(game) {
  const { board, made, undone, moves } = game;
  const [last, way, count] = lastOf(undone);
  if (!last) return undone ? null : _("there is no move to redo");
  const rest = undone.slice(0, -last.length);
  const after = { board: slid(board, way, count), made: made + last, undone: rest };
  return { ...game, ...after, left: 0, moves: moves + Number(count || 1) };
}

// Undo of a restart: all its moves are made again.
function beforeRestart(game) {
  let after = game;
  while (after?.moves < game.left) after = forth(after);
  return after;
}

// The old moves can only be made again if all of them are known.
function restarted(game) {
  const { start, made, undone, moves } = game;
  if (!made) return _("this is already the start of the puzzle");
  if (made.startsWith("…")) return null;
  const again = made.match(/[UDLR]\d*/g).reverse().join("");
  return { ...game, board: start, made: "", undone: undone + again, left: moves, moves: 0 };
}

export const lastOf = (slides) => slides.match(/([UDLR])(\d*)$/) ?? [];

export function slid(text, way, count) {
  const board = parse(text);
  return format(slide(board, tileMoving(board, way, Number(count || 1))));
}

// The board before the last slide, null if that is unknown.
export function before({ board, made }) {
  const [last, way, count] = lastOf(made);
  return last ? slid(board, OPPOSITE[way], count) : null;
}
