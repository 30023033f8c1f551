// Runs before the page is drawn, so that a chosen theme does not flash.
"use strict";
document.documentElement.classList.add("js");
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // storage is off: follow the system
}
