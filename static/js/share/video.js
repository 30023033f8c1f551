// A solution as a video, WebM or MP4: drawn on a canvas and recorded while it plays. Loaded on demand.
import { parse, place } from "../board.js";
import { make } from "../dom.js";
import { colours, download } from "../files.js";
import { _, number } from "../language.js";
import { timesIn } from "../play/speed/times.js";
import { follow } from "../playback.js";
import { shown } from "../solve/player.js";

const TYPES = ["video/webm;codecs=vp9", "video/webm", "video/mp4"]; // older Safari only has MP4
const TYPE = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
const [FORMAT] = TYPE.match(/webm|mp4/);
const BITS = 4_000_000; // a second at most, so that the first frame is sharp; flat colours take far less
const SIZE = 480; // pixels of the longer side
const EDGE = 12; // pixels around the tiles
const FRAMES = 25; // a second
const PAUSE = 200; // milliseconds between frames, at most
const SLIDE = 120; // milliseconds that a tile takes
const [BEFORE, AFTER] = [600, 1500]; // milliseconds before the first move and after the last
const MOST_MOVES = 1500; // a frame each in the longest video
const LONGEST = 60_000; // milliseconds; the moves of a longer video are sped up

const COLOURS = ["tray", "tile", "tile-lip", "tile-ink", "home", "home-lip", "home-ink", "accent"];

// When each move begins, in milliseconds, and when the video ends
function timesOf(player, tiles) {
  const played = player.form.querySelector("[data-speed]").value === "played" && timesIn(location.hash, tiles.length);
  const delays = played || tiles.map(() => player.delay());
  const whole = delays.reduce((sum, ms) => sum + ms, 0);
  const factor = Math.min(1, (LONGEST - BEFORE - AFTER) / whole);
  let at = BEFORE;
  const begins = delays.map((ms) => {
    const begin = at;
    at += ms * factor;
    return begin;
  });
  return { begins, end: at + AFTER, isFaster: factor < 1 };
}

class Film {
  constructor(start, goal, tiles) {
    this.cols = start.cols;
    this.rows = start.cells.length / start.cols;
    this.cell = 2 * Math.floor((SIZE - 2 * EDGE) / Math.max(this.rows, this.cols) / 2); // codecs like even numbers
    const [width, height] = [this.cols, this.rows].map((count) => count * this.cell + 2 * EDGE);
    this.canvas = make("canvas", { width, height });
    this.context = this.canvas.getContext("2d");
    this.context.font = `700 ${this.cell * 0.44}px ${getComputedStyle(document.body).fontFamily}`;
    Object.assign(this.context, { textAlign: "center", textBaseline: "middle" });
    Object.assign(this, { goal, tiles, colours: colours(COLOURS), boardAt: follow(start, (move) => tiles[move]) });
  }

  // Draw the board after `step` moves, the last of them done to the share `done`
  draw(step, done) {
    const { cell, context, canvas, tiles } = this;
    const before = this.boardAt(Math.max(0, step - 1));
    const board = this.boardAt(step);
    context.fillStyle = this.colours.tray;
    context.fillRect(0, 0, canvas.width, canvas.height);
    board.cells.forEach((tile, at) => {
      if (!tile) return;
      const [row, col] = place(board, at);
      const [oldRow, oldCol] = place(before, before.cells.indexOf(tile));
      this.#tile(tile, EDGE + cell * (oldCol + (col - oldCol) * done), EDGE + cell * (oldRow + (row - oldRow) * done),
        this.goal.cells[at] === tile ? "home" : "tile", tile === tiles[step - 1]);
    });
  }

  #tile(tile, x, y, kind, isMoved) {
    const { cell, colours: found, context } = this;
    const [gap, lip] = [cell * 0.03, cell * 0.03];
    const side = cell - 2 * gap;
    const box = (down) => {
      context.beginPath();
      context.roundRect(x + gap, y + gap + down, side, side - lip, cell * 0.14);
    };
    context.fillStyle = found[`${kind}-lip`];
    box(lip);
    context.fill();
    context.fillStyle = found[kind];
    box(0);
    context.fill();
    if (isMoved) {
      Object.assign(context, { strokeStyle: found.accent, lineWidth: cell * 0.03 });
      context.stroke();
    }
    context.fillStyle = found[`${kind}-ink`];
    context.fillText(tile, x + cell / 2, y + gap + (side - lip) / 2 + cell * 0.03);
  }
}

