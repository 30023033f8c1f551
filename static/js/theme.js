// Runs before the page is drawn, so that neither another theme nor a hidden number flashes.
"use strict";
document.documentElement.classList.add("js");
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  if (localStorage.getItem("moves-to-go") === "hidden") document.documentElement.dataset.toGo = "hidden";
} catch {
  // storage is off: follow the system, and show all there is
}
