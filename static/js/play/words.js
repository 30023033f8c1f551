// Sentences of a game, composed of the server's
import { OPPOSITE, line, parse, tileMoving } from "../board.js";
import { _, listed, ngettext, number, say } from "../language.js";
import { lastOf } from "../game/position.js";

export const moves = (count) => ngettext("%(num)s move", "%(num)s moves", count);

// "there is no move to undo" -> "There is no move to undo."
export const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

// Reason that a tile cannot slide
export function refusal(board, tile) {
  const { cols, cells } = board;
  const last = cells.length - 1;
  if (!(tile >= 1 && tile <= last)) return say("no-tile", { tile, last });
  return say("not-in-line", { tile, tiles: listed(cells.filter((other) => line(board, other))) }); // in reading order
}

// Reason that an action is impossible, by its key in position.js
export const reason = (why, { board }, tile) => (why === "stuck" ? refusal(parse(board), tile) : say(why));

// The tiles that moved, in words
export const slid = ({ way, tiles }) => say(`slide-${way}`, { tiles: listed(tiles) }, tiles.length);

// Announcement of a slide
export function afterSlide(before, tile, count, isSolved) {
  return `${slid(line(parse(before), tile))} ${say(isSolved ? "solved-in" : "so-far", {}, count)}`;
}

// Screen reader label of a cell; tile 0 is the blank
export const cellLabel = (tile, row, column) => (tile ? _("%(tile)s, row %(row)s, column %(column)s", { tile, row, column })
  : _("blank, row %(row)s, column %(column)s", { row, column }));

// Announcement of another action, with the tiles that it moves: "Undone. Tile 5 left."
export function after(action, { board, made, undone }) {
  const slides = { undo: made, redo: undone }[action] ?? "";
  const [last, way, count] = lastOf(slides);
  if (!last) return say(action);
  const now = parse(board);
  const tile = tileMoving(now, action === "undo" ? OPPOSITE[way] : way, Number(count || 1));
  return `${say(action)} ${slid(line(now, tile))}`;
}

// Moves left, and their change if the number before is given
export function movesLeft({ moves: count, exact }, was) {
  if (!exact) return say("left-at-least", {}, count);
  if (!was) return say("left", {}, count);
  if (count === was.moves) return say("left-as-before", {}, count);
  return say(count < was.moves ? "left-down" : "left-up", { was: number(was.moves) }, count);
}

// A length, or a bound on it: "at least 12 moves"
export const length = (number) => (number.exact ? moves(number.moves) : say("at-least", { moves: moves(number.moves) }));

// The moves beyond a shortest solution
export const detours = (extra) => say("detours", { moves: number(extra) }, extra / 2);

export const shortestFound = (made, helped) => say(helped ? "shortest" : "perfect", { moves: moves(made) });

// Whether a solved game beats a challenge of `beat` moves
export function challenge(beat, made, helped) {
  if (helped) return say("stands", { moves: moves(beat) });
  if (made === beat) return say("equalled", { moves: moves(beat) });
  return say(made < beat ? "beaten" : "not-beaten",
    { moves: moves(made), difference: number(Math.abs(made - beat)), beat: number(beat) });
}
