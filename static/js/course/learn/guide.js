// Guide next to a recorded search: its links select expansions in the page's viewer.
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
