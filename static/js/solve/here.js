// Solve without the server: the browser's own solution, shown by the player as the server's is.
import { parse, line, slide } from "../board.js";
import { make } from "../dom.js";
import { open } from "../exact/exact.js";
import { _, ngettext } from "../language.js";
import { moves as counted } from "../play/words.js";
import "./player.js";

const SECONDS = 60; // of a search
const ARROWS = { U: "↑", D: "↓", L: "←", R: "→" };
const STEPS = {
  U: (values) => _("Step %(number)s: tile %(tile)s moves up; the blank moves down", values),
  D: (values) => _("Step %(number)s: tile %(tile)s moves down; the blank moves up", values),
  L: (values) => _("Step %(number)s: tile %(tile)s moves left; the blank moves right", values),
  R: (values) => _("Step %(number)s: tile %(tile)s moves right; the blank moves left", values),
};

const part = (id) => document.getElementById(id);

// Throws if the browser cannot search either.
export async function solveHere() {
  const { board: text, goal } = part("play").dataset;
  const board = parse(text);
  for (const id of ["job", "under-way", "known", "verdict", "solution", "replay-card", "replay"])
    part(id).replaceChildren();
  const said = new Text(_("Searching in this browser …")); // the next search replaces it
  part("live").replaceChildren(said);
  const showBound = (bound) => {
    if (said.isConnected) part("known").textContent = ngettext("The shortest solution has at least %(num)s move.",
      "The shortest solution has at least %(num)s moves.", bound);
  };
  const { moves, path } = await open({ goal: parse(goal) }).solve(board, showBound, AbortSignal.timeout(1000 * SECONDS));
  if (!said.isConnected) return;
  part("live").replaceChildren();
  part("known").replaceChildren();
  const shown = part("solved-here").content.cloneNode(true);
  const [proof, steps, replay, card] = shown.children;
  proof.querySelector("b").textContent = `${counted(moves)}.`;
  if (!path) {
    part("verdict").textContent = ngettext("No solution yet: the shortest has at least %(num)s move.",
      "No solution yet: the shortest has at least %(num)s moves.", moves);
    return;
  }
  part("verdict").replaceChildren(proof);
  if (path.length === 0) return;
  steps.dataset.board = text;
  steps.querySelector("ol").replaceChildren(...stepsOf(board, path));
  const player = replay.querySelector("form");
  Object.assign(player.dataset, { start: text, total: path.length, blank: "" });
  player.querySelector("input[type=range]").max = path.length;
  player.querySelector("[data-go=last]").value = path.length;
  card.querySelector("h2").textContent = ngettext("A solution in %(num)s move", "A solution in %(num)s moves", moves);
  card.querySelector("[name=start]").value = text;
  part("solution").replaceChildren(steps);
  part("replay-card").replaceChildren(card);
  part("replay").replaceChildren(replay);
  htmx.process(part("replay-card"));
}

function stepsOf(board, path) {
  return path.map((tile, index) => {
    const { way } = line(board, tile);
    board = slide(board, tile);
    const title = STEPS[way]({ number: index + 1, tile });
    const field = { form: "player", name: "step", value: index + 1 };
    return make("li", {}, make("button", { ...field, title, "aria-label": title, "data-tile": tile, "data-move": way },
      `${tile}${ARROWS[way]}`));
  });
}
