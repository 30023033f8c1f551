// Player of a solution, also while it streams. Long solutions come in parts; the page holds a single part.
import { draw, format, parse, spoken } from "../board.js";
import { opening } from "../dom.js";
import { _, locale } from "../language.js";
import { replay as replayKeys } from "../play/keys.js";
import { Playback, follow } from "../playback.js";

const replay = () => document.getElementById("replay"); // on the game's page only
const known = () => document.querySelectorAll("#steps button");
const piece = () => document.getElementById("piece"); // of a long solution only this part is loaded
const first = () => Number(piece().dataset.first); // the steps before it
const last = () => first() + known().length;
const still = () => document.querySelector(".stage .board.still");
const STEP = { quick: 400, slow: 1200 }; // milliseconds, at 1×
let pace = () => undefined; // the milliseconds at a step of a replay with its own times
export const setPace = (given) => { pace = given; };

class Player extends Playback {
  #wanted = null; // step of a part that is fetched
  #isFetching = false;
  #awaited = null; // step that still streams
  #boardAt;

  constructor(form) {
    const { start, goal, total, step } = form.dataset;
    super(Number(total), {
      slider: form.querySelector("input[type=range]"), place: form.querySelector("output"),
      said: document.getElementById("step-text"),
    });
    Object.assign(this, { form, goal: parse(goal), step: Number(step) });
    this.#follow(piece()?.dataset.board ?? start);
  }

  #follow(board) {
    const tileOf = (move) => Number(document.getElementById("steps").children[move].firstElementChild.dataset.tile);
    this.#boardAt = follow(parse(board), tileOf);
  }

  button(name) { return this.form.querySelector(`[data-go=${name}]`); }

  delay() {
    return pace(this.step + 1)
      ?? (STEP[document.documentElement.dataset.speed] ?? 700) / Number(this.form.querySelector("[data-speed]").value);
  }

  go(step) {
    const wanted = this.clamp(step);
    const elsewhere = wanted > last() || (wanted <= first() && first() > 0);
    if (elsewhere && this.isWhole() && this.form.dataset.pieces) return this.#fetchPiece(wanted);
    this.#wanted = null; // responses still on their way are ignored
    this.#awaited = wanted > last() ? wanted : null;
    this.#show(Math.min(wanted, last()), this.step);
  }

  // More steps have streamed
  takeMore() {
    if (this.#awaited !== null && (this.#awaited <= last() || this.isWhole())) this.go(this.#awaited);
  }

  advance() { if (!this.#isFetching) super.advance(); }

  #show(step, before) {
    this.step = step;
    if (replay()) replay().hidden = false;
    const buttons = known();
    this.#drawBoard(buttons[step - first() - 1]);
    this.#markMove(buttons, before);
    this.#showPlace(buttons);
  }

  // Whether the part is complete and no step is still streaming
  isWhole() {
    return known().length >= Math.min(this.total - first(), Number(this.form.dataset.piece ?? this.total));
  }

  // While a part loads, only the last requested step counts
  async #fetchPiece(step) {
    this.#wanted = step;
    if (this.#isFetching) return;
    this.#isFetching = true;
    try {
      while (player === this && this.#wanted !== null) {
        const wanted = this.#wanted;
        const url = new URL(this.form.dataset.pieces, location.href);
        url.searchParams.set("step", wanted);
        const answer = await fetch(url, { headers: { "HX-Request": "true" } });
        if (!answer.ok) throw new Error(answer.status);
        const html = await answer.text();
        if (player === this && this.#wanted === wanted) this.#takePiece(html, wanted);
      }
    } catch {
      if (player !== this) return;
      this.stop();
      this.said.textContent = _("The next steps could not be fetched. Try again in a moment.");
    } finally {
      this.#isFetching = false;
    }
  }

  #takePiece(html, step) {
    const hadFocus = piece().contains(document.activeElement);
    piece().outerHTML = html;
    this.#wanted = null;
    this.#follow(piece().dataset.board);
    this.#show(Math.min(step, last()), first());
    if (hadFocus) document.querySelector("#steps [aria-current]")?.focus({ preventScroll: true });
  }

  #drawBoard(current) {
    const board = this.#boardAt(this.step - first());
    const tiles = still();
    this.form.classList.toggle("at-goal", format(board) === format(this.goal)); // there is nothing to play on
    draw(board, this.goal, (tile) => tiles.querySelector(`.t${tile}`), Number(current?.dataset.tile));
    tiles.setAttribute("aria-label", `${_("Step %(number)s", { number: this.step })}: ${spoken(board, _("blank"))}`);
    this.said.textContent = current?.title ?? _("The start of the solution.");
  }

  // Mark the current move and the moves before it. Lists can be long: only changes are touched.
  #markMove(buttons, before) {
    const step = this.step - first();
    const was = before - first();
    for (let i = Math.min(was, step); i < Math.max(was, step); i += 1)
      buttons[i]?.classList.toggle("past", i < step);
    document.querySelector("#steps [aria-current]")?.removeAttribute("aria-current");
    const current = buttons[step - 1];
    current?.setAttribute("aria-current", "step");
    const list = document.getElementById("steps"); // scroll it, and not the page
    if (!current) list.scrollTop = 0;
    else if (current.offsetTop < list.scrollTop
      || current.offsetTop + current.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = current.offsetTop - list.clientHeight / 2;
  }

  #showPlace(buttons) {
    const { step, total } = this;
    this.showPlace(locale);
    this.button("prev").value = Math.max(0, step - 1);
    this.button("next").value = Math.min(total, step + 1);
    for (const end of ["x1", "x2"]) document.getElementById("profile-now")?.setAttribute(end, step);
    const playOn = document.querySelector("#play-on [name=moves]");
    if (playOn) playOn.value = [...buttons].slice(0, step - first()).map((b) => b.dataset.move).join("");
    if (playOn) this.#showNewPuzzle(playOn.form, first() > 0); // the page does not know all moves to a step that far on
    if (!this.playing) this.#showAddress();
  }

  #showNewPuzzle(form, isFar) {
    const link = document.getElementById("play-position");
    form.hidden = isFar;
    link.hidden = !isFar;
    if (isFar) this.#nameBoard(link);
  }

  #nameBoard(link) {
    const board = format(this.#boardAt(this.step - first()));
    link.href = link.getAttribute("href").replace(/\/play\/[^_]*/, `/play/${board}`);
  }

  // On the replay page the URL names the step, and "play on" the board
  #showAddress() {
    const link = document.getElementById("play-from-here");
    if (!link) return;
    this.#nameBoard(link);
    const url = new URL(location.href);
    url.searchParams.set("step", this.step);
    history.replaceState(history.state, "", url);
  }

  stop() {
    super.stop();
    this.#showAddress();
  }

  showMode() {
    this.form.classList.toggle("playing", this.playing);
    this.button("play").setAttribute("aria-label", this.playing ? _("Pause") : _("Play the solution"));
  }
}

