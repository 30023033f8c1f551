// Records of finished games in browser storage.
export const BESTS = "bests"; // { "3x3 blank last": { moves: { count, game }, seconds: { count, game } } }

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
    // storage is off: the record is lost with the page
  }
}

export const moves = (count) => `${count.toLocaleString("en")} move${count === 1 ? "" : "s"}`;

const isBest = (best) => best instanceof Object && typeof best.game === "string"
  && Number.isFinite(best.count) && best.count >= 0;
const MOST_KINDS = 2_000; // in a file: more than there are sizes, goals and levels

// The better record of each kind; throws if `others` is invalid.
export function merge(mine, others) {
  const both = { ...mine };
  const kinds = Object.entries(others);
  if (kinds.length > MOST_KINDS) throw new RangeError("too many records");
  for (const [key, bests] of kinds) {
    const merged = { ...both[key] };
    const hasMore = bests?.solved?.count > (merged.solved?.count ?? 0);
    for (const [name, best] of Object.entries(bests)) {
      if (!isBest(best)) throw new TypeError(`no record: ${key}`);
      const isSum = name === "solved" || name === "total"; // of puzzles and of their seconds: they go together
      if (isSum ? hasMore : !merged[name] || best.count < merged[name].count) merged[name] = best;
    }
    both[key] = merged;
  }
  return both;
}
