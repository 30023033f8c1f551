// What has been done by hand, in browser storage: lessons and levels, and the marks on their lists.
import { read, write } from "../play/records.js";

export const LESSONS = "by-hand"; // { "corner": 2 }: moves above the fewest, at best

export function noteLesson(key, extra) {
  const lessons = read(LESSONS);
  write(LESSONS, { ...lessons, [key]: Math.min(extra, lessons[key] ?? extra) });
}

const isExtra = (extra) => Number.isInteger(extra) && extra >= 0;
const MOST = 1_000; // entries in a file: more than there are lessons

// The better result of each lesson; throws if `others` is invalid.
export function mergeLessons(mine, others) {
  const entries = Object.entries(others);
  if (entries.length > MOST) throw new RangeError("too many lessons");
  const both = { ...mine };
  for (const [key, extra] of entries) {
    if (!isExtra(extra)) throw new TypeError(`no lesson: ${key}`);
    both[key] = Math.min(extra, both[key] ?? extra);
  }
  return both;
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
