// Retries a search that a full queue rejected or displaced until it starts, or Stop is pressed.
import { _ } from "../language.js";

const FORMS = "#solve, #race, #many";
const STOPS = "#stop, #race-stop";
const said = () => document.getElementById("waiting");
let timer = null;

function cancel() {
  clearTimeout(timer);
  timer = null;
}

export function wait(ctx) {
  const submitter = ctx?.request.submitter;
  cancel();
  timer = setTimeout(() => {
    timer = null;
    if (said()) document.querySelector(FORMS).requestSubmit(submitter?.isConnected ? submitter : null);
  }, 1000 * (ctx?.response.headers.get("Retry-After") ?? 5));
}

document.addEventListener("htmx:config:request", ({ detail: { ctx: { sourceElement } } }) => {
  if (sourceElement.matches(`${FORMS}, ${STOPS}`)) cancel(); // it is submitted again, or stopped
  if (!sourceElement.matches(STOPS) || !said()) return;
  said().replaceWith(_("Stopped."));
  document.getElementById("job")?.replaceChildren();
});

// The message stays in place, so that screen readers do not repeat it with each retry
document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = event.detail;
  if (![429, 503].includes(ctx.response.status) || !ctx.sourceElement.matches(FORMS) || !said()) return;
  event.preventDefault();
  wait(ctx);
});

document.addEventListener("htmx:finally:request", ({ detail: { ctx: { sourceElement, response } } }) => {
  if (sourceElement.matches(FORMS) && timer === null && response?.status !== 200) said()?.remove(); // it went wrong
});
