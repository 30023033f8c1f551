// A picture of all boards, painted up to any expansion of a search, forwards or backwards.
import { SIDE } from "./space_layout.js";

const SHADES = 64;

export class Painter {
  // `colours` come from `readColours`
  constructor(canvas, { owners, starts, pixels }, boards, expanded, colours) {
    canvas.width = canvas.height = SIDE;
    this.context = canvas.getContext("2d");
    this.image = this.context.createImageData(SIDE, SIDE);
    this.dots = new Uint32Array(this.image.data.buffer);
    Object.assign(this, { owners, starts, pixels, distances: boards.distances });
    this.news = newsOf(expanded, boards.distances.length);
    this.recolour(colours);
  }

  // Paint everything again in other colours
  recolour(colours) {
    this.colours = colours;
    this.painted = 0; // boards of `news` in colour
    this.marked = 0; // boards before the first marked board
    for (let pixel = 0; pixel < this.dots.length; pixel += 1) {
      const board = this.owners[pixel];
      this.dots[pixel] = board < 0 ? 0 : this.bare(board);
    }
    this.touched = [0, SIDE - 1];
    this.flush();
  }

  bare(board) {
    return this.distances[board] % 2 ? this.colours.odd : this.colours.even;
  }

  // Show the boards of the first `expansions`; the boards of the last `latest` are marked
  show(expansions, latest) {
    const { boards, at } = this.news;
    while (this.painted > 0 && at[this.painted - 1] >= expansions) {
      this.painted -= 1;
      this.dot(boards[this.painted], this.bare(boards[this.painted]));
    }
    this.marked = Math.min(this.marked, this.painted);
    while (this.marked > 0 && at[this.marked - 1] >= expansions - latest) {
      this.marked -= 1;
      this.dot(boards[this.marked], this.colours.now);
    }
    for (; this.painted < at.length && at[this.painted] < expansions; this.painted += 1)
      this.dot(boards[this.painted], this.colours.now);
    for (; this.marked < this.painted && at[this.marked] < expansions - latest; this.marked += 1)
      this.dot(boards[this.marked], this.shade(this.marked));
    this.flush();
  }

  shade(place) {
    return this.colours.ramp[Math.floor((SHADES * place) / this.news.at.length)];
  }

  dot(board, colour) {
    const end = this.starts[board + 1];
    for (let place = this.starts[board]; place < end; place += 1) {
      const pixel = this.pixels[place];
      this.dots[pixel] = colour;
      const row = Math.floor(pixel / SIDE);
      if (row < this.touched[0]) this.touched[0] = row;
      if (row > this.touched[1]) this.touched[1] = row;
    }
  }

  flush() {
    const [top, bottom] = this.touched;
    if (bottom >= top) this.context.putImageData(this.image, 0, 0, 0, top, SIDE, bottom - top + 1);
    this.touched = [SIDE, -1];
  }
}

// Each expanded board once, with the number of expansions before its first
function newsOf(expanded, count) {
  const isNew = new Uint8Array(count).fill(1);
  const boards = [], at = [];
  expanded.forEach((board, order) => {
    if (!isNew[board]) return;
    isNew[board] = 0;
    boards.push(board);
    at.push(order);
  });
  return { boards: Int32Array.from(boards), at: Int32Array.from(at) };
}

// Colours of the elements with `data-colour`, as the page has them in light or dark
export function readColours(root) {
  const of = (name) => channels(getComputedStyle(root.querySelector(`[data-colour=${name}]`)).color);
  const stops = ["early", "middle", "late"].map(of);
  const ramp = Uint32Array.from({ length: SHADES }, (_, shade) => {
    const at = (2 * shade) / (SHADES - 1);
    const stop = Math.min(1, Math.floor(at));
    return pack(stops[stop].map((from, channel) => from + (at - stop) * (stops[stop + 1][channel] - from)));
  });
  return { even: pack(of("even")), odd: pack(of("odd")), now: pack(of("now")), ramp };
}

const channels = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map(Number);

const bytes = new Uint8Array(4);
const word = new Uint32Array(bytes.buffer);

function pack(rgb) {
  bytes.set([...rgb.map(Math.round), 255]);
  return word[0];
}
