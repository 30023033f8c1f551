// The review of a finished game: its graph and its list of moves.
import { make, use } from "../dom.js";
import { _ } from "../language.js";
import { review as reviewKeys } from "./keys.js";
import { game } from "./view.js";

// A click into the graph shows the move there.
function onGraph(event) {
  const graph = event.target.closest("#review-graph");
  if (!graph) return;
  const { left, width } = graph.getBoundingClientRect();
  const count = Number(graph.dataset.moves);
  const index = Math.round(((event.clientX - left) / width) * count) || 1;
  const number = Number(graph.dataset.first) - 1 + Math.min(count, Math.max(1, index));
  document.getElementById(`move-${number}`)?.click();
}

function storeDetours() {
  const { detours } = document.getElementById("review-summary")?.dataset ?? {};
  if (detours) use("play/progress.js", ({ noteDetours }) => noteDetours(detours.split(" ")));
}

// Scroll to an opened review, and its list to the current move.
function show(opened) {
  const review = document.getElementById("review");
  // scroll no farther than needed, so that the board stays visible if possible
  if (opened) document.getElementById("review-next")?.focus({ preventScroll: true }); // the game is hidden now
  if (opened) (document.querySelector("#review-board .board") ?? review).scrollIntoView({ block: "nearest" });
  const number = document.getElementById("review-at")?.dataset.move;
  const here = document.getElementById(`move-${number}`)?.parentElement;
  if (!here) return;
  review.querySelector(".here")?.classList.remove("here");
  here.classList.add("here");
  const list = here.parentElement; // scroll it, and not the page
  if (here.offsetTop < list.scrollTop
    || here.offsetTop + here.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = here.offsetTop - list.clientHeight / 2;
}

// The next move or undo closes the review, as it would be outdated.
function takeAway() {
  const review = document.getElementById("review");
  if (review.childElementCount > 0) empty(review);
}

function empty(review) {
  document.getElementById("review-board").replaceChildren();
  review.replaceWith(make("section", { id: "review", "aria-label": _("Review") }));
}

// On the game's page the way back is in the browser history; on its own page it is a link.
function leave(event) {
  if (!event.target.closest("#leave-review") || !document.getElementById("play")) return;
  event.preventDefault();
  empty(document.getElementById("review"));
  (document.getElementById("open-review") ?? document.querySelector("#board [tabindex='0']"))?.focus();
}

const WAYS = { ArrowLeft: "previous", ",": "previous", ArrowRight: "next", ".": "next" };

// Other keys are off while the moves of the game are reviewed.
function key(event) {
  const way = WAYS[event.key];
  if (way) document.getElementById(`review-${way}`).click();
  return way !== undefined;
}

// `isOpening` is true if the review has been requested, and may be here already.
export function start(isOpening) {
  let shown = isOpening ? "" : document.getElementById("review-summary")?.id ?? "";
  document.addEventListener("htmx:after:swap", () => {
    const kind = document.querySelector("#review-summary, #review-pending")?.id ?? "";
    show(kind !== "" && kind !== shown);
    if (kind !== shown) storeDetours();
    shown = kind;
  });
  Object.assign(reviewKeys, { isOpen: () => document.querySelector("#review-board > *") !== null, key });
  game?.addEventListener("change", ({ detail: { action } }) => action && takeAway());
  document.addEventListener("click", onGraph);
  document.addEventListener("click", leave);
  show(isOpening && document.getElementById("review-summary") !== null);
  storeDetours();
}
