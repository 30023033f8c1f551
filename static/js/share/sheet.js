// The sharing sheet, a dialog or a page, and its buttons; loaded on demand.
import { load, make } from "../dom.js";
import { copy } from "../files.js";
import { _, number } from "../language.js";
import { clock } from "../play/clock.js";
import { timesText } from "../play/speed/times.js";
import { showFailure, whenSent } from "../play/page.js";
import { replay } from "../play/keys.js";

const field = (button, name) => document.getElementById(button.dataset[name]);

// Client-side state: the shown board, the times of moves, and a solution shown in its place.
function address(link) {
  const url = new URL(link.href);
  const set = (name, value) => url.searchParams.set(name, value);
  const board = document.getElementById("from-here")?.value
    ?? document.getElementById("play-from-here")?.pathname.match(/[\d.-]+(?=_|$)/)?.[0];
  if (board) set("board", board);
  const won = document.getElementById("won")?.dataset;
  const times = won?.moves && clock.timesOf(Number(won.moves));
  if (times) set("times", timesText(times));
  const form = document.getElementById("player");
  if (!form || !replay.isOpen()) return url;
  if (!url.searchParams.has("moves")) {
    set("from", form.dataset.start);
    for (const { name, value } of form.querySelectorAll("input[type=hidden]")) set(name, value);
  }
  set("step", form.querySelector("input[type=range]").value);
  return url;
}

async function fill(body, link) {
  await whenSent(); // a challenge carries the moves
  const response = await fetch(address(link), { headers: { "HX-Request": "true" } });
  if (!response.headers.has("Slidewise-Build")) throw new TypeError("an answer of a proxy");
  body.innerHTML = await response.text();
  body.querySelector("[name=what]:checked, [data-copy]").focus();
}

async function copyField(text, said) {
  said.textContent = "";
  const isCopied = await copy(text.value);
  if (!isCopied) text.select();
  said.textContent = isCopied ? _("Copied.") : _("Press Ctrl+C (or ⌘C) to copy.");
  return isCopied;
}

// Share a link or a text through the device's dialog
function send({ value }) {
  const what = /^https?:\S+$/.test(value) ? { title: document.title, url: value } : { text: value };
  navigator.share(what).catch(() => {}); // it was closed
}

// On a phone, open the dialog that shares the day's result; elsewhere, copy the result.
async function share(link) {
  await whenSent();
  const text = field(link, "share");
  if (!text) return showFailure(link);
  if (navigator.share && matchMedia("(pointer: coarse)").matches) return send(text);
  const result = text.closest(".result");
  if (await copyField(text, result.querySelector("[role=status]"))) link.lastElementChild.textContent = _("Copied");
  else result.scrollIntoView({ block: "center" }); // the visitor copies it by hand
}

// The link and its QR code contain the number of moves to beat. Errors are delayed while typing: the
// first digits of a valid number may be too small.
let telling = null;

function challenge(input) {
  const section = input.closest(".shared");
  const { least, refusal } = input.dataset;
  const isNumber = input.value.trim() !== "" && input.checkValidity();
  const wrong = !isNumber ? _("Type a number from 1 to %(most)s.", { most: number(9999) }) : Number(input.value) < least ? refusal : "";
  section.classList.toggle("wrong", wrong !== "");
  clearTimeout(telling);
  telling = setTimeout(() => {
    section.querySelector("#beat-wrong").textContent = wrong; // the sheet may have been closed
    input.setAttribute("aria-invalid", wrong !== "");
  }, wrong ? 700 : 0);
  if (wrong) return;
  const link = section.querySelector("input[readonly]");
  const code = section.querySelector(".qr");
  const withNumber = (old) => {
    const url = new URL(old);
    url.searchParams.set("beat", input.value.trim());
    return url.href;
  };
  link.value = withNumber(link.value);
  section.querySelector("[data-copy] ~ [role=status]").textContent = ""; // the old link was copied
  if (code) code.src = withNumber(code.src);
}

// It opens at once, also on a slow network.
async function open(link) {
  const sheet = make("div"); // a late answer for an earlier sheet is not shown
  document.getElementById("share-sheet").replaceChildren(sheet);
  document.getElementById("share").showModal();
  try {
    await fill(sheet, link);
  } catch {
    sheet.textContent = _("The server cannot be reached. The address of this page is the link to the puzzle. Positions, QR codes, pictures and files need a connection.");
  }
}

function onClick(event) {
  const sheet = event.target.closest("a[data-sheet]");
  if (sheet && document.getElementById("share") && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    return open(sheet);
  }
  const video = event.target.closest("[data-video]");
  if (video) load("share/video.js").then(({ record }) => record(video), () => { video.disabled = true; });
  const copies = event.target.closest("[data-copy]");
  const sends = event.target.closest("[data-device]");
  const shares = event.target.closest("[data-share]");
  if (copies) copyField(field(copies, "copy"), copies.parentElement.querySelector("[role=status]"));
  else if (sends) send(field(sends, "device"));
  else if (shares) {
    event.preventDefault();
    share(shares);
  }
}

const canRecord = ["video/webm", "video/mp4"].some((type) => window.MediaRecorder?.isTypeSupported(type))
  && "captureStream" in HTMLCanvasElement.prototype;
document.documentElement.classList.toggle("can-share", Boolean(navigator.share));
document.documentElement.classList.toggle("can-record", canRecord);
document.addEventListener("click", onClick);
document.addEventListener("input", ({ target }) => {
  if (target.closest("[data-beat]")) challenge(target);
});
document.addEventListener("submit", (event) => {
  if (event.target.closest("dialog [data-beat]")) event.preventDefault();
});
const typed = document.querySelector("[data-beat] [name=beat]");
if (typed && typed.value !== typed.defaultValue) challenge(typed); // while this was loading
