// What stands around the game: menus, the Solve card's choices.

function menus() {
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll(".menu[open]")) {
      if (menu.contains(event.target)) continue;
      menu.open = false;
      if (!event.target.closest("#board")) continue;
      event.preventDefault(); // it closes the menu, and moves no tile
      event.stopPropagation();
    }
  }, { capture: true });
  document.addEventListener("keydown", ({ key, target }) => {
    const menu = key === "Escape" && target.closest(".menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}

// What the algorithm does not use cannot be chosen; a wait that would be long is foretold
function choices() {
  const algorithm = document.getElementById("algorithm");
  if (!algorithm) return;
  const heuristic = document.getElementById("heuristic");
  const update = () => {
    const { dataset } = algorithm.selectedOptions[0];
    heuristic.disabled = dataset.heuristic === "no";
    for (const label of document.querySelectorAll("[data-option]"))
      label.hidden = !dataset.options.split(" ").includes(label.dataset.option);
    document.getElementById("forecast").textContent = dataset.forecast;
  };
  algorithm.addEventListener("change", update);
  update();
}

// A button with an address of its own sends its form there as it does without JavaScript: htmx,
// which hears of it later, would send it to the form's
function ownAddresses() {
  document.addEventListener("submit", (event) => {
    if (event.submitter?.hasAttribute("formaction")) event.stopPropagation();
  }, { capture: true });
}

export function start() {
  ownAddresses();
  menus();
  choices();
}
