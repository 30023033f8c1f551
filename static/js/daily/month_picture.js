// A picture of a month of daily puzzles: its days as in the calendar, and the figures below.
import { make } from "../dom.js";
import { colours, download } from "../files.js";

const [WIDTH, MARGIN, CELL, LINE] = [1080, 60, 137, 64];
const FONT = '"Figtree Variable", system-ui, sans-serif';
const COLOURS = ["paper", "sunken", "ink", "ink-2", "home", "home-ink", "accent", "accent-ink"];

function write(pen, text, x, y, size, colour, { align = "left", weight = 600 } = {}) {
  Object.assign(pen, { font: `${weight} ${size}px ${FONT}`, fillStyle: colour, textAlign: align });
  pen.fillText(text, x, y);
}

function drawDay(pen, cell, x, y, colour) {
  const link = cell.querySelector("[data-solved-of]");
  const number = link ? Number(link.dataset.solvedOf.slice(8)) : cell.textContent.trim();
  const isPerfect = link?.matches(".perfect");
  const isSolved = link?.matches(".solved-day");
  if (number === "") return;
  pen.fillStyle = isPerfect ? colour.accent : isSolved ? colour.home : colour.sunken;
  pen.beginPath();
  pen.roundRect(x + 4, y + 4, CELL - 8, CELL - 8, 20);
  pen.fill();
  const ink = isPerfect ? colour["accent-ink"] : isSolved ? colour["home-ink"] : colour["ink-2"];
  write(pen, String(number), x + CELL / 2, y + CELL / 2 + (isSolved ? -4 : 14), 40, ink, { align: "center" });
  const sign = isPerfect ? "★" : isSolved ? "✓" : "";
  write(pen, sign, x + CELL / 2, y + CELL / 2 + 42, 36, ink, { align: "center" });
}

function draw() {
  const title = document.getElementById("calendar-title").textContent;
  const weeks = [...document.querySelectorAll("#calendar tbody tr")];
  const figures = [...document.querySelectorAll("#month-figures div")];
  const colour = colours(COLOURS);
  const top = 3 * MARGIN;
  const below = top + weeks.length * CELL + MARGIN;
  const canvas = make("canvas", { width: WIDTH, height: below + (figures.length + 1) * LINE + MARGIN });
  const pen = canvas.getContext("2d");
  pen.fillStyle = colour.paper;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  write(pen, title, MARGIN, 2 * MARGIN, 64, colour.ink, { weight: 750 });
  weeks.forEach((week, row) => [...week.cells].forEach((cell, column) =>
    drawDay(pen, cell, MARGIN + column * CELL, top + row * CELL, colour)));
  figures.forEach(({ children: [words, figure] }, line) => {
    const y = below + (line + 0.5) * LINE;
    write(pen, words.textContent, MARGIN, y, 38, colour["ink-2"]);
    write(pen, figure.textContent, WIDTH - MARGIN, y, 38, colour.ink, { align: "right", weight: 700 });
  });
  write(pen, ["Slidewise", location.host].join(" · "), MARGIN, canvas.height - MARGIN, 32, colour["ink-2"]);
  return canvas;
}

export async function save() {
  await document.fonts.ready;
  const blob = await new Promise((resolve) => { draw().toBlob(resolve); });
  download(blob, `slidewise-${document.getElementById("month").dataset.month}.png`);
}
