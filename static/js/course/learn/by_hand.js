// A lesson in solving by hand: its board, and the demonstration of its steps.
import { format, parse, slide } from "../../board.js";
import { _ } from "../../language.js";
import { noteLesson } from "../../play/progress.js";
import { play } from "../../play/view.js";
import { moves as inWords } from "../../play/words.js";
import { Practice, numbers, said, say } from "./practice.js";

const { fewest, lesson, whole } = play().dataset;
const button = document.getElementById("hint");
const scenes = [...document.querySelectorAll("#scenes li")];
const STEP = 650; // milliseconds of a shown move
const READ = 1800; // milliseconds to read the words of a scene

class Demonstration {
  #showing = null; // the demonstration under way: { timer, next }

  #wait(time) {
    const showing = this.#showing;
    return new Promise((resolve) => {
      showing.next = resolve;
      showing.timer = setTimeout(resolve, time);
    });
  }

  async show() {
    const showing = this.#showing = { timer: null, next: null };
    const isOver = () => this.#showing !== showing;
    hideResult();
    label(_("Stop"), true);
    for (const scene of scenes) {
      await this.#showScene(scene, isOver);
      if (isOver()) return;
    }
    this.stop(_("Now it is your turn."));
  }

  async #showScene(scene, isOver) {
    let { board } = scene.dataset;
    markScene(scene);
    practice.restart();
    practice.show({ board, made: "" });
    say(scene.querySelector(":scope > b")?.textContent ?? "", "", scene.querySelector("span").textContent);
    await this.#wait(READ);
    for (const tile of numbers(scene.dataset.tiles)) {
      if (isOver()) return;
      board = format(slide(parse(board), tile));
      practice.show({ board, made: "" }, tile);
      await this.#wait(STEP);
    }
    if (isOver()) return;
    await this.#wait(STEP);
    if (isOver()) return;
    say("", _("Moved: %(tiles)s.", { tiles: scene.dataset.tiles.replaceAll(" ", ", ") }));
    if (scene.matches(".wrong")) await this.#wait(READ);
  }

  /** End it and start again. Returns whether there was one. */
  stop(words = "") {
    if (!this.#showing) return false;
    const { timer, next } = this.#showing;
    this.#showing = null;
    clearTimeout(timer);
    next?.();
    label(_("Show me"));
    markScene(null);
    practice.restart();
    say(words);
    return true;
  }
}

function label(text, isStop = false) {
  button.querySelector("span").textContent = text;
  button.querySelector("svg").classList.toggle("stopping", isStop);
}

function markScene(scene) {
  for (const one of scenes) one.ariaCurrent = one === scene ? "step" : null;
}

function hideResult() {
  said.classList.remove("hand-done");
  document.getElementById("next-lesson").classList.remove("primary");
}

function showResult(moves) {
  const least = Number(fewest);
  const values = { moves: inWords(moves), fewest: least };
  const words = moves === least ? _("Perfect! %(moves)s: no way is shorter.", values)
    : whole === undefined ? _("Well done! %(moves)s. The fewest is %(fewest)s.", values)
      : _("Well done! %(moves)s. The shortest way has %(fewest)s, but it is hard to find.", values);
  said.classList.add("hand-done");
  say(words);
  const next = document.getElementById("next-lesson");
  next.classList.add("primary");
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
  noteLesson(lesson, moves - least);
}

const demonstration = new Demonstration();
button.addEventListener("click", () => demonstration.stop() || demonstration.show());
const practice = new Practice({
  onPress: () => demonstration.stop(_("Now it is your turn.")),
  onDone: showResult,
  onRestart: hideResult,
});
