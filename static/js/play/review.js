// The review of a finished game: its graph and its list of moves.

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

// Bring the review into view when it has been opened, and its list to the move that is shown.
function show(opened) {
  const review = document.getElementById("review");
  // no farther than needed: the board stays in sight where it can
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

// The review is of the game as it was: the next move, or a step back, takes it away.
function takeAway({ detail: { ctx } }) {
  const review = document.getElementById("review");
  if (ctx.target?.id === "play" && review.childElementCount > 0) empty(review);
}

function empty(review) {
  document.getElementById("review-board").replaceChildren();
  const section = document.createElement("section");
  section.id = "review";
  section.setAttribute("aria-label", "Review");
  review.replaceWith(section);
}

// On the page of the game the way back is a step; on a page of its own it is a link.
function leave(event) {
  if (!event.target.closest("#leave-review") || !document.getElementById("play")) return;
  event.preventDefault();
  empty(document.getElementById("review"));
  (document.getElementById("open-review") ?? document.querySelector("#board [tabindex='0']"))?.focus();
}

export function start() {
  let shown = document.getElementById("review-summary")?.id ?? "";
  document.addEventListener("htmx:after:swap", () => {
    const kind = document.querySelector("#review-summary, #review-pending")?.id ?? "";
    show(kind !== "" && kind !== shown);
    shown = kind;
  });
  document.addEventListener("htmx:config:request", takeAway);
  document.addEventListener("click", onGraph);
  document.addEventListener("click", leave);
  show(false);
}
