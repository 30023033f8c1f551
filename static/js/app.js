import * as drag from "./drag.js";
import * as finish from "./finish.js";
import * as game from "./game.js";
import * as keys from "./keys.js";
import * as page from "./page.js";
import * as player from "./player.js";
import * as settings from "./settings.js";
import * as share from "./share.js";

for (const part of [settings, page, game, drag, player, keys, share, finish]) part.start();

// What few pages need comes when it is needed
if (document.getElementById("race-links")) import("./race.js").then((race) => race.start());
if (document.getElementById("editor")) import("./editor.js").then((editor) => editor.start());
if (document.querySelector(".guide")) import("./learn.js").then((learn) => learn.start());
if (settings.setting("sounds") === "on") import("./sounds.js").then((sounds) => sounds.start());
const waitForPlace = async (ctx) => (await import("./place.js")).wait(ctx);
document.addEventListener("htmx:response:error", ({ detail: { ctx } }) => {
  if (ctx.text.includes('id="waiting"')) waitForPlace(ctx);
});
if (document.getElementById("waiting")) waitForPlace(); // a race that began before this was loaded
document.addEventListener("change", async ({ target }) => {
  if (target.id !== "sounds" || !target.checked) return;
  const sounds = await import("./sounds.js");
  sounds.start();
  sounds.sample(); // to try it
});
