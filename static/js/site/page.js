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

// Stop goes when the search has ended, and what is wrong in a field goes when the field is changed
function endings() {
  const job = document.getElementById("job");
  if (!job) return;
  new MutationObserver(() => {
    const stopped = !job.firstElementChild && document.activeElement?.id === "stop";
    if (stopped) document.getElementById("solve-button").focus({ preventScroll: true });
  }).observe(job, { childList: true });
  document.addEventListener("submit", ({ target, submitter }) => {
    if (target.id === "solve" && !submitter?.hasAttribute("formaction")) job.replaceChildren();
  }, { capture: true }); // before htmx leaves the search before this one
  document.addEventListener("htmx:sse:close", ({ target }) => {
    if (target.id !== "solve" || !job.firstElementChild) return; // it has told its end
    job.replaceChildren();
    document.getElementById("verdict").innerHTML = "<p class=\"refused\">The search broke off: "
      + "the server cannot be reached. Solve again in a moment.</p>";
  });
  document.addEventListener("input", ({ target }) => {
    if (!target.matches("#solve [aria-invalid]")) return;
    target.removeAttribute("aria-invalid");
    document.getElementById("wrong").remove();
  });
}

// A button with an address of its own sends its form there as it does without JavaScript: htmx,
// which hears of it later, would send it to the form's
function ownAddresses() {
  document.addEventListener("submit", (event) => {
    if (event.submitter?.hasAttribute("formaction")) event.stopPropagation();
  }, { capture: true });
}

// The sharing sheet: without this it is a page. It opens at once, so that on a slow network the
// button does not seem dead.
function sheet() {
  document.documentElement.classList.toggle("can-share", Boolean(navigator.share));
  const dialog = document.getElementById("share");
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[data-sheet]");
    if (dialog && event.target === dialog) dialog.close(); // beside the sheet
    if (!dialog || !link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const body = document.getElementById("share-sheet");
    body.replaceChildren();
    dialog.showModal();
    try {
      await (await import("../share/sheet.js")).fill(body, link);
    } catch {
      body.textContent = "The server cannot be reached. The address of this page is the link to "
        + "the puzzle; try again in a moment for the rest.";
    }
  });
}

export function start() {
  ownAddresses();
  sheet();
  menus();
  choices();
  endings();
}
