// Speed mode: a large timer and the session. It is loaded only if the setting is on.
import { loadStyle, make } from "../../dom.js";
import { _, number } from "../../language.js";
import { setting } from "../../storage.js";
import { drawn } from "../view.js";
import { moves as counted } from "../words.js";
import * as controls from "./controls.js";
import { Session } from "./session.js";
import { Attempt, Inspection } from "./timer.js";
import { cutText, movesASecond } from "./times.js";

const NOT_COUNTED = {
  begun: _("This game has already started. Restart (Esc) to time it."),
  jumped: _("Not counted: the board was changed by something other than your moves."),
  helped: _("Not counted: you had help."),
  redone: _("Not counted: you used Redo."),
  single: _("Not counted: timing starts with the first slide, and this solve had only one."),
};
const HELP = { hint: "helped", "give-up": "helped", redo: "redone" }; // by the ids of buttons

const isOn = () => setting("speed-mode") === "on";

class SpeedMode {
  #time = make("p", { class: "speed-time", role: "timer", "aria-label": _("Time") });
  #below = make("p", "speed-moves muted"); // moves, and moves a second
  #status = make("p", { class: "speed-said", role: "status" });
  #inspection = new Inspection({ time: this.#time, below: this.#below, status: this.#status });
  #penalty = ""; // of the inspection
  #session;
  #attempt = new Attempt({
    onReset: () => this.#onReset(),
    onBegin: () => {
      this.#penalty = this.#inspection.end();
      requestAnimationFrame(() => this.#tick());
    },
    onSolved: () => this.#onSolved(),
  });

  // Add the elements next to and below the board.
  build() {
    const { goal } = drawn();
    const rows = goal.split("-");
    this.#session = new Session(`${rows.length}x${rows[0].split(".").length} ${goal}`);
    const timer = make("section", { id: "speed-timer", class: "card speed", "aria-label": _("Speed mode") },
      this.#time, this.#below, this.#inspection.button, this.#status);
    document.querySelector("main .side").prepend(timer);
    document.querySelector("main .side > .actions").after(this.#session.list); // New game comes first, also with Tab
    document.querySelector("main .stage").append(this.#session.below);
  }

  listen() {
    this.#attempt.start();
    controls.start({
      isOn, onRestart: () => this.#coverAgain(),
      hovers: () => isOn() && setting("hover") === "on" && !this.#inspection.isCovered,
    });
    document.getElementById("settings-form").addEventListener("change", () => this.#coverAgain());
    document.addEventListener("click", ({ target }) => this.#noteHelp(target.closest?.("button")), true);
    document.addEventListener("submit", ({ target }) => target.id === "solve" && this.#attempt.spoil("helped"));
  }

  #noteHelp(button) {
    const undoesRestart = button?.id === "undo" && this.#attempt.isReady;
    const why = undoesRestart ? "redone" : HELP[button?.id];
    if (why) this.#attempt.spoil(why);
  }

  #onReset() {
    const { isReady, spoilt } = this.#attempt;
    this.#coverAgain();
    this.#status.classList.remove("visually-hidden");
    this.#status.textContent = isReady ? "" : NOT_COUNTED[spoilt];
  }

  // Cover or uncover an unstarted game.
  #coverAgain() {
    this.#inspection.cover(this.#attempt.isReady && isOn() && setting("inspection") === "on");
    this.#showTime();
  }

  #showTime() {
    const { milliseconds: ms, moves } = this.#attempt;
    const speed = movesASecond(moves, ms);
    this.#time.textContent = cutText(ms);
    this.#below.textContent = this.#attempt.isReady ? _("starts when you move")
      : speed === null ? counted(moves)
      : _("%(moves)s · %(speed)s a second", { moves: counted(moves), speed: number(speed, 1) });
  }

  #tick() {
    if (this.#attempt.state !== "running") return;
    this.#showTime();
    requestAnimationFrame(() => this.#tick());
  }

  #onSolved() {
    this.#showTime();
    if (!isOn()) return;
    const { slides, spoilt } = this.#attempt;
    const why = spoilt ?? (slides.length > 1 ? null : "single"); // 0.00 would be an unbeatable best
    const solve = why ? null : this.#solve();
    if (solve) this.#session.add(solve);
    this.#status.classList.toggle("visually-hidden", solve !== null); // the timer and the list show it
    this.#status.textContent = solve ? this.#session.spoken(solve) : NOT_COUNTED[why];
  }

  // The solve as it is stored, but for its kind
  #solve() {
    const { at, moves, slides } = this.#attempt;
    const whole = at.map((moment) => Math.floor(moment - at[0]));
    return {
      at: Date.now(), puzzle: location.pathname.split("/").at(-1), ms: whole.at(-1), penalty: this.#penalty, moves,
      slides: slides.map(({ way, count }) => way + (count > 1 ? count : "")).join(""),
      times: whole.map((ms, i) => ms - (whole[i - 1] ?? 0)),
    };
  }
}

await loadStyle(new URL("../../../css/speed.css", import.meta.url).href);
const mode = new SpeedMode();
mode.build();
mode.listen();
