// Before the first paint, stored settings become attributes of the root element, such as data-tiles="rows".
// Early clicks wait for the other scripts.
"use strict";
{
  const root = document.documentElement;
  root.classList.add("js");
  try {
    for (const name of ["theme", "tiles", "face", "picture", "speed", "notation", "written", "arrows",
      "single-keys", "tile-stops", "moves-to-go", "sounds", "speed-mode", "hover",
      "inspection", "offline"]) {
      const value = localStorage.getItem(name);
      if (value) root.setAttribute(`data-${name}`, value);
    }
    const own = localStorage.getItem("own-picture"); // a JPEG in base64
    if (own) {
      const bytes = Uint8Array.from(atob(own), (letter) => letter.charCodeAt(0));
      const address = URL.createObjectURL(new Blob([bytes], { type: "image/jpeg" }));
      root.style.setProperty("--own", `url(${address})`);
    }
  } catch {
    // storage is off: defaults
  }
  if (location.hash === "#speed") root.dataset.speedMode = "on"; // storage is off or full

  // Hold back clicks until `ready`, when their code is there, and repeat them then. A function `ready`
  // loads it with a click.
  window.holdClicks = (selector, ready) => {
    const held = [];
    const hold = (event) => {
      const element = event.target.closest(selector);
      if (!element || event.ctrlKey || event.metaKey || event.shiftKey) return; // a link opens elsewhere
      event.preventDefault();
      event.stopImmediatePropagation();
      element.ariaBusy = "true";
      if (held.push([element, event]) === 1 && typeof ready === "function") ready().then(release, retry);
    };
    const release = () => {
      document.removeEventListener("click", hold, true);
      for (const [element, event] of held.splice(0)) {
        element.ariaBusy = null;
        element.dispatchEvent(new PointerEvent("click", event)); // with their coordinates
      }
    };
    const listen = () => document.addEventListener("click", hold, true);
    const retry = () => { // with the next click
      release();
      listen();
    };
    listen();
    if (typeof ready !== "function") ready.then(release, release);
  };

  // Moves wait for the game, which must know them. Other buttons without effect wait for all
  // scripts. Except in English, modules wait for their texts.
  const once = (name) => new Promise((resolve) => document.addEventListener(name, () => setTimeout(resolve), { once: true }));
  const sources = () => [...document.querySelectorAll("script[type=module]")].map(({ src }) => src);
  const game = once("readystatechange").then(() => import(sources()[0])); // view.js, before scripts that are deferred
  const page = once("DOMContentLoaded").then(() => Promise.allSettled(sources().map((source) => import(source))));
  page.then((modules) => { // with only some of them, moves would not be sent
    const isReload = performance.getEntriesByType("navigation")[0]?.type === "reload";
    if (new Set(modules.map(({ status }) => status)).size > 1 && !isReload) location.reload();
  });
  const moves = "#board .tile, :is(#undo, #redo, #restart)";
  window.holdClicks(`#game :is(${moves})`, root.dataset.speedMode === "on" ? page : game);
  window.holdClicks(`button[type=button], .practice .tile, :is(#game, #by-number) button:not(${moves}), #solve-button,
    a:is([data-sheet], [data-new])`, page);
}
