// The connection to the server, as the page shows it: notices while it is lost.
import { button, make, use } from "../dom.js";
import { _, ngettext } from "../language.js";
import { canCompute } from "./figures.js";
import { isSolved } from "../game/position.js";
import { drawn, game } from "./view.js";

export const isStatic = "static" in document.documentElement.dataset;
const isRace = document.querySelector("main.race") !== null;
const BUSY = _("The server is busy. Your moves are stored.");
const CAUSES = { 429: BUSY, 500: _("The server had an error. Your moves are stored."), 503: BUSY }; // by status
let serverNotice = ""; // notice for a request that needs the server

// Whether the page plays without a server that stores its moves.
export const isServerless = () => isStatic || game?.server === null;

export const isLost = () => isServerless() || (game?.server?.isLost ?? false);

function onLink() {
  if (!isLost()) {
    document.getElementById("notice").replaceChildren();
    serverNotice = "";
    const saySent = () => { document.getElementById("typed").textContent = _("Everything has been sent."); };
    if (game.queue.length > 0) game.addEventListener("sent", saySent, { once: true });
  }
  showLost();
}

export function needsServer(what) {
  serverNotice = what;
  showLost();
}

// Updated in place, so that its button keeps the focus.
export function showLost() {
  if (!isLost() || isServerless()) return;
  const [text, rest, retry] = document.querySelectorAll("#notice .lost :is(span, button)");
  if (!text) return makeNotice();
  const pending = game.queue.map(({ name }) => name);
  const moves = pending.filter((name) => name !== "hint" && name !== "assisted").length;
  const words = [CAUSES[game.server.status] ?? _("No connection.")];
  if (moves > 0 && isSolved(drawn())) words.push(_("Your result will be sent later."));
  else if (moves > 0) words.push(ngettext("%(num)s move will be sent later.", "%(num)s moves will be sent later.", moves));
  else if (document.documentElement.dataset.cached) words.push(_("You can play on."));
  if (pending.includes("hint")) words.push(_("Your hint will come later."));
  if (serverNotice) words.push(serverNotice);
  if (text.textContent !== words.join(" ")) text.textContent = words.join(" ");
  rest.hidden = isRace || game.server.status in CAUSES || serverNotice !== "" || pending.includes("hint");
  retry.textContent = _("Try again");
}

function makeNotice() {
  const rest = canCompute() ? _("Reviews, the lab and most of Learn are unavailable.")
    : _("Hints, Solve, reviews, the lab and most of Learn are unavailable.");
  const retry = button("", {}, () => {
    retry.textContent = _("Trying …");
    game.server.tryNow();
  });
  document.getElementById("notice").replaceChildren(
    make("div", "notice lost", make("p", "", make("span"), make("span", "rest", ` ${rest}`)), retry));
  showLost();
}

export function start(server) {
  const onReport = (event) => use("play/notices.js", (notices) => notices.show(event));
  for (const name of ["alone", "conflict"]) game.addEventListener(name, onReport);
  server?.addEventListener("link", onLink);
  addEventListener("online", () => game.server?.tryNow());
  document.addEventListener("visibilitychange", () => document.hidden || game.server?.tryNow());
}
