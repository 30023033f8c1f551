// Progress in browser storage: lessons by hand, levels and gallery boards, and the marks on their lists.
import { _, ngettext } from "../language.js";
import { read, write } from "../storage.js";
import { fillStars } from "./figures.js";

export const LESSONS = "by-hand"; // { "corner": 2 }: moves above the fewest, at best

export const LEVELS = "levels"; // { "12": 3 }: stars at best, 0 if it was solved with help alone

export const STORIES = "gallery"; // { "4.5.0-1.2.3": 21 }: moves without help, at best

export const LAST_ROWS = "last-rows"; // { "two-rows": { times: [12.34], best: 12.34 } }, in seconds
export const SHOWN_TIMES = 5;
export const DETOURS = "detours"; // { "1.2.3-4.0.5-7.8.6": { moves: 2, at: 1700000000000 } }
const MOST_DETOURS = 30;

export const noteLesson = (key, extra) => noteBetter(LESSONS, key, extra, Math.min);

// The newest detours; each is "code:moves".
export function noteDetours(found) {
  const at = Date.now();
  const all = read(DETOURS);
  for (const [code, moves] of found.map((one) => one.split(":"))) all[code] = { moves: Number(moves), at };
  write(DETOURS, newest(all));
}

const newest = (all) => Object.fromEntries(Object.entries(all).sort(([, a], [, b]) => b.at - a.at).slice(0, MOST_DETOURS));

const MOST = 1_000; // entries in a file: more than there are lessons or levels

// Merge two tables of numbers, each entry by `better`; throws if `others` is invalid.
const merging = (isValid, better) => (mine, others) => {
  const entries = Object.entries(others);
  if (entries.length > MOST) throw new RangeError("too many");
  const both = { ...mine };
  for (const [key, value] of entries) {
    if (!Number.isInteger(value) || !isValid(value)) throw new TypeError(`damaged: ${key}`);
    both[key] = better(value, both[key] ?? value);
  }
  return both;
};

export const mergeLessons = merging((extra) => extra >= 0, Math.min);
export const mergeStories = merging((moves) => moves > 0, Math.min);
export const mergeLevels = merging((stars) => stars >= 0 && stars <= 3, Math.max);

const isTime = (time) => Number.isFinite(time) && time >= 0;
const CODE = /^[\d.\-_]{7,200}$/;

// The better best time of each kind, and the last times of this browser, or else the other times
export function mergeTimes(mine, others) {
  const both = { ...mine };
  for (const [key, { times, best }] of Object.entries(others).slice(0, MOST)) {
    if (!isTime(best) || !Array.isArray(times) || !times.every(isTime)) throw new TypeError(`no times: ${key}`);
    both[key] = { times: mine[key]?.times ?? times.slice(-SHOWN_TIMES), best: Math.min(best, mine[key]?.best ?? best) };
  }
  return both;
}

export function mergeDetours(mine, others) {
  for (const [code, { moves, at }] of Object.entries(others))
    if (!CODE.test(code) || !Number.isInteger(moves) || !Number.isFinite(at)) throw new TypeError(`no detour: ${code}`);
  return newest({ ...others, ...mine });
}

const noteBetter = (name, key, value, better) => {
  const all = read(name);
  write(name, { ...all, [key]: better(value, all[key] ?? value) });
};

/** Note the finish of a level by its stars, or of a gallery board by its moves. A game with help has no stars. */
export function noteFinish(won) {
  const { levelNumber, story, moves, helped } = won.dataset;
  const stars = won.querySelectorAll("#won-stars .star:not(.off)").length;
  if (levelNumber && (stars > 0 || helped !== undefined)) noteBetter(LEVELS, levelNumber, stars, Math.max);
  if (story && helped === undefined) noteBetter(STORIES, story, Number(moves), Math.min);
}

function showStories() {
  const stories = read(STORIES);
  const cards = [...document.querySelectorAll(".card[data-story]")];
  for (const card of cards) {
    const moves = stories[card.dataset.story];
    const mark = card.querySelector(".solved");
    mark.hidden = moves === undefined;
    if (moves !== undefined) 
      mark.textContent = ngettext("Solved in %(num)s move", "Solved in %(num)s moves", moves);
  }
  const filter = document.getElementById("unsolved");
  if (!filter) return;
  filter.hidden = !cards.some((card) => stories[card.dataset.story] !== undefined);
  const isOn = filter.querySelector("input").checked;
  for (const card of cards) card.hidden = isOn && stories[card.dataset.story] !== undefined;
  for (const group of document.querySelectorAll(".group")) group.hidden = !group.querySelector(".card:not([hidden])");
}

function showLevels() {
  const next = document.getElementById("level-next");
  if (!next) return;
  const levels = read(LEVELS);
  const links = [...document.querySelectorAll("a[data-level]")];
  const of = ({ dataset: { level } }) => levels[level]; // undefined if it is not solved
  const upNext = links.find((link) => of(link) === undefined);
  for (const link of links) {
    const [earned, row] = [of(link), link.querySelector(".level-stars")];
    link.classList.toggle("is-done", earned > 0);
    link.classList.toggle("is-helped", earned === 0);
    link.classList.toggle("is-next", link === upNext);
    link.querySelector(".level-moves").hidden = earned !== undefined;
    link.querySelector(".level-help").hidden = earned !== 0;
    row.hidden = !earned;
    fillStars(row.querySelector(".stars"), earned);
  }
  const solved = links.filter((link) => of(link) !== undefined);
  const sum = solved.reduce((stars, link) => stars + of(link), 0);
  const all = links.length;
  say("level-sum", _("<b>%(earned)s</b> of %(all)s", { earned: sum, all: 3 * all }));
  say("level-count", _("<b>%(count)s</b> of %(all)s solved", { count: solved.length, all }));
  for (const id of ["level-sum", "level-count"]) document.getElementById(id).hidden = solved.length === 0;
  next.hidden = !upNext;
  if (!upNext) return;
  next.href = upNext.href;
  if (solved.length > 0) next.textContent = _("Continue at %(number)s", { number: upNext.dataset.level });
}

const say = (id, html) => { document.querySelector(`#${id} > span:last-child`).innerHTML = html; };

function showLessons() {
  const lessons = read(LESSONS);
  const cards = [...document.querySelectorAll("[data-lesson].card")];
  for (const card of cards) {
    const extra = lessons[card.dataset.lesson];
    card.classList.toggle("is-done", extra !== undefined);
    const mark = card.querySelector(".hand-mark");
    mark.hidden = extra === undefined;
    mark.textContent = extra === 0 ? _("✓ Done, in the fewest moves") : _("✓ Done");
  }
}

for (const show of [showLessons, showLevels, showStories]) {
  show(); // the page may be there before this
  addEventListener("pageshow", show);
}
document.getElementById("unsolved")?.addEventListener("change", showStories);
