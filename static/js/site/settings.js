// Settings: the dialog's changes apply at once and are stored in this browser. theme.js sets them as
// root attributes before the first paint; defaults have none.
import { _ } from "../language.js";
import { setting, writeText } from "../storage.js";

const OWN_SIDE = 1080; // pixels of an own picture: twice the board's
const root = document.documentElement;
const dialog = document.getElementById("settings");
const form = document.getElementById("settings-form");
const said = document.getElementById("own-picture-said");
const languageSaid = document.getElementById("language-said");
let coming = null; // the player's own picture while it is read, until another is chosen

function keep(name, value) {
  if (name === "picture") coming = null;
  if (value === null) root.removeAttribute(`data-${name}`);
  else root.setAttribute(`data-${name}`, value);
  writeText(name, value); // without room it holds until the page is left
}

const isUsual = (input) => input.checked === input.defaultChecked;
const named = () => [...form.elements].filter((input) => input.name);

function onChange({ target }) {
  if (target.name) keep(target.name, isUsual(target) ? null : target.value);
  else if (target.type === "file" && target.files.length > 0) chooseOwn(target.files[0]);
}

// Check the stored settings' boxes; a checkbox's value is the non-default word
function show() {
  for (const input of named()) {
    const value = setting(input.name);
    if (input.type === "checkbox") input.checked = (value === input.value) !== input.defaultChecked;
    else input.checked = value === null ? input.defaultChecked : value === input.value;
  }
}

function reset() {
  for (const { name } of named()) keep(name, null);
}

// Non-default settings by name; the own picture is not exported
export function collected() {
  const names = [...new Set(named().map(({ name }) => name))];
  return Object.fromEntries(names.map((name) => [name, setting(name)])
    .filter(([name, value]) => value !== null && !(name === "picture" && value === "own")));
}

// Import settings; missing or unknown settings become defaults.
export function accept(values) {
  for (const name of new Set(named().map((input) => input.name))) {
    if (name === "picture" && setting(name) === "own") continue;
    const isOne = named().some((input) => input.name === name && input.value === values[name]);
    keep(name, isOne ? values[name] : null);
  }
  show();
}

// Throws if the file is not an image.
async function squareOf(file) {
  const image = await createImageBitmap(file);
  const canvas = document.createElement("canvas");
  const side = Math.min(image.width, image.height);
  canvas.width = canvas.height = Math.min(OWN_SIDE, side);
  const context = canvas.getContext("2d");
  context.fillStyle = "white"; // background of a transparent image
  context.fillRect(0, 0, OWN_SIDE, OWN_SIDE);
  context.drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side,
    0, 0, canvas.width, canvas.height);
  return canvas;
}

// The player's own picture, cut to a square. It is never sent anywhere.
async function chooseOwn(file) {
  coming = file;
  let canvas;
  try {
    canvas = await squareOf(file);
  } catch {
    said.textContent = _("This file cannot be read as an image. Choose a JPEG, PNG or WebP.");
    return;
  }
  if (coming !== file) return;
  canvas.toBlob((blob) => coming === file && showOwn(URL.createObjectURL(blob)), "image/jpeg", 0.85);
  const kept = writeText("own-picture", canvas.toDataURL("image/jpeg", 0.85).split(",")[1]);
  said.textContent = kept ? _("Your image stays on this device.")
    : _("Your image stays on this device, but only until you leave the page: your browser has no space to store it.");
}

function showOwn(address) {
  root.style.setProperty("--own", `url(${address})`);
  keep("picture", "own");
  show();
  showWhetherOwn();
}

function forgetOwn() {
  root.style.removeProperty("--own");
  writeText("own-picture", null);
  if (setting("picture") === "own") keep("picture", null);
  show();
  showWhetherOwn();
  document.getElementById("own-picture").focus(); // the button has gone
}

function showWhetherOwn() {
  const none = !root.style.getPropertyValue("--own");
  for (const part of dialog.querySelectorAll(".picture-own, #forget-picture")) part.hidden = none;
}

// On a phone the sheet covers the lower half, so the board with the preview stands above
function open() {
  const { scrollY } = window;
  dialog.showModal();
  if (!matchMedia("(max-width: 860px)").matches) return;
  document.querySelector("#board, .still")?.scrollIntoView();
  dialog.addEventListener("close", () => scrollTo(0, scrollY), { once: true });
}

// The page reloads in the other language, at its place and with all typed text.
const typed = () => document.querySelectorAll("main :is(textarea, input:is([type=text], [type=number])):not([readonly])");

async function switchLanguage(event) {
  event.preventDefault();
  const { target, submitter: { value: language } } = event;
  try {
    await fetch(target.action, { method: "POST", body: new URLSearchParams({ language }), redirect: "manual" });
    history.replaceState({ ...history.state, typed: [...typed()].map(({ value }) => value) }, "");
    location.reload();
  } catch {
    languageSaid.textContent = _("No connection. Choose the language again once you are online.");
  }
}

function restoreTyped() {
  const { typed: before = [], ...state } = history.state ?? {};
  if (before.length === 0) return;
  history.replaceState(state, "");
  typed().forEach((input, index) => { input.value = before[index] ?? input.value; });
}

restoreTyped();
show();
showWhetherOwn();
form.addEventListener("change", onChange);
form.addEventListener("reset", reset);
document.getElementById("language-form").addEventListener("submit", switchLanguage);
document.getElementById("forget-picture").addEventListener("click", forgetOwn);
document.getElementById("open-settings").addEventListener("click", open);
