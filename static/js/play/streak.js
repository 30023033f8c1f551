// Daily puzzles solved in this browser, and the streaks. A day counts if one of its puzzles was solved
// on that day, in UTC, by the site's clock.
import { parse, slide, tileMoving } from "../board.js";
import { _, ngettext } from "../language.js";
import { clockText } from "./clock.js";
import { moves as counted, read, write } from "./records.js";

export const DAYS = "days"; // { "2026-02-28 3x3": { moves, seconds, helped, on: "2026-02-28", shortest: 23 } }
export const SIZES = ["3x3", "4x4", "5x5"]; // the last on Sundays only
const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_MILLISECONDS = 24 * 3600 * 1000;
const MOST_DAYS = 20_000; // puzzles in a file: two a day, three on Sundays, for 25 years

const isResult = (result) => result instanceof Object && Number.isInteger(result.moves)
  && Number.isFinite(result.seconds) && typeof result.helped === "boolean";
const isDate = (text) => typeof text === "string" && DAY.test(text) && !Number.isNaN(Date.parse(text));
const isKey = (key) => isDate(key.slice(0, 10)) && SIZES.includes(key.slice(11)) && key[10] === " ";

export function solvedDays() {
  return Object.fromEntries(Object.entries(read(DAYS)).filter((day) => isKey(day[0]) && isResult(day[1])));
}

// Merge two results into the better one: without help, fewest moves, fastest. The date of the first
// solve stays, if it was recorded, and so does the length of a shortest solution.
function better(one, other) {
  if (!one || !other) return one ?? other;
  const isOther = (other.helped - one.helped || other.moves - one.moves || other.seconds - one.seconds) < 0;
  const on = [one.on, other.on].filter(isDate).sort()[0];
  const shortest = one.shortest ?? other.shortest;
  return { ...(isOther ? other : one), ...(on && { on }), ...(shortest && { shortest }) };
}

export function noteDay(day, result) {
  const days = read(DAYS);
  write(DAYS, { ...days, [day]: better(days[day], result) });
}

// Record a finished daily puzzle of the page and show its effect on the streak. `made` is a game that the server
// has not confirmed: { game, shortest, stars }.
export function noteDaily(page = document, made = null) {
  if (made && !page.getElementById("daily-result")) showResult(made);
  const shown = page.getElementById("daily-result")?.dataset;
  if (!shown) return;
  const on = new Date(1000 * Number(shown.finished)).toISOString().slice(0, 10);
  const [moves, seconds, helped] = [Number(shown.moves), Number(shown.seconds), shown.helped !== undefined];
  const shortest = Number(shown.shortest); // unknown for large boards
  noteDay(shown.daily, { moves, seconds, helped, on, ...(shortest && { shortest }) });
  const days = solvedDays();
  const first = days[shown.daily]?.on ?? on; // finished once, it may be sent later
  const { current } = streaks(days, first);
  const said = document.getElementById("daily-streak");
  if (said) said.textContent = shown.daily.startsWith(first) ? _("Your streak: %(days)s.", { days: inDays(current) })
    : _("Solved on another day, so your streak stays as it was.");
}

// The result of a finished game, as the server will write it
function showResult({ game, shortest, stars }) {
  const won = document.getElementById("won");
  if (!won) return; // it was undone meanwhile
  const result = document.importNode(document.getElementById("day-template").content.firstElementChild, true);
  const { moves, seconds, helped } = won.dataset;
  Object.assign(result.dataset, { finished: Date.now() / 1000, moves, seconds });
  if (shortest) result.dataset.shortest = shortest;
  result.toggleAttribute("data-helped", helped !== undefined);
  const [day, size] = result.dataset.daily.split(" ");
  const made = counted(Number(moves));
  const figures = [_("Slidewise daily %(day)s %(size)s", { day, size: size.replace("x", "×") }),
    stars && "★".repeat(stars) + "☆".repeat(3 - stars),
    shortest ? _("%(moves)s, shortest %(shortest)s", { moves: made, shortest }) : made, clockText(Number(seconds)),
    helped !== undefined && _("with help")];
  const lines = [figures.filter(Boolean).join(" · "), bars(game), result.querySelector("a").href];
  result.querySelector("textarea").textContent = lines.filter(Boolean).join("\n");
  const place = document.getElementById("day");
  place.className = "card day";
  place.replaceChildren(result);
}

const BARS = "▁▂▃▄▅▆▇█";
const BARS_SHOWN = 10;

// Bars for the distance to the goal after each tenth of a game, as `shared_result` in webapp/play/daily.py; "" if
// not all of its moves are known
export function bars({ start, goal, made, moves }) {
  if (made.startsWith("…")) return "";
  const ways = [...made.matchAll(/([UDLR])(\d*)/g)].flatMap(([, way, count]) => Array(Number(count || 1)).fill(way));
  const far = [distance(parse(start), parse(goal))];
  let board = parse(start);
  for (let part = 1; part <= BARS_SHOWN; part += 1) {
    const before = Math.floor(moves * (part - 1) / BARS_SHOWN);
    for (const way of ways.slice(before, Math.floor(moves * part / BARS_SHOWN)))
      board = slide(board, tileMoving(board, way, 1));
    far.push(distance(board, parse(goal)));
  }
  const most = Math.max(...far) || 1;
  return far.slice(1).map((one) => BARS[toEven((BARS.length - 1) * (1 - one / most))]).join("");
}

// Sum of the tiles' row and column distances from home
function distance({ cols, cells }, goal) {
  return cells.reduce((sum, tile, cell) => {
    const home = goal.cells.indexOf(tile);
    const steps = Math.abs(Math.floor(cell / cols) - Math.floor(home / cols)) + Math.abs(cell % cols - home % cols);
    return sum + (tile && steps);
  }, 0);
}

// Python's `round`: a half goes to the even number
const toEven = (number) => (number % 1 === 0.5 ? 2 * Math.round(number / 2) : Math.round(number));

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

// The current streak and the longest one. While today's puzzles are unsolved, the current streak ends
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
