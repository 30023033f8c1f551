// Forms as htmx and the browser share them.

// A button with an address of its own sends its form there, as it does without JavaScript. htmx
// listens later, and would send it to the form's address.
function leaveToBrowser(event) {
  if (event.submitter?.hasAttribute("formaction")) event.stopPropagation();
}

export function start() {
  document.addEventListener("submit", leaveToBrowser, { capture: true });
}
