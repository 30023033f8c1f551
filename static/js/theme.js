// Runs before the page is drawn, so that nothing flashes: the settings kept in this browser
// become attributes of the root, such as data-tiles="rows". One that has none is as usual.
"use strict";
{
  const root = document.documentElement;
  root.classList.add("js");
  try {
    for (const name of ["theme", "tiles", "face", "picture", "speed", "notation", "written", "arrows",
      "single-keys", "tile-stops", "moves-to-go", "sounds", "speed-mode", "hover",
      "inspection", "offline"]) {
      const value = localStorage.getItem(name);
      if (value) root.setAttribute(`data-${name}`, value);
    }
    const own = localStorage.getItem("own-picture"); // a JPEG in base64
    if (own) {
      const text = atob(own);
      const bytes = new Uint8Array(text.length);
      for (let i = 0; i < bytes.length; i += 1) bytes[i] = text.charCodeAt(i);
      const address = URL.createObjectURL(new Blob([bytes], { type: "image/jpeg" }));
      root.style.setProperty("--own", `url(${address})`);
    }
  } catch {
    // storage is off: all is as usual
  }
}
