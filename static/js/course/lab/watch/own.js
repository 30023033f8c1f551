// A recording (docs/recordings.md) of a student's own search. The judge has recorded the boards that the program
// expanded and their parents, so this draws the program's own tree. The frontier is not recorded: equal boards in the
// tree show whether a board that was never expanded waits or was dropped.
import { format, parse, place, slide, tileMoving } from "../../../board.js";
import { _, ngettext, number } from "../../../language.js";
import { DROPPED, EXPANDED, GOAL, LEFT, REPLACED, WAITING } from "./trace.js";

const DEEP = ["dfs", "iddfs", "idastar", "rbfs"]; // leave the boards below when they go back
const VALUES = { astar: "f", greedy: "h", ucs: "cost" }; // the board with the lowest is next
const REASONS = [["kept", _("waits, as its board is new")],
  ["reached", _("dropped, as its board was generated before")],
  ["on the path", _("dropped, as its board is on the path to it")]];
const [KEPT, REACHED, ON_PATH] = [0, 1, 2];
const valueOf = ({ exercise, heuristic }) => (exercise === "ucs" || heuristic === "manhattan") && VALUES[exercise];
const codeOf = (text) => text.split("/").map((row) => row.replaceAll(" ", ".")).join("-");

export function recordingOf(search) {
  const { exercise, heuristic, expanded, expansions } = search;
  const start = codeOf(search.board);
  const { nodes, taken } = grow(search);
  const isDeep = DEEP.includes(exercise);
  const history = replay(search, nodes, taken, isDeep);
  const value = valueOf(search);
  const switches = taken.map(({ root }, i) => [root, i && i + 1]).filter(([root], i) => root !== taken[i - 1]?.root);
  return {
    start,
    goal: codeOf(search.goal),
    title: _("Your %(exercise)s, recorded in this browser", { exercise }),
    algorithm: _("Your %(exercise)s", { exercise }),
    heuristic,
    informed: heuristic === "manhattan",
    formula: exercise === "greedy" ? "h" : "g + h",
    order: isDeep ? _("Shown: the deepest first.") : value ? _("Shown: the lowest %(value)s first.", { value })
      : _("Shown: the oldest first."),
    sorting: isDeep ? "path" : "rank",
    kept: "reached",
    code: [[0, `${exercise} gets the start`, "start"], [0, `${exercise} **takes** a board n`, "take"],
      [1, "**for each** successor s of n", "each"], [2, "**if** s was generated before", "keep"]],
    reasons: REASONS,
    complete: expanded.length === expansions,
    expansions: expanded.length,
    expanded: expansions,
    gap: null,
    parents: nodes.map(({ parent }) => parent?.index ?? -1),
    rootBoards: nodes.map(({ parent, at }) => (parent ? null : at)),
    blanks: nodes.map(({ at }) => at.cells.indexOf(0)),
    g: nodes.map(({ g }) => g),
    h: nodes.map(({ h }) => h),
    fates: nodes.map(({ fate }) => fate),
    changes: nodes.map(({ changes }) => changes.flat()),
    ranks: nodes.map(({ f }) => [0, f]),
    others: nodes.map(() => -1),
    iterations: switches.length < 2 ? [] : switches.map(([root, first]) =>
      [root.code === start ? _("from the start") : _("from another board"), "", first, root.index]),
    ...history,
  };
}

// The nodes, and of them the node of each expansion
function grow({ exercise, goal, heuristic, expanded, parents }) {
  const home = parse(codeOf(goal));
  const [nodes, taken] = [[], []];

  function add(at, parent) {
    const g = parent ? parent.g + 1 : 0;
    const h = heuristic === "manhattan" ? manhattan(at, home) : -1;
    const cost = exercise === "ucs" && parent ? parent.cost + parent.at.cells[at.cells.indexOf(0)] : g;
    const f = h < 0 ? cost : exercise === "greedy" ? h : g + h;
    const node = { index: nodes.length, at, code: format(at), parent, g, h, f, cost, steps: [], fate: -1, changes: [] };
    node.root = parent?.root ?? Object.assign(node, { reached: new Map(), waiting: new Set() });
    nodes.push(node);
    return node;
  }

  expanded.map(codeOf).forEach((code, i) => {
    const node = taken[parents[i]]?.children.find((one) => one.code === code) ?? add(parse(code), null);
    node.steps.push(i + 1);
    node.children ??= ["D", "U", "R", "L"].map((way) => tileMoving(node.at, way)).filter(Boolean)
      .map((tile) => add(slide(node.at, tile), node));
    taken.push(node);
  });
  return { nodes, taken };
}

