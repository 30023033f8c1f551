import * as drag from "./drag.js";
import * as editor from "./editor.js";
import * as finish from "./finish.js";
import * as game from "./game.js";
import * as keys from "./keys.js";
import * as page from "./page.js";
import * as player from "./player.js";
import * as share from "./share.js";

for (const part of [page, game, player, keys, editor, share]) part.start();
import * as settings from "./settings.js";
import * as sounds from "./sounds.js";

for (const part of [settings, page, game, player, keys, editor, sounds]) part.start();
for (const part of [page, game, drag, player, keys, editor]) part.start();
for (const part of [page, game, player, keys, editor, finish]) part.start();
import * as result from "./result.js";

for (const part of [page, game, player, keys, editor, result]) part.start();
