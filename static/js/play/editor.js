// The editor: two tiles clicked on a checked board change places, in the text too.
import { format, parse } from "../board.js";

function onClick(event) {
  const button = event.target.closest("button[data-cell]");
  if (!button) return;
  const picture = button.closest("[data-edits]");
  const first = picture.querySelector("[aria-pressed=true]");
  if (!first || first === button) {
    button.setAttribute("aria-pressed", String(!first));
    return;
  }
  const board = parse(picture.dataset.board);
  const [a, b] = [Number(first.dataset.cell), Number(button.dataset.cell)];
  [board.cells[a], board.cells[b]] = [board.cells[b], board.cells[a]];
  write(picture.dataset.edits, format(board));
}

function write(name, text) {
  const field = document.getElementById(name);
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

export function start() {
  document.addEventListener("click", onClick);
  document.addEventListener("click", ({ target }) => {
    const preset = target.closest("[data-fill]");
    if (preset) write(preset.dataset.fill, preset.dataset.board);
  });
}
