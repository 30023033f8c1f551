// Connection to the server. While it is unreachable the page shows a notice and retries its post.
import { _, ngettext } from "../language.js";
import { canCompute } from "./figures.js";

const FIRST_WAIT = 2000; // milliseconds until the first retry, doubled after each
const LONGEST_WAIT = 30_000;
const PATIENCE = 20_000; // milliseconds until a request times out
const MOST_KEPT = 60_000; // characters: browsers refuse bodies above 64 kB that outlive the page

export const isStatic = "static" in document.documentElement.dataset;
let lost = isStatic;
let hasCookies = true; // whether the server gets its cookie back
let isAlone = false; // whether no other tab shows this game
let underWay = null; // the last post of a tab alone
let pending = () => []; // names of the unsent actions
let tryNow = () => {};
let serverNotice = ""; // notice for a request that needs the server

export const isLost = () => lost;

// Whether the page plays by itself, without a server that stores its moves.
export const isServerless = () => isStatic || !hasCookies;

// A post carries the age of each action instead of its time, because clocks may be wrong.
export function withAgo(body) {
  const fields = new URLSearchParams(body);
  for (const at of fields.getAll("at")) fields.append("ago", at && Math.max(0, Date.now() - at));
  fields.delete("at");
  return fields;
}

// Replacement for `fetch` that never fails. The game is in a cookie, so a post without a response had
// no effect and is safe to retry. A post whose response broke off had its effect. `isLate` marks a
// response that needed a retry.
export async function patiently(url, request) {
  let made = false;
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    try {
      const response = await (made ? currentGame(AbortSignal.timeout(PATIENCE)) : inTurn(() => post(url, request)));
      made ||= response.ok && isOurs(response);
      const text = await response.text();
      if (isOurs(response)) {
        setLost(false);
        const { status, headers } = response;
        return Object.assign(new Response(text, { status, headers }), { isLate: wait > FIRST_WAIT });
      }
    } catch {
      // unreachable: reported below
    }
    setLost(true);
    await nextTry(wait);
  }
}

// Leaving the page does not cancel a post.
function post(url, request) {
  const body = withAgo(request.body);
  const keepalive = `${body}`.length < MOST_KEPT;
  return fetch(url, { ...request, body, keepalive, signal: AbortSignal.timeout(PATIENCE) });
}

// Posts from two tabs at once would overwrite each other's cookie. A tab alone posts in the task of the click,
// without the lock.
function inTurn(send) {
  if (isAlone || !navigator.locks) return (underWay = send());
  return navigator.locks.request(`turn ${gameUrl()}`, send);
}

// Note whether other tabs show this game. They wait for the post under way.
export function setAlone(now) {
  if (isAlone && !now) navigator.locks?.request(`turn ${gameUrl()}`, () => underWay?.catch(() => {}));
  isAlone = now;
}

// The server's game, once it is reachable.
export async function untilReached() {
  if (isStatic) return new Promise(() => {});
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    try {
      const response = await currentGame(AbortSignal.timeout(PATIENCE));
      setLost(false);
      return response;
    } catch {
      setLost(true);
      await nextTry(wait);
    }
  }
}

// Responses of proxies and captive portals do not count.
const isOurs = ({ headers }) => headers.has("Slidewise-Answer");

export const gameUrl = () => new URL(document.getElementById("moves").action).pathname.replace(/\/slide$/, "");

// The server's game, as in its answer to a click of this page.
export async function currentGame(signal) {
  const response = await fetch(`${gameUrl()}${location.search}`, { headers: { "HX-Request": "true" }, signal });
  if (response.headers.get("Slidewise-Answer") !== "board") throw new Error("no game");
  return response;
}

function nextTry(wait) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, wait);
    tryNow = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

// The browser or the host drops the cookie: play on without the server, and say why.
export function playWithoutCookies() {
  hasCookies = false;
  lost = true;
  const [notice, words] = ["div", "p"].map((tag) => document.createElement(tag));
  notice.className = "notice cookies";
  words.textContent = _("Your moves cannot be stored: this game needs cookies. You can play on until you leave this page. To keep your moves, allow cookies for this site in the settings of your browser and reload the page. If they are allowed, the host or a proxy removes them.");
  notice.append(words);
  document.getElementById("notice").replaceChildren(notice);
}

function setLost(now) {
  const isBack = lost && !now;
  if (isBack) document.getElementById("notice").replaceChildren();
  lost = now;
  if (isBack) document.dispatchEvent(new Event("slidewise:reached"));
  if (!lost) serverNotice = "";
  showLost();
}

function isSolved() {
  const { board, goal } = document.getElementById("play").dataset;
  return board === goal;
}

// A request other than a move failed; it is not retried.
export function needsServer(what) {
  serverNotice = what;
  showLost();
}

// Updated in place, so that its button keeps the focus.
export function showLost() {
  if (!lost || isServerless()) return;
  const [text, rest, button] = document.querySelectorAll("#notice .lost :is(span, button)");
  if (!text) return makeNotice();
  const moves = pending().filter((action) => action !== "hint" && action !== "assisted").length;
  const words = [_("No connection.")];
  if (moves > 0 && isSolved()) words.push(_("Your result will be sent later."));
  else if (moves > 0) words.push(ngettext("%(num)s move will be sent later.", "%(num)s moves will be sent later.", moves));
  else if (document.documentElement.dataset.cached) words.push(_("You can play on."));
  if (pending().includes("hint")) words.push(_("Your hint will come later."));
  if (serverNotice) words.push(serverNotice);
  if (text.textContent !== words.join(" ")) text.textContent = words.join(" ");
  rest.hidden = serverNotice !== "" || pending().includes("hint");
  button.textContent = _("Try again");
}

function makeNotice() {
  const [notice, words, text, rest, button] = ["div", "p", "span", "span", "button"]
    .map((tag) => document.createElement(tag));
  notice.className = "notice lost";
  rest.className = "rest";
  rest.textContent = ` ${canCompute() ? _("The lab and most of Learn are unavailable.")
    : _("Hints, Solve, the lab and most of Learn are unavailable.")}`;
  button.className = "btn";
  button.addEventListener("click", () => {
    button.textContent = _("Trying …");
    tryNow();
  });
  words.append(text, rest);
  notice.append(words, button);
  document.getElementById("notice").replaceChildren(notice);
  showLost();
}

// `actions` lists the page's unsent actions.
export function start(actions) {
  pending = actions;
  addEventListener("online", () => tryNow());
  document.addEventListener("visibilitychange", () => document.hidden || tryNow());
}
