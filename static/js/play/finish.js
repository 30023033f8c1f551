// The finished game: its card, and the personal records that this browser keeps.
import { BESTS, moves, read, write } from "./records.js";
import { noteDaily } from "./streak.js";
import { clockText } from "./clock.js";

const KINDS = ["moves", "seconds"];

const words = { moves, seconds: clockText };
const counted = (best) => `${moves(best.moves.count)}; ${clockText(best.seconds.count)}`;
const kindName = (key) => {
  const [size, ...goal] = key.split(" ");
  const words = goal.join(" "); // the board itself where it has no name, which can be long
  return `${size.replace("x", " × ")}, ${words.length > 24 ? `${words.slice(0, 20)} …` : words}`;
};

// Note a finished game; a game that was noted before changes nothing. Returns its kind's bests.
function note({ game, size, goal, moves, seconds, helped }) {
  const bests = read(BESTS);
  const key = `${size} ${goal}`;
  const best = bests[key] ??= {};
  if (helped !== undefined) return best;
  const counts = { moves: Number(moves), seconds: Number(seconds) };
  for (const kind of KINDS)
    if (best[kind] === undefined || counts[kind] < best[kind].count)
      best[kind] = { count: counts[kind], game, first: best[kind] === undefined };
  write(BESTS, bests);
  return best;
}

// A few tiles fall over the card, once
function celebrate(won) {
  const confetti = document.createElement("div");
  confetti.className = "confetti";
  confetti.setAttribute("aria-hidden", "true");
  for (let n = 0; n < 12; n += 1) confetti.append(document.createElement("i"));
  confetti.addEventListener("animationend", ({ target }) => {
    if (target === confetti.lastChild) confetti.remove();
  });
  won.prepend(confetti);
}

let seen = null; // the finished game that was shown last

function showFinish(isNew) {
  const won = document.getElementById("won");
  const place = document.getElementById("best");
  if (!place || place.childElementCount > 0) return;
  const { game, size, goal } = won.dataset;
  const news = isNew && seen !== game;
  seen = game;
  if (news) celebrate(won);
  const best = note(won.dataset);
  noteDaily();
  if (!best.moves) return;
  const better = KINDS.filter((kind) => best[kind].game === game && !best[kind].first);
  const strong = document.createElement("b");
  if (better.length > 0)
    strong.textContent = `New record: ${better.map((kind) => words[kind](best[kind].count)).join(" and ")}. `;
  place.replaceChildren(strong, `Your best on ${kindName(`${size} ${goal}`)}: ${counted(best)}.`);
  if (news) document.getElementById("review-said").textContent = strong.textContent;
  listBests();
}

function listBests() {
  const list = document.getElementById("bests-list");
  if (!list) return;
  const kinds = Object.entries(read(BESTS)).filter(([, best]) => best?.moves && best.seconds).sort();
  const items = kinds.map(([key, best]) => {
    const item = document.createElement("li");
    item.textContent = `${kindName(key)}: ${counted(best)}`;
    return item;
  });
  list.replaceChildren(...items);
  document.getElementById("clear-bests").hidden = items.length === 0;
}

function clearBests() {
  try {
    localStorage.removeItem(BESTS);
  } catch {
    // storage is off: there are none
  }
  listBests();
  document.querySelector("#your-game summary").focus();
  document.getElementById("review-said").textContent = "Your records are cleared.";
}

// `isNew` tells that a game that is finished now was not when the page came.
export function start(isNew) {
  document.addEventListener("htmx:after:swap", () => showFinish(true));
  document.getElementById("clear-bests")?.addEventListener("click", clearBests);
  listBests();
  showFinish(isNew);
}
