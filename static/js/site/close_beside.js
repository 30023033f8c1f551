// Closes a dialog by a click outside, for browsers without `closedby`, such as Safari.
let isPressedBeside = false;

function isBeside({ target, clientX, clientY }) {
  if (!(target instanceof HTMLDialogElement)) return false; // its backdrop belongs to it
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

export function start() {
  document.addEventListener("pointerdown", (event) => { isPressedBeside = isBeside(event); });
  document.addEventListener("click", (event) => {
    if (isPressedBeside && isBeside(event)) event.target.close(); // not after a press in the dialog
  });
}