// Replay the expansions: the states of all nodes, and why each expansion came next.
function replay(search, nodes, taken, isDeep) {
  const steps = [];
  let generated = 1;
  const set = (node, step, state) => {
    if (node.changes.at(-1)?.[1] !== state) node.changes.push([step, state]);
    node.root.waiting[state === WAITING ? "add" : "delete"](node);
  };

  // Leave the nodes below the parent of the next node
  function climb(from, next, step) {
    for (let left = from; left?.root === next.root && left !== next.parent; left = left.parent) {
      for (const one of left.children) if (left.root.waiting.has(one)) set(one, step, LEFT);
      set(left, step, search.exercise === "rbfs" && left.parent === next.parent ? WAITING : LEFT);
    }
  }

  function keep(node, step) {
    if (node.fate === KEPT) set(node, step, WAITING); // generated again
    if (node.fate >= 0) return;
    const known = isDeep ? null : node.root.reached.get(node.code);
    const isOld = isDeep ? pathTo(node.parent).some(({ code }) => code === node.code) : known?.cost <= node.cost;
    node.fate = node.steps.length > 0 || !isOld ? KEPT : isDeep ? ON_PATH : REACHED;
    set(node, step, node.fate === KEPT ? WAITING : DROPPED);
    if (node.fate !== KEPT) return;
    if (known?.steps.length === 0) set(known, step, REPLACED);
    node.root.reached.set(node.code, node);
  }

  const sizes = ({ root }) => [root.waiting.size, root.reached.size, generated];
  taken.forEach((node, i) => {
    const step = i + 1;
    if (!node.parent) {
      node.reached.set(node.code, node);
      set(node, i && step, WAITING);
    } else if (isDeep) climb(taken[i - 1], node, step);
    const why = reasonOf(node, step, search, isDeep);
    set(node, step, EXPANDED);
    for (const one of node.children) keep(one, step);
    generated += node.children.length;
    const made = node.children.map((one) => [one.index, one.f, one.fate]);
    steps.push({ node: node.index, why, made, sizes: sizes(node) });
  });
  const codes = search.expanded.length === search.expansions ? search.path?.map(codeOf) : null;
  const isEnd = (node) => node.g === codes?.length - 1 && pathTo(node).every(({ code }, i) => code === codes[i]);
  const end = nodes.findLast(isEnd);
  if (!end) return { steps, solution: [] };
  set(end, steps.length + 1, GOAL);
  const why = ngettext("The end: your path has %(num)s move.", "The end: your path has %(num)s moves.", end.g);
  steps.push({ node: end.index, why, made: [], sizes: sizes(end) });
  return { steps, solution: pathTo(end).map(({ index }) => index) };
}

function pathTo(node) {
  const path = [];
  for (let one = node; one; one = one.parent) path.push(one);
  return path.reverse();
}

function reasonOf(node, step, search, isDeep) {
  const { steps: [first], root: { waiting } } = node;
  if (step === 1) return _("The start: nothing else waits.");
  if (!node.parent) return node.code === codeOf(search.board) ? _("The start again: a new search begins.")
    : _("No expansion had generated this board. It begins a new tree.");
  if (first < step && !waiting.has(node))
    return _("Expanded again: it was expansion %(number)s before.", { number: number(first) });
  const from = search.parents[step - 1] + 1;
  if (isDeep) return from === step - 1 ? _("One move on from the expansion before.")
    : _("Back up: one move on from expansion %(number)s.", { number: number(from) });
  if (waiting.size === 1) return _("The only board that waits.");
  const count = number(waiting.size);
  const value = valueOf(search);
  if (value) {
    const lowest = Math.min(...[...waiting].map(({ f }) => f));
    return node.f === lowest
      ? _("The lowest %(value)s of %(count)s boards that wait: %(lowest)s.", { value, count, lowest })
      : _("Its %(value)s is %(own)s, though a board with %(value)s = %(lowest)s waits.",
        { value, own: node.f, lowest });
  }
  if (search.exercise in VALUES) return _("One of %(count)s boards that wait.", { count });
  const age = [...waiting].indexOf(node);
  if (age === 0) return _("The oldest of %(count)s boards that wait.", { count });
  return age === waiting.size - 1 ? _("The newest of %(count)s boards that wait.", { count })
    : _("Neither the oldest nor the newest of %(count)s boards that wait.", { count });
}

const manhattan = (board, goal) => board.cells.reduce((sum, tile, cell) => {
  const [[row, col], [homeRow, homeCol]] = [place(board, cell), place(goal, goal.cells.indexOf(tile))];
  return tile ? sum + Math.abs(row - homeRow) + Math.abs(col - homeCol) : sum;
}, 0);
