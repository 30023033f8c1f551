// A page from the cache without the server. It may be of another board of the size.
import { draw, format, parse, place, spoken } from "../board.js";
import { _ } from "../language.js";
import * as figures from "./figures.js";
import { GOALS } from "./records.js";
import { drawn, play } from "./view.js";

// Adapt the page to the game of `position`.
export function adapt(position) {
  const { cached, shortest, missing } = document.documentElement.dataset;
  if (cached === "blank") aboutBlank(shortest);
  if (missing && position.moves === 0) showMissing(missing);
}

// The puzzle's difficulty differs from the request.
function showMissing(missing) {
  const words = document.createElement("p");
  words.className = "note missing";
  words.setAttribute("role", "status");
  words.textContent = missingWords(missing);
  document.querySelector(".about > div").append(words);
}

// `missing` is a difficulty, "any", or the least and the most moves.
function missingWords(missing) {
  const [least, most] = missing.split(" ");
  if (least === "easy") return _("No easy puzzle is stored: here is another.");
  if (least === "medium") return _("No medium puzzle is stored: here is another.");
  if (least === "hard") return _("No hard puzzle is stored: here is another.");
  if (!most) return _("This puzzle is not stored: here is another.");
  return least === most ? _("No puzzle of %(moves)s moves is stored: here is another.", { moves: least })
    : _("No puzzle of %(least)s to %(most)s moves is stored: here is another.", { least, most });
}

// The page's numbers belong to its original board, and its goal may be another goal.
function aboutBlank(shortest) {
  showGoal(play().dataset.goal);
  const title = document.getElementById("shortest");
  delete title?.dataset.level;
  const length = { moves: Number(shortest), exact: true };
  title?.replaceChildren(...(length.moves ? figures.aboutLength(drawn(), length) : []));
  if (!figures.canCompute()) document.getElementById("to-go")?.remove();
  const next = document.getElementById("new-game").dataset;
  const address = new URL(next.nextUrl, location.href);
  const { level } = title?.dataset ?? {};
  if (level) address.searchParams.set("difficulty", level);
  else address.searchParams.delete("difficulty");
  next.nextUrl = address.pathname + address.search;
}

function showGoal(text) {
  const [goal, picture] = [parse(text), document.querySelector("#goal .board")];
  if (picture.ariaLabel === labelOf(text)) return;
  picture.ariaLabel = labelOf(text);
  const card = document.getElementById("won-template").content.querySelector("#won");
  for (const { dataset } of [card, document.getElementById("best")]) dataset.goal = goalName(goal);
  const classes = homeClasses(goal);
  for (const tile of document.querySelectorAll("#goal .tile, #board .tile")) {
    const number = Number(tile.dataset.tile ?? tile.value);
    const places = [...tile.classList].filter((name) => /^[trc]\d/.test(name));
    tile.className = ["tile", ...places, ...classes(number)].join(" ");
  }
  draw(goal, goal, (tile) => picture.querySelector(`.t${tile}`));
}

const labelOf = (goal) => `${_("Goal")}: ${spoken(parse(goal), _("blank"))}`;

// The name of a goal, the board itself if it has none
function goalName(goal) {
  const text = format(goal);
  return Object.keys(GOALS).find((name) => format({ ...goal, cells: GOALS[name].arrange(goal) }) === text) ?? text;
}

// The classes of each tile by its place in the goal: row, column and layer. Layers are nested L
// shapes from 0, the outermost, of a row and a column each: the farthest from the blank's home.
function homeClasses(goal) {
  const fromAfar = (count, blank) => [...Array(count).keys()].sort((a, b) => Math.abs(b - blank) - Math.abs(a - blank));
  const [blankRow, blankCol] = place(goal, goal.cells.indexOf(0));
  const rows = fromAfar(goal.cells.length / goal.cols, blankRow);
  const cols = fromAfar(goal.cols, blankCol);
  return (tile) => {
    const [row, col] = place(goal, goal.cells.indexOf(tile));
    return [`gr${row}`, `gc${col}`, `l${Math.min(rows.indexOf(row), cols.indexOf(col))}`];
  };
}
