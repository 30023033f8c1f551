// Elements, and style sheets and modules on demand.

function fill(element, attributes, children) {
  const all = typeof attributes === "string" ? { class: attributes || null } : attributes;
  for (const [name, value] of Object.entries(all))
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element. `attributes` is an object, or only the class. Null stands for no attribute, and for no child. */
export const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** An SVG element, as `make`. */
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

export function button(words, attributes, action) {
  const made = make("button", { type: "button", class: "btn", ...attributes }, words);
  made.addEventListener("click", action);
  return made;
}

/** Add a style sheet. Settles once it applies, or could not be loaded. */
export const loadStyle = (href) => new Promise((resolve) => {
  const link = make("link", { rel: "stylesheet", href });
  link.onload = link.onerror = resolve;
  document.head.append(link);
});

/** "navigate", "reload" or "back_forward" */
export const opening = () => performance.getEntriesByType("navigation")[0]?.type;

const modules = {}; // promises, by name
let tries = 0;

/** Import a module of this folder. A failed import is final, except under another fragment, which caches ignore. */
export const load = (name) => modules[name] ??= import(`./${name}`).catch(() => import(`./${name}#${tries += 1}`))
  .catch((error) => {
    delete modules[name];
    throw error;
  });

/** Run a function with a module that the page works without. */
export const use = (name, run) => load(name).then(run, () => {});
