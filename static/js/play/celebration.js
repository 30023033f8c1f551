// Paper that falls over the tray of a solved puzzle.
import { make } from "../dom.js";

const PIECES = 48;

export function dropPaper() {
  const pieces = Array.from({ length: PIECES }, () => make("i"));
  const paper = make("div", { class: "confetti", "aria-hidden": "true" }, ...pieces);
  document.getElementById("game").append(paper);
  const { x, y } = paper.getBoundingClientRect();
  const { left, top, width, height } = document.querySelector(".tray").getBoundingClientRect();
  Object.assign(paper.style, { left: `${left - x}px`, top: `${top - y}px`, width: `${width}px`, height: `${height}px` });
  const falling = pieces.map((piece) => {
    const [x, drift, turns] = [Math.random() * width, (Math.random() - 0.5) * 80, Math.random() * 2];
    return piece.animate([
      { translate: `${x}px -20px`, opacity: 1 },
      { opacity: 1, offset: 0.8 },
      { translate: `${x + drift}px ${height}px`, rotate: `${turns}turn`, opacity: 0 },
    ], { duration: 1400 + Math.random() * 1200, delay: Math.random() * 700, easing: "ease-in" }).finished;
  });
  Promise.allSettled(falling).then(() => paper.remove());
}
