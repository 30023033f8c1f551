// The race: the address bar shows the link to the running race, and the focus stays on a button.
import { use } from "../../dom.js";
function start() {
  const links = document.getElementById("race-links");
  const [run, stop] = ["race-run", "race-stop"].map((id) => document.getElementById(id));
  const show = () => {
    const link = document.getElementById("race-link");
    if (link && link.href !== location.href) history.replaceState(history.state, "", link.href);
  };
  if (document.getElementById("race-own")) use("course/lab/race_own.js", (own) => own.show());
  const form = document.querySelector("#race, #many");
  if (form.hasAttribute("hx-trigger")) {
    show();
    setTimeout(() => form.dispatchEvent(new Event("begin"))); // htmx, and its extension for streams, have begun before
  }
  const notice = document.getElementById("notice");
  new MutationObserver(() => notice.scrollIntoView({ block: "nearest" })).observe(notice, { childList: true });
  const job = document.getElementById("race-job"); // its number, once the server has begun
  form.addEventListener("submit", () => {
    job.replaceChildren(); // of the race before
    notice.replaceChildren();
    const rows = document.getElementById("race-rows");
    if (rows?.getBoundingClientRect().top > 0.7 * innerHeight) document.querySelector(".lab-card").scrollIntoView();
  });
  stop.addEventListener("click", () => {
    if (job.firstElementChild || document.getElementById("waiting")) return; // the server stops it, or it waits
    form.dispatchEvent(new Event("htmx:abort"));
    document.getElementById("race-said").textContent = stop.dataset.stopped;
  });
  new MutationObserver(show).observe(links, { childList: true, subtree: true, attributes: true });
  // Stop is there only during a race
  new MutationObserver(() => {
    if (document.activeElement === stop && !stop.checkVisibility()) run.focus();
  }).observe(document.querySelector(".lab"), { childList: true, subtree: true, attributes: true });
}

start();
