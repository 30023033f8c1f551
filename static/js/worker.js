// Service worker for playing offline. The server prepends BUILD: { version, language, files, levels, pages,
// gallery, firstDay, later }. `version` is the build id, `levels` has the move ranges of difficulty levels by
// size, `pages` the paths of the game's other pages, `gallery` the boards that need their own page. `later`
// are groups of pages, stored when first opened, with their files and assets. Each language has its own
// worker, which replaces the worker of another language. With `isStatic` the host only sends files: each page
// is a folder, and the worker builds pages of other boards.
"use strict";
/* global BUILD */
const ROOT = new URL(registration.scope).pathname; // "/", or the prefix of the site
const OURS = `slidewise ${ROOT} `;
const CACHE = `${OURS}${BUILD.version} ${BUILD.language}`;
const PYTHON = `python ${ROOT}`; // cache of files that outlast builds, as their URLs have a digest
const LANGUAGE = { "Accept-Language": BUILD.language };
const MOST_PAGES = 30; // of games, the most recent
const FEW_PAGES = 3; // the most recent games, which a new build fetches again
const FEW_BOARDS = 42; // of a size: below this more are fetched, before a difficulty runs out
const DAYS = 14; // with daily puzzles: as many ahead as up to today
const DAY_MILLISECONDS = 24 * 3600 * 1000;
const SLOW = 6000; // milliseconds until a stored game is shown instead
const AWAY = [502, 503, 504]; // a proxy's answers for an unreachable server
const GAME = /^play\/(\d[\d.]*(-[\d.]+)+)(_[\d.-]+)?$/;

const DAILY = /^daily\/([\d-]+)$/;
const OF_DAY = /^daily\/([\d-]+)\/([\d.-]+)$/; // { words, short, next } of a daily puzzle, by its day and code
const GAPS = ["{code}", "{next}", "{date}", "{short date}", "{day}"]; // in the page of any daily puzzle
const groupAt = (path) => BUILD.later.find(({ paths }) => new RegExp(paths).test(path));

const at = (path) => `${ROOT}${path}`;
const pathOf = (url) => new URL(url).pathname.slice(ROOT.length).replace(/\/$/, "");
const keyOf = (url) => `${url}`.replace(/\/(?=\?|$)/, ""); // of a game: a static site has folders
const isFile = (path) => ["static/v-", ...BUILD.later.map(({ prefix }) => prefix)].some((start) => path.startsWith(start));
let isOff = false; // the visitor wants nothing stored, which pending requests may still try
async function openCache(name) {
  const cache = isOff ? null : await caches.open(name);
  if (!isOff) return cache;
  await caches.delete(name); // it was opened as the setting changed
  throw new Error("switched off");
}
const open = () => openCache(CACHE);
const isOfVersion = ({ headers }) => BUILD.isStatic || headers.get("Slidewise-Build") === BUILD.version;
const isOfBuild = (response) => isOfVersion(response)
  && (BUILD.isStatic || response.headers.get("Content-Language") === BUILD.language);
const own = (table, name) => (Object.hasOwn(table, name) ? table[name] : undefined); // URLs contain any name
const later = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });
const sizeOf = (code) => `${code.split("-").length}x${code.split("-")[0].split(".").length}`;

addEventListener("install", (event) => {
  const modes = ["cors", "same-origin", "no-cors"]; // of a script's request, also from a page that is being left
  event.addRoutes?.(modes.map((requestMode) => ({ condition: { requestMethod: "POST", requestMode }, source: "network" })));
  skipWaiting(); // pages come from the network, so a new build may serve open pages
  event.waitUntil(fetchAll().catch(async (error) => {
    await caches.delete(CACHE); // a part of it is useless, and there may be no room for it
    throw error;
  }));
});

addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([forgetOld(), forgetPython(), clients.claim()]));
  fetchPages();
});

// From a page that switches playing offline on or off, or reports the setting.
addEventListener("message", (event) => {
  isOff = event.data === "off";
  if (isOff) event.waitUntil(forgetAll());
});

async function forgetAll() {
  const names = (await caches.keys()).filter((name) => name.startsWith(OURS) || name === PYTHON);
  await Promise.all(names.map((name) => caches.delete(name)));
}

