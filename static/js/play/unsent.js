// Actions without an answer, and the game before them, stored beyond the page and the tab. One tab of a
// game owns the shared copy until its actions are answered. Each tab has a copy of its own for reloads.
// An action is stored as a post of its own: { action, body, mark, after, isFinish }.
import * as tab from "./tab.js";

const MOST_GAMES = 30; // without unsent posts: a cached page resumes from them
const MOST_AT_ONCE = 100; // actions in one request, as many as the server takes
const TOGETHER = ["slide", "undo", "redo", "restart", "assisted"];

// The next batch of actions, which go in one request: { action, posts, body }. Each action is a
// `tile` of the form: the tile's number, or the action's name. A restart is the last, as the server takes one,
// and so is a finish, as its result is in the answer.
export function nextBatch(posts) {
  const [{ action, body }] = posts;
  if (!TOGETHER.includes(action)) return { action, posts: posts.slice(0, 1), body: new URLSearchParams(body) };
  const other = posts.findIndex((post) => !TOGETHER.includes(post.action));
  const last = posts.findIndex((post) => post.action === "restart" || post.isFinish);
  const ends = [other < 0 ? Infinity : other, last < 0 ? Infinity : last + 1, MOST_AT_ONCE];
  const together = posts.slice(0, Math.min(...ends));
  const form = new URLSearchParams(body);
  for (const name of ["tile", "played", "at"]) form.delete(name);
  for (const post of together) {
    const fields = new URLSearchParams(post.body);
    form.append("tile", post.action === "slide" ? fields.get("tile") : post.action);
    for (const name of ["played", "at"]) form.append(name, fields.get(name) ?? "");
  }
  return { action: "slide", posts: together, body: form };
}

// Identifies a game's state before or after a post
export const mark = ({ board, made }) => `${board} ${made.replace("…", "").slice(-20)}`;
// The page may have loaded while another page still sent moves.
export const isAnother = (game, shown) => game && mark(game) !== mark(shown);
const key = (gameUrl) => `unsent ${gameUrl}`;

// Without posts only pages from the offline cache use it
const isOfUse = (posts) => posts.length > 0
  || (navigator.serviceWorker && document.documentElement.dataset.offline !== "off");

// The copy that all tabs share, null without one.
function readShared(gameUrl) {
  try {
    return JSON.parse(localStorage.getItem(key(gameUrl)));
  } catch {
    return null; // storage is off
  }
}

// `game` is the last known state of the server: { board, made, undone, moves }.
export function store(gameUrl, game, posts) {
  const unsent = posts.map(({ action, body, from, to, isFinish, isShown }) =>
    ({ action: isShown ? "assisted" : action, body, mark: mark(from), after: to && mark(to), isFinish }));
  const id = tab.read(key(gameUrl))?.tab ?? Math.random();
  tab.write(key(gameUrl), posts.length > 0 ? { tab: id, game, posts: unsent } : null);
  const shared = readShared(gameUrl);
  if (!shared?.posts.length || shared.tab === id) replace(gameUrl, id, game, unsent);
}

// Write the shared copy, with posts as they are stored.
export function replace(gameUrl, id, game, posts) {
  try {
    localStorage.removeItem(key(gameUrl)); // the older copy also goes if there is no room for this one
    if (isOfUse(posts)) localStorage.setItem(key(gameUrl), JSON.stringify({ tab: id, game, posts, at: Date.now() }));
    if (posts.length === 0) forgetSent(MOST_GAMES);
  } catch {
    // storage is off, or full: when the tab is closed it is forgotten
  }
}

// Whether posts of the game are stored, by this tab or another
export const hasPosts = (gameUrl) =>
  [tab.read(key(gameUrl)), readShared(gameUrl)].some((entry) => entry?.posts.length > 0);

// This tab's copy of a game, or else that of a closed tab, which this tab takes over. Open tabs send
// their own posts.
export function load(gameUrl, isAlone) {
  const [mine, shared] = [tab.read(key(gameUrl)), readShared(gameUrl)];
  if (mine && mine.tab !== shared?.tab) return mine;
  if (!mine && !isAlone) return { ...shared, posts: [] };
  tab.write(key(gameUrl), shared?.posts.length > 0 ? shared : null);
  return shared ?? { posts: [] };
}

// The shared copy of a game.
export const loadShared = (gameUrl) => readShared(gameUrl) ?? { posts: [] };

const stored = () => Object.keys(localStorage).filter((name) => name.startsWith(key("")))
  .map((name) => [name, JSON.parse(localStorage.getItem(name))]);

// Delete games without unsent posts, except the most recent ones.
export function forgetSent(most = 0) {
  const sent = stored().filter(([, { posts }]) => posts.length === 0).sort(([, a], [, b]) => b.at - a.at);
  for (const [name] of sent.slice(most)) localStorage.removeItem(name);
}

// URLs of the games with unsent posts.
export function waiting() {
  try {
    return stored().filter(([, { posts }]) => posts.length > 0).map(([name]) => name.slice(key("").length));
  } catch {
    return []; // storage is off
  }
}

// While its page is open, only a game's page sends its posts. Returns whether it is the only one.
export async function hold(gameUrl) {
  if (!navigator.locks) return true; // only with https, or on this machine
  const { held } = await navigator.locks.query();
  await new Promise((resolve) => {
    navigator.locks.request(key(gameUrl), { mode: "shared" }, () => {
      resolve();
      return new Promise(() => {}); // until the page is left
    });
  });
  return held.every(({ name }) => name !== key(gameUrl));
}

export const alone = (gameUrl, action) =>
  navigator.locks.request(key(gameUrl), { ifAvailable: true }, (lock) => lock && action());

// The posts that the server's game does not contain yet. The first may have arrived while the page
// unloaded, even after the server sent this game. Null if the game continued elsewhere.
export function since(game, posts) {
  const next = posts.findIndex((post) => post.mark === mark(game));
  if (next >= 0) return posts.slice(next);
  const last = posts.at(-1)?.after;
  return !last || last === mark(game) ? [] : null;
}
