
// The widget around <slide-wise>, for anywidget; the component's own file stands before it.
let recordings = 0; // those in the page so far, as numbers of their ids

// A recording as an element of the page, which the component reads
function embed(recording) {
  const script = Object.assign(document.createElement("script"), { type: "application/json" });
  script.id = `slide-wise-widget-${recordings += 1}`;
  script.textContent = JSON.stringify(recording);
  document.head.append(script);
  return script;
}

const oneByOne = (path) => path.replace(/([UDLR])(\d+)/g, (_, way, times) => way.repeat(times));

// Moves made elsewhere, by Python or in another view, start the board again after them
// Moves made elsewhere, by Python or in another view, start the board again after them
function play(model, player) {
  let before, shown;
  const load = () => {
    before = shown = model.get("moves");
    player.setAttribute("board", model.get("board"));
  };
  const follow = () => { if (model.get("moves") !== shown) load(); };
  player.addEventListener("move", ({ detail }) => {
    shown = before + oneByOne(detail.path);
    model.set({ moves: shown, board: detail.board });
    model.save_changes();
  });
  load();
  model.on("change:board", follow);
  return () => model.off("change:board", follow);
}

function step(model, player) {
  const follow = () => { if (player.step !== model.get("step")) player.step = model.get("step"); };
  player.addEventListener("step", ({ detail }) => {
    model.set({ step: detail.step, board: detail.board });
    model.save_changes();
  });
  player.setAttribute("step", model.get("step"));
  model.on("change:step", follow);
  return () => model.off("change:step", follow);
}

function render({ model, el }) {
  const player = document.createElement("slide-wise");
  for (const [name, value] of Object.entries(model.get("_attributes"))) player.setAttribute(name, value);
  const recording = model.get("_recording") && embed(model.get("_recording"));
  if (recording) player.setAttribute("watch", `#${recording.id}`);
  const isGame = !recording && !player.hasAttribute("moves");
  const stop = (isGame ? play : step)(model, player);
  el.append(player);
  return () => {
    stop();
    recording?.remove();
  };
}

export default { render };
