// The sharing sheet. Without this it is a page; with it, a dialog.
import * as player from "./player.js";

const dialog = document.getElementById("share");
const field = (button, name) => document.getElementById(button.dataset[name]);

// What the server cannot know: the board as it is shown, and the solution that stands in its place.
function address(link) {
  const url = new URL(link.href);
  const set = (name, value) => url.searchParams.set(name, value);
  const board = document.getElementById("from-here")?.value
    ?? document.getElementById("play-from-here")?.pathname.match(/[\d.-]+(?=_|$)/)?.[0];
  if (board) set("board", board);
  const form = document.getElementById("player");
  if (!form || !player.isOpen()) return url;
  if (!url.searchParams.has("moves")) {
    set("from", form.dataset.start);
    for (const { name, value } of form.querySelectorAll("input[type=hidden]")) set(name, value);
  }
  set("step", form.querySelector("input[type=range]").value);
  return url;
}

async function open(link) {
  const body = document.getElementById("share-sheet");
  body.replaceChildren();
  dialog.showModal(); // at once: on a slow network the button is not to seem dead
  try {
    const response = await fetch(address(link), { headers: { "HX-Request": "true" } });
    body.innerHTML = await response.text();
    body.querySelector("[name=what]:checked")?.focus();
  } catch {
    body.textContent = "The server cannot be reached. The address of this page is the link to "
      + "the puzzle; try again in a moment for the rest.";
  }
}

async function copy(text, said) {
  said.textContent = "";
  try {
    await navigator.clipboard.writeText(text.value);
    said.textContent = "Copied.";
  } catch {
    text.select(); // only pages under https, or on this machine, may write the clipboard
    said.textContent = "Press Ctrl+C (or ⌘C) to copy.";
  }
}

// A link or a text, to the device's own dialog
function send({ value }) {
  const what = /^https?:\S+$/.test(value) ? { title: document.title, url: value } : { text: value };
  navigator.share(what).catch(() => {}); // it was closed
}

// The number of moves to beat stands in the link, and in the QR code of it
function challenge(input) {
  const section = input.closest(".shared");
  const isNumber = input.value.trim() !== "" && input.checkValidity();
  section.querySelector("[role=status]").textContent = isNumber ? "" : "Type a number from 1 to 9,999.";
  if (!isNumber) return;
  const link = section.querySelector("input[readonly]");
  const code = section.querySelector(".qr");
  const withNumber = (old) => {
    const url = new URL(old);
    url.searchParams.set("beat", input.value.trim());
    return url.href;
  };
  link.value = withNumber(link.value);
  if (code) code.src = withNumber(code.src);
}

function onClick(event) {
  const { target } = event;
  const link = target.closest("a[data-sheet]");
  const copies = target.closest("[data-copy]");
  const sends = target.closest("[data-device]");
  if (link && dialog && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
    event.preventDefault();
    open(link);
  } else if (copies) copy(field(copies, "copy"), copies.parentElement.querySelector("[role=status]"));
  else if (sends) send(field(sends, "device"));
  else if (target === dialog) dialog.close(); // beside the sheet
}

export function start() {
  document.documentElement.classList.toggle("can-share", Boolean(navigator.share));
  document.addEventListener("click", onClick);
  document.addEventListener("input", ({ target }) => {
    if (target.closest("[data-beat]")) challenge(target);
  });
  document.addEventListener("submit", (event) => {
    if (dialog && event.target.matches("[data-beat]")) event.preventDefault();
  });
}
