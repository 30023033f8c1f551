// Records of finished games in browser storage.
import { ngettext } from "../language.js";

export const BESTS = "bests"; // { "3x3 blank last": { moves: { count, game }, seconds: { count, game } } }

export function read(name) {
  try {
    const record = JSON.parse(localStorage.getItem(name));
    return record instanceof Object ? record : {};
  } catch {
    return {}; // storage is off, or holds something else
  }
}

export function write(name, record) {
  try {
    localStorage.setItem(name, JSON.stringify(record));
  } catch {
    // storage is off: the record is lost with the page
  }
}

export const moves = (count) => ngettext("%(num)s move", "%(num)s moves", count);
