// A board to practise on: a game in this browser alone, with the page's keys and swipes. The tiles of the aim are lit,
// and their places marked.
import { draw, line, parse, place } from "../../board.js";
import { _, gameText } from "../../language.js";
import { LocalGame, beginning } from "../../game/position.js";
import { find, label, play, shake } from "../../play/view.js";
import { moves as inWords, slid } from "../../play/words.js";

const MOST_PLACES = 3; // marked and announced at once: more would cover the board and last too long

export const said = document.getElementById("said");
export const numbers = (text) => text.split(" ").filter(Boolean).map(Number);

export class Practice {
  #goal = parse(play().dataset.goal);
  #game;
  #aims; // the tiles to bring home, group by group, starting with the group that was home at the start

  /** Handlers: `onPress` returns whether it has used the click; `onFirst` move, `onDone(moves)`, `onRestart`. */
  constructor({ onPress, onFirst, onDone, onRestart }) {
    Object.assign(this, { onPress, onFirst, onDone, onRestart });
    const { given, aims, board } = play().dataset;
    this.#aims = [given, ...aims.split(",")].map(numbers);
    this.setBoard(board);
    document.getElementById("board").addEventListener("click", ({ target }) => {
      const tile = target.closest("button.tile");
      if (tile) this.#act("slide", Number(tile.value));
    });
    play().addEventListener("slidewise:slide", ({ detail }) => this.#act("slide", detail));
    document.getElementById("undo").addEventListener("click", () => this.#act("undo"));
    document.getElementById("restart").addEventListener("click", () => this.#startAgain());
  }

  /** Start a game on a board of the same size. */
  setBoard(text) {
    this.#game = new LocalGame(beginning(text, play().dataset.goal));
    this.#game.addEventListener("change", ({ detail }) => this.#onChange(detail));
    this.#game.addEventListener("refused", ({ detail: { tile } }) => shake(tile && find(tile)));
    this.show(this.#game.shown);
  }

  restart() { this.#game.act("alone"); } // Undo does not take it back

  #startAgain() {
    if (this.onPress?.() || !this.#game.shown.made) return;
    this.restart();
    say(_("From the start again."));
    this.onRestart?.();
  }

  #act(name, tile) {
    if (this.onPress?.() || this.#isDone(parse(this.#game.shown.board))) return;
    this.#game.act(name, { tile });
  }

  #onChange({ from, to, cause, action: { tile } }) {
    this.show(to, tile);
    if (cause === "undo") say(`${inWords(to.moves)}.`, gameText("undo"));
    if (cause !== "slide") return;
    if (!from.made && !from.undone) this.onFirst?.();
    const [before, board] = [from, to].map((position) => parse(position.board));
    if (this.#isDone(board)) return this.onDone(to.moves);
    const isNext = this.#reached(board) > Math.max(1, this.#reached(before));
    const news = isNext ? ` ${_("Well done! Now the next part.")}` : "";
    const sliding = line(before, tile);
    const lit = this.#lit(board);
    const aim = lit.length > MOST_PLACES ? lit.filter((one) => sliding.tiles.includes(one)) : lit;
    say(`${inWords(to.moves)}.${news}`, slid(sliding), aim.map((one) => this.#where(board, one)).join(" "));
  }

  /** Show a position, of the game or of a demonstration. */
  show({ board: text, made }, moved) {
    const board = parse(text);
    Object.assign(play().dataset, { board: text, made });
    draw(board, this.#goal, find, moved);
    label(board);
    this.#mark(board);
    for (const id of ["undo", "restart"]) document.getElementById(id).setAttribute("aria-disabled", String(!made));
    const blank = _("The blank is in %(cell)s.", { cell: at(board, 0) });
    const words = this.#lit(board).map((tile) => this.#where(board, tile));
    document.getElementById("picture").textContent = [...words, blank].join(" "); // for screen readers
  }

  #mark(board) {
    for (const old of document.querySelectorAll("#board .place")) old.remove();
    const tiles = this.#lit(board);
    play().classList.toggle("is-whole", tiles.length === this.#goal.cells.length - 1);
    for (const tile of board.cells) find(tile).classList.toggle("lit", tiles.includes(tile));
    const away = tiles.length > MOST_PLACES ? [] : tiles.filter((tile) => !this.#isHome(board, tile));
    document.querySelector("#board .grid").append(...away.map((tile) => {
      const [row, col] = place(this.#goal, this.#goal.cells.indexOf(tile));
      return Object.assign(document.createElement("span"), { className: `place r${row} c${col}`, ariaHidden: "true" });
    }));
  }

  #isHome({ cells }, tile) { return cells.indexOf(tile) === this.#goal.cells.indexOf(tile); }

  // Number of complete groups, from the first on
  #reached(board) {
    const open = this.#aims.findIndex((tiles) => !tiles.every((tile) => this.#isHome(board, tile)));
    return open < 0 ? this.#aims.length : open;
  }

  #isDone(board) { return this.#reached(board) === this.#aims.length; }

  // The lit tiles: the first group that was not home at the start, and is not home now
  #lit(board) { return this.#aims[Math.max(1, this.#reached(board))] ?? []; }

  #where(board, tile) {
    const values = { tile, cell: at(board, tile), home: at(this.#goal, tile) };
    return this.#isHome(board, tile) ? _("The %(tile)s is home, in %(cell)s.", values)
      : _("The %(tile)s is in %(cell)s. Its place is %(home)s.", values);
  }
}

function at(board, tile) {
  const [row, column] = place(board, board.cells.indexOf(tile));
  return _("row %(row)s, column %(column)s", { row: row + 1, column: column + 1 });
}

// Show words; the words around them are only for screen readers.
export function say(words, before = "", after = "") {
  const parts = [[before, "visually-hidden"], [words, ""], [after, "visually-hidden"]].filter(([text]) => text);
  said.replaceChildren(...parts.map(([text, className]) =>
    Object.assign(document.createElement("span"), { textContent: `${text} `, className })));
}
