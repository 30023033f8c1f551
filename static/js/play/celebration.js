// Paper that falls over the tray of a solved puzzle.
const PIECES = 48;

export function dropPaper() {
  const paper = document.createElement("div");
  paper.className = "confetti";
  paper.setAttribute("aria-hidden", "true");
  paper.append(...Array.from({ length: PIECES }, () => document.createElement("i")));
  document.getElementById("game").append(paper);
  const { width, height } = cover(paper, document.querySelector(".tray"));
  const falling = [];
  for (const piece of paper.children) {
    const [x, drift, turns] = [Math.random() * width, (Math.random() - 0.5) * 80, Math.random() * 2];
    falling.push(piece.animate([
      { translate: `${x}px -20px`, opacity: 1 },
      { opacity: 1, offset: 0.8 },
      { translate: `${x + drift}px ${height}px`, rotate: `${turns}turn`, opacity: 0 },
    ], { duration: 1400 + Math.random() * 1200, delay: Math.random() * 700, easing: "ease-in" }).finished);
  }
  Promise.allSettled(falling).then(() => paper.remove());
}

// Place an element over another. Returns its size.
function cover(element, below) {
  const [{ x, y }, { left, top, width, height }] = [element, below].map((one) => one.getBoundingClientRect());
  const place = { left: left - x, top: top - y, width, height };
  for (const [name, pixels] of Object.entries(place)) element.style[name] = `${pixels}px`;
  return place;
}
