// Values in this browser's storage, which may be off, full or damaged, and the settings.

/** A setting, null for the default. theme.js makes them attributes of the root element. */
export const setting = (name) => document.documentElement.getAttribute(`data-${name}`);

/** The text stored under a name, or null. */
export function readText(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // storage is off
  }
}

/** Store a text, or remove it if it is null. Returns whether the browser had room. */
export function writeText(name, text) {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
    return true;
  } catch {
    return false; // off, or full
  }
}

/** The object or list stored under a name, or `otherwise`. */
export function read(name, otherwise = {}) {
  try {
    const value = JSON.parse(readText(name));
    return value instanceof Object ? value : otherwise;
  } catch {
    return otherwise; // damaged
  }
}

/** Store an object or a list. Returns whether the browser had room. */
export const write = (name, value) => writeText(name, JSON.stringify(value));

/** Whether nothing is stored. After a failed `write` that means that storage is off, not full. */
export const isEmpty = () => namesWith("").length === 0;

/** The names of stored values with a prefix. */
export function namesWith(prefix) {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix));
  } catch {
    return [];
  }
}
