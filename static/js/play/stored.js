// A game that goes on from what this browser has stored: its page, which may be of another board of
// the size, and the moves; and which game is kept where the server has another one.
import { parse, slide, tileMoving, format } from "../board.js";
import * as connection from "./connection.js";
import { count } from "./game.js";

// Show the game as the server had it last, or else the start of a board that it never had.
export function showStored(begun, show) {
  const { cached, shortest } = document.documentElement.dataset;
  if (cached === "blank") aboutBlank(shortest);
  const { board, made, undone } = document.getElementById("play").dataset;
  const { moves, ...game } = begun ?? { board, made, undone, moves: 0 };
  show(game);
  const figure = document.getElementById("move-count");
  figure.textContent = moves.toLocaleString("en");
  figure.previousElementSibling.textContent = moves === 1 ? "move" : "moves";
}

// The numbers of the page are of the board that it was made for.
function aboutBlank(shortest) {
  const title = document.getElementById("shortest");
  if (title) title.textContent = shortest ? `shortest solution: ${shortest} moves` : "";
  for (const id of ["to-go", "stars"]) document.getElementById(id)?.remove();
}

// The server is there again, and `response` is its game. Return null if that is the game `from`
// that the posts began on, or if it becomes that, else the answer that is to be shown.
export async function choose(response, from) {
  if (!from || response.headers.get("Slidewise-Board") === from.board) return null;
  const isWhole = count(from.made) === from.moves; // all moves from the start are known
  if (!(await ask(isWhole))) return response;
  await makeAgain(from);
  return null;
}

function ask(isWhole) {
  return new Promise((resolve) => {
    const notice = document.createElement("div");
    notice.className = "notice row";
    notice.id = "which-game";
    const words = document.createElement("span");
    words.textContent = "You played on here without a connection, and this game also went on elsewhere. "
      + (isWhole ? "Which one do you want to keep?" : "Your moves here do not fit it any more.");
    const buttons = [["Keep this game", true], ["Take the other one", false]].slice(isWhole ? 0 : 1);
    notice.append(words, ...buttons.map(([label, mine]) => {
      const button = document.createElement("button");
      button.className = "btn";
      button.textContent = label;
      button.addEventListener("click", () => {
        notice.remove();
        resolve(mine);
      });
      return button;
    }));
    document.getElementById("notice").replaceChildren(notice);
  });
}

// Make the server's game the one that the posts began on: from the start, move by move.
async function makeAgain({ made }) {
  const post = (action, body = {}) => connection.patiently(`${connection.gameUrl()}/${action}`, {
    method: "POST", headers: { "HX-Request": "true" }, body: new URLSearchParams(body),
  });
  await post("restart");
  let board = parse(document.getElementById("play").dataset.start);
  for (const [, way, tiles] of made.matchAll(/([UDLR])(\d*)/g)) {
    const tile = tileMoving(board, way, Number(tiles || 1));
    await post("slide", { tile, on: format(board) });
    board = slide(board, tile);
  }
}
