// Speed mode: a large timer and the session. It is loaded only if the setting is on.
import { play } from "../view.js";
import { _, number } from "../../language.js";
import { moves as counted } from "../words.js";
import { setting } from "../../storage.js";
import * as attempt from "./attempt.js";
import { make } from "./elements.js";
import * as hover from "./hover.js";
import * as inspection from "./inspection.js";
import * as session from "./session.js";
import * as shortcuts from "./shortcuts.js";
import { movesASecond, timeText } from "./times.js";

const NOT_COUNTED = {
  begun: _("This game had already begun. Restart (Esc) to time it."),
  jumped: _("Not counted: the board was changed by something other than your moves."),
  helped: _("Not counted: there was help."),
  redone: _("Not counted: moves were redone."),
  single: _("Not counted: a solve is timed from its first slide, and this one had no other."),
};
const HELP = { hint: "helped", "give-up": "helped", redo: "redone" };
let time; // the timer
let below; // moves, and moves a second
let status;
let penalty = ""; // penalty of the inspection

const isOn = () => setting("speed-mode") === "on";

function showTime() {
  const ms = attempt.elapsed();
  const speed = movesASecond(attempt.movesMade(), ms);
  time.textContent = timeText(Math.floor(ms / 10));
  const moves = counted(attempt.movesMade());
  below.textContent = speed === null ? moves
    : _("%(moves)s · %(speed)s a second", { moves, speed: number(speed, 1) });
}

function tick() {
  if (attempt.current().state !== "running") return;
  showTime();
  requestAnimationFrame(tick);
}

const slidesText = (slides) => slides.map(({ way, count }) => way + (count > 1 ? count : "")).join("");

function onSolved({ slides, at, spoilt }) {
  showTime();
  if (!isOn()) return;
  const why = spoilt ?? (slides.length > 1 ? null : "single"); // 0.00 would be an unbeatable best
  if (why) {
    status.textContent = NOT_COUNTED[why];
    return;
  }
  const whole = at.map((moment) => Math.floor(moment - at[0]));
  const solve = {
    at: Date.now(), puzzle: location.pathname.split("/").at(-1), ms: whole.at(-1), penalty,
    moves: attempt.movesMade(), slides: slidesText(slides), times: whole.map((ms, i) => ms - (whole[i - 1] ?? 0)),
  };
  session.add(solve);
  status.classList.add("visually-hidden"); // the timer and the list show it
  status.textContent = session.spoken(solve);
}

// Cover or uncover an unstarted game
function again() {
  const isReady = attempt.current().state === "ready";
  inspection.ready(isReady && isOn());
  if (isReady) showTime();
}

function build() {
  const { goal } = play().dataset;
  const rows = goal.split("-");
  time = make("p", { class: "speed-time", role: "timer", "aria-label": _("Time") });
  below = make("p", { class: "speed-moves muted" });
  status = make("p", { class: "speed-said", role: "status" });
  const timer = make("section", { id: "speed-timer", class: "card speed", "aria-label": _("Speed mode") },
    time, below, inspection.start({ time, below, status }), status);
  const [list, rest] = session.begin(`${rows.length}x${rows[0].split(".").length} ${goal}`);
  document.querySelector("main .side").prepend(timer);
  document.querySelector("main .side > .actions").after(list); // New game comes first, also with the Tab key
  document.querySelector("main .stage").append(rest);
}

function loadStyle() {
  const href = new URL("../../../css/speed.css", import.meta.url).href;
  const style = make("link", { rel: "stylesheet", href });
  return new Promise((resolve) => {
    style.addEventListener("load", resolve);
    style.addEventListener("error", resolve);
    document.head.append(style);
  });
}

export async function start() {
  await loadStyle();
  build();
  attempt.start({
    ready(isReady) {
      inspection.ready(isReady && isOn());
      showTime();
      status.classList.remove("visually-hidden");
      status.textContent = isReady ? "" : NOT_COUNTED[attempt.current().spoilt];
    },
    begun(moment) {
      penalty = inspection.end(moment);
      requestAnimationFrame(tick);
    },
    solved: onSolved,
  });
  hover.start(() => isOn() && setting("hover") === "on" && !inspection.isCovered());
  shortcuts.start(isOn, again);
  document.getElementById("settings-form").addEventListener("change", again);
  document.addEventListener("click", ({ target }) => {
    const { id } = target.closest?.("button") ?? {};
    const undoesRestart = id === "undo" && attempt.current().state === "ready";
    const why = undoesRestart ? "redone" : HELP[id];
    if (why) attempt.spoil(why);
  }, true);
  document.addEventListener("submit", ({ target }) => target.id === "solve" && attempt.spoil("helped"));
}
