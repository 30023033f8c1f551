// The finished game: its card, and the progress that counts with it. Personal records are in records.js.
import { load, make, use } from "../dom.js";
import { _ } from "../language.js";
import { clock, clockText } from "./clock.js";
import { isServerless } from "./connection.js";
import * as figures from "./figures.js";
import { readText } from "../storage.js";
import { drawn, game } from "./view.js";
import * as words from "./words.js";

export const UNCONFIRMED = "unconfirmed"; // in place of a game's identity
let isCelebrated = false; // whether the finish was shown before

// A wave through the tiles and falling paper, once, in the stage: an answer replaces the board in it.
function celebrate() {
  document.getElementById("game").classList.add("news");
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches)
    use("play/celebration.js", ({ dropPaper }) => dropPaper());
}

// Days, levels and gallery boards count once the server has the game. Settles when they are stored.
export async function noteProgress(page) {
  const won = page.getElementById("won");
  const { daily, levelNumber, story } = won?.dataset ?? {};
  try {
    if (daily) (await load("daily/streak.js")).noteDaily(won);
    if (levelNumber || story) (await load("play/progress.js")).noteFinish(won);
  } catch {
    // the connection is lost before the first finish
  }
}

function leaveDaily() {
  const place = document.getElementById("day");
  place?.replaceChildren();
  place?.removeAttribute("class");
}

// Fill the card of a game that the server has not confirmed.
export function fill(card, position) {
  const { moves: made, helped, start, goal } = position;
  const milliseconds = clock.played();
  const shortest = figures.shortest(position);
  Object.assign(card.dataset, { game: isServerless() ? Date.now() : UNCONFIRMED, moves: made, seconds: milliseconds / 1000 });
  card.toggleAttribute("data-helped", helped);
  const isProved = shortest?.exact;
  if (isProved && card.dataset.daily) card.dataset.shortest = shortest.moves;
  const row = card.querySelector(".stars");
  if (helped) card.querySelector("h2").textContent = _("Solved");
  else for (const part of card.querySelectorAll(".badge, .alone, .try-alone")) part.remove();
  if (!isProved) card.querySelector(".alone")?.remove();
  if (helped || !isProved) row.remove();
  else figures.fillStars(row, figures.stars(made, shortest.moves));
  const [count, time] = card.querySelectorAll(".tally span");
  [count.textContent, time.textContent] = [words.moves(made), clockText(milliseconds / 1000)];
  const say = card.querySelector(".say");
  if (isProved && made === shortest.moves) say.append(make("span", {}, words.shortestFound(made, helped)));
  else if (shortest && start !== goal) {
    const length = _("Shortest: %(length)s.", { length: words.length(shortest) });
    const rest = make("span", { id: "won-shortest" }, `${length} `);
    figures.mark(rest, start, shortest);
    if (isProved) rest.append(make("span", {}, words.detours(made - shortest.moves)));
    say.append(rest);
  }
  card.querySelector("#challenge-over")?.append(figures.challenge(position));
  const next = card.querySelector("#next-puzzle[data-next]");
  if (next) next.href = document.getElementById("new-game").dataset.nextUrl;
}

// Stars and length in the server's card, which it left open
function complete(won) {
  const position = drawn();
  if (!won?.querySelector("#won-shortest[hx-get]") || !figures.shortest(position)?.exact) return;
  const card = document.getElementById("won-template").content.firstElementChild.cloneNode(true);
  fill(card, position);
  for (const part of ["#won-stars", ".say"]) won.querySelector(part).replaceWith(card.querySelector(part));
}

// `isNew` is true if the game was finished on this page.
function showFinish(isNew) {
  const won = document.getElementById("won");
  if (won && !isCelebrated && isNew && won.dataset.game) celebrate();
  isCelebrated = won !== null;
  complete(won);
  if (!won) {
    leaveDaily();
    document.getElementById("game").classList.remove("news");
  } else if (won.dataset.game && won.dataset.game !== UNCONFIRMED) noteProgress(document);
}

// Note a finished game whose answer is not shown.
export async function noteUnshown(page) {
  if (!page.getElementById("won")?.dataset.game) return;
  use("play/records.js", (records) => records.noteUnshown(page));
  await noteProgress(page);
}

export function start() {
  const isNew = game.queue.length > 0; // moves were made before this code was there
  const sample = document.getElementById("won-template")?.content.firstElementChild;
  if (!sample) return;
  const wasOver = document.getElementById("won") !== null;
  game.addEventListener("shown", () => showFinish(true));
  showFinish(isNew);
  const prepare = () => { // the page may be left with the finish
    const { daily, levelNumber, story } = sample.dataset;
    use("play/records.js", (records) => records.start(isNew || !wasOver));
    if (daily) use("daily/streak.js");
    if (levelNumber || story) use("play/progress.js");
  };
  if (wasOver || readText("bests")) prepare();
  else game.begun.then(prepare);
}
