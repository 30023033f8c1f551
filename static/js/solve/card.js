// The Solve card: its choices, and what it shows when a search ends.
const algorithm = document.getElementById("algorithm");
const job = document.getElementById("job"); // holds the number of the search that runs

// What the algorithm does not use cannot be chosen; a long wait is announced.
function showChoices() {
  const { dataset } = algorithm.selectedOptions[0];
  document.getElementById("heuristic").disabled = dataset.heuristic === "no";
  for (const label of document.querySelectorAll("[data-option]")) {
    label.classList.remove("unused"); // as the page came
    label.hidden = !dataset.options.split(" ").includes(label.dataset.option);
  }
  document.getElementById("forecast").textContent = dataset.forecast;
}

// The Stop button is hidden when the search has ended: it must not keep the focus.
function moveFocusFromStop() {
  const stopped = !job.firstElementChild && document.activeElement?.id === "stop";
  if (stopped) document.getElementById("solve-button").focus({ preventScroll: true });
}

function forgetLastSearch({ target, submitter }) {
  if (target.id === "solve" && !submitter?.hasAttribute("formaction")) job.replaceChildren();
}

function onStreamClosed({ target }) {
  if (target.id !== "solve" || !job.firstElementChild) return; // it has told its end
  job.replaceChildren();
  document.getElementById("verdict").innerHTML = "<p class=\"refused\">The search broke off: "
    + "the server cannot be reached. Solve again in a moment.</p>";
}

// What is wrong in a field is no longer said when the field is changed.
function onInput({ target }) {
  if (!target.matches("#solve [aria-invalid]")) return;
  target.removeAttribute("aria-invalid");
  document.getElementById("wrong").remove();
}

// A player who asks with a key looks at the board, and the card may be out of sight.
function announceSearch() {
  const say = (words) => {
    document.getElementById("typed").textContent = words;
  };
  document.addEventListener("submit", ({ target, submitter }) => {
    if (target.id === "solve" && !submitter?.hasAttribute("formaction")) say("Looking for a solution …");
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx.sourceElement.id === "solve") say("");
  });
}

// The choice of algorithms stays open for who used it last.
const OPEN = "algorithms";

function keepOpen() {
  const details = document.getElementById(OPEN);
  try {
    details.open ||= localStorage.getItem(OPEN) === "open";
  } catch {
    // storage is off
  }
  details.addEventListener("toggle", () => {
    try {
      if (details.open) localStorage.setItem(OPEN, "open");
      else localStorage.removeItem(OPEN);
    } catch {
      // storage is off: it is folded on the next page
    }
  });
}

export function start() {
  if (algorithm) {
    algorithm.addEventListener("change", showChoices);
    showChoices();
  }
  if (!job) return;
  new MutationObserver(moveFocusFromStop).observe(job, { childList: true });
  document.addEventListener("submit", forgetLastSearch, { capture: true }); // before htmx leaves it
  document.addEventListener("htmx:sse:close", onStreamClosed);
  document.addEventListener("input", onInput);
  announceSearch();
  keepOpen();
}
