// A recording (docs/recordings.md) of a student's own search, made from the boards that it expanded.
// Only these are known. The tree is a guess: a board belongs to the expansion that most probably led
// to it, by the way such searches go.
import { DROPPED, EXPANDED, GOAL, LEFT, REPLACED, WAITING } from "../../../component/trace.js";

const DEEP = ["dfs", "iddfs", "idastar", "rbfs"]; // they go on from the board expanded last
const ITERATED = ["iddfs", "idastar"]; // they begin again at the start
const REASONS = [["kept", "waits, as its board is new"], ["reached", "dropped, as its board was generated before"],
  ["on the path", "dropped, as its board is on the path to it"]];
const [KEPT, REACHED, ON_PATH] = [0, 1, 2];
const number = (value) => value.toLocaleString("en");

export function recordingOf(search) {
  const grown = grow(search);
  const history = replay(search, grown);
  const { nodes, trees } = grown;
  const { exercise, board, goal, expanded, expansions } = search;
  const isDeep = DEEP.includes(exercise);
  const rank = { astar: "with the lowest f first", greedy: "with the lowest h first" }[exercise];
  return {
    start: codeOf(board),
    goal: codeOf(goal),
    title: `Your ${exercise}, recorded in this browser`,
    algorithm: `Your ${exercise}`,
    heuristic: search.heuristic,
    informed: search.heuristic === "manhattan",
    formula: exercise === "greedy" ? "h" : "g + h",
    order: `Shown ${isDeep ? "deepest first" : (search.heuristic === "manhattan" && rank) || "oldest first"}.`,
    sorting: isDeep ? "path" : "rank",
    kept: "reached",
    words: "",
    code: [[0, `${exercise} gets the start`, "start"], [0, `${exercise} **takes** a board n`, "take"],
      [1, "**for each** successor s of n", "each"], [2, "**if** s was generated before", "keep"]],
    reasons: REASONS,
    complete: expanded.length === expansions,
    expansions: expanded.length,
    expanded: expansions,
    gap: null,
    parents: nodes.map(({ parent }) => parent?.index ?? -1),
    blanks: nodes.map(({ cells }) => cells.indexOf(0)),
    g: nodes.map(({ g }) => g),
    h: nodes.map(({ h }) => h),
    fates: nodes.map(({ fate }) => fate),
    changes: nodes.map(({ changes }) => changes.flat()),
    ranks: nodes.map(({ f }) => [0, f]),
    others: nodes.map(() => -1),
    iterations: trees.length > 1 ? trees.map(({ kind, first, root }) => [kind, "", first, root.index]) : [],
    ...history,
  };
}

const read = (text) => text.split(/[ /]/).map(Number);
const codeOf = (text) => text.split("/").map((row) => row.replaceAll(" ", ".")).join("-");

