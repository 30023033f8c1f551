// Resume a game from browser storage. Its page may be of another board of the size. Decides which game
// continues if the server has another one.
import { count, draw, format, parse, slide, spoken, tileMoving } from "../board.js";
import { _ } from "../language.js";
import * as connection from "./connection.js";
import { goalName, homeClasses } from "./editor_here.js";
import * as figures from "./figures.js";
import { stateOf } from "./foresight.js";
import { nextBatch } from "./unsent.js";

// Show the server's last known game, or the start of a board that it never had.
export function showStored(begun, show) {
  const { cached, shortest, missing } = document.documentElement.dataset;
  if (cached === "blank") aboutBlank(shortest);
  const game = { ...stateOf(document.getElementById("play")), ...begun };
  show(game);
  if (missing && game.moves === 0) showMissing(missing);
}

// The puzzle's difficulty differs from the requested one.
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
  if (!most) return _("No such puzzle is stored: here is another.");
  return least === most ? _("No puzzle of %(moves)s moves is stored: here is another.", { moves: least })
    : _("No puzzle of %(least)s to %(most)s moves is stored: here is another.", { least, most });
}

// The page's numbers are of its original board, and its goal may be another one.
function aboutBlank(shortest) {
  showGoal(document.getElementById("play").dataset.goal);
  const title = document.getElementById("shortest");
  delete title?.dataset.level;
  const length = { moves: Number(shortest), exact: true };
  title?.replaceChildren(...(length.moves ? figures.aboutLength(stateOf(document.getElementById("play")), length) : []));
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
    tile.className = ["tile", ...[...tile.classList].filter((name) => /^[trc]\d/.test(name)), ...classes(number)].join(" ");
  }
  draw(goal, goal, (tile) => picture.querySelector(`.t${tile}`));
}

const labelOf = (goal) => `${_("Goal")}: ${spoken(parse(goal), _("blank"))}`;

// The server is reachable and `response` is its game. Return null if it is, or becomes, the game `from`
// before the posts. Otherwise return the response to show.
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
    notice.setAttribute("role", "alert");
    const words = document.createElement("span");
    words.textContent = isWhole ? _("This game also went on elsewhere. Which one do you want to keep?")
      : _("This game also went on elsewhere, and your moves here no longer fit.");
    const buttons = [[_("Keep this game"), true], [_("Take the other"), false]].slice(isWhole ? 0 : 1);
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
    document.getElementById("notice").after(notice); // the next move or notice would remove it within
  });
}

// Bring the server's game to the state before the posts: from the start, move by move.
export async function makeAgain({ made }) {
  let board = parse(document.getElementById("play").dataset.start);
  const posts = [{ action: "restart", body: "" }];
  for (const [, way, tiles] of made.matchAll(/([UDLR])(\d*)/g)) {
    const tile = tileMoving(board, way, Number(tiles || 1));
    posts.push({ action: "slide", body: `tile=${tile}&on=${format(board)}` });
    board = slide(board, tile);
  }
  while (posts.length > 0) {
    const batch = nextBatch(posts);
    posts.splice(0, batch.posts.length);
    await connection.patiently(`${connection.gameUrl()}/${batch.action}`, {
      method: "POST", headers: { "HX-Request": "true" }, body: batch.body,
    });
  }
}
