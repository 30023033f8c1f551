// Menus close when something else is clicked, or with Escape.

function closeMenus(event) {
  for (const menu of document.querySelectorAll(".menu[open]")) {
    if (menu.contains(event.target)) continue;
    menu.open = false;
    if (!event.target.closest("#board")) continue;
    event.preventDefault(); // the click closes the menu, and moves no tile
    event.stopPropagation();
  }
}

function onEscape({ key, target }) {
  const menu = key === "Escape" && target.closest(".menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
}

// A button with an address of its own sends its form there, as it does without JavaScript. htmx
// listens later, and would send it to the form's address.
function leaveToBrowser(event) {
  if (event.submitter?.hasAttribute("formaction")) event.stopPropagation();
}

export function start() {
  document.addEventListener("submit", leaveToBrowser, { capture: true });
  document.addEventListener("click", closeMenus, { capture: true });
  document.addEventListener("keydown", onEscape);
}
