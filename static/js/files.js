// Downloads, the clipboard and colours.
import { make } from "./dom.js";

/** Save a blob as a file. */
export function download(blob, name) {
  const href = URL.createObjectURL(blob);
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000); // some browsers read it later
}

/** Copy a text. Returns whether the browser allowed it: only pages under https, or on this machine, may. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Values of the page's colours in the theme that is shown, by the names of their custom properties. */
export function colours(names) {
  const probe = make("i");
  document.body.append(probe);
  const values = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return Object.fromEntries(names.map((name, i) => [name, values[i]]));
}
