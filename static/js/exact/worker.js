// Worker of the exact engine: tables of small boards, searches on larger ones.
import { distances } from "./table.js";

addEventListener("message", ({ data: { id, rows, cols, blank } }) => {
  const table = distances(rows, cols, blank);
  postMessage({ id, table }, [table.buffer]);
});
