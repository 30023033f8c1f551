// Progress on the learning path in browser storage, such as "bfs Read", "bfs Watch" and "bfs Predict".
// Written exercises are in `../write/write_store.js`.
import { read, write } from "../../storage.js";

const OPENED = "learn opened";

export const openedThings = () => read(OPENED, []);

export const markThing = (thing) => write(OPENED, [...new Set([...openedThings(), thing])]);
