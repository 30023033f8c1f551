// Unsent moves of games whose pages are closed. They are sent if the server's game matches. Otherwise
// they wait for that page, which lets the player choose.
import { _ } from "../language.js";
import { withAgo } from "./connection.js";
import { stateOf } from "./foresight.js";
import * as unsent from "./unsent.js";
import { noteUnshown } from "./finish.js";

const PATIENCE = 20_000; // milliseconds for an answer
let sending = false;

class GoneError extends Error {} // a room whose hour is over

export async function sendAll(gameUrls) {
  if (sending || !navigator.locks) return;
  sending = true;
  try {
    for (const gameUrl of gameUrls)
      if (await unsent.alone(gameUrl, () => send(gameUrl).catch((error) => drop(gameUrl, error))) === "elsewhere")
        showNotice(gameUrl);
  } catch {
    // offline again: the rest is sent after reconnecting
  } finally {
    sending = false;
  }
}

async function requestGame(url, request = {}) {
  const signal = AbortSignal.timeout(PATIENCE);
  const response = await fetch(url, { ...request, headers: { "HX-Request": "true" }, signal });
  if (response.status === 410) throw new GoneError();
  const kind = response.headers.get("Slidewise-Answer");
  if (!["board", "refused"].includes(kind)) throw new Error("no game");
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return { page, isMade: kind === "board", game: stateOf(page.getElementById("play")) };
}

// Returns "elsewhere" if the game continued elsewhere.
async function send(gameUrl) {
  const { game, page: before } = await requestGame(gameUrl);
  const { tab, posts: stored } = unsent.loadShared(gameUrl);
  const posts = unsent.since(game, stored);
  if (posts === null) return "elsewhere";
  unsent.replace(gameUrl, tab, game, posts);
  if (stored.length > posts.length) noteUnshown(before); // it may have arrived as the page was left
  while (posts.length > 0) {
    const { action, body, posts: batch } = unsent.nextBatch(posts);
    posts.splice(0, batch.length);
    if (action === "hint") continue; // an unseen hint is not needed any more
    const request = { method: "POST", body: withAgo(body) };
    const { page, isMade, game: after } = await requestGame(`${gameUrl}/${action}`, request);
    if (!isMade) return "elsewhere";
    unsent.replace(gameUrl, tab, after, posts);
    noteUnshown(page);
  }
  return "sent";
}

// Drop the moves of a game that is gone, so that other games are sent.
function drop(gameUrl, error) {
  if (!(error instanceof GoneError)) throw error;
  const { tab, game } = unsent.loadShared(gameUrl);
  unsent.replace(gameUrl, tab, game, []);
}

function showNotice(gameUrl) {
  if (document.getElementById("elsewhere")) return; // one after the other
  const [notice, words, link] = ["div", "span", "a"].map((tag) => document.createElement(tag));
  notice.id = "elsewhere";
  notice.className = "notice row";
  notice.setAttribute("role", "status");
  words.textContent = _("Another game that you played offline also went on elsewhere.");
  link.className = "btn";
  link.href = gameUrl;
  link.textContent = _("Choose one");
  notice.append(words, link);
  document.getElementById("notice").after(notice);
}
