// The finished game: its card and the personal records of this browser.
import { BESTS, moves, read, write } from "./records.js";
import { noteDaily } from "./streak.js";
import { clockText } from "./clock.js";

const KINDS = ["moves", "seconds"];

const counted = (best) => `${moves(best.moves.count)}, ${clockText(best.seconds.count)}`;
const kindName = (key) => {
  const [size, ...goal] = key.split(" ");
  const level = ["easy", "medium", "hard"].includes(goal.at(-1)) ? goal.pop() : "";
  const words = goal.join(" ").replace(/^blank last$/, ""); // the board itself where it has no name, which can be long
  const named = words.length > 24 ? `${words.slice(0, 20)} …` : words;
  // recorded before the size had levels
  const earlier = !level && size in JSON.parse(document.getElementById("new-form").dataset.bands);
  const band = earlier ? "any difficulty" : level && level[0].toUpperCase() + level.slice(1);
  return [size.replace("x", " × "), band, named].filter(Boolean).join(", ");
};
const keyOf = ({ size, goal, level }) => [size, goal, level].filter(Boolean).join(" ");

// Record a finished game once. Returns the bests of its kind.
function note(data, isNew) {
  const { game, helped } = data;
  const bests = read(BESTS);
  const best = bests[keyOf(data)] ??= {};
  if (helped !== undefined) return best;
  for (const kind of KINDS) {
    const count = Number(data[kind]);
    if (best[kind] === undefined || count < best[kind].count)
      best[kind] = { count, game, first: best[kind] === undefined };
  }
  if (isNew || !best.solved) {
    best.solved = { count: (best.solved?.count ?? 0) + 1, game };
    best.total = { count: (best.total?.count ?? 0) + Number(data.seconds), game };
  }
  write(BESTS, bests);
  return best;
}

// A wave through the tiles and confetti, once
function celebrate() {
  const tray = document.querySelector(".tray");
  tray.classList.add("news");
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const paper = document.createElement("div");
  paper.className = "confetti";
  paper.setAttribute("aria-hidden", "true");
  paper.append(...Array.from({ length: PIECES }, () => document.createElement("i")));
  tray.append(paper); // with its pieces: an empty element has no size on phones
  const { clientWidth: width, clientHeight: height } = paper;
  const falling = [];
  for (const piece of paper.children) {
    const [x, drift, turns] = [Math.random() * width, (Math.random() - 0.5) * 80, Math.random() * 2];
    falling.push(piece.animate([
      { translate: `${x}px -20px`, opacity: 1 },
      { opacity: 1, offset: 0.8 },
      { translate: `${x + drift}px ${height}px`, rotate: `${turns}turn`, opacity: 0 },
    ], { duration: 1400 + Math.random() * 1200, delay: Math.random() * 700, easing: "ease-in" }).finished);
  }
  Promise.allSettled(falling).then(() => paper.remove());
}

// A game finished offline: known facts until the server answers
export function showAway(count) {
  const play = document.getElementById("play");
  if (document.getElementById("won")) return;
  const [card, title, tally, said, row, next] = ["section", "h2", "p", "p", "div", "a"]
    .map((tag) => document.createElement(tag));
  Object.assign(card, { id: "won", className: "finish", ariaLabel: "Solved" });
  title.textContent = "Solved!";
  tally.className = "tally";
  const [made, time] = [moves(count), document.getElementById("clock").textContent].map((words) => {
    const part = document.createElement("span");
    part.textContent = words;
    return part;
  });
  tally.append(made, document.createElement("i"), time);
  const stars = starsAway(count);
  const isHelped = document.querySelector("#stars .badge") !== null; // such a game has no stars
  const later = isHelped ? "Your result is" : stars.length > 0 ? "Your records are" : "Stars and records are";
  Object.assign(said, { className: "say", textContent: `${later} added when you are back online.` });
  row.className = "finish-row";
  Object.assign(next, { className: "btn primary large", id: "next-puzzle", textContent: "Next puzzle",
    href: document.getElementById("new-game").dataset.nextUrl });
  next.dataset.next = "";
  row.append(next);
  card.append(title, ...stars, tally, said, row);
  play.querySelector(".tray").append(card);
  delete play.dataset.firstVisit;
  document.getElementById("figures").querySelector("#to-go b")?.replaceChildren("0");
  celebrate();
  next.focus({ preventScroll: true });
  seen = AWAY;
}

