// Everything that the first click does not need: the other parts of a page, and optional modules.
import * as connection from "./play/connection.js";
import * as drag from "./play/drag.js";
import * as keys from "./play/keys.js";
import * as page from "./play/page.js";
import { games, waiting } from "./game/store.js";
import { readText, setting } from "./storage.js";
import { game, gameUrl } from "./play/view.js";
import * as worker from "./site/worker_setup.js";
import { load, opening, use } from "./dom.js";

const parts = [page, drag, keys, worker];
for (const part of parts) part.start();

// A button's formaction works as without JavaScript. Otherwise htmx would use the form's own action.
document.addEventListener("submit", (event) => {
  if (event.submitter?.hasAttribute("formaction")) event.stopPropagation();
}, { capture: true });

// Optional modules start with their import. Meanwhile links and forms are plain, and other clicks are held.
const has = (selector) => document.querySelector(selector) !== null;
const loadSettings = () => load("site/settings.js");
holdClicks("#open-settings", loadSettings);
if (history.state?.typed) use("site/settings.js"); // the language has changed
const loadSheet = () => load("share/sheet.js");
holdClicks("a[data-sheet], [data-copy], [data-device], [data-share], [data-video]", loadSheet);
if (has(".of-day, [data-copy], [data-video]")) use("share/sheet.js");
if (location.hash === "#share") document.getElementById("share-button")?.click(); // its page needs the server
loadSolve();
if (has("#editor")) holdClicks("[data-cell], [data-fill], [data-place]", load("new/editor.js"));
loadSpeedMode();
showSpeed();
addEventListener("beforeprint", () => {
  if (has("#printed-link")) [document.getElementById("printed-link").textContent] = location.href.split("#");
});
if (location.hash.startsWith("#times=") && has("[data-replay]")) use("play/speed/played.js");
if (has("#ghost-times")) use("share/ghost.js");
const isPage = !has("#new");
const hasOther = () => games().some(({ url }) => url !== location.pathname);
if (has("#new-form") && (isPage || readText("new-game") || hasOther())) use("new/new.js");
else if (!isPage) holdClicks("[data-new], [data-next]", () => load("new/new.js"));
if (has("main.daily")) use("daily/days.js");
if (has("#transfer")) use("site/transfer.js");
if (navigator.wakeLock) game?.begun.then(() => use("play/screen.js", (screen) => screen.keepAwake()));
if (setting("sounds") === "on") use("play/sounds.js");
document.addEventListener("change", ({ target }) => {
  if (target.id === "sounds" && target.checked) use("play/sounds.js", (sounds) => sounds.sample());
});
// Unsent moves of games whose pages are closed
const sendUnsent = () => {
  if (connection.isLost()) return;
  const gameUrls = waiting().filter((url) => !game || url !== gameUrl()); // this page sends its own
  if (gameUrls.length > 0) use("play/closed_pages.js", (pages) => pages.sendAll(gameUrls));
};
sendUnsent();
addEventListener("online", sendUnsent);
game?.server?.addEventListener("link", sendUnsent);
const waitForPlace = (ctx) =>
  holdClicks("#stop, #race-stop", use("solve/waiting.js", (waiting) => waiting.wait(ctx)));
document.addEventListener("htmx:response:error", ({ detail: { ctx } }) => {
  if (ctx.response.headers.get("Slidewise-Answer") === "waiting") waitForPlace(ctx);
});
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  // the stream of a search that lost its place in the queue
  if (ctx.response?.status === 200 && has("#waiting")) waitForPlace(ctx);
});
if (has("#waiting")) waitForPlace(); // a race that began before this was loaded

// The review loads with its first request
if (has("#review > *")) holdClicks("#review-graph", use("play/review.js", (review) => review.start(false)));
else document.addEventListener("htmx:config:request", function onReview({ detail: { ctx } }) {
  if (ctx.target?.id !== "review") return;
  holdClicks("#review-graph", use("play/review.js", (review) => {
    document.removeEventListener("htmx:config:request", onReview);
    review.start(true);
  }));
});

// A button of speed mode is pressed while the setting is on.
function showSpeed() {
  const buttons = [...document.querySelectorAll("button[data-speed-mode]")];
  const show = () => buttons.forEach((button) => { button.ariaPressed = setting("speed-mode") === "on"; });
  document.addEventListener("change", show);
  for (const button of buttons) button.addEventListener("click", async () => {
    await loadSettings();
    document.querySelector("#settings-form [name=speed-mode]").click();
  });
  show();
}

// The card loads with its first use. A reload shows it again.
function loadSolve() {
  const card = document.getElementById("solver");
  const isOpen = readText("algorithms") || has("#algorithms[open]");
  const isAtOnce = !card || isOpen || opening() === "reload";
  if (has("#algorithm") && isAtOnce) use("solve/card.js");
  if (!card) return;
  holdClicks("#solver button", () => load("solve/card.js"));
  for (const name of ["focusin", "pointerdown"])
    card.addEventListener(name, () => use("solve/card.js"), { once: true });
}

// Speed mode loads and unloads with its setting, which hides its elements
function loadSpeedMode() {
  if (!has("#game") || has("[data-own-clock]")) return;
  const isOn = () => setting("speed-mode") === "on";
  const start = () => holdClicks("#game button", load("play/speed/mode.js"));
  if (isOn()) start();
  else document.addEventListener("change", function onChange() {
    if (!isOn()) return;
    document.removeEventListener("change", onChange);
    start();
  });
}
