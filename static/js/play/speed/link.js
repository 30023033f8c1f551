// Link to a timed solve. The moves are in the URL's query, so the server checks them. Times follow the #,
// which is never sent.
import { read, textOf } from "../move_times.js";
import { slidesOf } from "./times.js";

export const MOST_MOVES = 1500; // as many as a link to a solution has
const NAME = "#times=";

// Single moves: in a slide of several tiles, all but the first take no time
function stepsOf({ slides, times }) {
  return slidesOf(slides).flatMap(({ way, count }, i) =>
    Array.from({ length: count }, (_, n) => ({ way, ms: n === 0 ? times[i] : 0 })));
}

// A list of moves with run lengths, for example "U2R"
const packed = (ways) => ways.replace(/(.)\1+/g, (run, way) => way + run.length);

// URL of the replay, null if the solve is too long. `game` is the game's URL.
export function linkOf(solve, game) {
  if (!solve.slides || solve.moves > MOST_MOVES) return null;
  const steps = stepsOf(solve);
  const moves = packed(steps.map(({ way }) => way).join(""));
  const times = textOf(steps.map(({ ms }) => ms));
  return `${game.replace(/\/play\/.*/, "/replay/")}${solve.puzzle}?moves=${moves}${NAME}${times}`;
}

// Milliseconds of each move in a URL, null if invalid
export function timesIn(hash, count) {
  return hash.startsWith(NAME) && count <= MOST_MOVES ? read(hash.slice(NAME.length), count) : null;
}
