// Daily puzzles page: solved puzzles, the streak, and the countdown to the next puzzles.
import { SIZES, counts, inDays, solvedDays, streaks } from "./streak.js";
import { moves } from "./records.js";
import { clockText } from "./clock.js";

const place = (id) => document.getElementById(id);

// Calendar label of a day: a word beside the sign, and the full text
function mark(day, days) {
  const solved = SIZES.filter((size) => days[`${day} ${size}`]);
  if (solved.length === 0) return null;
  const isLate = !solved.some((size) => counts(`${day} ${size}`, days[`${day} ${size}`]));
  const count = solved.length === SIZES.length ? "both" : `1 of ${SIZES.length}`;
  return { isLate, short: isLate ? "late" : count, full: `${count} solved${isLate ? ", late" : ""}` };
}

function markDay(link, days) {
  const told = mark(link.dataset.solvedOf, days);
  link.classList.toggle("solved-day", told?.isLate === false);
  link.classList.toggle("late", told?.isLate === true);
  if (!told) return;
  const [number, word] = link.children;
  link.setAttribute("aria-label", `${number.textContent}, ${told.full}`);
  word.textContent = told.short;
}

function tellStreak(days) {
  const { current, longest, isToday } = streaks(days, place("main").dataset.today);
  place("streak-current").textContent = inDays(current);
  place("streak-longest").textContent = inDays(longest);
  place("streak-said").textContent = isToday ? "You have solved one of today’s puzzles."
    : current > 0 ? "Solve one of today’s puzzles to keep your streak."
      : "Solve one of today’s puzzles to start a streak.";
}

function tell() {
  const days = solvedDays();
  for (const element of document.querySelectorAll("[data-daily]")) {
    const result = days[element.dataset.daily];
    element.hidden = !result;
    if (!result) continue;
    const { moves: made, seconds, helped } = result;
    element.textContent = `Solved: ${moves(made)}, ${clockText(seconds)}${helped ? ", with help" : ""}`;
  }
  const stories = [...document.querySelectorAll(".days .story")];
  const next = stories.find((story) => story.querySelector("[data-daily]").hidden);
  for (const story of stories) story.querySelector(".btn").classList.toggle("primary", story === next);
  for (const link of document.querySelectorAll("[data-solved-of]")) markDay(link, days);
  tellStreak(days);
}

// The countdown starts from the server's seconds, as the device's clock may be wrong.
function countDown() {
  const countdown = place("countdown");
  const end = Date.now() + 1000 * Number(countdown.dataset.seconds);
  const local = new Date(end).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  if (new Date(end).getTimezoneOffset() !== 0)
    place("local-midnight").textContent = ` (${local} your time)`;
  const pad = (n) => String(n).padStart(2, "0");
  const tick = () => {
    const left = Math.max(0, Math.round((end - Date.now()) / 1000));
    countdown.textContent = `${Math.floor(left / 3600)}:${pad(Math.floor(left / 60) % 60)}:${pad(left % 60)}`;
    if (left > 0) return;
    clearInterval(timer);
    place("streak-said").innerHTML = `<a href="${countdown.dataset.next}">Play the new puzzles.</a>`;
  };
  const timer = setInterval(tick, 1000);
  tick();
}

export function start() {
  tell();
  countDown();
  addEventListener("pageshow", tell); // back from a game
}
