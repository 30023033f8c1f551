// Helpers that create HTML and SVG elements and their texts
function fill(element, attributes, parts) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  element.append(...parts);
  return element;
}

export const make = (tag, attributes = {}, ...parts) =>
  fill(document.createElement(tag), attributes, parts);

export const draw = (tag, attributes = {}, ...parts) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, parts);

export function button(words, attributes, action) {
  const made = make("button", { type: "button", class: "btn", ...attributes }, words);
  made.addEventListener("click", action);
  return made;
}
