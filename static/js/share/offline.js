// Script of a solution's offline file: its list of steps and its keys control the component.
"use strict";
const player = document.querySelector("slide-wise");
const list = document.getElementById("steps");
const steps = [...list.querySelectorAll("button")];

list.addEventListener("click", ({ target }) => {
  const number = steps.indexOf(target.closest("button")) + 1;
  if (number) player.step = number;
});

player.addEventListener("step", ({ detail }) => {
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  steps[detail.step - 1]?.setAttribute("aria-current", "step");
});

document.addEventListener("keydown", (event) => {
  if (event.target !== player) player.key(event);
});
