// Values of this tab that outlast a reload: in session storage, or in the window's name if that is off or full.
const MARK = "slidewise "; // before those in the window's name, which may be another page's

function named() {
  try {
    return window.name.startsWith(MARK) ? JSON.parse(window.name.slice(MARK.length)) : {};
  } catch {
    return {}; // damaged
  }
}

function rename(values) {
  if (Object.keys(values).length > 0) window.name = MARK + JSON.stringify(values);
  else if (window.name.startsWith(MARK)) window.name = "";
}

// A stored value, null without one.
export function read(key) {
  const { [key]: value } = named();
  if (value) return value;
  try {
    return JSON.parse(sessionStorage.getItem(key));
  } catch {
    return null; // storage is off
  }
}

// Store a value, or remove it if it is null.
export function write(key, value) {
  const { [key]: _, ...others } = named();
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
    rename(others);
  } catch {
    rename(value === null ? others : { ...others, [key]: value });
  }
}
