// One bound per board on a page: a bound proved by a search replaces the figures' bound. That also
// holds after a reload that restores the search.
import { gameUrl } from "../play/connection.js";
import { moves } from "../play/records.js";

const live = document.getElementById("live");

function agree() {
  const proved = live.querySelector("[data-of]");
  if (!proved) return;
  for (const place of document.querySelectorAll("#to-go, #shortest"))
    if (place.dataset.of === proved.dataset.of) tell(place, proved.dataset);
  proved.dataset.told = "";
}

function tell(place, { of, least, exact, told }) {
  const words = place.textContent;
  const [shown] = words.match(/\d[\d,]*/) ?? []; // none while it is fetched: the answer knows of the search
  const isBetter = exact !== undefined || Number(least) > Number(shown?.replaceAll(",", ""));
  if (!shown || !words.includes("at least") || !isBetter) return;
  place.dataset.least = least;
  place.toggleAttribute("data-exact", exact !== undefined);
  if (place.id === "to-go") {
    place.querySelector("dt").textContent = `moves left (${exact === undefined ? "at least" : "best play"})`;
    place.querySelector("b").textContent = Number(least).toLocaleString("en");
  } else
    place.querySelector(".length").textContent = `shortest solution: ${exact === undefined ? "at least " : ""}${moves(Number(least))}`;
  if (exact !== undefined && told === undefined) fetchRest(place, of);
}

// Stars and difficulty need an exact number, so they come from the server.
function fetchRest(place, board) {
  const name = place.id === "to-go" ? "figures" : "title";
  const values = new URLSearchParams({ board, place: name, try: 1, made: countMoves() });
  htmx.ajax("GET", `${gameUrl()}/to-go?${values}`, { source: place, target: place, swap: "outerMorph" });
}

const countMoves = () => document.getElementById("move-count").textContent.replaceAll(",", "");

export function start() {
  new MutationObserver(agree).observe(live, { childList: true });
  document.addEventListener("htmx:after:swap", agree);
  agree();
}
