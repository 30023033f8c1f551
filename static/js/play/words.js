// Sentences of a game, composed of the server's
import { OPPOSITE, line, parse, tileMoving } from "../board.js";
import { gameText, listed, ngettext, number } from "../language.js";
import { lastOf } from "../game/position.js";

export const moves = (count) => ngettext("%(num)s move", "%(num)s moves", count);

// "there is no move to undo" -> "There is no move to undo."
export const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

export function refusal(board, tile) {
  const { cols, cells } = board;
  const last = cells.length - 1;
  if (!(tile >= 1 && tile <= last)) return gameText(Number.isNaN(tile) ? "no-number" : "no-tile", { tile, last });
  return gameText("not-in-line", { tile, tiles: listed(cells.filter((other) => line(board, other))) });
}

// Reason that an action is impossible, by its key in position.js
export const reason = (why, { board }, tile) => (why === "stuck" ? refusal(parse(board), tile) : gameText(why));

export const slid = ({ way, tiles }) => gameText(`slide-${way}`, { tiles: listed(tiles) }, tiles.length);

export function afterSlide(before, tile, count, isSolved) {
  return `${slid(line(parse(before), tile))} ${gameText(isSolved ? "solved-in" : "so-far", {}, count)}`;
}

// Announcement of another action, with the tiles that it moves: "Undone. Tile 5 left."
export function after(action, { board, made, undone }) {
  const slides = { undo: made, redo: undone }[action] ?? "";
  const [last, way, count] = lastOf(slides);
  if (!last) return gameText(action);
  const now = parse(board);
  const tile = tileMoving(now, action === "undo" ? OPPOSITE[way] : way, Number(count || 1));
  return `${gameText(action)} ${slid(line(now, tile))}`;
}

// Moves left, and their change if the number before is given
export function movesLeft({ moves: count, exact }, was) {
  if (!exact) return gameText("left-at-least", {}, count);
  if (!was) return gameText("left", {}, count);
  if (count === was.moves) return gameText("left-as-before", {}, count);
  return gameText(count < was.moves ? "left-down" : "left-up", { was: number(was.moves) }, count);
}

// A length, or a bound on it: "at least 12 moves"
export const length = ({ exact, moves: n }) => (exact ? moves(n) : gameText("at-least", { moves: moves(n) }));

// The moves beyond a shortest solution
export const detours = (extra) => gameText("detours", { moves: number(extra) }, extra / 2);

export const shortestFound = (made, helped) => gameText(helped ? "shortest" : "perfect", { moves: moves(made) });

// Whether a solved game beats a challenge of `beat` moves
export function challenge(beat, made, helped) {
  if (helped) return gameText("stands", { moves: moves(beat) });
  if (made === beat) return gameText("equalled", { moves: moves(beat) });
  return gameText(made < beat ? "beaten" : "not-beaten",
    { moves: moves(made), difference: number(Math.abs(made - beat)), beat: number(beat) });
}
