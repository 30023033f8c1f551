// The posts of a game that the server has not answered: they outlive a reload of the page.

// What tells a game before a post from the same game after it
const mark = ({ board, made }) => `${board} ${made.slice(-20)}`;
const key = (gameUrl) => `unsent ${gameUrl}`;

export function store(gameUrl, posts) {
  const unsent = posts.map(({ action, body, from }) => ({ action, body, mark: mark(from) }));
  try {
    if (unsent.length > 0) sessionStorage.setItem(key(gameUrl), JSON.stringify(unsent));
    else sessionStorage.removeItem(key(gameUrl));
  } catch {
    // storage is off, or full: a reload forgets
  }
}

export function load(gameUrl) {
  try {
    return JSON.parse(sessionStorage.getItem(key(gameUrl)) ?? "[]");
  } catch {
    return []; // storage is off
  }
}

// Those of the posts that the game, as the server has it, does not contain yet. The first may have
// reached the server when the page was left, even after the server had sent this game.
export function since(game, posts) {
  const next = posts.findIndex((post) => post.mark === mark(game));
  return next < 0 ? [] : posts.slice(next);
}
