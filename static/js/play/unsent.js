// The posts of a game that the server has not answered, and the game before them: they outlive the
// page, and the tab.
const MOST_GAMES = 30; // without such posts: to go on from where a stored page is older

// What tells a game before a post from the same game after it
const mark = ({ board, made }) => `${board} ${made.slice(-20)}`;
const key = (gameUrl) => `unsent ${gameUrl}`;

// `game` is as the server had it last: { board, made, undone, moves }.
export function store(gameUrl, game, posts) {
  const unsent = posts.map(({ action, body, from, to }) =>
    ({ action, body, mark: mark(from), after: to && mark(to) }));
  try {
    localStorage.setItem(key(gameUrl), JSON.stringify({ game, posts: unsent, at: Date.now() }));
    if (posts.length === 0) forgetOldest();
  } catch {
    // storage is off, or full: a reload forgets
  }
}

export function load(gameUrl) {
  try {
    return JSON.parse(localStorage.getItem(key(gameUrl))) ?? { posts: [] };
  } catch {
    return { posts: [] }; // storage is off
  }
}

function forgetOldest() {
  const sent = Object.keys(localStorage).filter((name) => name.startsWith(key("")))
    .map((name) => [name, JSON.parse(localStorage.getItem(name))])
    .filter(([, { posts }]) => posts.length === 0)
    .sort(([, a], [, b]) => b.at - a.at);
  for (const [name] of sent.slice(MOST_GAMES)) localStorage.removeItem(name);
}

// Those of the posts that the game, as the server has it, does not contain yet. The first may have
// reached the server when the page was left, even after the server had sent this game. Null if it
// is another game, one that went on elsewhere.
export function since(game, posts) {
  const next = posts.findIndex((post) => post.mark === mark(game));
  if (next >= 0) return posts.slice(next);
  const last = posts.at(-1)?.after;
  return !last || last === mark(game) ? [] : null;
}
