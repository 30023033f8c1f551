// Everything that the first click does not need: the other parts of a page, and optional modules.
import * as connection from "./play/connection.js";
import * as drag from "./play/drag.js";
import * as keys from "./play/keys.js";
import * as page from "./play/page.js";
import { games, waiting } from "./game/store.js";
import { readText, setting } from "./storage.js";
import { game, gameUrl } from "./play/view.js";
import * as worker from "./site/worker_setup.js";

const parts = [page, drag, keys, worker];
for (const part of parts) part.start();

// A button's formaction works as without JavaScript. Otherwise htmx would use the form's own action.
document.addEventListener("submit", (event) => {
  if (event.submitter?.hasAttribute("formaction")) event.stopPropagation();
}, { capture: true });

// Optional modules load on demand. Meanwhile links and forms are plain, and clicks that only a
// module serves are held.
const missing = () => {};
const once = (load) => {
  let loading = null;
  return () => loading ??= load().catch((error) => {
    loading = null; // the next use tries again
    throw error;
  });
};
const loadSettings = once(() => import("./site/settings.js").then((settings) => settings.start()));
holdClicks("#open-settings", loadSettings);
if (history.state?.typed) loadSettings().catch(missing); // the language has changed
const loadSheet = once(() => import("./share/sheet.js"));
holdClicks("a[data-sheet], [data-copy], [data-device], [data-share], [data-video]", loadSheet);
if (document.querySelector(".of-day, [data-copy], [data-video]")) loadSheet().catch(missing);
if (location.hash === "#share") document.getElementById("share-button")?.click(); // its page needs the server
loadSolve();
if (document.getElementById("editor"))
  holdClicks("[data-cell], [data-fill], [data-place]", import("./new/editor.js").then((editor) => editor.start()));
loadSpeedMode();
showSpeed();
addEventListener("beforeprint", () => {
  const place = document.getElementById("printed-link");
  if (place) [place.textContent] = location.href.split("#");
});
if (location.hash.startsWith("#times=") && document.querySelector("[data-replay]"))
  import("./play/speed/played.js").then((played) => played.start(), missing);
if (document.getElementById("ghost-times")) import("./share/ghost.js").then((ghost) => ghost.start(), missing);
const loadNew = once(() => import("./new/new.js").then((form) => form.start()));
const isPage = document.getElementById("new") === null;
const hasOther = () => games().some(({ url }) => url !== location.pathname);
if (document.getElementById("new-form") && (isPage || readText("new-game") || hasOther())) loadNew().catch(missing);
else if (!isPage) holdClicks("[data-new], [data-next]", loadNew);
if (!("closedBy" in HTMLDialogElement.prototype))
  import("./site/close_beside.js").then((beside) => beside.start(), missing);
if (document.querySelector("main.daily")) import("./daily/days.js").then((days) => days.start(), missing);
if (document.getElementById("transfer")) import("./site/transfer.js").then((transfer) => transfer.start(), missing);
if (navigator.wakeLock) game?.begun.then(() => import("./play/screen.js").then((screen) => screen.keepAwake(), missing));
if (setting("sounds") === "on") import("./play/sounds.js").then((sounds) => sounds.start(), missing);
// Unsent moves of games whose pages are closed
const sendUnsent = () => {
  const gameUrls = waiting().filter((url) => !game || url !== gameUrl()); // this page sends its own
  if (gameUrls.length > 0) import("./play/closed_pages.js").then((pages) => pages.sendAll(gameUrls), missing);
};
sendUnsent();
addEventListener("online", () => connection.isLost() || sendUnsent());
game?.server?.addEventListener("link", () => connection.isLost() || sendUnsent());
const waitForPlace = (ctx) =>
  window.holdClicks("#stop, #race-stop", import("./solve/waiting.js").then((waiting) => waiting.wait(ctx)));
document.addEventListener("htmx:response:error", ({ detail: { ctx } }) => {
  if (ctx.response.headers.get("Slidewise-Answer") === "waiting") waitForPlace(ctx);
});
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  // the stream of a search that lost its place in the queue
  if (ctx.response?.status === 200 && document.getElementById("waiting")) waitForPlace(ctx);
});
if (document.getElementById("waiting")) waitForPlace(); // a race that began before this was loaded
document.addEventListener("change", ({ target }) => {
  if (target.id !== "sounds" || !target.checked) return;
  import("./play/sounds.js").then((sounds) => {
    sounds.start();
    sounds.sample(); // as a sample
  }, missing);
});

// The review loads with its first request
const loadReview = (isOpening) => import("./play/review.js").then((review) => review.start(isOpening));
if (document.querySelector("#review > *")) holdClicks("#review-graph", loadReview(false));
else document.addEventListener("htmx:config:request", function onReview({ detail: { ctx } }) {
  if (ctx.target?.id !== "review") return;
  const stop = () => document.removeEventListener("htmx:config:request", onReview);
  window.holdClicks("#review-graph", loadReview(true).then(stop, missing)); // offline: with the next review
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

// The card loads with its first use. A reload shows the last solution and the open or closed list again.
function loadSolve() {
  const card = document.getElementById("solver");
  const load = once(() => import("./solve/card.js").then((solve) => solve.start()));
  const isOpen = readText("algorithms") || document.getElementById("algorithms")?.open;
  const isAtOnce = !card || isOpen || performance.getEntriesByType("navigation")[0]?.type === "reload";
  if (document.getElementById("algorithm") && isAtOnce) load().catch(missing);
  if (!card) return;
  holdClicks("#solver button", load);
  for (const name of ["focusin", "pointerdown"])
    card.addEventListener(name, () => load().catch(missing), { once: true });
}

// Speed mode loads and unloads with its setting, which hides its elements
function loadSpeedMode() {
  if (!document.getElementById("game") || document.querySelector("[data-own-clock]")) return;
  const isOn = () => setting("speed-mode") === "on";
  const load = () => holdClicks("#game button", import("./play/speed/mode.js").then((mode) => mode.start()));
  if (isOn()) load();
  else document.addEventListener("change", function onChange() {
    if (!isOn()) return;
    document.removeEventListener("change", onChange);
    load();
  });
}
