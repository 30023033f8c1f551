// The posts of a game that the server has not answered, and the game before them: they outlive the
// page, and the tab. One tab of a game has the place that outlives it until its posts are answered;
// each has a copy of its own, which outlives the page.
const MOST_GAMES = 30; // without such posts: to go on from where a stored page is older

// What tells a game before a post from the same game after it
const mark = ({ board, made }) => `${board} ${made.slice(-20)}`;
// The page may have come while another page still sent moves.
export const isAnother = (game, shown) => game && mark(game) !== mark(shown);
const key = (gameUrl) => `unsent ${gameUrl}`;

// Without posts it is of use to a page that is stored for want of a network, and to no other
const isOfUse = (posts) => posts.length > 0
  || (navigator.serviceWorker && document.documentElement.dataset.offline !== "off");

const read = (storage, gameUrl) => JSON.parse(storage.getItem(key(gameUrl)));
const write = (storage, gameUrl, entry) => storage.setItem(key(gameUrl), JSON.stringify(entry));

// `game` is as the server had it last: { board, made, undone, moves }.
export function store(gameUrl, game, posts) {
  const unsent = posts.map(({ action, body, from, to }) =>
    ({ action, body, mark: mark(from), after: to && mark(to) }));
  try {
    const mine = read(sessionStorage, gameUrl);
    const tab = mine ? mine.tab : Math.random();
    if (posts.length > 0) write(sessionStorage, gameUrl, { tab, game, posts: unsent });
    else sessionStorage.removeItem(key(gameUrl));
    const shared = read(localStorage, gameUrl);
    if (!shared?.posts.length || shared.tab === tab) replace(gameUrl, tab, game, unsent);
  } catch {
    // storage is off, or full: a reload forgets
  }
}

// The same for the place that outlives the tab, with posts as they are stored.
export function replace(gameUrl, tab, game, posts) {
  try {
    if (isOfUse(posts)) write(localStorage, gameUrl, { tab, game, posts, at: Date.now() });
    else localStorage.removeItem(key(gameUrl));
    if (posts.length === 0) forgetSent(MOST_GAMES);
  } catch {
    // storage is off, or full: when the tab is closed it is forgotten
  }
}

// What this tab has of a game; or else what a tab that is gone had, which is then this one's. The posts
// of one that is open are for it to send.
export function load(gameUrl, isAlone) {
  try {
    const [mine, shared] = [sessionStorage, localStorage].map((storage) => read(storage, gameUrl));
    if (mine && mine.tab !== shared?.tab) return mine;
    if (!mine && !isAlone) return { ...shared, posts: [] };
    if (shared?.posts.length > 0) write(sessionStorage, gameUrl, shared);
    else sessionStorage.removeItem(key(gameUrl));
    return shared ?? { posts: [] };
  } catch {
    return { posts: [] }; // storage is off
  }
}

// What outlives the tabs of a game.
export const loadShared = (gameUrl) => read(localStorage, gameUrl) ?? { posts: [] };

const stored = () => Object.keys(localStorage).filter((name) => name.startsWith(key("")))
  .map((name) => [name, JSON.parse(localStorage.getItem(name))]);

// Forget games whose posts are all sent, but so many that were played last.
export function forgetSent(most = 0) {
  const sent = stored().filter(([, { posts }]) => posts.length === 0).sort(([, a], [, b]) => b.at - a.at);
  for (const [name] of sent.slice(most)) localStorage.removeItem(name);
}

// The addresses of the games that have posts to be sent.
export function waiting() {
  try {
    return stored().filter(([, { posts }]) => posts.length > 0).map(([name]) => name.slice(key("").length));
  } catch {
    return []; // storage is off
  }
}

// The page of a game sends what is its own: while one is open nobody else does. Returns whether it is
// the only one.
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

// Those of the posts that the game, as the server has it, does not contain yet. The first may have
// reached the server when the page was left, even after the server had sent this game. Null if it
// is another game, one that went on elsewhere.
export function since(game, posts) {
  const next = posts.findIndex((post) => post.mark === mark(game));
  if (next >= 0) return posts.slice(next);
  const last = posts.at(-1)?.after;
  return !last || last === mark(game) ? [] : null;
}
