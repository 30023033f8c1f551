// Actions without an answer, and the position before them, stored beyond the page and the tab. One tab of a game owns
// the shared copy until its actions are answered. Each tab has a copy of its own for reloads.
// An entry: { tab, game, posts: [{ action, body }], at }, where `game` is a position.
import { namesWith, read, writeText } from "../storage.js";

const MARK = "slidewise "; // before those in the window's name, which may be another page's
const MOST_GAMES = 30; // without unsent actions: a cached page resumes from them
const RELEASED = 1000; // milliseconds until the page before a reload has let go of its lock
let own = null; // the name of this tab in its entry

const key = (gameUrl) => `unsent ${gameUrl}`;

function named() {
  try {
    return window.name.startsWith(MARK) ? JSON.parse(window.name.slice(MARK.length)) : {};
  } catch {
    return {}; // damaged
  }
}

function rename(values) {
  if (Object.keys(values).length > 0) window.name = MARK + JSON.stringify(values);
  else if (window.name.startsWith(MARK)) window.name = "";
}

// A value of this tab that outlasts a reload, null without one: in session storage, or in the window's name if that
// is off or full.
export function readTab(key) {
  const { [key]: value } = named();
  if (value) return value;
  try {
    return JSON.parse(sessionStorage.getItem(key));
  } catch {
    return null; // storage is off
  }
}

// Store a value, or remove it if it is null.
export function writeTab(key, value) {
  const { [key]: _, ...others } = named();
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
    rename(others);
  } catch {
    rename(value === null ? others : { ...others, [key]: value });
  }
}

// Without actions only pages from the offline cache use it
const isOfUse = (posts) => posts.length > 0
  || (navigator.serviceWorker && document.documentElement.dataset.offline !== "off");

// The copy that all tabs share, null without one.
function readShared(url) {
  const entry = read(key(url));
  return Array.isArray(entry.posts) ? entry : null;
}

// An action as a form
function formOf({ name, tile, fields, at, played }) {
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

// `position` is the last that the server has confirmed.
export function store(url, position, actions) {
  const unsent = actions.map(formOf);
  own ??= readTab(key(url))?.tab ?? Math.random();
  writeTab(key(url), unsent.length > 0 ? { tab: own, game: position, posts: unsent } : null);
  const shared = readShared(url);
  if (!shared?.posts.length || shared.tab === own) write(url, own, position, unsent);
}

function write(url, id, position, posts) {
  writeText(key(url), null); // the older copy also goes if there is no room for this one
  const entry = { tab: id, game: position, posts, at: Date.now() };
  if (isOfUse(posts)) writeText(key(url), JSON.stringify(entry));
  if (posts.length === 0) forgetSent(MOST_GAMES);
}

// Whether actions of the game are stored, by this tab or another
export const hasActions = (url) => [readTab(key(url)), readShared(url)].some((entry) => entry?.posts.length > 0);

const contentOf = (entry) => {
  const { tab: id, game = null, posts = [] } = entry ?? {};
  return { tab: id, position: game, actions: posts.map(actionOf) };
};

// Hold this tab's name, or take another: a duplicated tab has a copy of the storage of the first, which sends its
// actions.
async function claim(url) {
  own ??= readTab(key(url))?.tab ?? Math.random();
  const isFree = await new Promise((resolve) => {
    const wait = { signal: AbortSignal.timeout(RELEASED) };
    navigator.locks.request(`tab ${own}`, wait, () => {
      resolve(true);
      return new Promise(() => {}); // until the page is left
    }).catch(() => resolve(false));
  });
  if (isFree) return;
  writeTab(key(url), null);
  own = Math.random();
}

// This tab's copy of a game, otherwise the copy of a closed tab, which this tab takes over: { tab, position, actions }.
// Open tabs send their own actions.
export function load(url, isAlone) {
  const [mine, shared] = [readTab(key(url)), readShared(url)];
  own ??= mine?.tab ?? Math.random();
  if (mine && mine.tab !== shared?.tab) return contentOf(mine);
  if (!mine && !isAlone) return { ...contentOf(shared), actions: [] };
  writeTab(key(url), shared?.posts.length > 0 ? { ...shared, tab: own } : null);
  if (shared) write(url, own, shared.game, shared.posts);
  return contentOf(shared);
}

// The shared copy of a game.
export const loadShared = (url) => contentOf(readShared(url));

// Write the shared copy of a game whose page is closed.
export const replace = (url, id, position, actions) => write(url, id, position, actions.map(formOf));

// Entries of all games, without damaged entries.
function stored() {
  return namesWith(key("")).flatMap((name) => {
    const entry = read(name);
    return Array.isArray(entry.posts) ? [[name, entry]] : [];
  });
}

// Delete games without unsent actions, except the `most` recent games.
export function forgetSent(most = 0) {
  const sent = stored().filter(([, { posts }]) => posts.length === 0).sort(([, a], [, b]) => b.at - a.at);
  for (const [name] of sent.slice(most)) writeText(name, null);
}

// Stored games, the most recent first: { url, position, posts }.
export function games() {
  const entries = stored().sort(([, a], [, b]) => b.at - a.at);
  return entries.map(([name, { game, posts }]) => ({ url: name.slice(key("").length), position: game, posts }));
}

// URLs of the games with unsent actions.
export const waiting = () => games().filter(({ posts }) => posts.length > 0).map(({ url }) => url);

// While its page is open, only a game's page sends its actions. Returns whether it is the only one.
export async function hold(url) {
  if (!navigator.locks) return true; // only with https, or on this machine
  await claim(url);
  const { held } = await navigator.locks.query();
  await new Promise((resolve) => {
    navigator.locks.request(key(url), { mode: "shared" }, () => {
      resolve();
      return new Promise(() => {}); // until the page is left
    });
  });
  return held.every(({ name }) => name !== key(url));
}

export const alone = (url, action) =>
  navigator.locks.request(key(url), { ifAvailable: true }, (lock) => lock && action());
