// Move times in links: milliseconds between moves, in base 36 with points between, empty for 0.
// webapp/play/links.py reads the same format.
const LONGEST = 36 ** 6; // milliseconds between two moves

export const textOf = (times) => times.map((ms) => (ms > 0 ? ms.toString(36) : "")).join(".");

// Null if the text does not hold `count` times
export function read(text, count) {
  const times = text.split(".").map((one) => (one === "" ? 0 : parseInt(one, 36)));
  const isRight = /^[0-9a-z.]*$/.test(text) && times.length === count;
  return isRight && times.every((ms) => ms < LONGEST) ? times : null;
}
