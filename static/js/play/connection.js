// Connection to the server. While it is unreachable the page shows a notice and retries its post.
import { _, ngettext } from "../language.js";
import { canCompute } from "./figures.js";

const FIRST_WAIT = 2000; // milliseconds until the first retry, doubled after each
const LONGEST_WAIT = 30_000;
const PATIENCE = 20_000; // milliseconds until a request times out

export const isStatic = "static" in document.documentElement.dataset;
let lost = isStatic;
let pending = () => []; // names of the unsent actions
let tryNow = () => {};
let serverNotice = ""; // notice for a request that needs the server

export const isLost = () => lost;

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
      const response = await (made ? currentGame(AbortSignal.timeout(PATIENCE)) : inTurn(() => fetch(url,
        { ...request, body: withAgo(request.body), signal: AbortSignal.timeout(PATIENCE) })));
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

// Posts from two tabs at once would overwrite each other's cookie.
const inTurn = (post) => (navigator.locks ? navigator.locks.request(`turn ${gameUrl()}`, post) : post());

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

// The server's game, as in its answer to a click.
export async function currentGame(signal) {
  const response = await fetch(gameUrl(), { headers: { "HX-Request": "true" }, signal });
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
  if (!lost || isStatic) return;
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
