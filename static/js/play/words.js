// Sentences of a game, equal to the server's (webapp/play/announcements.py, moves_left.py, ghost.py).
import { OPPOSITE, line, parse, tileMoving } from "../board.js";
import { _, listed, ngettext, number } from "../language.js";
import { lastOf } from "./position.js";

export const moves = (count) => ngettext("%(num)s move", "%(num)s moves", count);

// A move in a list of moves: "5 up"
export const WAYS = {
  U: (tile) => _("%(tile)s up", { tile }),
  D: (tile) => _("%(tile)s down", { tile }),
  L: (tile) => _("%(tile)s left", { tile }),
  R: (tile) => _("%(tile)s right", { tile }),
};

const SLIDES = {
  U: (count, tiles) => ngettext("Tile %(tiles)s up.", "Tiles %(tiles)s up.", count, { tiles }),
  D: (count, tiles) => ngettext("Tile %(tiles)s down.", "Tiles %(tiles)s down.", count, { tiles }),
  L: (count, tiles) => ngettext("Tile %(tiles)s left.", "Tiles %(tiles)s left.", count, { tiles }),
  R: (count, tiles) => ngettext("Tile %(tiles)s right.", "Tiles %(tiles)s right.", count, { tiles }),
};

// "there is no move to undo" -> "There is no move to undo."
export const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

// Reason that a tile cannot slide
export function refusal(board, tile) {
  const { cols, cells } = board;
  const most = cells.length - 1;
  if (!(tile >= 1 && tile <= most))
    return _("there is no tile %(tile)s: this board has the tiles 1 to %(last)s", { tile, last: most });
  const able = listed(cells.filter((other) => line(board, other))); // in reading order
  return _("tile %(tile)s is not in the row or column of the blank; %(tiles)s are", { tile, tiles: able });
}

const REASONS = {
  "nothing-to-undo": _("there is no move to undo"),
  "nothing-to-redo": _("there is no move to redo"),
  "at-the-start": _("this is already the start of the puzzle"),
};

// Reason that an action is impossible, by its key in position.js
export const reason = (why, { board }, tile) => REASONS[why] ?? refusal(parse(board), tile);

// The tiles that moved, in words
export const slid = ({ way, tiles }) => SLIDES[way](tiles.length, listed(tiles));

// Announcement of a slide
export function afterSlide(before, tile, count, isSolved) {
  const effect = isSolved ? ngettext("Solved in %(num)s move.", "Solved in %(num)s moves.", count) : soFar(count);
  return `${slid(line(parse(before), tile))} ${effect}`;
}

// Screen reader label of a cell; tile 0 is the blank
export const cellLabel = (tile, row, column) => (tile ? _("%(tile)s, row %(row)s, column %(column)s", { tile, row, column })
  : _("blank, row %(row)s, column %(column)s", { row, column }));

export const soFar = (count) => ngettext("%(num)s move so far.", "%(num)s moves so far.", count);

const AFTER = {
  undo: _("Undone."), redo: _("Redone."), restart: _("Restarted."), alone: _("A new try, without help."), assisted: "",
};

// Announcement of another action, with the tiles that it moves: "Undone. Tile 5 left."
export function after(action, { board, made, undone }) {
  const slides = { undo: made, redo: undone }[action] ?? "";
  const [last, way, count] = lastOf(slides);
  if (!last) return AFTER[action];
  const now = parse(board);
  const tile = tileMoving(now, action === "undo" ? OPPOSITE[way] : way, Number(count || 1));
  return `${AFTER[action]} ${slid(line(now, tile))}`;
}

// Moves left, and their change if the number before is given
export function movesLeft(left, was) {
  const count = left.moves;
  if (!left.exact) return ngettext("At least %(num)s move left.", "At least %(num)s moves left.", count);
  if (!was) return ngettext("%(num)s move left.", "%(num)s moves left.", count);
  const before = { was: number(was.moves) };
  if (count === was.moves) return ngettext("%(num)s move left, as before.", "%(num)s moves left, as before.", count);
  return count < was.moves
    ? ngettext("%(num)s move left, down from %(was)s.", "%(num)s moves left, down from %(was)s.", count, before)
    : ngettext("%(num)s move left, up from %(was)s.", "%(num)s moves left, up from %(was)s.", count, before);
}

// A length, or a bound on it: "at least 12 moves"
export const length = (number) => (number.exact ? moves(number.moves)
  : _("at least %(moves)s", { moves: moves(number.moves) }));

const NUMBERS = [_("Two"), _("Three"), _("Four"), _("Five"), _("Six"), _("Seven"), _("Eight"), _("Nine"), _("Ten")];

// The moves beyond a shortest solution
export function detours(extra) {
  const count = Math.floor(extra / 2);
  if (count === 1) return _("One detour cost you %(moves)s moves.", { moves: number(extra) });
  return _("%(count)s detours cost you %(moves)s moves.", { count: NUMBERS[count - 2] ?? number(count), moves: number(extra) });
}

export const shortestFound = (made, helped) => (helped ? _("This is the shortest solution.")
  : _("A perfect solve: %(moves)s is the minimum.", { moves: moves(made) }));

// Whether a solved game beats a challenge of `beat` moves
export function challenge(beat, made, helped) {
  if (helped) return _("The challenge, %(moves)s, still stands: help was used.", { moves: moves(beat) });
  if (made === beat) return _("Challenge equalled: %(moves)s, neither more nor fewer.", { moves: moves(beat) });
  const values = { moves: moves(made), difference: number(Math.abs(made - beat)), beat: number(beat) };
  return made < beat ? _("Challenge beaten: %(moves)s, %(difference)s fewer than %(beat)s.", values)
    : _("Challenge not beaten: %(moves)s, %(difference)s more than %(beat)s.", values);
}
