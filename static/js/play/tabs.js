// The game beyond this page: stored actions of an earlier page, and other tabs of the same game. Tabs send each other
// the server's answers, so that each shows the newest game.
import { _ } from "../language.js";
import { opening, use } from "../dom.js";
import { isSame, positionIn } from "../game/position.js";
import * as store from "../game/store.js";
import { game, gameUrl } from "./view.js";

const PATIENCE = 5000; // milliseconds that a reloaded game waits for the server
const VIEW = location.search; // answers to another view differ
const HELLO = "hello"; // from a tab that opens the game
const HERE = "here"; // to it

const others = game && new BroadcastChannel(`game ${gameUrl()}`);

/** Send an answer to other tabs. Refusals and hints stay in this tab. */
export function send({ kind, html, position: { board } }, batch) {
  const text = kind === "board" && batch[0].name !== "hint" ? html : null;
  others.postMessage({ board, view: VIEW, text });
}

async function onNews({ data }) {
  game.hasOthers = true;
  game.server?.setAlone(false);
  if (data === HELLO) others.postMessage(HERE);
  if (data === HELLO || data === HERE || !game.server || game.server.isLost) return;
  await game.settled();
  const { board: before } = game.shown ?? game.confirmed;
  if (data.board === before || game.queue.length > 0) return;
  if (data.view !== VIEW || !data.text) return update();
  game.hear({ kind: "board", html: data.text, position: positionIn(data.text) });
  sayWentOn(before);
}

let updates = 0; // since the server's game was up to date: another tab may have continued it

// Fetch the server's game, once more if it changes meanwhile.
async function update() {
  updates += 1;
  if (updates > 1) return;
  for (let seen = 0; seen < updates && game.server && game.queue.length === 0;) {
    seen = updates;
    const { board: before } = game.confirmed;
    if (await game.refresh()) sayWentOn(before);
  }
  updates = 0;
}

function sayWentOn(before) {
  if (game.shown && game.shown.board !== before)
    document.getElementById("typed").textContent = _("Your game continued in another tab.");
}

// Resume from browser storage: show the newer game of a cached page, and send its unsent actions.
async function resume(server) {
  const { cached } = document.documentElement.dataset;
  const url = gameUrl();
  if (cached || store.hasActions(url)) game.pause(); // until they are read
  let hasWaited = false;
  const { isAlone, position, actions } = await store.open(url, (sent) => {
    hasWaited = true;
    showWaiting(sent);
  });
  server?.setAlone(isAlone && !game.hasOthers);
  const begun = { ...game.confirmed, ...position };
  if (cached) {
    await use("play/offline_page.js", (page) => page.adapt(begun));
    game.resume(begun, actions, null);
    server?.reach().then((answer) => game.check(answer));
  } else if (actions.length > 0) {
    const own = { kind: "board", html: null, position: game.confirmed };
    game.resume(begun, actions, await server?.current(AbortSignal.timeout(PATIENCE)).catch(() => null) ?? own);
  } else if (opening() === "reload" || hasWaited || (position && !isSame(begun, game.confirmed)))
    await game.refresh(AbortSignal.timeout(PATIENCE));
}

// Another page is sending moves of this game, and clicks wait for it.
async function showWaiting(sent) {
  const place = document.getElementById("typed");
  place.textContent = _("Your last moves are being sent. Please wait.");
  await sent;
  place.textContent = "";
}

/** Start, and resume the game. Returns a promise that settles once a cached page shows the stored game. */
export function start(server) {
  document.addEventListener("visibilitychange", () => document.hidden || update());
  others.addEventListener("message", onNews);
  others.addEventListener("messageerror", update);
  others.postMessage(HELLO);
  return resume(server);
}
