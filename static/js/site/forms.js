// Form behaviour common to htmx and the browser.

// A button's formaction works as without JavaScript. Without this listener htmx would use the form's
// own action.
function leaveToBrowser(event) {
  if (event.submitter?.hasAttribute("formaction")) event.stopPropagation();
}

export function start() {
  document.addEventListener("submit", leaveToBrowser, { capture: true });
}
