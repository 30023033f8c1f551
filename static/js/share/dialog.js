// The sharing sheet as a dialog, without this module a page. It opens at once, so that the button
// responds on a slow network.
import { _ } from "../language.js";

const dialog = document.getElementById("share");
const body = document.getElementById("share-sheet");

async function open(link) {
  const sheet = document.createElement("div"); // a late answer for an earlier one is not shown
  body.replaceChildren(sheet);
  dialog.showModal();
  try {
    await (await import("./sheet.js")).fill(sheet, link);
  } catch {
    sheet.textContent = _("The server cannot be reached. The address of this page is the link to the puzzle; try again in a moment for the rest.");
  }
}

function onClick(event) {
  const video = event.target.closest("[data-video]");
  if (video) import("./video.js").then(({ record }) => record(video), () => { video.disabled = true; });
  const link = event.target.closest("a[data-sheet]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open(link);
}

export function start() {
  document.documentElement.classList.toggle("can-share", Boolean(navigator.share));
  if (!dialog) return;
  const canRecord = ["video/webm", "video/mp4"].some((type) => window.MediaRecorder?.isTypeSupported(type))
    && "captureStream" in HTMLCanvasElement.prototype;
  document.documentElement.classList.toggle("can-record", canRecord);
  document.addEventListener("click", onClick);
  if (location.hash === "#share") document.getElementById("share-button").click(); // its page needs the server
}
