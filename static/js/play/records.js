// What this browser keeps of finished games: the records, and which daily puzzles were solved.
export const BESTS = "bests"; // { "3x3 blank last": { moves: { count, game }, seconds: { count, game } } }
export const DAYS = "days"; // { "2026-02-28 3x3": { moves, seconds, helped } }

export function read(name) {
  try {
    const kept = JSON.parse(localStorage.getItem(name));
    return kept instanceof Object ? kept : {};
  } catch {
    return {}; // storage is off, or holds something else
  }
}

export function write(name, kept) {
  try {
    localStorage.setItem(name, JSON.stringify(kept));
  } catch {
    // storage is off: it holds until the page is left
  }
}

export const moves = (count) => `${count.toLocaleString("en")} move${count === 1 ? "" : "s"}`;

// Note that a day's puzzle is solved. What stays is the best: without help, of fewest moves, quick.
export function noteDay(day, result) {
  const days = read(DAYS);
  const old = days[day];
  const isBetter = !old
    || (result.helped - old.helped || result.moves - old.moves || result.seconds - old.seconds) < 0;
  if (isBetter) write(DAYS, { ...days, [day]: result });
}
