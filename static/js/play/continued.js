// Unfinished games of this browser, to continue with: in the form for a new game, and below a game.
import { _ } from "../language.js";
import { isSolved } from "./position.js";
import { games } from "./store.js";
import { moves } from "./words.js";

const MOST = 5;

function link({ url, position }) {
  const [item, link] = ["li", "a"].map((tag) => document.createElement(tag));
  const rows = position.board.split("-");
  const size = `${rows.length} × ${rows[0].split(".").length}`;
  link.href = url;
  link.textContent = `${size}, ${moves(position.moves)}`;
  item.append(link);
  return item;
}

export function start() {
  const begun = games().filter(({ position }) => position?.moves > 0 && !isSolved(position));
  const others = begun.filter(({ url }) => url !== location.pathname).slice(0, MOST);
  if (begun.length < 2) return;
  for (const place of document.querySelectorAll(".continue")) {
    const [title, list] = ["b", "ul"].map((tag) => document.createElement(tag));
    place.ariaLabel = title.textContent = _("Continue");
    list.append(...others.map(link));
    place.replaceChildren(title, list);
    place.hidden = false;
  }
}
