// The connection to the server, as the page shows it: notices while it is lost, and the choice between two games.
import { _, ngettext } from "../language.js";
import { canCompute } from "./figures.js";
import { isSolved } from "./position.js";
import { drawn, game } from "./view.js";

export const isStatic = "static" in document.documentElement.dataset;
const isRace = document.querySelector("main.race") !== null;
let serverNotice = ""; // notice for a request that needs the server

// Whether the page plays by itself, without a server that stores its moves.
export const isServerless = () => isStatic || game?.server === null;

export const isLost = () => isServerless() || (game?.server?.isLost ?? false);

// The browser or the host drops the cookie: play on without the server, and say why.
function playWithoutCookies() {
  const [notice, words] = ["div", "p"].map((tag) => document.createElement(tag));
  notice.className = "notice cookies";
  words.textContent = _("Your moves cannot be stored: this game needs cookies. You can play on until you leave this page. To keep your moves, allow cookies for this site in the settings of your browser and reload the page. If they are allowed, the host or a proxy removes them.");
  notice.append(words);
  document.getElementById("notice").replaceChildren(notice);
}

function onLink() {
  if (!isLost()) {
    document.getElementById("notice").replaceChildren();
    serverNotice = "";
  }
  showLost();
}

// A request other than a move failed; it is not retried.
export function needsServer(what) {
  serverNotice = what;
  showLost();
}

// Updated in place, so that its button keeps the focus.
export function showLost() {
  if (!isLost() || isServerless()) return;
  const [text, rest, button] = document.querySelectorAll("#notice .lost :is(span, button)");
  if (!text) return makeNotice();
  const pending = game.queue.map(({ name }) => name);
  const moves = pending.filter((name) => name !== "hint" && name !== "assisted").length;
  const words = [_("No connection.")];
  if (moves > 0 && isSolved(drawn())) words.push(_("Your result will be sent later."));
  else if (moves > 0) words.push(ngettext("%(num)s move will be sent later.", "%(num)s moves will be sent later.", moves));
  else if (document.documentElement.dataset.cached) words.push(_("You can play on."));
  if (pending.includes("hint")) words.push(_("Your hint will come later."));
  if (serverNotice) words.push(serverNotice);
  if (text.textContent !== words.join(" ")) text.textContent = words.join(" ");
  rest.hidden = isRace || serverNotice !== "" || pending.includes("hint");
  button.textContent = _("Try again");
}

function makeNotice() {
  const [notice, words, text, rest, button] = ["div", "p", "span", "span", "button"]
    .map((tag) => document.createElement(tag));
  notice.className = "notice lost";
  rest.className = "rest";
  rest.textContent = ` ${canCompute() ? _("Reviews, the lab and most of Learn are unavailable.")
    : _("Hints, Solve, reviews, the lab and most of Learn are unavailable.")}`;
  button.className = "btn";
  button.addEventListener("click", () => {
    button.textContent = _("Trying …");
    game.server.tryNow();
  });
  words.append(text, rest);
  notice.append(words, button);
  document.getElementById("notice").replaceChildren(notice);
  showLost();
}

// The game went on elsewhere: ask the player which one to keep.
function askWhich(canKeep) {
  const notice = document.createElement("div");
  notice.className = "notice row";
  notice.id = "which-game";
  notice.setAttribute("role", "alert");
  const words = document.createElement("span");
  words.textContent = canKeep ? _("This game also went on elsewhere. Which one do you want to keep?")
    : _("This game also went on elsewhere, and your moves here no longer fit.");
  const buttons = [[_("Keep this game"), true], [_("Take the other"), false]].slice(canKeep ? 0 : 1);
  notice.append(words, ...buttons.map(([label, isMine]) => {
    const button = document.createElement("button");
    button.className = "btn";
    button.textContent = label;
    button.addEventListener("click", () => {
      notice.remove();
      game.choose(isMine);
    });
    return button;
  }));
  document.getElementById("notice").after(notice); // the next move or notice would remove it within
}

export function start(server) {
  game.addEventListener("alone", playWithoutCookies);
  game.addEventListener("conflict", ({ detail: { canKeep } }) => askWhich(canKeep));
  server?.addEventListener("link", onLink);
  addEventListener("online", () => game.server?.tryNow());
  document.addEventListener("visibilitychange", () => document.hidden || game.server?.tryNow());
}
