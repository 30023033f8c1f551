// Unsent actions of games whose pages are closed: each is a `Game` without a page. If the game went on elsewhere, its
// page lets the player choose.
import { noteUnshown } from "./finish.js";
import { Game } from "../game/game.js";
import { showOther } from "./notices.js";
import { GoneError, Server } from "../game/server.js";
import { sendClosed } from "../game/store.js";

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
    for (const event of ["conflict", "alone"]) game.addEventListener(event, () => resolve(showOther(url)));
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
