// The games of this browser beyond their pages. Each page writes its own entry, which the next page of the
// game takes over. An entry: { position, actions, clock, at }: the position before the unanswered actions.
import { namesWith, read, readText, writeText } from "../storage.js";

const MARK = "slidewise "; // before an entry in the window's name, which may be another page's
const MOST_GAMES = 30; // without unsent actions
const RELEASED = 1000; // milliseconds until the page before a reload has let go of its lock

const id = Math.random().toString(36).slice(2); // of this page
const earlier = exchangeId(); // of the page that this tab has shown before

function exchangeId() {
  try {
    const before = sessionStorage.getItem("page");
    sessionStorage.setItem("page", id);
    return before;
  } catch {
    return null; // storage is off
  }
}

const prefix = (url) => `game ${url} `;
const pageLock = (name) => `page ${name.split(" ").at(-1)}`;
const gameLock = (url) => `game ${url}`;
const untilLeft = () => new Promise(() => {});

function entryOf({ name, tile, fields, at, played }) {
  const body = new URLSearchParams(fields);
  if (name === "slide") body.set("tile", tile);
  body.set("at", at);
  if (played !== null) body.set("played", played);
  return { action: name, body: body.toString() };
}

function actionOf({ action: name, body }) {
  const fields = new URLSearchParams(body);
  const [tile, at, played] = ["tile", "at", "played"].map((field) => Number(fields.get(field)));
  for (const field of ["tile", "at", "played", "on"]) fields.delete(field);
  return { name, tile, at: at || Date.now(), played, fields: fields.toString() };
}

/** Store the game of this page: in the window's name if storage is off or full, for a reload. */
export const store = (url, position, actions, clock) => write(prefix(url) + id, position, actions, clock);

function write(name, position, actions, clock) {
  const entry = { position, actions: actions.map(entryOf), clock, at: Date.now() };
  const isStored = writeText(name, JSON.stringify(entry));
  if (!isStored) writeText(name, null); // an older state
  const isFree = window.name === "" || window.name.startsWith(MARK);
  if (!isStored && (isFree || actions.length > 0)) window.name = MARK + JSON.stringify({ name, ...entry });
  else if (isFree) window.name = "";
}

function named() {
  try {
    return window.name.startsWith(MARK) ? [JSON.parse(window.name.slice(MARK.length))] : [];
  } catch {
    return []; // damaged
  }
}

// Stored entries, first those with actions, the most recent first. Damaged entries are ignored.
function entries(of = "game ") {
  const stored = namesWith(of).map((name) => ({ name, ...read(name) }));
  return [...named().filter((entry) => entry?.name?.startsWith(of)), ...stored]
    .filter(({ actions }) => Array.isArray(actions))
    .sort((a, b) => (b.actions.length > 0) - (a.actions.length > 0) || byAge(a, b));
}

const byAge = (a, b) => b.at - a.at;

const unsent = (url) => entries(url && prefix(url)).filter(({ actions }) => actions.length > 0);

/** Whether actions of the game are stored. */
export const hasActions = (url) => unsent(url).length > 0;

/** The stored clocks of a game, the most recent first. */
export const clocks = (url) => entries(prefix(url)).sort(byAge).flatMap(({ clock }) => clock ?? []);

/**
 * Hold a game for this page and take over the entry of a closed page: { isAlone, position, actions }. Open pages
 * send their own actions. If another page is sending a closed page's actions, `wait` gets a promise of its end.
 */
export async function open(url, wait) {
  const { isAlone, isOpen } = navigator.locks ? await lock(url, wait)
    : { isAlone: true, isOpen: () => false }; // only with https, or on this machine
  const closed = entries(prefix(url)).filter(({ name }) => !name.endsWith(id) && !isOpen(name));
  const [{ position, actions = [], clock } = {}, ...older] = closed;
  const own = prefix(url) + id;
  if (closed.length > 0 && readText(own) === null) write(own, position, actions.map(actionOf), clock);
  const done = [...closed.slice(0, 1), ...older.filter((entry) => entry.actions.length === 0)];
  for (const { name } of done) writeText(name, null);
  forget(MOST_GAMES);
  return { isAlone, position, actions: actions.map(actionOf) };
}

async function lock(url, wait) {
  navigator.locks.request(pageLock(id), untilLeft);
  if (entries(prefix(url)).some(({ name }) => name.endsWith(` ${earlier}`))) await release(pageLock(earlier));
  const modes = (await heldLocks()).filter(({ name }) => name === gameLock(url)).map(({ mode }) => mode);
  const ours = new Promise((resolve) => {
    navigator.locks.request(gameLock(url), { mode: "shared" }, () => {
      resolve();
      return untilLeft();
    });
  });
  if (modes.includes("exclusive")) wait(ours);
  await ours;
  const names = (await heldLocks()).map(({ name }) => name); // pages may have opened meanwhile
  return { isAlone: !modes.includes("shared"), isOpen: (name) => names.includes(pageLock(name)) };
}

const heldLocks = async () => (await navigator.locks.query()).held;

// Settles when a lock is free, or soon: after a tab was duplicated, the other tab holds its lock.
const release = (name) =>
  navigator.locks.request(name, { signal: AbortSignal.timeout(RELEASED) }, () => {}).catch(() => {});

/** Run `send` with each entry whose actions no page sends, one game at a time. */
export async function sendClosed(url, send) {
  await navigator.locks.request(gameLock(url), { ifAvailable: true }, async (isFree) => {
    for (const { name, position, actions, clock } of isFree ? unsent(url) : [])
      await send(position, actions.map(actionOf), (...rest) => write(name, ...rest, clock));
  });
}

const urlOf = (name) => name.split(" ")[1];

// Delete the oldest games without unsent actions, so that `most` are left.
function forget(most) {
  const sent = entries().filter(({ actions }) => actions.length === 0);
  for (const { name } of sent.slice(most)) writeText(name, null);
}

/** Games of this browser, the most recent first: { url, position }. */
export function games() {
  const all = entries().sort(byAge).map(({ name, position }) => ({ url: urlOf(name), position }));
  return all.filter(({ url }, index) => all.findIndex((one) => one.url === url) === index);
}

export const waiting = () => [...new Set(unsent().map(({ name }) => urlOf(name)))];

// What earlier versions have stored: `unsent <url>`, and clocks that name no position.
function migrate() {
  for (const name of namesWith("unsent ")) {
    const { game: position = null, posts: actions = [], at = 0 } = read(name) ?? {};
    writeText(`${prefix(name.slice("unsent ".length))}0`, JSON.stringify({ position, actions, at }));
    writeText(name, null);
  }
  writeText("clocks", null);
}
migrate();
