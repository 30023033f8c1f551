import * as drag from "./drag.js";
import * as editor from "./editor.js";
import * as finish from "./finish.js";
import * as game from "./game.js";
import * as keys from "./keys.js";
import * as page from "./page.js";
import * as player from "./player.js";
import * as settings from "./settings.js";
import * as share from "./share.js";
import * as sounds from "./sounds.js";

for (const part of [
  settings, page, game, drag, player, keys, editor, share, finish, sounds,
]) part.start();
