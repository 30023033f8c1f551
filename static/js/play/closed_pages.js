// Unsent actions of games whose pages are closed: each is a `Game` without a page. If the game went on elsewhere, its
// page lets the player choose.
import { button, make } from "../dom.js";
import { _ } from "../language.js";
import { noteUnshown } from "./finish.js";
import { Game } from "./game.js";
import { GoneError, Server } from "./server.js";
import { sendClosed } from "./store.js";
import { game as shown } from "./view.js";

const PATIENCE = 20_000; // milliseconds for the server's game
let isSending = false;

export async function sendAll(urls) {
  if (isSending || !navigator.locks) return;
  isSending = true;
  try {
    for (const url of urls) await sendClosed(url, (...entry) => send(url, ...entry));
  } catch {
    // offline again: the rest is sent after reconnecting
  } finally {
    isSending = false;
  }
}

// `store` takes the rest. Rejects without a connection.
async function send(url, position, actions, store) {
  const server = new Server(url, { isPatient: false });
  let answer;
  try {
    answer = await server.current(AbortSignal.timeout(PATIENCE));
  } catch (error) {
    if (!(error instanceof GoneError)) throw error;
    return store(position, []); // a room whose hour is over: other games are sent
  }
  const game = new Game({ ...answer.position, ...position }, { server });
  return new Promise((resolve, reject) => {
    for (const event of ["conflict", "alone"]) game.addEventListener(event, () => resolve(showNotice(url)));
    game.addEventListener("stopped", () => reject(new Error("offline")));
    game.addEventListener("answer", async ({ detail: { answer: { html } } }) => {
      if (game.conflict) return;
      await noteUnshown(new DOMParser().parseFromString(html, "text/html"));
      store(game.confirmed, game.queue);
      if (game.queue.length === 0) resolve();
    });
    game.resume(game.confirmed, actions.filter(({ name }) => name !== "hint"), answer); // a hint was for that page
  });
}

/** Show the game's report that its moves cannot be stored, or that it went on elsewhere. */
export const show = ({ type, detail }) => (type === "alone" ? playWithoutCookies() : askWhich(detail.canKeep));

// The browser or the host drops the cookie: play on without the server, and say why.
function playWithoutCookies() {
  const words = _("Your moves cannot be stored: this game needs cookies. You can play on until you leave this page. To keep your moves, allow cookies for this site in the settings of your browser and reload the page. If they are allowed, the host or a proxy removes them.");
  document.getElementById("notice").replaceChildren(make("div", "notice cookies", make("p", {}, words)));
}

// Ask the player which game to keep.
function askWhich(canKeep) {
  const words = canKeep ? _("This game also went on elsewhere. Which one do you want to keep?")
    : _("This game also went on elsewhere, and your moves here no longer fit.");
  const choice = (label, isMine) => button(label, {}, () => {
    notice.remove();
    shown.choose(isMine);
  });
  const notice = make("div", { id: "which-game", class: "notice row", role: "alert" }, make("span", {}, words),
    canKeep && choice(_("Keep this game"), true), choice(_("Take the other"), false));
  document.getElementById("notice").after(notice); // the next move or notice would remove it within
}

function showNotice(url) {
  if (document.getElementById("elsewhere")) return; // one after the other
  const notice = make("div", { id: "elsewhere", class: "notice row", role: "status" },
    make("span", "", _("Another game that you played offline also went on elsewhere.")),
    make("a", { class: "btn", href: url }, _("Choose one")));
  document.getElementById("notice").after(notice);
}
