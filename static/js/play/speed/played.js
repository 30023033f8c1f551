// A replay of a link with times, at the original speed.
import { make } from "../../dom.js";
import { _, number } from "../../language.js";
import { setPace } from "../../solve/player.js";
import { cutText, movesASecond, timesIn } from "./times.js";

// Delay until the next move, computed from the replay's start, because timers are late.
function paceOf(times, select) {
  let sum = 0;
  const ends = [0, ...times.map((ms) => (sum += ms))]; // of each step, the start first
  let [began, before] = [0, null];
  return (step) => {
    if (select.value !== "played") return undefined;
    if (before !== step - 1) began = performance.now() - ends[step];
    before = step;
    return Math.max(0, began + (ends[step + 1] ?? 0) - performance.now());
  };
}

const form = document.getElementById("player");
const note = make("p", { class: "small muted", id: "as-played" });
document.getElementById("step-text").after(note);
const times = timesIn(location.hash, Number(form.dataset.total));
if (times) {
  const ms = times.reduce((total, one) => total + one, 0);
  const speed = movesASecond(times.length, ms);
  const time = cutText(ms);
  const played = speed === null ? _("Played in %(time)s.", { time })
    : _("Played in %(time)s, %(speed)s moves a second.", { time, speed: number(speed, 1) });
  note.textContent = `${played} ${_("The moves are checked; the times come from the player’s own device.")}`;
  const select = form.querySelector("[data-speed]");
  select.append(make("option", { value: "played", selected: "" }, _("As played")));
  select.value = "played";
  setPace(paceOf(times, select));
} else note.textContent = _("The times in this link do not fit its moves, so the replay has an even pace.");
