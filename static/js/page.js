// What stands around the game: theme, menus, sharing, the Solve card's choices.

const THEMES = ["system", "light", "dark"];

function theme() {
  const button = document.getElementById("theme");
  const root = document.documentElement;
  const show = () => {
    const label = `Theme: ${root.dataset.theme ?? "system"}`;
    button.setAttribute("aria-label", label);
    button.title = label;
  };
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(root.dataset.theme ?? "system") + 1) % THEMES.length];
    if (next === "system") delete root.dataset.theme;
    else root.dataset.theme = next;
    try {
      localStorage.setItem("theme", next);
    } catch {
      // storage is off: it holds until the page is left
    }
    show();
  });
  show();
}

function menus() {
  document.addEventListener("click", ({ target }) => {
    for (const menu of document.querySelectorAll(".menu[open]"))
      if (!menu.contains(target)) menu.open = false;
  });
  document.addEventListener("keydown", ({ key, target }) => {
    const menu = key === "Escape" && target.closest(".menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}

function copyLink() {
  const link = document.getElementById("share-link");
  document.getElementById("copy")?.addEventListener("click", async () => {
    const said = document.getElementById("copied");
    try {
      await navigator.clipboard.writeText(link.value);
      said.textContent = "Copied.";
    } catch {
      link.select(); // only pages under https, or on this machine, may write the clipboard
      said.textContent = "Press Ctrl+C (or ⌘C) to copy the marked link.";
    }
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
  theme();
  menus();
  copyLink();
  choices();
}
