// Personal records of this browser: noted with each finished game, shown next to it, and listed.
import { slidesOf } from "../board.js";
import { make } from "../dom.js";
import { _, listed, ngettext, number } from "../language.js";
import { isEmpty, read, write, writeText } from "../storage.js";
import { clockText } from "./clock.js";
import * as figures from "./figures.js";
import { UNCONFIRMED } from "./finish.js";
import { positionOf } from "../game/position.js";
import * as view from "./view.js";
import { moves } from "./words.js";

const GOALS = { "blank last": "", "blank first": _("blank first"), spiral: _("spiral") };

export const BESTS = "bests"; // { "3x3 blank last": { moves: { count, game }, seconds: { count, game } } }
const KINDS = ["moves", "seconds"];
// The finished game that was recorded last, and its moves until a restart: undoing and redoing them is the same game
const noted = { game: null, made: null };
const unleveled = []; // finished games to record once their level is known

const counted = (best) => `${moves(best.moves.count)}, ${clockText(best.seconds.count)}`;
const kindName = (key) => {
  const [size, ...goal] = key.split(" ");
  const level = Object.hasOwn(figures.LEVELS, goal.at(-1)) ? goal.pop() : "";
  const name = goal.join(" "); // an unnamed goal is its board, which can be long
  const named = GOALS[name] ?? (name.length > 24 ? `${name.slice(0, 20)} …` : name);
  // recorded before the size had levels
  const earlier = !level && size in JSON.parse(document.getElementById("new-form").dataset.bands);
  const band = earlier ? _("any difficulty") : figures.LEVELS[level];
  return [size.replace("x", " × "), band, named].filter(Boolean).join(", ");
};
const keyOf = ({ size, goal, level }) => [size, goal, level].filter(Boolean).join(" ");

// Add a finished game to the records of its kind and return them. They are stored only if the server
// has confirmed the game.
function note(data, made, isNew) {
  const { game, helped } = data;
  const bests = read(BESTS);
  const best = bests[keyOf(data)] ??= {};
  if (helped !== undefined || slidesOf(made).length < 2) return best; // a single slide takes no time
  for (const kind of KINDS) {
    const count = Number(data[kind]);
    if (best[kind] === undefined || count < best[kind].count)
      best[kind] = { count, game, first: best[kind] === undefined };
  }
  if (isNew ? best.solved?.game !== game : !best.solved) {
    best.solved = { count: (best.solved?.count ?? 0) + 1, game };
    best.total = { count: (best.total?.count ?? 0) + Number(data.seconds), game };
  }
  if (game !== UNCONFIRMED && !write(BESTS, bests) && isEmpty()) document.getElementById("no-bests").textContent =
    _("This browser stores nothing (private window or blocked storage), so records are gone when you leave the page.");
  return best;
}

// `isNew` is true if the game was finished on this page.
function noteFinish(isNew) {
  const won = document.getElementById("won");
  if (!won && noted.game === UNCONFIRMED) noted.game = null;
  const { made } = view.play().dataset;
  if (made === "") noted.made = null;
  if (!won?.dataset.game || won.dataset.noted) return;
  won.dataset.level ||= levelHere(won.dataset.size); // "" while it is pending
  const { game, level } = won.dataset;
  const news = isNew && noted.game !== game && noted.made !== made;
  if (!isNew) noted.game = game; // even if it is recorded later
  if (!level && isLevelPending()) return;
  won.dataset.noted = noted.game = game;
  if (game !== UNCONFIRMED) noted.made = made;
  const best = note(won.dataset, made, news);
  if (best.moves && won.dataset.helped === undefined) showRecords(best, game, news);
  else if (best.moves && best.seconds) showBest(null, counted(best));
  listBests();
}

// A finish of a game that is not shown.
export function noteUnshown(page) {
  unleveled.push({ ...page.getElementById("won").dataset, of: positionOf(page.getElementById("play").dataset) });
  noteUnleveled();
}

// For a puzzle elsewhere the level can stay unknown, and for this puzzle until its page is left.
function noteUnleveled(isLeft = false) {
  const { start, goal } = document.getElementById("play")?.dataset ?? {};
  for (const data of unleveled.splice(0)) {
    const isHere = data.of.start === start && data.of.goal === goal;
    if (isHere) data.level ||= levelHere(data.size, data.of);
    if (isHere && !data.level && !isLeft && isLevelPending()) unleveled.push(data);
    else {
      note(data, data.of.made, true);
      if (isHere && view.play().dataset.made !== "") noted.made = data.of.made;
    }
  }
}

const KIND_WORDS = { moves: _("fewest moves"), seconds: _("best time") };

function showRecords(best, game, isNew) {
  const better = KINDS.filter((kind) => best[kind].game === game && !best[kind].first);
  const average = best.solved ? best.total.count / best.solved.count : 0;
  const rows = [
    [KIND_WORDS.moves, number(best.moves.count), better.includes("moves")],
    [KIND_WORDS.seconds, clockText(best.seconds.count), better.includes("seconds")],
    [ngettext("puzzle solved", "puzzles solved", best.solved?.count ?? 1), String(best.solved?.count ?? 1)],
    [_("average time"), clockText(average)],
  ];
  const records = document.getElementById("records");
  records.replaceChildren(...rows.map(([words, figure, isBetter]) => {
    const badge = isBetter && make("span", "badge", _("New best"));
    return make("div", "", make("dt", "", words), make("dd", "", figure, badge));
  }));
  records.hidden = false;
  const names = better.length > 0 ? listed(better.map((kind) => KIND_WORDS[kind])) : "";
  showBest(names ? _("New personal best") : null, names || counted(best));
  const news = names && isNew ? _("New personal best: %(names)s.", { names }) : "";
  const said = document.getElementById("review-said");
  if (news && said.textContent !== news) said.textContent = news;
}

// The strip below the game: bests of its kind
function showBest(label, text) {
  const place = document.getElementById("best");
  const title = label ?? _("Personal best (%(kind)s)", { kind: kindName(keyOf(kindHere())) });
  place.querySelector("span")?.remove();
  place.append(make("span", "", `${title}: `, make("b", "", text)));
  place.hidden = false;
}

function kindHere() {
  const { size, goal } = document.getElementById("best").dataset;
  return { size, goal, level: levelHere(size) };
}

// A busy server may leave it to the page.
const levelHere = (size, position = view.drawn()) =>
  document.getElementById("shortest")?.dataset.level ?? figures.level(size, position);
const isLevelPending = () => document.querySelector("#shortest[hx-get]") !== null; // it is still being worked out

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
  const items = Object.entries(read(BESTS)).filter(([, best]) => best?.moves && best.seconds).sort()
    .map(([key, best]) => make("li", "", `${kindName(key)}: ${counted(best)}`));
  list.replaceChildren(...items);
  document.getElementById("clear-bests").hidden = items.length === 0;
}

function clearBests() {
  if (!confirm(_("Clear your records? They cannot be restored."))) return;
  writeText(BESTS, null);
  document.querySelector("#your-game summary").focus();
  listBests();
  document.getElementById("review-said").textContent = _("Your records have been cleared.");
}

// `isNew`: whether a finish that is shown was made on this page.
export function start(isNew) {
  const follow = (isHere) => {
    noteUnleveled();
    noteFinish(isHere);
    showPersonalBest();
  };
  view.game.addEventListener("shown", () => follow(true));
  addEventListener("pagehide", () => noteUnleveled(true));
  document.getElementById("clear-bests")?.addEventListener("click", clearBests);
  listBests();
  follow(isNew);
}
