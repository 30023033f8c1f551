// The link to a solve as it was played: the moves stand in the address, where the server checks
// them, and the times behind the #, which no server is sent.
import { read, textOf } from "../move_times.js";
import { slidesOf } from "./times.js";

export const MOST_MOVES = 1500; // as many as a link to a solution has
const NAME = "#times=";

// The moves one by one: of a slide of several tiles all but the first take no time
function stepsOf({ slides, times }) {
  return slidesOf(slides).flatMap(({ way, count }, i) =>
    Array.from({ length: count }, (_, n) => ({ way, ms: n === 0 ? times[i] : 0 })));
}

// A list of moves with run lengths, such as "U2R"
const packed = (ways) => ways.replace(/(.)\1+/g, (run, way) => way + run.length);

// The address of the replay, null where the solve is too long for one. `game` is that of a game.
export function linkOf(solve, game) {
  if (!solve.slides || solve.moves > MOST_MOVES) return null;
  const steps = stepsOf(solve);
  const moves = packed(steps.map(({ way }) => way).join(""));
  const times = textOf(steps.map(({ ms }) => ms));
  return `${game.replace(/\/play\/.*/, "/replay/")}${solve.puzzle}?moves=${moves}${NAME}${times}`;
}

// The milliseconds of each move in an address, null where there are none that can be read
export function timesIn(hash, count) {
  return hash.startsWith(NAME) && count <= MOST_MOVES ? read(hash.slice(NAME.length), count) : null;
}
