// Graph of the session: each time, and the average of five ending with it.
import { _ } from "../../language.js";
import { draw } from "./elements.js";
import { DNF, averages, timeText } from "./times.js";

const SHOWN = 100; // the latest
const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [360, 130, 52, 8, 10, 8];

// A path through the points, broken at gaps.
function through(values, x, y) {
  let isOpen = false;
  return values.map((value, i) => {
    const command = isOpen ? "L" : "M";
    isOpen = Number.isFinite(value ?? DNF);
    return isOpen ? `${command}${x(i).toFixed(1)} ${y(value).toFixed(1)}` : "";
  }).join("");
}

// Graph of results, null if there are too few
export function graphOf(all) {
  const results = all.slice(-SHOWN);
  const finite = results.filter((result) => result !== DNF);
  if (results.length < 2 || finite.length === 0) return null;
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const x = (i) => LEFT + (i * (WIDTH - LEFT - RIGHT)) / (results.length - 1);
  const y = (result) => (high === low ? HEIGHT / 2
    : TOP + ((high - Math.min(result, high)) * (HEIGHT - TOP - BOTTOM)) / (high - low));
  const fives = averages(all, 5).slice(-SHOWN);
  const name = _("The last %(count)s times, from %(best)s to %(worst)s, and the averages of five",
    { count: results.length, best: timeText(low), worst: timeText(high) });
  const levels = low === high ? [low] : [high, low];
  return draw("svg", { class: "speed-graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": name },
    ...levels.flatMap((level) => [
      draw("path", { class: "axis", d: `M${LEFT} ${y(level)}H${WIDTH - RIGHT}` }),
      draw("text", { x: LEFT - 8, y: y(level) + 4, "text-anchor": "end" }, timeText(level)),
    ]),
    draw("path", { class: "line", d: through(results, x, y) }),
    ...results.map((result, i) => draw("circle", { cx: x(i), cy: y(result), r: 3, class: result === DNF ? "dnf" : null })),
    draw("path", { class: "average", d: through(fives, x, y) }));
}
