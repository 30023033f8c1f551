// The browser's own hint, the best tile from the exact engine, until the server's comes. The server's also
// has the next step of the method by hand.
import { line, parse } from "../board.js";
import { gameText } from "../language.js";
import * as connection from "./connection.js";
import * as figures from "./figures.js";
import { store } from "./page.js";
import { drawn, find, game } from "./view.js";

let hinted = null; // the last own hint: { tile, text, board }
game.addEventListener("change", ({ detail: { action } }) => { if (action) hinted = null; });
game.addEventListener("shown", showHint);

// Show a hint for an action without an answer, or for the shown board. The server need not give it any more.
export async function show(action) {
  const { board: text } = action?.from ?? drawn();
  const engine = await figures.prepare();
  const board = parse(text);
  const [tile] = (await engine?.ask(board))?.path ?? [];
  if (!tile || drawn().board !== text || (action && !game.queue.includes(action))) return;
  if (action) action.name = "assisted";
  store();
  hinted = { tile, text: gameText(`hint-${line(board, tile).way}`, { tile }), board: text };
  showHint();
  connection.showLost();
}

// The server's answers do not know of it.
function showHint() {
  if (hinted?.board !== drawn().board) hinted = null;
  if (!hinted) return;
  find(hinted.tile).classList.add("hint");
  const said = document.getElementById("said");
  said.className = "hinted";
  document.getElementById("hint").ariaBusy = null;
  if (said.textContent === hinted.text) return;
  said.textContent = hinted.text;
  said.scrollIntoView({ block: "nearest" });
}
