// Guide next to a recorded search: its links select expansions in the page's viewer. On the page of a step of the
// path, `data-topic`, opening it and watching the search to its end fill the step's marks.
import { markThing, markTrail } from "./progress.js";

const { topic } = document.querySelector("main").dataset;
if (topic) {
  markThing(`${topic} Read`);
  markTrail();
  document.addEventListener("watched", () => markThing(`${topic} Watch`));
}

document.addEventListener("click", (event) => {
  const item = event.target.closest(".guide a")?.closest("[data-at]");
  const viewer = document.querySelector("[data-watch]");
  const range = viewer?.querySelector("[data-part=range]");
  if (!item || !range?.checkVisibility() || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  range.value = item.dataset.at;
  range.dispatchEvent(new Event("input", { bubbles: true }));
  viewer.scrollIntoView({ block: "nearest" });
});
