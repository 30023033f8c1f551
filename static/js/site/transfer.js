// Export and import of records, solved days, solves and settings between browsers.
import { download } from "../files.js";
import { _, listed, ngettext } from "../language.js";
import * as progress from "../play/progress.js";
import * as csv from "../play/speed/csv.js";
import { BESTS } from "../play/records.js";
import * as storage from "../storage.js";
import { SOLVES, bounded, united } from "../play/speed/times.js";
import * as settings from "./settings.js";
import * as streak from "../daily/streak.js";

const VERSION = 1; // of the file
const MAX_BYTES = 5_000_000; // above a file with 27 years of days and the most solves

// Stored data by its name in the file: its words, storage key and merge function, which throws if the imported
// value is invalid, and a value for none.
const STORES = {
  records: [_("records"), BESTS, mergeRecords, {}],
  days: [_("days"), streak.DAYS, streak.merge, {}],
  solves: [_("solves"), SOLVES, mergeSolves, []],
  lessons: [_("lessons"), progress.LESSONS, progress.mergeLessons, {}],
  gallery: [_("gallery boards"), progress.STORIES, progress.mergeStories, {}],
  levels: [_("levels"), progress.LEVELS, progress.mergeLevels, {}],
  times: [_("times"), progress.LAST_ROWS, progress.mergeTimes, {}],
  detours: [_("detours"), progress.DETOURS, progress.mergeDetours, {}],
};

const isBest = (best) => best instanceof Object && typeof best.game === "string"
  && Number.isFinite(best.count) && best.count >= 0;
const MOST_KINDS = 2_000; // in a file: more than there are sizes, goals and levels

// The better record of each kind; throws if `others` is invalid.
function mergeRecords(mine, others) {
  const both = { ...mine };
  const kinds = Object.entries(others);
  if (kinds.length > MOST_KINDS) throw new RangeError("too many records");
  for (const [key, bests] of kinds) {
    const merged = { ...both[key] };
    const hasMore = bests?.solved?.count > (merged.solved?.count ?? 0);
    for (const [name, best] of Object.entries(bests)) {
      if (!isBest(best)) throw new TypeError(`no record: ${key}`);
      const isSum = name === "solved" || name === "total"; // of puzzles and of their seconds, which belong together
      if (isSum ? hasMore : !merged[name] || best.count < merged[name].count) merged[name] = best;
    }
    both[key] = merged;
  }
  return both;
}

// Merge solves without duplicates; penalties set here win. Imports are checked like CSV.
function mergeSolves(mine, others) {
  const { solves, mistake } = csv.read(csv.csvOf(others));
  if (mistake) throw new TypeError(mistake);
  return bounded(united(mine, solves));
}

const said = document.getElementById("transfer-said");
const isObject = (value) => value instanceof Object && !Array.isArray(value);

function collected() {
  const stored = Object.entries(STORES).map(([name, [, store, , none]]) => [name, storage.read(store, none)]);
  return { slidewise: VERSION, ...Object.fromEntries(stored), settings: settings.collected() };
}

function save() {
  const file = new Blob([JSON.stringify(collected(), null, 1)], { type: "application/json" });
  download(file, `slidewise-${new Date().toISOString().slice(0, 10)}.json`);
  said.textContent = _("Saved. Now open this page on the other device and choose the file there.");
}

class Refused extends Error {}

async function read(file) {
  if (file.size > MAX_BYTES)
    throw new Refused(_("This file is too large: it has more than %(most)s MB. Choose the file that you saved on this page.",
      { most: MAX_BYTES / 1e6 }));
  const content = await file.text().then(JSON.parse).catch(() => null);
  if (!isObject(content) || !Number.isInteger(content.slidewise))
    throw new Refused(_("This is not a file from Slidewise. Choose the file that you saved on this page."));
  if (content.slidewise > VERSION)
    throw new Refused(_("This file is from a newer version of Slidewise. Reload this page and try again."));
  return content;
}

// Values to store: nothing is stored before everything is checked.
function merged(content) {
  return Object.entries(STORES).map(([name, [words, store, merge, none]]) => {
    const { [name]: others = none } = content;
    try {
      if (others?.constructor !== none.constructor) throw new TypeError("another kind of value");
      const text = JSON.stringify(merge(storage.read(store, none), others));
      return { store, text, count: Object.keys(others).length };
    } catch {
      throw new Refused(_("The %(name)s in this file are damaged. Save the file again on the other device.",
        { name: words }));
    }
  });
}

function storeAll(stores) {
  const before = stores.map(({ store }) => [store, localStorage.getItem(store)]);
  try {
    for (const { store, text } of stores) localStorage.setItem(store, text);
  } catch {
    for (const [store, text] of before) if (text === null) localStorage.removeItem(store);
    for (const [store, text] of before) if (text !== null) localStorage.setItem(store, text);
    throw new Refused(_("Your browser could not store them. Allow this site to store data and try again."));
  }
}

async function take(file) {
  const content = await read(file);
  const stores = merged(content);
  const isWanted = document.getElementById("transfer-settings").checked;
  if (isWanted && !isObject(content.settings ?? {}))
    throw new Refused(_("The settings in this file are damaged. Save the file again on the other device."));
  storeAll(stores);
  if (isWanted) settings.accept(content.settings ?? {});
  const [bests, days, timed] = stores.map(({ count }) => count);
  const parts = [
    ngettext("%(num)s record", "%(num)s records", bests),
    ngettext("%(num)s solved daily puzzle", "%(num)s solved daily puzzles", days),
  ];
  if (timed > 0) parts.push(ngettext("%(num)s speed mode solve", "%(num)s speed mode solves", timed));
  const found = { parts: listed(parts) };
  said.textContent = isWanted ? _("Done. The file had %(parts)s; its settings are in use now.", found)
    : _("Done. The file had %(parts)s.", found);
}

async function onFile({ target }) {
  const [file] = target.files;
  if (!file) return;
  said.classList.remove("wrong");
  try {
    await take(file);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const unchanged = _("Nothing was changed.");
    said.classList.add("wrong");
    said.textContent = `${error.message} ${unchanged}`;
  } finally {
    target.value = ""; // the same file can be chosen again
  }
}

const [saving, opening] = ["save-file", "open-file"].map((id) => document.getElementById(id));
saving.addEventListener("click", save);
saving.disabled = false;
opening.addEventListener("change", onFile);
if (opening.files.length > 0) onFile({ target: opening }); // chosen while this was loading