// Assign a node to each expansion.
function grow({ exercise, board, goal, heuristic, expanded, path }) {
  const cols = board.split("/")[0].split(" ").length;
  const before = new Map(path?.map((one, i) => [one, path[i - 1]]));
  const isDeep = DEEP.includes(exercise);
  const home = read(goal);
  const nodes = [];
  const trees = [];
  const taken = []; // the node of each expansion
  let ofBoard; // nodes of the current tree by their boards

  function add(cells, parent, step) {
    const tile = parent && parent.cells[cells.indexOf(0)];
    const g = parent ? parent.g + 1 : 0;
    const h = heuristic === "manhattan" ? manhattan(cells, home, cols) : -1;
    const cost = parent ? parent.cost + (exercise === "ucs" ? tile : 1) : 0;
    const f = h < 0 ? cost : exercise === "greedy" ? h : g + h;
    const node = { index: nodes.length, cells, parent, g, h, f, cost, text: textOf(cells, cols), children: null,
      steps: [], made: [step], fate: -1, changes: [] };
    nodes.push(node);
    if (!ofBoard.has(node.text)) ofBoard.set(node.text, []);
    ofBoard.get(node.text).push(node);
    return node;
  }

  function plant(text, first, kind) {
    ofBoard = new Map();
    const root = add(read(text), null, first);
    trees.push({ kind, first, root });
    return root;
  }

  function choose(text, step) {
    if (ITERATED.includes(exercise) && text === board && step > 1) return null;
    let all = ofBoard.get(text) ?? [];
    if (isDeep) {
      const above = new Set(ancestors(taken.at(-1)));
      const below = all.filter((node) => above.has(node.parent));
      all = [below.filter((node) => !isAbove(node)), below, all].find(({ length }) => length > 0) ?? [];
    }
    const waiting = all.filter(({ steps, made }) => !(steps.at(-1) >= made.at(-1)));
    if (isDeep || waiting.length === 0) return waiting.at(-1) ?? all.at(-1) ?? null;
    const onPath = waiting.find(({ parent }) => parent && parent.text === before.get(text));
    return onPath ?? waiting.reduce((best, one) => (one.cost < best.cost ? one : best));
  }

  plant(board, 0, "from the start");
  expanded.forEach((text, i) => {
    const step = i + 1;
    const node = choose(text, step) ?? plant(text, step, text === board ? "from the start" : "from another board");
    node.steps.push(step);
    taken.push(node);
    if (node.children) for (const one of node.children) one.made.push(step);
    else node.children = neighbors(node.cells, cols).map((cells) => add(cells, node, step));
  });
  return { nodes, trees, taken };
}

// Replay the expansions: the states of all nodes, and why each expansion came next.
function replay(search, { trees, taken }) {
  const isDeep = DEEP.includes(search.exercise);
  const reached = new Map(); // the nodes of the current tree that wait or were expanded
  const waiting = new Set();
  const path = []; // of expanded nodes, down to the current one
  const steps = [];
  let generated = 1;
  const set = (node, step, state) => {
    if (node.changes.at(-1)?.[1] !== state) node.changes.push([step, state]);
    if (state === WAITING) waiting.add(node);
    else waiting.delete(node);
  };
  const begin = ({ root, first }) => {
    for (const one of [reached, waiting]) one.clear();
    path.length = 0;
    set(root, first, WAITING);
    reached.set(root.text, root);
  };

  // Leave the nodes below the parent of the next node
  function climb(next, step) {
    while (path.length > 0 && path.at(-1) !== next.parent) {
      const left = path.pop();
      for (const one of left.children) if (waiting.has(one)) set(one, step, LEFT);
      set(left, step, search.exercise === "rbfs" && path.at(-1) === next.parent ? WAITING : LEFT);
    }
  }

  function keep(node, step) {
    if (node.changes.length > 0) { // generated again
      if (node.fate === KEPT) set(node, step, WAITING);
      return;
    }
    const isNever = node.steps.length === 0;
    const known = reached.get(node.text);
    if (isNever && isDeep && isAbove(node)) node.fate = ON_PATH;
    else if (isNever && !isDeep && known && known.cost <= node.cost) node.fate = REACHED;
    else node.fate = KEPT;
    set(node, step, node.fate === KEPT ? WAITING : DROPPED);
    if (node.fate !== KEPT) return;
    if (known && !isDeep && known.steps.length === 0) set(known, step, REPLACED);
    reached.set(node.text, node);
  }

  const sizes = () => [waiting.size, reached.size, generated];
  begin(trees[0]);
  taken.forEach((node, i) => {
    const step = i + 1;
    const tree = trees.find(({ first }) => first === step);
    if (tree) begin(tree);
    else if (isDeep) climb(node, step);
    const why = tree ? treeWords(tree) : reasonOf(node, step, waiting, taken, search);
    path.push(node);
    set(node, step, EXPANDED);
    for (const one of node.children) keep(one, step);
    generated += node.children.length;
    steps.push({ node: node.index, why, made: node.children.map((one) => [one.index, one.f, one.fate]), sizes: sizes() });
  });
  const solution = search.expanded.length === search.expansions ? solutionOf(search.path, trees) : [];
  if (solution.length > 0) {
    const end = solution.at(-1);
    set(end, steps.length + 1, GOAL);
    const moves = solution.length === 2 ? "one move" : `${number(solution.length - 1)} moves`;
    steps.push({ node: end.index, why: `The end: your path has ${moves}.`, made: [], sizes: sizes() });
  }
  return { steps, solution: solution.map(({ index }) => index) };
}

