// Posts that wait for the server. While it cannot be reached the page says so, and what was done
// is kept: the first post is sent again and again, and those behind it wait in the queue of htmx.
const FIRST_WAIT = 2000; // milliseconds until it is tried again, twice as many after each try
const LONGEST_WAIT = 30_000;
const PATIENCE = 20_000; // the longest that an answer is waited for

let lost = false;
let told = () => {}; // what the page does when it tells of the lost connection
let pending = () => []; // what the page would still send: the last word of each address
let tryNow = () => {};
let wanted = ""; // what was asked for in vain, as only the server has it

export const isLost = () => lost;

// What is sent of a post: not when it was made, by a clock that may be wrong, but how long ago.
export function withAgo(body) {
  const fields = new URLSearchParams(body);
  const at = fields.get("at");
  fields.delete("at");
  if (at) fields.set("ago", Math.max(0, Date.now() - at));
  return fields;
}

// Stands in for `fetch`, and never fails. The server keeps the game in a cookie, so a post whose
// answer did not come was not made, and may be made again; one whose answer broke off was. The answer
// `isLate` if it did not come at the first try.
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
      // it cannot be reached: told below
    }
    setLost(true);
    await nextTry(wait);
  }
}

// Of two posts at a time, made in two tabs, the cookie would keep one.
const inTurn = (post) => (navigator.locks ? navigator.locks.request(`turn ${gameUrl()}`, post) : post());

// The game as the server has it, once it can be reached.
export async function untilReached() {
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

// What a server in between says, or a café's, is no answer to a move.
const isOurs = ({ headers }) => headers.has("Slidewise-Answer");

export const gameUrl = () =>
  document.getElementById("moves").getAttribute("action").replace(/\/slide$/, "");

// The game as the server has it, in the form of its answer to a click.
export async function currentGame(signal) {
  const response = await fetch(gameUrl(), { headers: { "HX-Request": "true" }, signal });
  if (response.headers.get("Slidewise-Answer") !== "board") throw new Error("This is no game.");
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
  if (!lost) wanted = "";
  showLost();
}

function isSolved() {
  const { board, goal } = document.getElementById("play").dataset;
  return board === goal;
}

// Something else than a move was asked for, and is not sent again.
export function needsServer(what) {
  wanted = what;
  showLost();
}

// The notice is changed and not made anew, so that its button keeps the focus.
export function showLost() {
  if (!lost) return;
  told();
  const [text, rest, button] = document.querySelectorAll("#notice .lost :is(span, button)");
  if (!text) return makeNotice();
  const moves = pending().filter((action) => action !== "hint" && action !== "assisted").length;
  const words = ["No connection."];
  if (moves > 0 && isSolved()) words.push("Your result will be sent later.");
  else if (moves > 0) words.push(`${moves} ${moves === 1 ? "move" : "moves"} will be sent later.`);
  else if (document.documentElement.dataset.cached) words.push("You can play on.");
  if (pending().includes("hint")) words.push("Your hint will come later.");
  if (wanted) words.push(`${wanted} later.`);
  if (text.textContent !== words.join(" ")) text.textContent = words.join(" ");
  rest.hidden = wanted !== "" || pending().includes("hint");
  button.textContent = "Try again";
}

function makeNotice() {
  const [notice, words, text, rest, button] = ["div", "p", "span", "span", "button"]
    .map((tag) => document.createElement(tag));
  notice.className = "notice lost";
  rest.className = "rest";
  rest.textContent = " Hints, Solve and most pages are unavailable.";
  button.className = "btn";
  button.addEventListener("click", () => {
    button.textContent = "Trying …";
    tryNow();
  });
  words.append(text, rest);
  notice.append(words, button);
  document.getElementById("notice").replaceChildren(notice);
  showLost();
}

// `actions` tells what the page would still send.
export function start(actions, onTold) {
  pending = actions;
  told = onTold;
  addEventListener("online", () => tryNow());
  document.addEventListener("visibilitychange", () => document.hidden || tryNow());
}
