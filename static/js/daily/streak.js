// Daily puzzles solved in this browser, and the streaks. A day counts if any of its puzzles was
// solved on that day, in UTC, by the site's clock.
import { _, ngettext } from "../language.js";
import { read, write } from "../storage.js";

export const DAYS = "days"; // { "2026-02-28 3x3": { moves, seconds, helped, on: "2026-02-28", shortest: 23 } }
export const SIZES = ["3x3", "4x4", "5x5"]; // the last on Sundays only
const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_MILLISECONDS = 24 * 3600 * 1000;
const MOST_DAYS = 20_000; // puzzles in a file: two a day, three on Sundays, for 25 years

const isResult = (result) => result instanceof Object && Number.isInteger(result.moves)
  && Number.isFinite(result.seconds) && typeof result.helped === "boolean";
const isDate = (text) => typeof text === "string" && DAY.test(text) && !Number.isNaN(Date.parse(text));
const isKey = (key) => isDate(key.slice(0, 10)) && SIZES.includes(key.slice(11)) && key[10] === " ";

export const solvedDays = () => read(DAYS);

// Merge two results into the better: without help, fewest moves, fastest. The date of the first
// solve stays, if it was recorded, and so does the length of a shortest solution.
function better(one, other) {
  if (!one || !other) return one ?? other;
  const isOther = (other.helped - one.helped || other.moves - one.moves || other.seconds - one.seconds) < 0;
  const on = [one.on, other.on].filter(isDate).sort()[0];
  const shortest = one.shortest ?? other.shortest;
  return { ...(isOther ? other : one), ...(on && { on }), ...(shortest && { shortest }) };
}

export function noteDay(day, result) {
  const days = solvedDays();
  write(DAYS, { ...days, [day]: better(days[day], result) });
}

// Record a finished daily puzzle from its card, and show its effect on the streak.
export function noteDaily(won) {
  const { daily, finished, moves, seconds, shortest, helped } = won.dataset;
  const on = new Date(finished ? 1000 * Number(finished) : Date.now()).toISOString().slice(0, 10);
  const result = { moves: Number(moves), seconds: Number(seconds), helped: helped !== undefined, on };
  noteDay(daily, shortest ? { ...result, shortest: Number(shortest) } : result);
  const days = solvedDays();
  const first = days[daily]?.on ?? on; // finished once, it may be sent later
  const { current } = streaks(days, first);
  won.querySelector("#daily-streak").textContent = daily.startsWith(first)
    ? _("Your streak: %(days)s.", { days: inDays(current) })
    : _("Solved on another day, so your streak stays as it was.");
}

// The days of both, each with its better result; throws if `others` is invalid.
export function merge(mine, others) {
  const both = { ...mine };
  const entries = Object.entries(others);
  if (entries.length > MOST_DAYS) throw new RangeError("too many days");
  for (const [key, { moves, seconds, helped, on, shortest }] of entries) {
    const known = Number.isInteger(shortest) && shortest > 0;
    const result = { moves, seconds, helped, ...(isDate(on) && { on }), ...(known && { shortest }) };
    if (!isKey(key) || !isResult(result)) throw new TypeError(`not a solved day: ${key}`);
    both[key] = better(mine[key], result);
  }
  return both;
}

export const inDays = (count) => ngettext("%(num)s day", "%(num)s days", count);
export const counts = (key, { on }) => on === key.slice(0, 10);

// Whether each puzzle of a day was solved on the day without help, the first in the fewest moves
export function isPerfect(days, day, sizes) {
  const results = sizes.map((size) => days[`${day} ${size}`]);
  return results.every((result) => result && !result.helped && counts(`${day} `, result))
    && results[0].moves === results[0].shortest;
}

const dayNumber = (day) => Date.parse(day) / DAY_MILLISECONDS; // a date alone is read as UTC

// The current and the longest streak. While today's puzzles are unsolved, the current streak ends
// yesterday.
export function streaks(days, today) {
  const counting = Object.entries(days).filter(([key, result]) => counts(key, result));
  const numbers = [...new Set(counting.map(([key]) => dayNumber(key.slice(0, 10))))].sort((a, b) => a - b);
  let [run, longest, last] = [0, 0, null];
  for (const number of numbers) {
    run = number - 1 === last ? run + 1 : 1;
    longest = Math.max(longest, run);
    last = number;
  }
  const since = dayNumber(today) - last;
  return { current: last !== null && since <= 1 ? run : 0, longest, isToday: since === 0 };
}
