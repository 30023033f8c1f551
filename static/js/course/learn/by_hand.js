// A lesson in solving by hand: its board, and the demonstration of its steps.
import { format, parse, slide } from "../../board.js";
import { _ } from "../../language.js";
import { play } from "../../play/view.js";
import * as practice from "./practice.js";
import { noteLesson } from "../../play/progress.js";

const numbers = (text) => text.split(" ").filter(Boolean).map(Number);
const { aims, fewest, given, lesson, whole } = play().dataset;
const button = document.getElementById("hint");
const scenes = [...document.querySelectorAll("#scenes li")];
const STEP = 650; // milliseconds of a shown move
const READ = 1800; // milliseconds to read the words of a scene
let showing = null; // the demonstration that is under way, as { timer, next }

const wait = (demo, time) => new Promise((resolve) => {
  demo.next = resolve;
  demo.timer = setTimeout(resolve, time);
});

async function demonstrate() {
  const demo = showing = { timer: null, next: null };
  hideResult();
  label(_("Stop"));
  for (const scene of scenes) {
    markScene(scene);
    practice.restart();
    practice.show(scene.dataset.board);
    practice.say(scene.querySelector(":scope > b")?.textContent ?? "", "", scene.querySelector("span").textContent);
    await wait(demo, READ);
    for (const tile of numbers(scene.dataset.tiles)) {
      if (showing !== demo) return;
      practice.show(format(slide(parse(play().dataset.board), tile)), tile);
      await wait(demo, STEP);
    }
    await wait(demo, STEP);
    if (showing !== demo) return;
    practice.say("", _("Moved: %(tiles)s.", { tiles: scene.dataset.tiles.replaceAll(" ", ", ") }));
    if (scene.matches(".wrong")) await wait(demo, READ);
    if (showing !== demo) return;
  }
  stop(_("Now it is your turn."));
}

// End the demonstration and start again. Returns whether there was one.
function stop(words = "") {
  if (!showing) return false;
  clearTimeout(showing.timer);
  const { next } = showing;
  showing = null;
  next?.();
  label(_("Show me"));
  markScene(null);
  practice.restart();
  practice.say(words);
  return true;
}

function label(text) {
  button.querySelector("span").textContent = text;
}

function markScene(scene) {
  for (const one of scenes)
    if (one === scene) one.setAttribute("aria-current", "step");
    else one.removeAttribute("aria-current");
}

function hideResult() {
  practice.said.classList.remove("hand-done");
  document.getElementById("next-lesson").classList.remove("primary");
}

function showResult(moves) {
  const least = Number(fewest);
  const values = { moves: practice.inWords(moves), fewest: least };
  const words = moves === least ? _("Perfect! %(moves)s: no way is shorter.", values)
    : whole === undefined ? _("Well done! %(moves)s. The fewest is %(fewest)s.", values)
      : _("Well done! %(moves)s. The shortest way has %(fewest)s, but it is hard to find.", values);
  practice.said.classList.add("hand-done");
  practice.say(words);
  const next = document.getElementById("next-lesson");
  next.classList.add("primary");
  next.focus({ preventScroll: true });
  noteLesson(lesson, moves - least);
}

button.addEventListener("click", () => stop() || demonstrate());
practice.begin({
  given: numbers(given),
  aims: aims.split(",").map(numbers),
  onPress: () => stop(_("Now it is your turn.")),
  onDone: showResult,
  onRestart: hideResult,
});