// Only pages and files of this build are intercepted. Clicks, searches and API calls go to the network. So do forms,
// whose answer is a page, the offline page without a connection.
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const isPage = request.mode === "navigate";
  if (!(isPage || request.method === "GET") || origin !== location.origin || !pathname.startsWith(ROOT)) return;
  const path = pathOf(request.url);
  if (request.method !== "GET") event.respondWith(fetch(request).catch(noNetwork));
  else if (isFile(path)) event.respondWith(file(request));
  else if (isPage && !/^(api|embed|metrics|healthz|readyz)(\/|$)/.test(path))
    event.respondWith(page(event, path));
});

// Open pages may still request files of the previous build: its files stay, its pages are deleted.
async function forgetOld() {
  const names = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  const before = names.pop();
  await Promise.all(names.map((name) => caches.delete(name)));
  if (!before) return;
  const cache = await caches.open(before);
  const pages = (await cache.keys()).filter(({ url }) => !isFile(pathOf(url)));
  await Promise.all(pages.map((one) => cache.delete(one)));
}

async function fetchAll() {
  const cache = await open();
  await cache.addAll(BUILD.files);
  await cache.put(at("no-network"), await ofBuild("no-network"));
  const boards = await fetchBoards(cache);
  await Promise.all(Object.entries(boards).map(([size, [[code]]]) =>
    (BUILD.isStatic ? fetchBlank(cache, size) : fetchBlank(cache, size, `play/${code}`))));
  await fetchGames(cache);
  await fetchLater(cache);
}

