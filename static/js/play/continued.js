// Unfinished games of this browser, to continue with: in the form for a new game, and below a game.
import { make } from "../dom.js";
import { _ } from "../language.js";
import { isSolved } from "./position.js";
import { games } from "./store.js";
import { moves } from "./words.js";

const MOST = 5;

function link({ url, position }) {
  const rows = position.board.split("-");
  const size = `${rows.length} × ${rows[0].split(".").length}`;
  return make("li", {}, make("a", { href: url }, `${size}, ${moves(position.moves)}`));
}

export function start() {
  const begun = games().filter(({ position }) => position?.moves > 0 && !isSolved(position));
  const others = begun.filter(({ url }) => url !== location.pathname).slice(0, MOST);
  if (begun.length < 2) return;
  for (const place of document.querySelectorAll(".continue")) {
    place.ariaLabel = _("Continue");
    place.replaceChildren(make("b", {}, _("Continue")), make("ul", {}, ...others.map(link)));
    place.hidden = false;
  }
}
