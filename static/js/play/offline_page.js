// A page from the cache without the server. It may be of another board of the size.
import { make } from "../dom.js";
import { _ } from "../language.js";
import * as figures from "./figures.js";
import { drawn } from "./view.js";

export function adapt(position) {
  const { cached, shortest, missing } = document.documentElement.dataset;
  if (cached === "blank") aboutBlank(shortest);
  if (missing && position.moves === 0) showMissing(missing);
}

// The puzzle's difficulty differs from the request.
function showMissing(missing) {
  const words = make("p", { class: "note missing", role: "status" }, missingWords(missing));
  document.querySelector(".about > div").append(words);
}

// `missing` is a difficulty, "any", or the least and the most moves.
function missingWords(missing) {
  const [least, most] = missing.split(" ");
  if (least === "easy") return _("No easy puzzle is stored: here is another.");
  if (least === "medium") return _("No medium puzzle is stored: here is another.");
  if (least === "hard") return _("No hard puzzle is stored: here is another.");
  if (!most) return _("This puzzle is not stored: here is another.");
  return least === most ? _("No puzzle of %(moves)s moves is stored: here is another.", { moves: least })
    : _("No puzzle of %(least)s to %(most)s moves is stored: here is another.", { least, most });
}

// The page's numbers belong to its original board.
function aboutBlank(shortest) {
  const title = document.getElementById("shortest");
  delete title?.dataset.level;
  const length = { moves: Number(shortest), exact: true };
  title?.replaceChildren(...(length.moves ? figures.aboutLength(drawn(), length) : []));
  if (!figures.canCompute()) document.getElementById("to-go")?.remove();
  const next = document.getElementById("new-game").dataset;
  const address = new URL(next.nextUrl, location.href);
  const { level } = title?.dataset ?? {};
  if (level) address.searchParams.set("difficulty", level);
  else address.searchParams.delete("difficulty");
  next.nextUrl = address.pathname + address.search;
}