let player = null;
export const shown = () => player;

const isOpen = () => player !== null && !replay()?.hidden;

function open(form) {
  const wasOpen = isOpen();
  close();
  player = new Player(form);
  if (!replay() || form.dataset.kept) return player.go(player.step);
  if (form.dataset.offered) return void (replay().hidden = !wasOpen); // the search was stopped: a button plays it
  const { activeElement } = document;
  const wasInGame = activeElement === document.body || activeElement.closest("#game") !== null;
  replay().hidden = false;
  if (form.dataset.blank !== undefined) player.go(player.step); // no server has drawn the board
  if (wasInGame) player.button("play").focus({ preventScroll: true }); // the game is hidden now
  // on phones it is above the Solve card; in landscape the board stays visible but the player does not
  (getComputedStyle(still()).position === "fixed" ? form : still()).scrollIntoView({ block: "nearest" });
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) player.play(900);
}

// A reload restores the shown solution, if storage is on and has room
const PARTS = ["live", "verdict", "solution", "replay-card", "replay"];

function keep() {
  const isSearching = document.getElementById("job").firstElementChild !== null;
  if (isSearching || !player?.isWhole()) return sessionStorage.removeItem("solution");
  player.stop();
  Object.assign(player.form.dataset, { step: player.step, kept: "yes" });
  const parts = PARTS.map((id) => document.getElementById(id).innerHTML.replace(/ style="[^"]*"/g, ""));
  sessionStorage.setItem("solution", JSON.stringify({ of: location.pathname, hidden: replay().hidden, parts }));
}

function restore() {
  const kept = JSON.parse(sessionStorage.getItem("solution"));
  if (kept?.of !== location.pathname || kept.parts.length !== PARTS.length) return;
  if (opening() === "navigate") return;
  PARTS.forEach((id, i) => {
    document.getElementById(id).innerHTML = kept.parts[i];
  });
  htmx.process(document.getElementById("replay-card"));
  findPlayer();
  replay().hidden = kept.hidden;
}

function attempt(action) {
  try {
    action();
  } catch {
    // the solution is lost on reload
  }
}

function close() {
  player?.stop();
  player = null;
}

function leave() {
  player.stop();
  replay().hidden = true;
  document.querySelector("#game .tile")?.focus(); // and the board comes into sight
}

function findPlayer() {
  const form = document.getElementById("player");
  if (!form) close();
  else if (form !== player?.form) open(form);
  else player.takeMore();
}

function onSubmit(event) {
  if (event.target.id === "player") {
    event.preventDefault();
    player.goTo(Number(event.submitter?.value ?? player.step));
  } else if (event.target.id === "play-on") {
    setTimeout(leave); // once the form has been read
  }
}

function onClick(event) {
  const target = event.target.closest("[data-go=play], #leave-replay");
  if (target?.id === "leave-replay") leave();
  else if (target) player.toggle();
}

if (document.querySelector(".stage")) {
  const observer = new MutationObserver(findPlayer);
  for (const part of document.querySelectorAll(".stage, #solution")) observer.observe(part, { childList: true, subtree: true });
  document.addEventListener("submit", onSubmit);
  document.addEventListener("click", onClick);
  Object.assign(replayKeys, { isOpen, key: (event) => player.key(event) });
  if (replay() && document.getElementById("solver")) {
    addEventListener("pagehide", () => attempt(keep));
    attempt(restore);
  }
  findPlayer();
}
