// Sentences of a game, equal to the server's (webapp/play/announcements.py, moves_left.py, ghost.py).
import { line, parse } from "../board.js";
import { _ } from "../language.js";
import { moves } from "./records.js";

export const WAYS = { U: "up", D: "down", L: "left", R: "right" };

const all = (items) => [items.slice(0, -1).join(", "), items.at(-1)].filter((part) => part !== "").join(" and ");

// "there is no move to undo" -> "There is no move to undo."
export const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

// Reason that a tile cannot slide
export function refusal(board, tile) {
  const { cols, cells } = board;
  const most = cells.length - 1;
  if (!(tile >= 1 && tile <= most)) return `there is no tile ${tile}: this board has the tiles 1 to ${most}`;
  const able = cells.filter((other) => line(board, other)); // in reading order
  return `tile ${tile} is not in the row or column of the blank; ${all(able)} are`;
}

// Announcement of a slide
export function afterSlide(before, tile, count, isSolved) {
  const { way, tiles } = line(parse(before), tile);
  const slide = `Tile${tiles.length > 1 ? "s" : ""} ${all(tiles)} ${WAYS[way]}.`;
  return `${slide} ${isSolved ? `Solved in ${moves(count)}.` : `${moves(count)} so far.`}`;
}

// Screen reader label of a cell; tile 0 is the blank
export const cellLabel = (tile, row, column) => (tile ? _("%(tile)s, row %(row)s, column %(column)s", { tile, row, column })
  : _("blank, row %(row)s, column %(column)s", { row, column }));

export const AFTER = { undo: "Undone.", redo: "Redone.", restart: "Restarted.", assisted: "" };

const least = ({ exact }) => (exact ? "" : "at least ");

// Moves left, and their change if the number before is given
export function movesLeft(left, was) {
  const change = was && left.moves - was.moves;
  const changed = change === undefined || change === null ? "" : change === 0 ? ", as before"
    : `, ${change < 0 ? "down" : "up"} from ${was.moves.toLocaleString("en")}`;
  return `${sentence(`${least(left)}${moves(left.moves)} left${changed}`)}`;
}

export const shortestSolution = (shortest) => `${least(shortest)}${moves(shortest.moves)}`;

const NUMBERS = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

// The moves beyond a shortest solution
export function detours(extra) {
  const count = Math.floor(extra / 2);
  const number = NUMBERS[count - 1] ?? count.toLocaleString("en");
  return `${number} detour${count > 1 ? "s" : ""} cost you ${extra.toLocaleString("en")} moves.`;
}

export const shortestFound = (made, helped) =>
  (helped ? "This is the shortest solution." : `A perfect solve: ${moves(made)} is the minimum.`);

// Whether a solved game beats a challenge of `beat` moves
export function challenge(beat, made, helped) {
  if (helped) return `The challenge, ${moves(beat)}, still stands: help was used.`;
  if (made === beat) return `Challenge equalled: ${moves(beat)}, neither more nor fewer.`;
  const difference = Math.abs(made - beat).toLocaleString("en");
  return made < beat ? `Challenge beaten: ${moves(made)}, ${difference} fewer than ${beat.toLocaleString("en")}.`
    : `Challenge not beaten: ${moves(made)}, ${difference} more than ${beat.toLocaleString("en")}.`;
}