const treeWords = ({ kind }) => (kind === "from the start" ? "The start again: a new search begins."
  : "No expansion had generated this board. It begins a new tree.");

function ancestors(node) {
  const found = [];
  for (let one = node; one; one = one.parent) found.push(one);
  return found;
}

const isAbove = ({ text, parent }) => ancestors(parent).some((one) => one.text === text);

function reasonOf(node, step, waiting, taken, { exercise, heuristic }) {
  const again = node.steps.find((one) => one < step);
  if (again && !waiting.has(node)) return `Expanded again: it was expansion ${number(again)} before.`;
  if (step === 1) return "The start: nothing else waits.";
  if (DEEP.includes(exercise)) {
    const from = node.parent?.steps.findLast((one) => one < step);
    return taken[step - 2] === node.parent ? "One move on from the expansion before."
      : `Back up: one move on from expansion ${number(from ?? 1)}.`;
  }
  if (waiting.size === 1) return "The only board that waits.";
  if (["astar", "greedy"].includes(exercise) && heuristic !== "manhattan") return `One of ${number(waiting.size)} boards that wait.`;
  const all = `${number(waiting.size)} boards that wait`;
  if (heuristic === "manhattan") {
    const name = exercise === "greedy" ? "h" : "f";
    const lowest = Math.min(...[...waiting].map(({ f }) => f));
    return node.f === lowest ? `The lowest ${name} of ${all}: ${lowest}.`
      : `Its ${name} is ${node.f}, though a board with ${name} = ${lowest} waits.`;
  }
  if (exercise === "ucs") {
    const lowest = Math.min(...[...waiting].map(({ cost }) => cost));
    return node.cost === lowest ? `The lowest cost of ${all}: ${lowest}.`
      : `Its cost is ${node.cost}, though a board with the cost ${lowest} waits.`;
  }
  const [oldest] = waiting;
  if (node === oldest) return `The oldest of ${all}.`;
  return node === [...waiting].at(-1) ? `The newest of ${all}.` : `Neither the oldest nor the newest of ${all}.`;
}

// The nodes of the program's path, if its moves are in a tree
function solutionOf(path, trees) {
  for (const { root } of trees.toReversed()) {
    const nodes = root.text === path?.[0] ? [root] : [];
    while (nodes.length > 0 && nodes.length < path.length) {
      const next = nodes.at(-1).children?.find(({ text }) => text === path[nodes.length]);
      if (!next) break;
      nodes.push(next);
    }
    if (nodes.length > 0 && nodes.length === path.length) return nodes;
  }
  return [];
}

// In the order of the exercises' `neighbors`: the blank goes up, down, left, right.
function neighbors(cells, cols) {
  const blank = cells.indexOf(0);
  const col = blank % cols;
  const ways = [[-cols, blank >= cols], [cols, blank + cols < cells.length], [-1, col > 0], [1, col + 1 < cols]];
  return ways.filter(([, isInside]) => isInside).map(([by]) => {
    const after = [...cells];
    [after[blank], after[blank + by]] = [after[blank + by], 0];
    return after;
  });
}

function manhattan(cells, goal, cols) {
  let sum = 0;
  cells.forEach((tile, cell) => {
    const home = goal.indexOf(tile);
    if (tile) sum += Math.abs(Math.floor(cell / cols) - Math.floor(home / cols)) + Math.abs(cell % cols - home % cols);
  });
  return sum;
}

function textOf(cells, cols) {
  const rows = [];
  for (let i = 0; i < cells.length; i += cols) rows.push(cells.slice(i, i + cols).join(" "));
  return rows.join("/");
}