// Store an unplayed page of a size with a gap for its board, and return it.
async function fetchBlank(cache, size, path = `blank/${size}`) {
  const page = await rewritten(await ofBuild(path), (html) =>
    replaced(html, html.match(/(?<=data-start=")[\d.-]+/), GAPS));
  await cache.put(at(`blank/${size}`), page.clone());
  return page;
}

// Pages of BUILD.later that are open during the installation.
async function fetchLater(cache) {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const urls = windows.map(({ url }) => url.split("#")[0]).filter((url) => groupAt(pathOf(url)));
  for (const url of new Set(urls)) {
    const response = await fetch(url).catch(() => null); // it is stored when it is opened
    if (response?.ok && isOfVersion(response)) await storeLater(cache, url, response);
  }
}

// Store a page of BUILD.later with its files and assets.
async function storeLater(cache, url, response) {
  try {
    await cache.put(url, response);
    const { files, assets } = groupAt(pathOf(url));
    await Promise.all([addMissing(cache, files), addMissing(await openCache(PYTHON), assets)]);
  } catch {
    // no room, or no connection: the page works without it
  }
}

async function addMissing(cache, urls) {
  const stored = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  await cache.addAll(urls.filter((url) => !stored.has(url)));
}

// Python's files of another version
async function forgetPython() {
  if (!await caches.has(PYTHON)) return;
  const cache = await caches.open(PYTHON);
  const assets = BUILD.later.flatMap((group) => group.assets);
  const old = (await cache.keys()).filter(({ url }) => !assets.includes(new URL(url).pathname));
  await Promise.all(old.map((one) => cache.delete(one)));
}

// A page without cookies. During an update it may come from either build.
async function ofBuild(path) {
  const asked = BUILD.isStatic ? path.replace(/(\?.*)?$/, "/") : path;
  const cache = "no-cache"; // a static host names no age
  const response = await fetch(at(asked), { credentials: "omit", cache, headers: LANGUAGE });
  if (!response.ok || !isOfBuild(response)) throw new Error(`${path}: ${response.status}, or another build`);
  return response;
}

// Open and recent games are available offline from the start.
async function fetchGames(cache) {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const before = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE).at(-1);
  const seen = before ? await gamesOf(await caches.open(before)) : [];
  const urls = [...seen.slice(-FEW_PAGES), ...windows].map(({ url }) => url.split("#")[0]);
  for (const url of new Set(urls.filter((one) => GAME.test(pathOf(one))))) {
    try {
      const response = await fetch(url, { headers: LANGUAGE });
      if (response.ok && isOfBuild(response)) await store(cache, url, response);
    } catch {
      // it is stored when it is opened
    }
  }
}

const dayAfter = (count) => new Date(Date.now() + count * DAY_MILLISECONDS).toISOString().slice(0, 10);
const today = () => dayAfter(0);

// Days of the stored daily puzzles: today, those to come, those before
function days() {
  const counts = Array.from({ length: 2 * DAYS }, (_, index) => (index <= DAYS ? index : DAYS - index));
  return counts.map(dayAfter).filter((day) => day >= BUILD.firstDay && !(day > BUILD.lastDay));
}

// The missing pages of the game, one by one; the rest after the next page is opened.
let fetching = false;

async function fetchPages() {
  if (fetching) return;
  fetching = true;
  try {
    const cache = await open();
    const wantedDays = new Set(days());
    const wanted = new Map(BUILD.pages.map((path) => [at(path), path]));
    for (const code of BUILD.gallery) wanted.set(at(`gallery/${code}`), `play/${code}`);
    const missingDays = new Set(wantedDays);
    for (const { url } of await cache.keys()) {
      const path = pathOf(url);
      const [, day] = path.match(DAILY) ?? path.match(OF_DAY) ?? [];
      wanted.delete(at(path));
      if (DAILY.test(path)) missingDays.delete(day);
      if (day && !wantedDays.has(day)) await cache.delete(url);
    }
    for (const day of missingDays) await storeDay(cache, day);
    for (const [stored, path] of wanted) await cache.put(stored, await ofBuild(path));
  } catch {
    // no connection, no room, or another build
  } finally {
    fetching = false;
  }
}

// Store the page of a day and the texts about it in its puzzles' pages, which fill a page of each kind of puzzle.
async function storeDay(cache, day) {
  const page = await ofBuild(`daily/${day}?ahead=1`);
  const html = await page.clone().text();
  const [, words, short] = html.match(/<time [^>]*data-words="([^"]+)" data-short="([^"]+)"/);
  const codes = [...html.matchAll(/href="[^"]*\/play\/([\d.-]+)"/g)].map(([, code]) => code);
  for (const [index, code] of codes.entries()) {
    const next = codes[index + 1];
    await cache.put(at(`daily/${day}/${code}`), Response.json({ words, short, next }));
    const withGaps = at(dayPage(code, next));
    if (await cache.match(withGaps)) continue;
    const game = await ofBuild(`play/${code}?ahead=1`);
    if (!(await game.clone().text()).includes(words)) throw new Error(`${code}: the server draws the days first`);
    await cache.put(withGaps, await rewritten(game, (text) => replaced(text, [code, next, words, short, day], GAPS)));
  }
  await cache.put(at(`daily/${day}`), page);
}

const dayPage = (code, next) => `day-page/${[code, next].filter(Boolean).map(sizeOf).join("-")}`;
const replaced = (text, texts, others) =>
  texts.reduce((html, old, index) => (old ? html.replaceAll(old, others[index]) : html), text);

async function fetchBoards(cache) {
  const response = await fetch(at("boards-ahead.json"));
  if (!response.ok) throw new Error(`${response.status} for the boards ahead`);
  await cache.put(at("boards-ahead.json"), response.clone());
  return response.json();
}

// File URLs contain a content hash, so any cached copy is current.
async function file(request) {
  return await caches.match(request, { ignoreVary: true }) ?? fetch(request.url); // WebKit refuses a worker's request
}

// Network first; the cache if that fails or is slow.
async function page(event, path) {
  const url = new URL(event.request.url);
  if (BUILD.isStatic && !url.pathname.endsWith("/") && !/\.[a-z]+$/.test(path)) {
    url.pathname += "/"; // the addresses in a page are relative to its folder
    return Response.redirect(url);
  }
  const made = BUILD.isStatic && await madeHere(url, path);
  if (made) return made;
  const network = fromNetwork(event, path);
  const first = await Promise.race([network, later(SLOW)]).catch(() => null);
  if (first && !(BUILD.isStatic && first.status === 404)) return first;
  return await stored(url, path) ?? first ?? network.catch(noNetwork);
}

// Pages for which the host of a static site has no file.
async function madeHere(url, path) {
  if (path === "" || (path === "new" && url.search)) return stored(url, path);
  const seen = GAME.test(path) ? await seenBefore(await open(), url) : null;
  return seen?.headers.has("Slidewise-Made") ? seen : null;
}

async function fromNetwork(event, path) {
  const { request } = event;
  const response = await fetch(request);
  if (AWAY.includes(response.status) && !response.headers.has("Content-Security-Policy"))
    throw new Error("a proxy that does not reach the server");
  if (response.ok && isOfVersion(response)) event.waitUntil(fetchPages());
  if (response.ok && isOfBuild(response) && GAME.test(path)) event.waitUntil(keep(request.url, response.clone()));
  if (response.ok && isOfVersion(response) && groupAt(path)) {
    const copy = response.clone();
    event.waitUntil(open().then((cache) => storeLater(cache, request.url, copy)));
  }
  return response;
}

async function keep(url, response) {
  const cache = await open();
  await store(cache, url, response);
  const boards = await (await cache.match(at("boards-ahead.json")))?.json();
  if (!BUILD.isStatic && boards && Object.values(boards).some((ofSize) => ofSize.length < FEW_BOARDS)) await fetchBoards(cache);
}

// Cache the page of a game as the most recent. If storage is full, the game works without it.
async function store(cache, url, response) {
  try {
    await cache.delete(keyOf(url));
    await cache.put(keyOf(url), response);
    const pages = await gamesOf(cache);
    await Promise.all(pages.slice(0, -MOST_PAGES).map((one) => cache.delete(one)));
  } catch (error) {
    if (error.name !== "QuotaExceededError") throw error;
  }
}

const gamesOf = async (cache) => (await cache.keys()).filter(({ url }) => GAME.test(pathOf(url)));
const noNetwork = async () =>
  (BUILD.isStatic ? Response.redirect(at("no-network/")) : (await open()).match(at("no-network")));

// Offline replacement of this page; null if it is not a game.
async function stored(url, path) {
  const cache = await open();
  if (path === "no-network") return cache.match(at(path));
  if (path === "") {
    const paths = (await cache.keys()).map((one) => pathOf(one.url));
    const dailies = paths.flatMap((one) => one.match(OF_DAY)?.[2] ?? []); // they are on the page of their day
    const last = (await gamesOf(cache)).findLast((one) => !dailies.includes(pathOf(one.url).slice(5)));
    return last ? Response.redirect(last.url) : newGame(cache, url.searchParams);
  }
  if (path === "new" && url.search) return newGame(cache, url.searchParams);
  const [, ofGame, part] = path.match(/^(play\/[^/]+)\/(share|review)$/) ?? [];
  if (part) return Response.redirect(at(`${ofGame}#${part}`));
  if (groupAt(path)) return await cache.match(url, { ignoreVary: true }) // a teacher's link has rules
    ?? cache.match(url, { ignoreSearch: true, ignoreVary: true });
  if (path === "daily") return ownPage(cache, await lastDay(cache));
  if (DAILY.test(path) || BUILD.pages.includes(path)) return ownPage(cache, path);
  if (!GAME.test(path)) return null;
  const code = path.slice(5);
  return await seenBefore(cache, url) ?? await ofGallery(cache, code)
    ?? await ofDaily(cache, code) ?? fromBlank(cache, code);
}

// The page of today, or of the last stored day
async function lastDay(cache) {
  const stored = (await cache.keys()).map(({ url }) => pathOf(url));
  return stored.filter((path) => DAILY.test(path) && path <= `daily/${today()}`).sort().at(-1);
}

async function ownPage(cache, path) {
  const page = await cache.match(at(path), { ignoreVary: true });
  return page && cached(page, (html) => html, "seen");
}

async function ofGallery(cache, code) {
  const page = await ownPage(cache, `gallery/${code}`);
  if (page) await store(cache, at(`play/${code}`), page.clone());
  return page;
}

async function seenBefore(cache, url) {
  const asked = { ignoreVary: true };
  const seen = await cache.match(keyOf(url), asked) ?? await cache.match(keyOf(url), { ...asked, ignoreSearch: true });
  return seen && cached(seen, (html) => html, "seen");
}

// Page of a daily puzzle never opened, made from another day's
async function ofDaily(cache, code) {
  const key = (await cache.keys()).find(({ url }) => pathOf(url).match(OF_DAY)?.[2] === code);
  if (!key) return null;
  const { words, short, next } = await (await cache.match(key)).json();
  const page = await cache.match(at(dayPage(code, next)), { ignoreVary: true });
  const [, day] = pathOf(key.url).match(OF_DAY);
  return page && ofBlank(cache, code, page, "", "", (html) =>
    replaced(html, GAPS, [code, next, words, short, day])
      .replaceAll(/(data-today="([^"]*)" data-later="([^"]*)">)[^<]*/g, day === today() ? "$1$2" : "$1$3"));
}

// Page of a board never opened, to the usual goal: another page of its size.
async function fromBlank(cache, code, shortest = "", missing = "") {
  if (code.includes("_")) return null;
  const size = sizeOf(code);
  const page = await cache.match(at(`blank/${size}`), { ignoreVary: true })
    ?? (BUILD.isStatic && await fetchBlank(cache, size).catch(() => null));
  return page && ofBlank(cache, code, page, shortest, missing, (html) => html.replaceAll(GAPS[0], code));
}

async function ofBlank(cache, code, page, shortest, missing, changed) {
  const made = await cached(page, changed, `blank" data-shortest="${shortest}" data-missing="${missing}`);
  made.headers.set("Slidewise-Made", "here");
  await store(cache, at(`play/${code}`), made.clone());
  return made;
}

// Mark the page as coming from the cache, and how; a marked page stays unchanged.
const cached = (page, changed, how) =>
  rewritten(page, (html) => changed(html).replace(/<html (data-cached="seen" )?(?!data-cached)/, `<html data-cached="${how}" `));

async function rewritten(page, changed) {
  const html = changed(await page.text());
  const headers = new Headers(page.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Set-Cookie"]) headers.delete(name);
  return new Response(html, { headers });
}

// Take a prefetched board from the list.
async function newGame(cache, query) {
  let boards = await (await cache.match(at("boards-ahead.json")))?.json() ?? {};
  const size = requestedSize(query);
  const isStored = Object.hasOwn(boards, size);
  const isOfUsualGoal = ["", "last"].includes(query.get("goal") ?? "");
  if (!isStored && BUILD.isStatic && isOfUsualGoal && !own(BUILD.levels, size)) return anyGame(cache, size, "");
  if (!isStored || !isOfUsualGoal || query.get("seed")) return anyGame(cache, isStored || BUILD.isStatic ? size : "3x3");
  const difficulty = query.get("difficulty");
  const ofMoves = query.get("moves")?.match(/\d+/g)?.map(Number);
  const [least, most = least] = ofMoves ?? own(own(BUILD.levels, size) ?? {}, difficulty) ?? [0, Infinity];
  const isWanted = ([, moves]) => (moves ?? 0) >= least && (moves ?? 0) <= most;
  if (BUILD.isStatic && !boards[size].some(isWanted)) boards = await fetchBoards(cache).catch(() => boards); // all were played
  const ofSize = boards[size];
  if (ofSize.length === 0) ofSize.push([drawn(size), null]);
  if (BUILD.isStatic) ofSize.push(...ofSize.splice(0, Math.random() * ofSize.length)); // the same list for all visitors
  const fitting = ofSize.findIndex(isWanted);
  const missing = fitting >= 0 ? "" : ofMoves ? `${least} ${most}` : difficulty; // play/offline_page.js shows it
  const [[code, shortest]] = ofSize.splice(Math.max(fitting, 0), 1); // any board if none fits
  await cache.put(at("boards-ahead.json"), Response.json(boards)).catch(() => {}); // no room: the board may come again
  await fromBlank(cache, code, shortest ?? "", missing);
  return Response.redirect(at(`play/${code}`));
}

// No puzzle of that size, goal or seed is stored.
async function anyGame(cache, size, missing = "any") {
  if (!/^([2-9]|10)x([2-9]|10)$/.test(size)) return null;
  const code = drawn(size);
  if (!await fromBlank(cache, code, "", missing)) return null;
  return Response.redirect(at(`play/${code}`));
}

// Any solvable board of a size to its usual goal. A classic worker cannot import board.js.
function drawn(size) {
  const [rows, cols] = size.split("x").map(Number);
  const tiles = Array.from({ length: rows * cols - 1 }, (_, index) => index + 1);
  for (let last = tiles.length - 1; last > 0; last -= 1) {
    const other = crypto.getRandomValues(new Uint32Array(1))[0] % (last + 1);
    [tiles[last], tiles[other]] = [tiles[other], tiles[last]];
  }
  const inversions = tiles.flatMap((tile, index) => tiles.slice(index + 1).filter((later) => later < tile)).length;
  if (inversions % 2 === 1) [tiles[0], tiles[1]] = [tiles[1], tiles[0]]; // the blank is at home
  if (tiles.every((tile, index) => tile === index + 1)) return drawn(size); // solved already
  const cells = [...tiles, 0];
  return Array.from({ length: rows }, (_, row) => cells.slice(row * cols, (row + 1) * cols).join(".")).join("-");
}

function requestedSize(query) {
  const size = query.get("size") ?? "other";
  return size === "other" ? `${query.get("rows") ?? 3}x${query.get("cols") ?? 3}` : size.replace("×", "x");
}
