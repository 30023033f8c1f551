// Everything that takes longer than a frame: the boards, the searches and the pixels of the picture.
import { allBoards, estimates, numberOf } from "./space_boards.js";
import { pixelsOf, ringsOf } from "./space_layout.js";
import { run } from "./space_searches.js";

addEventListener("messageerror", () => reportError(new Error("unreadable message"))); // the page gets an error event
addEventListener("message", ({ data: { goal, start, searches, most } }) => {
  const boards = allBoards(goal);
  const rings = ringsOf(boards);
  const first = numberOf(boards, start);
  const zero = new Uint8Array(boards.distances.length);
  const runs = searches.map(({ algorithm, heuristic }) =>
    run(algorithm, boards.neighbours, first, heuristic ? estimates(boards, goal, heuristic) : zero, most));
  const drawn = pixelsOf(rings);
  const arrays = [boards.cells, boards.neighbours, boards.distances, boards.numbers,
    drawn.owners, drawn.starts, drawn.pixels, ...runs.map(({ expanded }) => expanded)];
  postMessage({ boards, rings, drawn, runs, start: first }, arrays.map(({ buffer }) => buffer));
});
