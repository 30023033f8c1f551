// Registers the service worker for offline play, unless a setting disables it.
import { setting } from "../storage.js";

const workers = navigator.serviceWorker; // only with https, or on this machine
const manifest = () => new URL(document.querySelector("link[rel=manifest]").href);
const script = () => new URL(`worker.js${manifest().search}`, manifest()); // the visitor's language
const root = () => new URL(".", script());

let settled = Promise.resolve(); // once the last change of the setting has taken effect

const setUp = () => { settled = settled.then(applySetting); };

async function applySetting() {
  try {
    if (setting("offline") === "off") return await forget();
    const registration = await workers.register(script());
    registration.active?.postMessage("on"); // after "off" in the same page
  } catch {
    // the browser forbids it or the server is unreachable: everything works online
  }
}

async function forget() {
  const registration = await workers.getRegistration(root());
  for (const which of ["installing", "waiting", "active"])
    registration?.[which]?.postMessage("off"); // it may be storing this page
  await registration?.unregister();
  const { pathname } = root();
  const names = (await caches.keys()).filter((name) =>
    name.startsWith(`slidewise ${pathname} `) || [`python ${pathname}`, "tables"].includes(name));
  await Promise.all(names.map((name) => caches.delete(name)));
}

export function start() {
  if (!workers) return;
  if (document.readyState === "complete") setUp();
  else addEventListener("load", setUp);
  document.addEventListener("change", ({ target }) => target.id === "offline" && setUp());
}
