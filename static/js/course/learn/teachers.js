// Shows the labels of the checked boxes in the summary of a fold.
for (const words of document.querySelectorAll("summary [data-none]")) {
  const fold = words.closest("details");
  const show = () => {
    const checked = [...fold.querySelectorAll(":checked")].map((box) => box.parentElement.textContent.trim());
    words.textContent = checked.join(", ") || words.dataset.none;
  };
  fold.addEventListener("change", show);
  show(); // checked while this was loading
}
