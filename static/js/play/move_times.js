// The times of moves as text, in links: the milliseconds of each since the one before, in base 36 with
// a point between, nothing for 0. webapp/play/ghost.py reads the same.
const LONGEST = 36 ** 6; // milliseconds between two moves

export const textOf = (times) => times.map((ms) => (ms > 0 ? ms.toString(36) : "")).join(".");

// Null where the text has not `count` times, or is none
export function read(text, count) {
  const times = text.split(".").map((one) => (one === "" ? 0 : parseInt(one, 36)));
  const isRight = /^[0-9a-z.]*$/.test(text) && times.length === count;
  return isRight && times.every((ms) => ms < LONGEST) ? times : null;
}