// Stars of a game with known shortest solution, equal to the server's.
function starsAway(made) {
  const text = document.querySelector("#shortest .length, #shortest")?.textContent ?? "";
  const shortest = Number(text.match(/solution: (\d+)/)?.[1]);
  const row = document.querySelector("#stars .stars")?.cloneNode(true);
  if (!shortest || !row) return [];
  const earned = made <= shortest ? 3 : 4 * made <= 5 * shortest ? 2 : 1;
  row.ariaLabel = `${earned} of 3 stars`;
  row.querySelectorAll(".star").forEach((star, index) => star.classList.toggle("off", index >= earned));
  return [row];
}

const AWAY = "away"; // celebrated before the server's answer
const PIECES = 48; // of paper
let seen = null; // the finished game that was shown last
let noted = null; // and the one that was noted

function showFinish(isNew) {
  const won = document.getElementById("won");
  if (!won?.dataset.game || won.dataset.noted) return;
  const { game } = won.dataset;
  const news = isNew && noted !== game;
  if (news && seen !== game && seen !== AWAY) celebrate();
  seen = game;
  if (document.querySelector("#shortest[hx-get]")) return; // its level is still being worked out
  won.dataset.level ??= document.getElementById("shortest")?.dataset.level ?? "";
  won.dataset.noted = noted = game;
  const best = note(won.dataset, news);
  noteDaily();
  if (best.moves) showRecords(best, game, news);
  listBests();
}

// A game finished offline is recorded from the server's answer, if that is complete.
export function noteElsewhere(page) {
  const data = page.getElementById("won")?.dataset;
  if (!data?.game) return;
  const { bands } = document.getElementById("new-form")?.dataset ?? {};
  if (data.level || (bands && !(data.size in JSON.parse(bands)))) note(data, true);
  noteDaily(page);
}

const KIND_WORDS = { moves: "fewest moves", seconds: "best time" };

function showRecords(best, game, news) {
  const better = KINDS.filter((kind) => best[kind].game === game && !best[kind].first);
  const average = best.solved ? best.total.count / best.solved.count : 0;
  const figures = [
    [KIND_WORDS.moves, best.moves.count.toLocaleString("en"), better.includes("moves")],
    [KIND_WORDS.seconds, clockText(best.seconds.count), better.includes("seconds")],
    [best.solved?.count === 1 ? "puzzle solved" : "puzzles solved", String(best.solved?.count ?? 1)],
    ["average time", clockText(average)],
  ];
  const records = document.getElementById("records");
  records.replaceChildren(...figures.map(([words, figure, isBetter]) => {
    const [place, term, value] = ["div", "dt", "dd"].map((tag) => document.createElement(tag));
    [term.textContent, value.textContent] = [words, figure];
    if (isBetter) value.append(badge("New best"));
    place.append(term, value);
    return place;
  }));
  records.hidden = false;
  const names = better.map((kind) => KIND_WORDS[kind]).join(" and ");
  showBest(names ? "New personal best" : null, names || counted(best));
  if (news && names) document.getElementById("review-said").textContent = `New personal best: ${names}.`;
}

function badge(words) {
  const element = document.createElement("span");
  element.className = "badge";
  element.textContent = words;
  return element;
}

// The strip below the game: bests of its kind
function showBest(label, text) {
  const place = document.getElementById("best");
  const strong = document.createElement("b");
  strong.textContent = text;
  const words = document.createElement("span");
  words.append(`${label ?? `Personal best (${kindName(keyOf(kindHere()))})`}: `, strong);
  place.querySelector("span")?.remove();
  place.append(words);
  place.hidden = false;
}

function kindHere() {
  const { size, goal } = document.getElementById("best").dataset;
  return { size, goal, level: document.getElementById("shortest")?.dataset.level };
}

// During a game, the bests of its kind; its level may still be computed
function showPersonalBest() {
  if (document.getElementById("won")?.dataset.game) return;
  const best = read(BESTS)[keyOf(kindHere())];
  if (best?.moves && best.seconds) showBest(null, counted(best));
  else document.getElementById("best").hidden = true;
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
    // storage is off: no records
  }
  listBests();
  document.querySelector("#your-game summary").focus();
  document.getElementById("review-said").textContent = "Your records have been cleared.";
}

// `isNew` is true if the game was finished after the page loaded.
export function start(isNew) {
  document.addEventListener("htmx:after:swap", () => {
    showFinish(true);
    showPersonalBest();
  });
  document.getElementById("clear-bests")?.addEventListener("click", clearBests);
  listBests();
  showFinish(isNew);
  showPersonalBest();
}
