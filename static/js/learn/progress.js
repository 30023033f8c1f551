// What has been done by hand, in browser storage: lessons and levels, and the marks on their lists.
import { read, write } from "../play/records.js";

export const LESSONS = "by-hand"; // { "corner": 2 }: moves above the fewest, at best

export const LEVELS = "levels"; // { "12": 3 }: stars, at best

export function noteLesson(key, extra) {
  const lessons = read(LESSONS);
  write(LESSONS, { ...lessons, [key]: Math.min(extra, lessons[key] ?? extra) });
}

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
export const mergeLevels = merging((stars) => stars >= 1 && stars <= 3, Math.max);

// The game of a level: its stars are those of the finish, which a game with help does not have.
export function startLevel() {
  const { level } = document.getElementById("of-level").dataset;
  const note = () => {
    const stars = document.querySelectorAll("#won-stars .star:not(.off)").length;
    const levels = read(LEVELS);
    if (stars > (levels[level] ?? 0)) write(LEVELS, { ...levels, [level]: stars });
  };
  document.addEventListener("htmx:after:swap", note);
  note();
}

function showLevels() {
  const levels = read(LEVELS);
  const links = [...document.querySelectorAll("a[data-level]")];
  for (const link of links) {
    const earned = levels[link.dataset.level] ?? 0;
    const row = link.querySelector(".level-stars");
    row.hidden = earned === 0;
    row.querySelector(".stars").ariaLabel = `${earned} of 3 stars`;
    row.querySelectorAll(".star").forEach((star, index) => star.classList.toggle("off", index >= earned));
  }
  const sum = document.getElementById("level-sum");
  if (!sum) return;
  const earned = links.map(({ dataset }) => levels[dataset.level] ?? 0).reduce((a, b) => a + b, 0);
  sum.textContent = `You have ${earned} of ${3 * links.length} stars.`;
  sum.hidden = earned === 0;
}

function showLessons() {
  const lessons = read(LESSONS);
  const cards = [...document.querySelectorAll("[data-lesson].card")];
  for (const card of cards) {
    const extra = lessons[card.dataset.lesson];
    card.classList.toggle("is-done", extra !== undefined);
    const mark = card.querySelector(".hand-mark");
    mark.hidden = extra === undefined;
    mark.textContent = extra === 0 ? "✓ Done, in the fewest moves" : "✓ Done";
  }
}

addEventListener("pageshow", showLessons);
addEventListener("pageshow", showLevels);
