// Guide and code next to a recorded search: links select expansions in the page's viewer, and the
// lines that do its step are marked.
function go(event) {
  const item = event.target.closest(".guide a")?.closest("[data-at]");
  const viewer = document.querySelector("[data-watch]");
  const range = viewer?.querySelector("[data-part=range]");
  if (!item || !range?.checkVisibility() || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  range.value = item.dataset.at;
  range.dispatchEvent(new Event("input", { bubbles: true }));
  viewer.scrollIntoView({ block: "nearest" });
}

function mark() {
  const { step } = document.querySelector("[data-part=code] [aria-current]")?.dataset ?? {};
  for (const line of document.querySelectorAll("[data-steps]")) {
    if (step && line.dataset.steps.split(" ").includes(step)) line.setAttribute("aria-current", "step");
    else line.removeAttribute("aria-current");
  }
}

function start() {
  document.addEventListener("click", go);
  document.addEventListener("line", mark);
  mark();
}

start();
