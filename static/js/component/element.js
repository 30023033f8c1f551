// <slide-wise>: a board to play, a solution to replay, a recorded search to scrub. See
// docs/embedding.md. Its views are built again when an attribute changes.
import { format } from "../board.js";
import { GameView } from "./game.js";
import { make } from "../dom.js";
import { Unusable, readMoves, readPuzzle, sayer, texts } from "./parts.js";
import { ReplayView, WatchView } from "./steps.js";
import STYLE from "../../css/component.css" with { type: "css" };

const REFLECTED = ["board", "goal", "moves", "watch", "theme", "controls", "label"];
const RETRY = 3000; // milliseconds until a recording that is not ready is requested again

class SlideWise extends HTMLElement {
  static observedAttributes = [...REFLECTED, "lang"];
  static texts = texts;

  #root = this.attachShadow({ mode: "open" });
  #view = null;
  #focus = null; // options of a focus() before the view was there
  #build = 0; // number of the latest view; late recordings of earlier views are dropped

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [STYLE];
    this.#root.addEventListener("keydown", (event) => this.key(event));
  }

  connectedCallback() { this.#rebuild(); }

  disconnectedCallback() {
    this.#build += 1;
    this.#view?.stop();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#rebuild();
  }

  get step() { return this.#view?.step ?? 0; }
  set step(step) { this.#view?.goTo?.(Number(step)); }
  get position() { return this.#view?.board ? format(this.#view.board) : ""; }
  get playing() { return this.#view?.playing ?? false; }
  // A key pressed in the component, or passed on by the page
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#view?.key(event)) return;
    event.preventDefault();
    event.stopPropagation(); // a key moves a single board, and not the page
  }

  // The board's tab stop, or the play button
  focus(options = {}) {
    if (this.#view) this.#view.focus(options);
    else this.#focus = options;
  }

  play() { this.#view?.play?.(); }
  pause() { this.#view?.rest?.(); }

  // Attributes that a script sets together make one view
  async #rebuild() {
    const build = this.#build += 1;
    await null;
    if (build !== this.#build || !this.isConnected) return;
    const say = sayer(this.closest("[lang]")?.lang ?? "");
    this.#view?.stop();
    this.#view = null;
    try {
      this.#present(await this.#viewOf(say, build), say, build);
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      const english = sayer("en");
      this.#put(english, build, make("p", { class: "warn", role: "alert" }, english(error.message, error.values)));
    }
  }

  async #viewOf(say, build) {
    const text = (name) => this.getAttribute(name)?.trim() ?? "";
    const emit = (type, detail) => {
      if (this.#view) this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
    };
    const options = { label: text("label"), hasControls: !["none", "false"].includes(text("controls")) };
    if (text("watch")) {
      const recording = await this.#recording(text("watch"), say, build);
      try {
        return new WatchView(JSON.parse(recording), say, emit, options);
      } catch {
        throw new Unusable("badRecording");
      }
    }
    if (!text("board")) throw new Unusable("noBoard");
    const puzzle = readPuzzle(text("board"), text("goal"));
    if (!this.hasAttribute("moves")) return new GameView(puzzle, say, emit, options);
    return new ReplayView(puzzle, readMoves(text("moves"), puzzle.start), say, emit, options);
  }

  #present(view, say, build) {
    if (!this.#put(say, build, view.element)) return;
    view.goTo?.(Number(this.getAttribute("step")));
    this.#view = view; // its first step is not an event
    if (this.#focus && document.activeElement === document.body) view.focus(this.#focus);
    this.#focus = null;
  }

  #put(say, build, content) {
    if (build !== this.#build) return false;
    const theme = this.getAttribute("theme");
    this.#root.replaceChildren(make("div", { class: "root", lang: say.lang, "data-theme": theme ?? "auto" }, content));
    return true;
  }

  // The JSON of `watch`: of an element of the page, such as #search, or of a URL
  async #recording(named, say, build) {
    if (named.startsWith("#")) {
      if (document.readyState === "loading")
        await new Promise((ready) => { document.addEventListener("DOMContentLoaded", ready, { once: true }); });
      return document.getElementById(named.slice(1))?.textContent ?? "";
    }
    this.#put(say, build, make("p", { class: "said", role: "status" }, say("waiting")));
    for (let wait = RETRY; ; ) {
      const response = await fetch(named).catch(() => null);
      if ([202, 429, 503].includes(response?.status)) { // it is being recorded, or all solvers are busy
        await new Promise((ready) => { setTimeout(ready, wait); });
        if (response.status !== 202) wait *= 2;
        if (build !== this.#build) return null;
      } else if (!response?.ok) throw new Unusable("noRecording");
      else return response.text().catch(() => "");
    }
  }
}

for (const name of REFLECTED)
  Object.defineProperty(SlideWise.prototype, name, {
    __proto__: null, enumerable: true, configurable: true,
    get() { return this.getAttribute(name) ?? ""; },
    set(value) { this.setAttribute(name, value); },
  });

// If the script is loaded twice, the first definition stays
export function start() {
  if (!customElements.get("slide-wise")) customElements.define("slide-wise", SlideWise);
}
