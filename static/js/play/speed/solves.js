// Solves of speed mode in browser storage, oldest first: { at, puzzle, kind, ms, penalty, moves,
// slides, times }, the last two for recent ones only.
import { read, writeText } from "../../storage.js";
export const NAME = "solves";
export const MOST_SOLVES = 1000; // older ones go: some 100 kB
export const MOST_REPLAYS = 50; // the latest solves, stored with their moves
export const MOST_SLIDES = 3000; // of one solve stored with its moves: some 20 kB

const PENALTIES = ["", "+2", "DNF"];
const isWhole = (number) => Number.isSafeInteger(number) && number >= 0;

function isSolve(solve) {
  return solve instanceof Object && isWhole(solve.at) && isWhole(solve.ms) && isWhole(solve.moves)
    && typeof solve.puzzle === "string" && typeof solve.kind === "string"
    && PENALTIES.includes(solve.penalty) && (solve.slides === undefined
      || (typeof solve.slides === "string" && Array.isArray(solve.times) && solve.times.every(isWhole)));
}

export function load() {
  const stored = read(NAME, []);
  return Array.isArray(stored) ? stored.filter(isSolve) : [];
}

// Keep the recent solves, and the moves of the most recent
export function bounded(solves) {
  const latest = [...solves].sort((a, b) => a.at - b.at).slice(-MOST_SOLVES);
  return latest.map((solve, i) => {
    if (i >= latest.length - MOST_REPLAYS && (solve.times?.length ?? 0) <= MOST_SLIDES) return solve;
    const { slides, times, ...rest } = solve;
    return rest;
  });
}

// Store them; returns whether storage works.
export const save = (solves) => writeText(NAME, solves.length > 0 ? JSON.stringify(bounded(solves)) : null);
