// The result of a daily puzzle: copied, or handed to the device's own share dialog.

async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text.value);
    said.textContent = "Copied.";
  } catch {
    text.select(); // only pages under https, or on this machine, may write the clipboard
    said.textContent = "Press Ctrl+C (or ⌘C) to copy the marked text.";
  }
}

async function share(text) {
  try {
    await navigator.share({ text: text.value });
  } catch {
    // the player has closed the dialog
  }
}

export function start() {
  document.documentElement.classList.toggle("can-share", "share" in navigator);
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-result]");
    if (!button) return;
    const text = document.getElementById("result-text");
    if (button.dataset.result === "share") share(text);
    else copy(text, document.getElementById("result-said"));
  });
}
