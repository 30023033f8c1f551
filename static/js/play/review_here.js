// The review without the server, if the page knows all moves of the game and can find all numbers: the answer
// that the server would give (webapp/play/review.py and its templates), with exact numbers only.
import { count, draw, format, line, parse, slide, spoken, tileMoving } from "../board.js";
import { _, listed, ngettext, number as written } from "../language.js";
import * as figures from "./figures.js";
import { positionOf } from "./position.js";
import { moves } from "./records.js";
import { WAYS, detours, sentence, soFar } from "./words.js";

const SECONDS = 8; // time limit of all searches together
const MOST_TO_TRAIN = 5; // boards before a detour, as many as the server gives the trainer
const LEAST_TO_TRAIN = 3; // moves left on a board for the trainer

let last = null; // the review that is open: { key, rows }

// The answer to a request for the review of the game that is shown, null if the server has to give it.
export async function answer(url) {
  const query = new URL(url, location.href).searchParams;
  const game = positionOf(document.getElementById("play").dataset);
  const still = document.getElementById("solved-here")?.content.querySelector(".still");
  if (!game.made || !still || count(game.made) !== game.moves) return null;
  const key = `${game.start} ${game.made}`;
  const rows = last?.key === key ? last.rows : await review(game);
  if (!rows) return null;
  last = { key, rows };
  const wasted = rows.filter((row) => row.isWasted);
  const number = Math.min(Number(query.get("move")) || 0, rows.length);
  const row = rows[number - 1] ?? wasted[0] ?? rows[0];
  const context = { game, still, rows, row, wasted, path: new URL(url, location.href).pathname };
  const isPart = query.get("part") === "move";
  const html = `${isPart ? at(context) : whole(context)}
    <hx-partial hx-target="#review-said" hx-swap="innerHTML">${isPart
    ? _("Move %(number)s: %(move)s.", { number: row.number, move: [row.made, left(row.now), row.verdict].filter(Boolean).join(", ") })
    : _("Review: %(summary)s", { summary: summary(context) })}</hx-partial>`;
  return new Response(html, { headers: { "Content-Type": "text/html" } });
}

const left = (distance) => ngettext("%(num)s move left", "%(num)s moves left", distance);

// The moves with their numbers, null if some are not found in time
async function review({ start, goal, made }) {
  const engine = await figures.prepare().catch(() => null);
  if (!engine) return null;
  const boards = [parse(start)];
  const tiles = [];
  for (const [, way, length] of made.matchAll(/([UDLR])(\d*)/g))
    for (let left = Number(length || 1); left > 0; left -= 1) {
      tiles.push(tileMoving(boards.at(-1), way));
      boards.push(slide(boards.at(-1), tiles.at(-1)));
    }
  const found = await distances(engine, boards).catch(() => null);
  return found && tiles.map((tile, index) => rowOf(tile, index, boards[index], goal, found));
}

// From the last board to the first: only a shorter solution than that of the next board has to be excluded.
async function distances(engine, boards) {
  const signal = AbortSignal.timeout(1000 * SECONDS);
  const found = [];
  let after = null;
  for (const board of [...boards].reverse()) {
    const number = await distance(engine, board, after, signal);
    if (number === null) return null;
    found.unshift(number);
    after = number.moves;
  }
  return found;
}

// { moves, better }: the tiles that lead towards the goal, of larger boards the first of a shortest solution
async function distance(engine, board, after, signal) {
  const now = engine.distanceNow(board);
  if (now?.exact && engine.nextTiles) return { moves: now.moves, better: engine.nextTiles(board) };
  const longest = after === null ? Infinity : after + 1;
  if (now && now.moves >= longest) return { moves: longest, better: [] };
  const end = new AbortController();
  signal.addEventListener("abort", () => end.abort());
  if (signal.aborted) return null;
  let isExcluded = false;
  const answered = await engine.solve(board, (bound) => {
    isExcluded ||= bound >= longest;
    if (isExcluded) end.abort();
  }, end.signal);
  if (isExcluded) return { moves: longest, better: [] };
  return answered.path && { moves: answered.moves, better: answered.path.slice(0, 1) };
}

function rowOf(tile, index, before, goal, found) {
  const [was, now] = [found[index], found[index + 1].moves];
  const inWords = (one) => WAYS[line(before, one).way](one);
  const isWasted = now > was.moves;
  const better = isWasted ? was.better : [];
  const words = better.length > 0 ? listed(better.map(inWords), "disjunction") : "";
  const verdict = !isWasted ? "" : words ? _("detour; better: %(moves)s", { moves: words }) : _("detour");
  return { number: index + 1, tile, before, was: was.moves, now, made: inWords(tile), isWasted, better, words, verdict };
}

function summary({ game: { board, goal }, rows, wasted }) {
  const cost = wasted.length > 0 ? detours(2 * wasted.length) : _("No detours.");
  if (board !== goal) return `${soFar(rows.length)} ${cost} ${sentence(left(rows.at(-1).now))}`;
  return `${moves(rows.length)}. ${_("Shortest: %(length)s.", { length: written(rows[0].was) })} ${cost}`;
}

function toTrain({ game: { goal }, wasted }) {
  const boards = new Map(wasted.filter(({ was }) => was >= LEAST_TO_TRAIN).map(({ before, was }) => [format(before), was]));
  const nearest = [...boards].sort(([, a], [, b]) => a - b).slice(0, MOST_TO_TRAIN);
  return nearest.map(([board, was]) => `${codeOf(board, goal)}:${was}`).join(" ");
}

