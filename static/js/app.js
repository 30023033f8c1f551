// A click needs the board and its game. The rest of the page follows in rest.js.
import { start } from "./play/view.js";

start();
