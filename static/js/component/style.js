// The style of the component: the site's board and player (css/base.css, css/play.css) without the
// page around them. A page sets colours by --slide-wise-<name>.
const COLOURS = {
  paper: "light-dark(#f5f3ee, #14181a)", surface: "light-dark(#fffdf9, #1d2225)", sunken: "light-dark(#ebe7dd, #0f1214)",
  line: "light-dark(#dcd6c8, #2e3539)", "line-strong": "light-dark(#8b8576, #6c767c)",
  ink: "light-dark(#1b2226, #f0eee8)", "ink-2": "light-dark(#535b60, #a9b0b4)",
  accent: "light-dark(#0b665f, #55c9b7)", "accent-ink": "light-dark(#ffffff, #05231f)",
  warn: "light-dark(#8f4106, #f0b35b)", "warn-soft": "light-dark(#fbe7cd, #3d2c10)",
  tray: "light-dark(#d6cfbf, #0c0f10)", "tray-shade": "light-dark(rgb(60 48 20 / .16), rgb(0 0 0 / .5))",
  tile: "light-dark(#fffdf9, #30383d)", "tile-lip": "light-dark(#c3baa6, #1f2529)", "tile-ink": "light-dark(#1b2226, #f0eee8)",
  home: "light-dark(#b7dfd4, #1c584f)", "home-lip": "light-dark(#7db7a8, #10382f)", "home-ink": "light-dark(#07423d, #d5fff5)",
};

const colours = Object.entries(COLOURS).map(([name, value]) => `--${name}: var(--slide-wise-${name}, ${value});`).join("\n");
const places = [...Array(10).keys()].map((i) => `.r${i} { --r: ${i}; } .c${i} { --c: ${i}; }`).join("\n");

export const STYLE = `
:host { display: block; box-sizing: border-box; width: 100%; max-width: var(--slide-wise-width, 420px); }
:host([hidden]) { display: none; }
.root {
all: initial; ${colours}
display: block; container-type: inline-size; min-width: 160px; box-sizing: border-box; padding: 8px; border-radius: 24px; color-scheme: light dark;
background: var(--paper); color: var(--ink); font: 400 15px/1.4 var(--slide-wise-font, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif);
font-variant-numeric: tabular-nums; unicode-bidi: isolate; direction: ltr;
}
.root[data-theme="light"] { color-scheme: light; }
.root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
.view { display: grid; gap: 10px; }
p, dl, dd { margin: 0; }
.title { padding: 0 6px; font-size: 16px; line-height: 1.3; font-weight: 650; }
.board {
--pad: min(10px, 2.4cqi); --cell: calc((100cqi - 2 * var(--pad)) / var(--most)); --in: min(4px, var(--cell) * .04); --lip: min(4px, var(--cell) * .03);
width: calc(var(--cols) * var(--cell) + 2 * var(--pad)); margin: 0 auto; padding: var(--pad); background: var(--tray);
border-radius: 20px; box-shadow: inset 0 2px 8px var(--tray-shade);
}
.grid { position: relative; height: calc(var(--rows) * var(--cell)); isolation: isolate; }
.board[role="group"] { touch-action: pinch-zoom; user-select: none; -webkit-user-select: none; -webkit-touch-callout: none; -webkit-tap-highlight-color: transparent; }
.tile {
position: absolute; left: calc(var(--c) * var(--cell)); top: calc(var(--r) * var(--cell)); width: var(--cell); height: var(--cell);
padding: var(--in) var(--in) calc(var(--in) + var(--lip)); border: 0; background: none; font: inherit; color: inherit;
transition: left .12s ease-out, top .12s ease-out;
}
button { cursor: pointer; }
.tile b {
position: relative; display: grid; place-items: center; width: 100%; height: 100%; border-radius: min(16px, var(--cell) * .16);
background: var(--tile); color: var(--tile-ink); box-shadow: 0 var(--lip) 0 var(--tile-lip);
font-weight: 700; font-size: max(12px, var(--cell) * .44); line-height: 1; letter-spacing: -.02em;
}
.home b { background: var(--home); color: var(--home-ink); box-shadow: 0 var(--lip) 0 var(--home-lip); }
.home b::after {
content: ""; position: absolute; right: calc(var(--cell) * .1); top: calc(var(--cell) * .09); width: calc(var(--cell) * .055);
height: calc(var(--cell) * .105); border: solid currentColor; border-width: 0 max(1.5px, var(--cell) * .02) max(1.5px, var(--cell) * .02) 0; rotate: 42deg;
}
.moved b { outline: 3px solid var(--accent); outline-offset: -3px; }
.tile:focus-visible { outline: none; z-index: 1; }
.tile:focus-visible b, :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
${places}
.tools, .player { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; padding: 4px; border-radius: 14px; background: var(--sunken); }
.keys { display: flex; flex: 1 1 120px; min-width: 0; }
.keys button { flex: 0 1 44px; min-width: 0; }
:is(.tools, .keys) button { display: grid; place-items: center; width: 44px; height: 44px; padding: 0; border: 0; border-radius: 10px; background: none; color: var(--ink); }
:is(.tools, .keys) button:hover { background: var(--surface); }
.keys :is(.play, .play:hover) { background: var(--accent); color: var(--accent-ink); }
[aria-disabled="true"] { color: var(--ink-2); cursor: default; }
[aria-disabled="true"] svg { opacity: .6; }
.tools svg, .keys svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 1.9; stroke-linecap: round; stroke-linejoin: round; }
.count { margin: 0 10px 0 auto; font-weight: 600; }
.won .count { color: var(--accent); font-weight: 700; }
input { flex: 1 1 60%; min-width: 80px; height: 44px; margin: 0; accent-color: var(--accent); }
output { white-space: nowrap; }
select { width: 60px; height: 44px; padding: 0 6px; border: 1px solid var(--line-strong); border-radius: 10px; background: var(--surface); color: inherit; font: inherit; }
.said { min-height: 1.4em; padding: 0 6px; text-align: center; overflow-wrap: anywhere; }
.warn { padding: 6px 12px; border-radius: 10px; background: var(--warn-soft); overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(96px, 1fr)); gap: 6px 12px; padding: 0 6px; }
dt { color: var(--ink-2); font-size: 13px; }
dd { font-weight: 650; }
.chart { display: block; width: 100%; height: 56px; overflow: visible; border-bottom: 1px solid var(--line-strong); }
.chart > * { fill: none; stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke; }
.chart polygon { fill: var(--home); stroke: none; }
.chart .now { stroke: var(--warn); }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: reduce) { .tile { transition: none; } }
@media (forced-colors: active) {
.tile b { border: 1px solid ButtonText; } .moved b { outline-color: Highlight; } .chart > * { stroke: CanvasText; } .chart polygon { fill: GrayText; }
}
`;
