// A hint without the server: the best tile from the exact engine, and the next step of the method by hand. The
// words are those of webapp/play/announcements.py, the method that of slidewise/study/by_hand.py.
import { line, parse } from "../board.js";
import * as figures from "./figures.js";
import { WAYS } from "./words.js";

const IDEA_SIZES = ["3x3", "4x4"];

// The hint for a board: { tile, text }, null if the page cannot find it.
export async function find(text, goal) {
  const engine = await figures.prepare();
  const board = parse(text);
  const answer = await engine?.ask(board);
  if (!answer?.path?.length) return null;
  const [tile] = answer.path;
  const step = isUsual(board, parse(goal)) ? idea(board) : "";
  return { tile, text: `Hint: move tile ${tile} ${WAYS[line(board, tile).way]}.${
    step && ` By hand: ${step[0].toLowerCase()}${step.slice(1)}`}` };
}

const isUsual = ({ cols, cells }, goal) => IDEA_SIZES.includes(`${cells.length / cols}x${cols}`)
  && goal.cells.every((tile, cell) => tile === (cell + 1) % goal.cells.length);

// Tiles that the method brings home together, in its order
function parts(rows, cols) {
  const found = [];
  for (let first = 1; first <= cols * (rows - 2); first += cols) {
    for (let tile = first; tile < first + cols - 2; tile += 1) found.push([tile]);
    found.push([first + cols - 2, first + cols - 1]);
  }
  const first = cols * (rows - 2) + 1; // of the last two rows
  for (let tile = first; tile < first + cols - 2; tile += 1) found.push([tile, tile + cols]);
  const end = rows * cols;
  return [...found, [end - cols - 1, end - cols, end - 1]];
}

// The next step towards the standard goal as a sentence, "" at the goal
export function idea(board) {
  const { cols, cells } = board;
  const away = (tile) => cells[tile - 1] !== tile;
  const tiles = parts(cells.length / cols, cols).find((part) => part.some(away));
  if (!tiles) return "";
  if (tiles.length === 1) return single(tiles[0], cols);
  if (tiles.length === 2) return pair(board, ...tiles);
  const [last, ...others] = tiles.filter(away);
  if (others.length > 0) return "Slide the last three tiles round until they are in order.";
  return `Slide the ${last} ${WAYS[line(board, last).way]} into its place, and all is solved.`;
}

function single(tile, cols) {
  if (tile === 1) return "Bring the 1 to its corner.";
  return tile % cols === 1 ? `Bring the ${tile} to its place below the ${tile - cols}.`
    : `Bring the ${tile} to its place beside the ${tile - 1}.`;
}

// The last two tiles of a line: `first` waits in the place of `last`, with `last` behind it.
function pair({ cols, cells }, first, last) {
  const isRow = last === first + 1;
  const end = last - 1;
  const here = (tile) => cells.indexOf(tile);
  const isBehind = here(last) === end + (isRow ? cols : 1);
  const side = isRow ? "below" : "beside";
  const isCorner = isRow ? first <= cols : last % cols === 1;
  const place = isCorner ? "corner" : isRow ? "end of its row" : "bottom of its column";
  if (here(first) === first - 1 && isBehind && here(0) === end)
    return `Slide the ${last} ${isRow ? "up" : "left"} into its place.`;
  if (here(first) === end && isBehind)
    return `Slide the ${first} ${isRow ? "to the left" : "up"} into its place. The ${last} follows.`;
  if (here(first) === end) return `Bring the ${last} right ${side} the ${first}. Then both slide in.`;
  return `Bring the ${first} to the ${place}, and the ${last} right ${side} it.`;
}
