// The service worker: the game is played on without a network. The server puts BUILD before it:
// { version, files, levels }: a name for all that pages are made of, what those of the game load, and
// how many moves the levels of difficulty are, by size.
"use strict";
/* global BUILD */
const ROOT = new URL(registration.scope).pathname; // "/", or the prefix that the site stands under
const OURS = `slidewise ${ROOT} `;
const CACHE = `${OURS}${BUILD.version}`;
const MOST_PAGES = 30; // of games, the last seen
const FEW_BOARDS = 25; // of a size: more are fetched when so few are left
const AWAY = [502, 503, 504]; // what a proxy says for a server that it does not reach
const GAME = /^play\/(\d[\d.]*(-[\d.]+)+)(_[\d.-]+)?$/;

const at = (path) => `${ROOT}${path}`;
const open = () => caches.open(CACHE);
const sizeOf = (code) => `${code.split("-").length}x${code.split("-")[0].split(".").length}`;

addEventListener("install", (event) => {
  skipWaiting(); // pages come from the network, so a new build may serve those that are open
  event.waitUntil(fetchAll());
});

addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([forgetOld(), clients.claim()]));
});

// Only pages and the files of this build are answered here: clicks, searches, programs and whatever
// else pages ask for go by.
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || !pathname.startsWith(ROOT)) return;
  const path = pathname.slice(ROOT.length);
  if (/^static\/v-/.test(path)) event.respondWith(file(request));
  else if (request.mode === "navigate" && !/^(api|metrics|healthz|readyz)(\/|$)/.test(path))
    event.respondWith(page(event, path));
});

async function forgetOld() {
  const names = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(names.map((name) => caches.delete(name)));
}

async function fetchAll() {
  const cache = await open();
  await cache.addAll([...BUILD.files, at("no-network")]);
  const boards = await fetchBoards(cache);
  // A page of each size, without cookies: a game that nobody has begun
  await Promise.all(Object.entries(boards).map(async ([size, [[code]]]) => {
    const response = await fetch(at(`play/${code}`), { credentials: "omit" });
    if (!response.ok) throw new Error(`${response.status} for a page of ${size}`);
    await cache.put(at(`blank/${size}/${code}`), response);
  }));
}

async function fetchBoards(cache) {
  const response = await fetch(at("boards-ahead.json"));
  if (!response.ok) throw new Error(`${response.status} for the boards ahead`);
  await cache.put(at("boards-ahead.json"), response.clone());
  return response.json();
}

async function file(request) {
  const cached = await (await open()).match(request, { ignoreVary: true });
  return cached ?? fetch(request);
}

// From the network, and what was seen before only where that fails.
async function page(event, path) {
  const { request } = event;
  try {
    const response = await fetch(request);
    const isOurs = response.headers.has("Content-Security-Policy") || !AWAY.includes(response.status);
    if (isOurs) {
      if (response.ok && GAME.test(path)) event.waitUntil(keep(request, response.clone()));
      return response;
    }
  } catch {
    // there is no network, or no server
  }
  return withoutNetwork(new URL(request.url), path);
}

async function keep(request, response) {
  const cache = await open();
  await cache.delete(request.url); // the last seen stands last
  await cache.put(request.url, response);
  const pages = await gamesOf(cache);
  await Promise.all(pages.slice(0, -MOST_PAGES).map((one) => cache.delete(one)));
  const boards = await (await cache.match(at("boards-ahead.json")))?.json();
  if (boards && Object.values(boards).some(({ length }) => length < FEW_BOARDS)) await fetchBoards(cache);
}

const gamesOf = async (cache) =>
  (await cache.keys()).filter(({ url }) => GAME.test(new URL(url).pathname.slice(ROOT.length)));

async function withoutNetwork(url, path) {
  const cache = await open();
  if (path === "") {
    const last = (await gamesOf(cache)).at(-1);
    return last ? Response.redirect(last.url) : newGame(cache, url.searchParams);
  }
  if (path === "new" && url.search) return newGame(cache, url.searchParams);
  const code = path.match(GAME)?.[1];
  if (!code) return cache.match(at("no-network"));
  return await seenBefore(cache, url) ?? await fromBlank(cache, path.slice(5)) ?? cache.match(at("no-network"));
}

async function seenBefore(cache, url) {
  const asked = { ignoreVary: true };
  const seen = await cache.match(url, asked) ?? await cache.match(url, { ...asked, ignoreSearch: true });
  return seen && cached(seen, (html) => html, "seen");
}

// The page of a board that was never opened: that of another board of its size.
async function fromBlank(cache, code) {
  const before = at(`blank/${sizeOf(code)}/`);
  const blank = (await cache.keys()).find(({ url }) => new URL(url).pathname.startsWith(before));
  if (!blank || code.includes("_")) return null;
  const other = new URL(blank.url).pathname.slice(before.length);
  const page = await cache.match(blank, { ignoreVary: true });
  const shortest = await (await cache.match(at(`shortest/${code}`)))?.text() ?? "";
  const made = await cached(page, (html) => html.replaceAll(other, code), `blank" data-shortest="${shortest}`);
  await cache.put(at(`play/${code}`), made.clone());
  return made;
}

// The page says that it comes from here, and how; one that says so already stays as it is.
async function cached(page, changed, how) {
  const html = changed(await page.text()).replace("<html lang", `<html data-cached="${how}" lang`);
  const headers = new Headers(page.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Set-Cookie"]) headers.delete(name);
  return new Response(html, { headers });
}

// One of the boards that were fetched ahead, which is then no longer one of them.
async function newGame(cache, asked) {
  const boards = await (await cache.match(at("boards-ahead.json")))?.json() ?? {};
  const size = sizeAsked(asked);
  const ofSize = boards[size] ?? [];
  const isOfUsualGoal = ["", "last"].includes(asked.get("goal") ?? "");
  if (ofSize.length === 0 || !isOfUsualGoal || asked.get("seed")) return cache.match(at("no-network"));
  const [least, most = least] = asked.get("moves")?.split("-").map(Number)
    ?? BUILD.levels[size]?.[asked.get("difficulty")] ?? [0, Infinity];
  const wanted = ofSize.findIndex(([, moves]) => moves >= least && moves <= most);
  const [[code, shortest]] = ofSize.splice(Math.max(wanted, 0), 1); // if there is none like that, any
  if (shortest) await cache.put(at(`shortest/${code}`), new Response(shortest));
  await cache.put(at("boards-ahead.json"), Response.json(boards));
  return Response.redirect(at(`play/${code}`));
}

function sizeAsked(asked) {
  const size = asked.get("size") ?? "other";
  return size === "other" ? `${asked.get("rows") ?? 3}x${asked.get("cols") ?? 3}` : size.replace("×", "x");
}