function codeOf(board, goal) {
  const usual = parse(goal).cells.every((tile, cell, { length }) => tile === (cell + 1) % length);
  return usual ? board : `${board}_${goal}`;
}

const under = (path) => new URL(path, document.querySelector("link[rel=manifest]").href).pathname;

function whole(context) {
  const { rows, row, path } = context;
  const items = rows.map(({ number, made, now, verdict }) => `<li${number === row.number ? " class=\"here\"" : ""}><a
    id="move-${number}" href="${path}?move=${number}" hx-get="${path}?move=${number}&amp;part=move"${
    verdict && " class=\"wasted\""}><span>${written(number)}</span> <span>${made}</span>
    <span>${left(now)}</span>${verdict && ` <span class="verdict">${verdict}</span>`}</a></li>`);
  const boards = toTrain(context);
  return `<section id="review" class="card review" aria-labelledby="review-title">
    <h2 id="review-title">${_("Review")}</h2>
    <p id="review-summary" data-detours="${boards}"><b>${summary(context)}</b></p>
    ${boards && document.getElementById("review-links").innerHTML}
    <div class="review" hx-target:inherited="#review-at" hx-swap:inherited="outerMorph"
      hx-sync:inherited="#review:replace">${at(context)}
    <ol id="review-moves" class="review-moves" aria-label="${_("All moves")}">${items.join("")}</ol></div></section>`;
}

// The graph with the selected move, and its board
function at(context) {
  const { rows, row, wasted } = context;
  const top = Math.max(rows[0].was, ...rows.map(({ now }) => now));
  const paths = graph(rows, top).map(([kind, path]) => `<path class="${kind}" d="${path}"/>`);
  return `<div id="review-at" class="review" data-move="${row.number}"><figure class="graph">
    <p class="small muted">${left(top)}</p>
    <svg id="review-graph" viewBox="0 0 ${rows.length} ${top}" preserveAspectRatio="none" role="img"
      aria-label="${_("Moves left after each move; the list of moves says the same.")}" data-first="1"
      data-moves="${rows.length}">${paths.join("")}<path class="now" d="M${row.number} 0V${top}"/></svg>
    <p class="small muted ends"><span>${_("start")}</span><span>${
    _("move %(number)s", { number: written(rows.length) })}</span></p>
    <figcaption class="small muted">${wasted.length > 0
    ? _("<span class=\"key wasted\">Squares</span> mark detours; the thin line is a shortest solution.")
    : _("The thin line is a shortest solution.")}</figcaption></figure></div>
    <hx-partial hx-target="#review-board" hx-swap="innerMorph">${boardOf(context)}</hx-partial>`;
}

// Lines by their classes: x is the number of moves made, y falls from the greatest distance to 0.
function graph(rows, top) {
  const first = rows[0].was;
  const ideal = Math.min(first, rows.length);
  const lines = { ideal: `M0 ${top - first}L${ideal} ${top - first + ideal}` };
  let mark = "";
  let before = null;
  for (const { number, was, now, isWasted } of rows) {
    const kind = isWasted ? "away" : "nearer";
    lines[kind] ??= "";
    if (kind !== before) lines[kind] += `M${number - 1} ${top - was}`;
    lines[kind] += `L${number} ${top - now}`;
    if (isWasted) mark += `M${number} ${top - now}h0`;
    before = kind;
  }
  return [...Object.entries(lines), ...(mark ? [[`mark${rows.length > 150 ? " dense" : ""}`, mark]] : [])];
}

// The board before the selected move, and the move's effect
function boardOf({ game, still, rows, row, wasted, path }) {
  const { number, tile, before, was, now, made, isWasted, better, words } = row;
  const drawn = still.cloneNode(true);
  draw(before, parse(game.goal), (one) => drawn.querySelector(`[data-tile="${one}"]`), tile);
  if (isWasted && better.length > 0) drawn.querySelector(`[data-tile="${better[0]}"]`).classList.add("hint");
  drawn.setAttribute("aria-label", `${_("Before move %(number)s", { number })}: ${spoken(before, _("blank"))}`);
  const link = (other, id, text) => `<a class="btn" id="${id}" href="${path}?move=${other}"
    hx-get="${path}?move=${other}&amp;part=move"${other === number ? " aria-disabled=\"true\"" : ""}>${text}</a>`;
  const next = wasted.find((other) => other.number > number) ?? wasted[0];
  const wrong = ` ${words ? _("You moved the ringed tile; the dashed one was better.") : _("You moved the ringed tile.")}`;
  return `${drawn.outerHTML}<p id="review-move"><b>${
    _("Move %(number)s: %(move)s.", { number: written(number), move: made })}</b>
    ${_("This took you from %(before)s to %(after)s.", { before: left(was), after: written(now) })}${isWasted ? wrong : ""}</p>
    <div class="review-tools">${link(Math.max(1, number - 1), "review-previous", _("Previous"))}
    ${link(Math.min(rows.length, number + 1), "review-next", _("Next"))}
    ${next ? link(next.number, "review-wasted", _("Next detour")) : ""}
    <a class="btn" href="${under(`play/${codeOf(format(before), game.goal)}`)}"
      title="${_("This position as a puzzle of its own; your game stays as it is")}">${_("Play from here")}</a>
    <a class="btn" id="leave-review" href="${path.replace(/\/review$/, "")}">${_("Back to my game")}</a></div>`;
}
