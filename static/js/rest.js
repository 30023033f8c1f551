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

// Optional modules start with their import. Meanwhile links and forms are plain, and clicks that only a
// module serves are held.
const has = (selector) => document.querySelector(selector) !== null;
const now = (module) => module.catch(() => {}); // offline the page works without it
const loadSettings = () => import("./site/settings.js");
holdClicks("#open-settings", loadSettings);
if (history.state?.typed) now(loadSettings()); // the language has changed
const loadSheet = () => import("./share/sheet.js");
holdClicks("a[data-sheet], [data-copy], [data-device], [data-share], [data-video]", loadSheet);
if (has(".of-day, [data-copy], [data-video]")) now(loadSheet());
if (location.hash === "#share") document.getElementById("share-button")?.click(); // its page needs the server
loadSolve();
if (has("#editor")) holdClicks("[data-cell], [data-fill], [data-place]", import("./new/editor.js"));
loadSpeedMode();
showSpeed();
addEventListener("beforeprint", () => {
  const place = document.getElementById("printed-link");
  if (place) [place.textContent] = location.href.split("#");
});
if (location.hash.startsWith("#times=") && has("[data-replay]")) now(import("./play/speed/played.js"));
if (has("#ghost-times")) now(import("./share/ghost.js"));
const loadNew = () => import("./new/new.js");
const isPage = !has("#new");
const hasOther = () => games().some(({ url }) => url !== location.pathname);
if (has("#new-form") && (isPage || readText("new-game") || hasOther())) now(loadNew());
else if (!isPage) holdClicks("[data-new], [data-next]", loadNew);
if (has("main.daily")) now(import("./daily/days.js"));
if (has("#transfer")) now(import("./site/transfer.js"));
if (navigator.wakeLock) game?.begun.then(() => now(import("./play/screen.js").then((screen) => screen.keepAwake())));
const loadSounds = () => import("./play/sounds.js");
if (setting("sounds") === "on") now(loadSounds());
document.addEventListener("change", ({ target }) => {
  if (target.id === "sounds" && target.checked) now(loadSounds().then((sounds) => sounds.sample()));
});
// Unsent moves of games whose pages are closed
const sendUnsent = () => {
  const gameUrls = waiting().filter((url) => !game || url !== gameUrl()); // this page sends its own
  if (gameUrls.length > 0) now(import("./play/closed_pages.js").then((pages) => pages.sendAll(gameUrls)));
};
sendUnsent();
addEventListener("online", () => connection.isLost() || sendUnsent());
game?.server?.addEventListener("link", () => connection.isLost() || sendUnsent());
const waitForPlace = (ctx) =>
  holdClicks("#stop, #race-stop", import("./solve/waiting.js").then((waiting) => waiting.wait(ctx)));
document.addEventListener("htmx:response:error", ({ detail: { ctx } }) => {
  if (ctx.response.headers.get("Slidewise-Answer") === "waiting") waitForPlace(ctx);
});
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  // the stream of a search that lost its place in the queue
  if (ctx.response?.status === 200 && has("#waiting")) waitForPlace(ctx);
});
if (has("#waiting")) waitForPlace(); // a race that began before this was loaded

// The review loads with its first request
const loadReview = (isOpening) => import("./play/review.js").then((review) => review.start(isOpening));
if (has("#review > *")) holdClicks("#review-graph", loadReview(false));
else document.addEventListener("htmx:config:request", function onReview({ detail: { ctx } }) {
  if (ctx.target?.id !== "review") return;
  const stop = () => document.removeEventListener("htmx:config:request", onReview);
  holdClicks("#review-graph", now(loadReview(true).then(stop))); // offline: with the next review
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
  const load = () => import("./solve/card.js");
  const isOpen = readText("algorithms") || has("#algorithms[open]");
  const isAtOnce = !card || isOpen || performance.getEntriesByType("navigation")[0]?.type === "reload";
  if (has("#algorithm") && isAtOnce) now(load());
  if (!card) return;
  holdClicks("#solver button", load);
  for (const name of ["focusin", "pointerdown"]) card.addEventListener(name, () => now(load()), { once: true });
}

// Speed mode loads and unloads with its setting, which hides its elements
function loadSpeedMode() {
  if (!has("#game") || has("[data-own-clock]")) return;
  const isOn = () => setting("speed-mode") === "on";
  const load = () => holdClicks("#game button", import("./play/speed/mode.js"));
  if (isOn()) load();
  else document.addEventListener("change", function onChange() {
    if (!isOn()) return;
    document.removeEventListener("change", onChange);
    load();
  });
}
