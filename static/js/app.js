import * as editor from "./editor.js";
import * as game from "./game.js";
import * as keys from "./keys.js";
import * as page from "./page.js";
import * as player from "./player.js";
import * as result from "./result.js";

for (const part of [page, game, player, keys, editor, result]) part.start();
