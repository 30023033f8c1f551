// A hint: the browser's own or the server's. Its own is the best tile from the exact engine, and the next step of the
// method by hand. Its words are in webapp/play/announcements.py too, the method in slidewise/analysis/by_hand.py.
import { line, parse } from "../board.js";
import { _ } from "../language.js";
import * as connection from "./connection.js";
import * as figures from "./figures.js";
import { isSolved } from "./position.js";
import { refuse, store } from "./page.js";
import { act, drawn, find as element, game, play } from "./view.js";

const HINTS = {
  U: (tile) => _("Hint: move tile %(tile)s up.", { tile }),
  D: (tile) => _("Hint: move tile %(tile)s down.", { tile }),
  L: (tile) => _("Hint: move tile %(tile)s left.", { tile }),
  R: (tile) => _("Hint: move tile %(tile)s right.", { tile }),
};
const PATIENCE = 1000; // milliseconds until the hint is requested from the server too
const IDEA_SIZES = ["3x3", "4x4"];

let hinted = null; // the last hint of the browser: { tile, text, board }
game.addEventListener("change", ({ detail: { action } }) => { if (action) hinted = null; });
document.addEventListener("htmx:after:swap", showHint);

// The browser's own hint; the server's too if that takes long, and the first is shown.
export async function show(form) {
  const { board: text, goal } = play().dataset;
  if (isSolved(drawn())) return refuse(_("it is already solved"));
  if (document.getElementById("unsolvable")) return refuse(_("no move helps: this goal cannot be reached"));
  const own = find(text, goal).catch(() => null);
  const late = new Promise((resolve) => { if (!connection.isLost()) setTimeout(resolve, PATIENCE); });
  const found = await Promise.race([own, late]);
  if (play().dataset.board !== text) return; // the player did not wait
  if (!found && connection.isServerless()) return refuse("hints are for boards of up to 16 cells");
  act(found ? "assisted" : "hint", form);
  const shown = found ?? await own;
  const post = game.queue.findLast(({ name, from }) => ["assisted", "hint"].includes(name) && from?.board === text);
  if (!shown || !(found || post) || play().dataset.board !== text) return; // the server's is there
  if (!found) {
    post.isShown = true;
    store();
  }
  hinted = { ...shown, board: text };
  showHint();
  connection.showLost();
}

// The server's answers do not know of it.
function showHint() {
  if (hinted?.board !== play().dataset.board) hinted = null;
  if (!hinted) return;
  element(hinted.tile).classList.add("hint");
  const said = document.getElementById("said");
  said.className = "hinted";
  if (said.textContent === hinted.text) return;
  said.textContent = hinted.text;
  said.scrollIntoView({ block: "nearest" });
}

// The hint for a board: { tile, text }, null if the page cannot find it.
async function find(text, goal) {
  const engine = await figures.prepare();
  const board = parse(text);
  const answer = await engine?.ask(board);
  if (!answer?.path?.length) return null;
  const [tile] = answer.path;
  const step = isUsual(board, parse(goal)) ? idea(board) : "";
  const byHand = step && ` ${_("By hand: %(idea)s", { idea: step[0].toLowerCase() + step.slice(1) })}`;
  return { tile, text: HINTS[line(board, tile).way](tile) + byHand };
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
  if (others.length > 0) return _("Slide the last three tiles round until they are in order.");
  return line(board, last).way === "U" ? _("Slide the %(tile)s up into its place, and all is solved.", { tile: last })
    : _("Slide the %(tile)s left into its place, and all is solved.", { tile: last });
}

function single(tile, cols) {
  if (tile === 1) return _("Bring the 1 to its corner.");
  return tile % cols === 1
    ? _("Bring the %(tile)s to its place below the %(other)s.", { tile, other: tile - cols })
    : _("Bring the %(tile)s to its place beside the %(other)s.", { tile, other: tile - 1 });
}

// The last two tiles of a line: `first` waits in the place of `last`, with `last` behind it.
function pair({ cols, cells }, first, last) {
  const isRow = last === first + 1;
  const end = last - 1;
  const here = (tile) => cells.indexOf(tile);
  const isBehind = here(last) === end + (isRow ? cols : 1);
  const tiles = { first, last };
  if (here(first) === first - 1 && isBehind && here(0) === end)
    return isRow ? _("Slide the %(tile)s up into its place.", { tile: last })
      : _("Slide the %(tile)s left into its place.", { tile: last });
  if (here(first) === end && isBehind)
    return isRow ? _("Slide the %(first)s to the left into its place. The %(last)s follows.", tiles)
      : _("Slide the %(first)s up into its place. The %(last)s follows.", tiles);
  if (here(first) === end)
    return isRow ? _("Bring the %(last)s right below the %(first)s. Then both slide in.", tiles)
      : _("Bring the %(last)s right beside the %(first)s. Then both slide in.", tiles);
  if (isRow)
    return first <= cols ? _("Bring the %(first)s to the corner, and the %(last)s right below it.", tiles)
      : _("Bring the %(first)s to the end of its row, and the %(last)s right below it.", tiles);
  return last % cols === 1 ? _("Bring the %(first)s to the corner, and the %(last)s right beside it.", tiles)
    : _("Bring the %(first)s to the bottom of its column, and the %(last)s right beside it.", tiles);
}