// Record a film to its end, by the clock, so that a slow device drops frames and no time. A longer pause
// of the page makes the film longer, and loses no part of it. Null if cancelled.
async function recorded(film, { begins, end }, isCancelled, showDone) {
  const recorder = new MediaRecorder(film.canvas.captureStream(FRAMES), { mimeType: TYPE, videoBitsPerSecond: BITS });
  const parts = [];
  const event = (name) => new Promise((resolve, reject) => {
    recorder.addEventListener(name, resolve, { once: true });
    recorder.addEventListener("error", ({ error }) => reject(error), { once: true });
  });
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  film.draw(0, 1);
  const started = event("start");
  recorder.start();
  await started;
  const stopped = event("stop");
  let [step, now, last] = [0, 0, performance.now()];
  while (now < end && !isCancelled()) {
    while (begins[step] <= now) step += 1;
    film.draw(step, step ? Math.min(1, (now - begins[step - 1]) / SLIDE) : 1);
    showDone(now / end);
    await new Promise((resolve) => { setTimeout(resolve, 1000 / FRAMES); });
    const time = performance.now();
    now += Math.min(time - last, PAUSE);
    last = time;
  }
  recorder.stop();
  await stopped;
  return isCancelled() ? null : new Blob(parts, { type: `video/${FORMAT}` });
}

// The line below the button for the state of the recording
function panelBelow(button) {
  const row = button.closest(".row, .bar");
  if (row.nextElementSibling?.matches(".recording")) return row.nextElementSibling;
  const panel = make("div", "recording row small", make("span", { role: "status" }),
    make("progress", { hidden: "", "aria-label": _("Recording") }),
    make("button", { type: "button", class: "btn", hidden: "" }, _("Cancel")));
  row.after(panel);
  return panel;
}

export async function record(button) {
  const panel = panelBelow(button);
  const [said, progress, cancel] = panel.children;
  if (!cancel.hidden) return; // one at a time
  const player = shown();
  const { start, goal } = player.form.dataset;
  const tiles = [...document.querySelectorAll("#steps button")].map(({ dataset }) => Number(dataset.tile));
  const refusal = refusalOf(player.total, tiles.length);
  if (refusal) {
    said.textContent = refusal;
    return;
  }
  const film = new Film(parse(start), parse(goal), tiles);
  const times = timesOf(player, tiles);
  const name = `slidewise-${film.rows}x${film.cols}-${tiles.length}-moves.${FORMAT}`;
  let isCancelled = false;
  cancel.onclick = () => { isCancelled = true; };
  progress.hidden = cancel.hidden = false;
  cancel.focus();
  const seconds = Math.round(times.end / 1000);
  said.textContent = times.isFaster
    ? _("Recording %(seconds)s seconds, with faster moves to fit. Keep this page in view.", { seconds })
    : _("Recording %(seconds)s seconds. Keep this page in view.", { seconds });
  try {
    const video = await recorded(film, times, () => isCancelled || !panel.isConnected, (share) => { progress.value = share; });
    if (video) download(video, name);
    said.textContent = video ? _("Saved as %(name)s.", { name }) : _("Cancelled: no video was saved.");
  } catch {
    said.textContent = _("This browser cannot record the video.");
  }
  if (panel.contains(document.activeElement)) button.focus();
  progress.hidden = cancel.hidden = true;
}

function refusalOf(total, known) {
  const [most, moves] = [number(MOST_MOVES), number(total)];
  if (total > MOST_MOVES) return _("A video has up to %(most)s moves. This solution has %(moves)s.", { most, moves });
  return known < total ? _("Some moves have not arrived yet. Try again in a moment.") : "";
}
