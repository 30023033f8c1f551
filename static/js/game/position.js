// Positions of a game and the actions on them, by the rules of the server (slidewise/puzzle/game.py), and a game
// without a server. No DOM, no network, no clock.
import { OPPOSITE, format, line, parse, slide, slidesOf, tileMoving } from "../board.js";

/** @import { Position } from "./types.js" */

/** The position in the data attributes of #play. */
export function positionOf({ board, goal, start, made, undone, moves, left, helped }) {
  const counts = { moves: Number(moves), left: Number(left ?? 0) };
  return { board, goal, start, made, undone, ...counts, helped: helped !== undefined };
}

/** The position in a fragment or a page of the server, null without one. */
export function positionIn(html) {
  const [, attributes] = html.match(/<div id="play"([^>]*)>/) ?? [];
  if (!attributes) return null;
  const pairs = attributes.matchAll(/data-(\w+)(?:="([^"]*)")?/g);
  return positionOf(Object.fromEntries([...pairs].map(([, name, value]) => [name, value ?? ""])));
}

export const isSolved = ({ board, goal }) => board === goal;

/** A solved game changes by Undo and Restart only, so that no slip removes the finish. */
export const isOver = (position) => isSolved(position) && position.made !== "";

/** A position at its start, without its boards. */
export const UNTOUCHED = { made: "", undone: "", moves: 0, left: 0, helped: false };

/** The position of a game before its first action. */
export const beginning = (start, goal) => ({ board: start, goal, start, ...UNTOUCHED });

/** A game without any action, as the server makes it for a page without its cookie. */
export const isUntouched = ({ made, undone, left, helped }) => !(made || undone || left || helped);

// A long list of slides may begin at different places.
const endsAlike = (one, other) => {
  const [long, short] = [one, other].map((slides) => slides.replace("…", "")).sort((a, b) => b.length - a.length);
  return long === short || ((one + other).includes("…") && long.endsWith(short));
};

/** Whether two positions are the same. */
export const isSame = (one, other) => one.board === other.board && one.moves === other.moves
  && one.helped === other.helped && endsAlike(one.made, other.made) && endsAlike(one.undone, other.undone);

/** The last slide of a list: [text, direction, number of tiles]; empty without one. */
export const lastOf = (slides) => slides.match(/([UDLR])(\d*)$/) ?? [];

/** A board in text after a slide. */
export function slid(text, way, count) {
  const board = parse(text);
  return format(slide(board, tileMoving(board, way, Number(count || 1))));
}

/** The board before the last slide, null if that is unknown. */
export function before({ board, made }) {
  const [last, way, count] = lastOf(made);
  return last ? slid(board, OPPOSITE[way], count) : null;
}

/** The tiles clicked since the start, null if some are unknown. */
export function tilesOf({ start, made }) {
  if (made.startsWith("…")) return null;
  let board = parse(start);
  return slidesOf(made).map(({ way, count }) => {
    const tile = tileMoving(board, way, count);
    board = slide(board, tile);
    return tile;
  });
}

const helped = (position) => ({ after: { ...position, helped: position.helped || !isSolved(position) } });

const RULES = {
  slide(position, tile) {
    const sliding = line(parse(position.board), tile);
    if (isOver(position)) return { why: "over" };
    if (!sliding) return { why: "stuck" };
    const { way, tiles: { length } } = sliding;
    const made = `${position.made}${way}${length > 1 ? length : ""}`;
    const board = format(slide(parse(position.board), tile));
    return { after: { ...position, board, made, undone: "", left: 0, moves: position.moves + length } };
  },
  undo(position) {
    const { made, undone, left, moves } = position;
    const [last, , count] = lastOf(made);
    if (!last) return made ? { after: null } : left ? beforeRestart(position) : { why: "nothing-to-undo" };
    return { after: {
      ...position, left: 0, board: before(position),
      made: made.slice(0, -last.length), undone: undone + last, moves: moves - Number(count || 1),
    } };
  },
  redo(position) {
    const { board, made, undone, moves } = position;
    const [last, way, count] = lastOf(undone);
    if (!last) return undone ? { after: null } : { why: "nothing-to-redo" };
    return { after: {
      ...position, left: 0, board: slid(board, way, count),
      made: made + last, undone: undone.slice(0, -last.length), moves: moves + Number(count || 1),
    } };
  },
  restart(position) {
    const { start, made, undone, moves } = position;
    if (!made) return { why: "at-the-start" };
    if (made.startsWith("…")) return { after: null };
    const again = made.match(/[UDLR]\d*/g).reverse().join("");
    return { after: { ...position, board: start, made: "", undone: undone + again, left: moves, moves: 0 } };
  },
  alone: (position) => ({ after: { ...position, ...UNTOUCHED, board: position.start } }),
  hint: helped,
  assisted: helped,
};

// Undo of a restart makes all its moves again.
function beforeRestart(position) {
  let after = position;
  while (after && after.moves < position.left) ({ after } = RULES.redo(after));
  return { after };
}

/** Whether an action can share a request: others only the server works out. */
export const isShared = ({ name }) => !["hint", "play-on", "alone"].includes(name);

/** The effect of an action: `{ after }`, null if only the server knows it, or the reason `{ why }` it is impossible. */
export const foresee = (position, { name, tile }) => RULES[name]?.(position, tile) ?? { after: null };

// A game in this browser alone: `act` changes it, and views follow its events, which are in types.js.
export class LocalGame extends EventTarget {
  /** @type {Position} by the server, if there is one */ confirmed;

  constructor(confirmed) {
    super();
    this.confirmed = confirmed;
  }

  get shown() { return this.confirmed; }

  /** Make an action, or report why it is impossible. */
  act(name, given = {}) {
    const action = { name, ...given, from: this.shown };
    const { after, why } = foresee(action.from, action);
    if (why) return this.report("refused", { why, tile: action.tile });
    action.after = after;
    this.add(action);
    this.report("change", { from: action.from, to: after, cause: name, action });
  }

  add({ from, after }) { this.confirmed = after ?? from; }

  report(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }
}
