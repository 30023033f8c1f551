// Daily puzzles page: solved puzzles, the streak, and the countdown to the next puzzles.
import { load, make } from "../dom.js";
import { _, locale, number } from "../language.js";
import { SIZES, counts, inDays, isPerfect, solvedDays, streaks } from "./streak.js";
import { moves } from "../play/words.js";
import { clockText } from "../play/clock.js";

const DAY_SECONDS = 24 * 3600;
const place = (id) => document.getElementById(id);

// Calendar label of a day: a word next to the sign, and the full text
function mark(day, sizes, days) {
  const solved = sizes.filter((size) => days[`${day} ${size}`]);
  if (solved.length === 0) return null;
  const isLate = !solved.some((size) => counts(`${day} ${size}`, days[`${day} ${size}`]));
  if (isPerfect(days, day, sizes)) return { isPerfect: true, short: _("perfect"), full: _("perfect day") };
  const counted = { count: solved.length, all: sizes.length };
  const [short, full, late] = solved.length < sizes.length
    ? [_("%(count)s of %(all)s", counted), _("%(count)s of %(all)s solved", counted),
      _("%(count)s of %(all)s solved, late", counted)]
    : sizes.length === 2 ? [_("both"), _("both solved"), _("both solved, late")]
      : [_("all"), _("all solved"), _("all solved, late")];
  return isLate ? { isLate, short: _("late"), full: late } : { isLate, short, full };
}

function markDay(link, days) {
  const shown = mark(link.dataset.solvedOf, link.dataset.sizes.split(" "), days);
  link.classList.toggle("solved-day", Boolean(shown && !shown.isLate));
  link.classList.toggle("perfect", Boolean(shown?.isPerfect));
  link.classList.toggle("late", Boolean(shown?.isLate));
  if (!shown) return;
  const [, date, word] = link.children;
  link.setAttribute("aria-label", `${date.textContent}, ${shown.full}`);
  word.textContent = shown.short;
}

// Figures of the month: days, perfect days, and the fewest and mean moves of each size without help
function showMonth(days) {
  const month = place("month");
  const links = [...document.querySelectorAll("[data-solved-of]")];
  const own = Object.entries(days).filter(([key]) => key.startsWith(month.dataset.month));
  month.hidden = own.length === 0;
  const solved = links.filter((link) => link.matches(".solved-day")).length;
  const figures = [[_("solved on the day"), _("%(count)s of %(all)s", { count: solved, all: links.length })]];
  const perfect = links.filter((link) => link.matches(".perfect")).length;
  if (perfect > 0) figures.push([_("perfect days"), `★ ${perfect}`]);
  for (const size of SIZES) {
    const made = own.filter(([key, { helped }]) => key.endsWith(size) && !helped).map(([, result]) => result.moves);
    if (made.length === 0) continue;
    const mean = made.reduce((sum, count) => sum + count, 0) / made.length;
    const name = { size: size.replace("x", " × ") };
    figures.push([_("%(size)s, fewest moves", name), number(Math.min(...made))],
      [_("%(size)s, mean", name), number(mean, 1)]);
  }
  place("month-figures").replaceChildren(...figures.map(([words, figure]) =>
    make("div", {}, make("dt", {}, words), make("dd", {}, figure))));
}

// Mark the own bar of a chart, and say how it compares.
function showChart(chart, { moves: made, helped }) {
  if (helped || chart.querySelector(".own")) return;
  const bars = [...chart.querySelectorAll(".column")];
  bars.find(({ dataset }) => dataset.least <= made && made <= dataset.most)?.classList.add("own");
}

function showStreak(days) {
  const { current, longest, isToday } = streaks(days, place("main").dataset.today);
  place("streak-current").textContent = inDays(current);
  place("streak-longest").textContent = inDays(longest);
  place("streak-said").textContent = isToday ? _("You have solved one of today’s puzzles.")
    : current > 0 ? _("Solve one of today’s puzzles to keep your streak.")
      : _("Solve one of today’s puzzles to start a streak.");
}

function showDays() {
  const days = solvedDays();
  for (const element of document.querySelectorAll("[data-daily]")) {
    const result = days[element.dataset.daily];
    element.classList.toggle("solved", Boolean(result));
    if (!result) continue;
    const { moves: made, seconds, helped } = result;
    const figures = { moves: moves(made), time: clockText(seconds) };
    element.textContent = helped ? _("Solved: %(moves)s, %(time)s, with help", figures)
      : _("Solved: %(moves)s, %(time)s", figures);
    const story = element.closest(".story");
    story.querySelector(".play").textContent = _("Play again");
    story.querySelector("[data-review]").hidden = false;
    const chart = story.querySelector("[data-chart]");
    if (chart) showChart(chart, result);
  }
  const stories = [...document.querySelectorAll(".days .story")];
  const next = stories.find((story) => !story.querySelector(".solved"));
  for (const story of stories) story.querySelector(".btn").classList.toggle("primary", story === next);
  for (const link of document.querySelectorAll("[data-solved-of]")) markDay(link, days);
  showMonth(days);
  showStreak(days);
}

// The countdown starts from the server's seconds, as the device's clock may be wrong.
function countDown() {
  const countdown = place("countdown");
  const end = Date.now() + 1000 * Number(countdown.dataset.seconds);
  const local = new Date(end).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
  if (new Date(end).getTimezoneOffset() !== 0)
    place("local-midnight").append(" ", _("(%(time)s your time)", { time: local }));
  const pad = (n) => String(n).padStart(2, "0");
  const tick = () => {
    const left = Math.max(0, Math.round((end - Date.now()) / 1000));
    countdown.textContent = `${Math.floor(left / 3600)}:${pad(Math.floor(left / 60) % 60)}:${pad(left % 60)}`;
    if (left > 0) return;
    clearInterval(timer);
    place("streak-said").innerHTML = `<a href="${countdown.dataset.next}">${_("Play the new puzzles.")}</a>`;
  };
  const timer = setInterval(tick, 1000);
  tick();
}

// A static site was written on an earlier day, so its page of today's puzzles may be out of date.
function goToDay(day, shown) {
  if (/\/daily\/$/.test(location.pathname) && shown !== day) location.replace(`${day}/`);
}

// A page from the cache may belong to an earlier day: it goes by the device's clock.
function goByClock() {
  const now = Date.now();
  const today = new Date(now).toISOString().slice(0, 10);
  const { dataset } = place("main");
  const { static: last } = document.documentElement.dataset;
  if (last) goToDay(today < last ? today : last, dataset.today);
  if (last < today) place("is-today").textContent = ` (${_("the last day of this site")})`;
  else if (dataset.today !== today) place("is-today")?.remove();
  dataset.today = today;
  place("countdown").dataset.seconds = DAY_SECONDS - Math.floor(now / 1000) % DAY_SECONDS;
  document.querySelector("[data-solved-of][aria-current=date]")?.removeAttribute("aria-current");
  document.querySelector(`[data-solved-of="${today}"]:not([aria-current])`)?.setAttribute("aria-current", "date");
}

if (document.documentElement.dataset.cached) goByClock();
showDays();
countDown();
addEventListener("pageshow", showDays); // back from a game
place("month-picture").addEventListener("click", async () => {
  const { save } = await load("daily/month_picture.js");
  save();
});
