// The finished game: personal records, which this browser keeps, and the review's graph.
import { BESTS, clock, moves, noteDay, read, write } from "./records.js";

const KINDS = ["moves", "seconds"];

const words = { moves, seconds: clock };
const counted = (best) => `${moves(best.moves.count)}; ${clock(best.seconds.count)}`;
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

function noteDaily({ daily, moves, seconds, helped }) {
  const result = { moves: Number(moves), seconds: Number(seconds), helped: helped !== undefined };
  if (daily) noteDay(daily, result);
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
  noteDaily(won.dataset);
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

// A click into the graph shows the move there
function onGraph(event) {
  const graph = event.target.closest("#review-graph");
  if (!graph) return;
  const { left, width } = graph.getBoundingClientRect();
  const count = Number(graph.dataset.moves);
  const index = Math.round(((event.clientX - left) / width) * count) || 1;
  const number = Number(graph.dataset.first) - 1 + Math.min(count, Math.max(1, index));
  document.getElementById(`move-${number}`)?.click();
}

// Bring the review into view when it has been opened, and its list to the move that is shown
function showReview(opened) {
  const review = document.getElementById("review");
  // no farther than needed: the board stays in sight where it can
  if (opened) review.querySelector("#review-summary, #review-pending").scrollIntoView({ block: "nearest" });
  const number = document.getElementById("review-at")?.dataset.move;
  const here = document.getElementById(`move-${number}`)?.parentElement;
  if (!here) return;
  review.querySelector(".here")?.classList.remove("here");
  here.classList.add("here");
  const list = here.parentElement; // scroll it, and not the page
  if (here.offsetTop < list.scrollTop
    || here.offsetTop + here.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = here.offsetTop - list.clientHeight / 2;
}

// The review is of the game as it was: the next move, or a step back, puts it away
function putAway({ detail: { ctx } }) {
  const review = document.getElementById("review");
  if (ctx.target?.id !== "play" || review.childElementCount === 0) return;
  const empty = document.createElement("section");
  empty.id = "review";
  empty.setAttribute("aria-label", "Review");
  review.replaceWith(empty);
}

// `isNew` tells that a game that is finished now was not when the page came.
export function start(isNew) {
  let shown = "";
  const look = () => {
    showFinish(true);
    const kind = document.querySelector("#review-summary, #review-pending")?.id ?? "";
    showReview(kind !== "" && kind !== shown);
    shown = kind;
  };
  document.addEventListener("htmx:after:swap", look);
  document.addEventListener("htmx:config:request", putAway);
  document.addEventListener("click", onGraph);
  document.getElementById("clear-bests")?.addEventListener("click", clearBests);
  listBests();
  showFinish(isNew);
  shown = document.querySelector("#review-summary")?.id ?? "";
  showReview(false);
}
