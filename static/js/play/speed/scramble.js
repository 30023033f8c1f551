// Scramble for a physical puzzle: the moves from the solved board to the start. They are a reversed
// solution, and are verified before they are shown.
import { OPPOSITE, format } from "../../board.js";
import { _ } from "../../language.js";
import { gameUrl, play } from "../view.js";
import { moves as counted } from "../words.js";
import { button, make } from "./elements.js";
import { boardsOf, slidesOf } from "./times.js";

const SECONDS = 10; // of search; its best result by then is shown

function backwards(moves) {
  const ways = slidesOf(moves).flatMap(({ way, count }) => Array(count).fill(way));
  return ways.reverse().map((way) => OPPOSITE[way]);
}

async function solution() {
  const { start, goal } = play().dataset;
  const answer = await fetch(gameUrl().replace(/\/play\/.*/, "/api/v1/solve"), {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ puzzle: `${start}_${goal}`, limits: { seconds: SECONDS } }),
  });
  const result = await answer.json();
  if (!answer.ok) throw new Error(result.detail ?? result.title);
  return result;
}

async function show(output, status) {
  status.textContent = _("Looking for moves …");
  let result;
  try {
    result = await solution();
  } catch {
    status.textContent = _("The server has no moves now. Try again in a moment.");
    return;
  }
  const { start, goal } = play().dataset;
  const ways = backwards(result.moves ?? "");
  const boards = ways.length > 0 ? boardsOf(goal, ways.join("")) : null;
  if (!boards || format(boards.at(-1)) !== start) {
    status.textContent = _("No moves were found in time.");
    return;
  }
  output.textContent = ways.join(" ");
  const found = { moves: counted(ways.length) };
  status.textContent = result.verdict === "optimal"
    ? _("%(moves)s from the solved board, each the way a tile goes; there is no shorter way.", found)
    : _("%(moves)s from the solved board, each the way a tile goes; there may be a shorter way.", found);
}

// `onShow` is called on request: read backwards the scramble is a solution.
export function scrambleOf(onShow) {
  const output = make("p", { class: "mono speed-scramble" });
  const status = make("p", { class: "small muted", role: "status" });
  const ask = button(_("Show the scramble"), {}, async () => {
    onShow();
    ask.setAttribute("aria-disabled", "true");
    await show(output, status);
    ask.removeAttribute("aria-disabled");
  });
  return make("details", {}, make("summary", {}, _("Scramble for a puzzle in your hand")),
    make("p", { class: "small muted" },
      _("Read backwards, it is a solution, so a game in which you look at it is not counted.")),
    make("p", {}, ask), output, status);
}
