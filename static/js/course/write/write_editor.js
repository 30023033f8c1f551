// The editor: a textarea over painted text, with line numbers, Tab and Enter for Python.
import { fileOf } from "./write_hand_in.js";
import { loadCode, onOthersCode, storeCode } from "./write_store.js";
import { make } from "../../dom.js";
import { download } from "../../files.js";
import { _ } from "../../language.js";

const INDENT = "    ";
const area = document.getElementById("code");
const lines = document.getElementById("lines");
const painted = document.getElementById("painted");
const saved = document.getElementById("saved");
const startOver = document.getElementById("start-over");
const KEYWORDS = `and as assert async await break class continue def del elif else except False finally for from
global if import in is lambda None nonlocal not or pass raise return True try while with yield`.split(/\s+/).join("|");
const TOKENS = new RegExp([
  String.raw`(?<string>[rbfRBF]{0,2}(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))`,
  String.raw`(?<comment>#[^\n]*)`,
  String.raw`(?<function>(?<=\b(?:def|class)\s+)\w+)`,
  String.raw`(?<keyword>\b(?:${KEYWORDS})\b)`,
  String.raw`(?<number>\b\d[\w.]*)`,
].join("|"), "g");
const PLAIN = { "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'" }; // for iOS's smart punctuation
const KINDS = ["string", "comment", "function", "keyword", "number"];
let exercise = "";
let replaced = null; // the code before "Start over"
let wrongLine = null;
let hasError = false; // Python's, in that line
let leaves = false; // the next Tab leaves the editor

export const code = () => area.value;

export const hintsSeen = () => document.querySelectorAll("#hints details[open]").length;

export function markLine(line, isError = false) {
  wrongLine = line;
  hasError = isError;
  paint();
}

const startOf = (line) => area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1);

export function goToLine(line) {
  const at = startOf(line);
  area.focus();
  area.setSelectionRange(at, at);
}

// Returns whether the line was still there.
export function replaceLine({ number, old, new: changed }) {
  if (area.value.split("\n")[number - 1] !== old) return false;
  area.focus({ preventScroll: true }); // the button goes
  replaceLines(startOf(number), old, changed);
  return true;
}

export function start(key, run) {
  exercise = key;
  const stored = loadCode(exercise);
  if (stored !== null) area.value = stored;
  area.readOnly = false;
  saved.textContent = stored === null ? "" : _("saved here");
  onOthersCode(exercise, showOthersCode);
  area.addEventListener("input", changed);
  area.addEventListener("scroll", follow);
  area.addEventListener("blur", () => { leaves = false; });
  area.addEventListener("keydown", (event) => onKey(event, run));
  area.addEventListener("beforeinput", onInput);
  startKeys();
  startOver.addEventListener("click", toggleStart);
  document.getElementById("download").addEventListener("click", onDownload);
  paint();
}

function changed() {
  saved.textContent = storeCode(exercise, area.value) ? _("saved here")
    : _("not saved: the browser stores nothing");
  showChanged();
}

function showChanged() {
  replaced = null;
  startOver.textContent = _("Start over");
  wrongLine = null;
  paint();
}

// Typing here would replace it.
function showOthersCode() {
  area.value = loadCode(exercise) ?? area.defaultValue;
  showChanged();
}

// The starter comes back, and the same button undoes that.
function toggleStart() {
  const before = replaced === null ? area.value : null;
  area.value = replaced ?? area.defaultValue;
  changed();
  if (before === null) return;
  storeCode(exercise, null);
  saved.textContent = _("the starter");
  replaced = before;
  startOver.textContent = _("Undo");
}

function onKey(event, run) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    run();
  } else if (event.key === "Escape") leaves = true;
  else if (event.key === "Tab" && !event.ctrlKey && !event.altKey && !event.metaKey) {
    if (leaves) return;
    event.preventDefault();
    indent(event.shiftKey);
  } else {
    if (event.key !== "Shift") leaves = false;
    if (event.key === "/" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      comment();
    }
  }
}

// On-screen keyboards name no keys, so these come as input.
function onInput(event) {
  if (!event.cancelable || event.isComposing) return;
  if (event.inputType === "insertLineBreak") newLine(event);
  else if (event.inputType === "deleteContentBackward") unindent(event);
  else if (event.inputType === "insertText" && PLAIN[event.data]) {
    event.preventDefault();
    insert(PLAIN[event.data]);
  }
}

// The row of keys above an on-screen keyboard
function startKeys() {
  const keys = document.getElementById("code-keys");
  keys.addEventListener("pointerdown", (event) => event.preventDefault()); // the keyboard stays
  keys.addEventListener("click", ({ target }) => {
    const { key, act } = target.closest("button")?.dataset ?? {};
    if (!key && !act) return;
    area.focus();
    if (key) insert(key);
    else if (act === "undo") document.execCommand("undo");
    else indent(act === "dedent");
  });
  const lift = () => {
    const { height, offsetTop } = visualViewport;
    keys.style.bottom = `${Math.max(0, document.documentElement.clientHeight - height - offsetTop)}px`;
  };
  for (const name of ["resize", "scroll"]) visualViewport?.addEventListener(name, lift);
}

// Insert text so that the browser's own undo knows it.
function insert(text) {
  if (!document.execCommand("insertText", false, text)) {
    area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input"));
  }
}

const lineStart = (at) => area.value.lastIndexOf("\n", at - 1) + 1;

function indent(isBack) {
  const { selectionStart: from, selectionEnd: to } = area;
  if (!isBack && !area.value.slice(from, to).includes("\n")) {
    insert(" ".repeat(INDENT.length - (from - lineStart(from)) % INDENT.length));
    return;
  }
  const first = lineStart(from);
  const text = area.value.slice(first, to);
  replaceLines(first, text, isBack ? text.replace(/^ {1,4}/gm, "") : text.replace(/^(?=.*\S)/gm, INDENT));
}

// The lines of the selection become comments, or code again if all are comments.
function comment() {
  const { selectionStart: from, selectionEnd: to } = area;
  const first = lineStart(from);
  const end = area.value.indexOf("\n", to);
  const text = area.value.slice(first, end < 0 ? area.value.length : end);
  const used = text.split("\n").filter((line) => line.trim());
  if (used.every((line) => /^ *#/.test(line))) replaceLines(first, text, text.replace(/^( *)# ?/gm, "$1"));
  else {
    const space = " ".repeat(Math.min(...used.map((line) => line.search(/\S/))));
    replaceLines(first, text, text.replace(new RegExp(`^${space}(?=.*\\S)`, "gm"), `${space}# `));
  }
}

// Replace whole lines. The caret keeps its place in the text, a selection becomes these lines.
function replaceLines(first, text, moved) {
  if (moved === text) return;
  const { selectionStart: from, selectionEnd: to } = area;
  area.setSelectionRange(first, first + text.length);
  insert(moved);
  const at = Math.max(first, from - (text.length - moved.length));
  if (from === to) area.setSelectionRange(at, at);
  else area.setSelectionRange(first, first + moved.length);
}

// A line without its strings and its comment
const withoutWords = (line) => line.replace(TOKENS, (...match) => {
  const { string, comment: note } = match.at(-1);
  return string ?? note ? "" : match[0];
});

function newLine(event) {
  const { selectionStart: at } = area;
  const before = area.value.slice(lineStart(at), at);
  const [space] = before.match(/^ */);
  const isBlock = /[:([{]\s*$/.test(withoutWords(before));
  const isLast = /^\s*(return|pass|break|continue|raise)\b/.test(before);
  event.preventDefault();
  insert(`\n${isBlock ? space + INDENT : isLast ? space.slice(INDENT.length) : space}`);
}

function unindent(event) {
  const { selectionStart: at, selectionEnd: to } = area;
  const before = area.value.slice(lineStart(at), at);
  if (at !== to || !/^ +$/.test(before) || before.length % INDENT.length !== 0) return;
  event.preventDefault();
  area.setSelectionRange(at - INDENT.length, at);
  document.execCommand("delete");
}

function paint() {
  const rows = area.value.split("\n");
  area.rows = Math.max(rows.length, 8) + 1;
  lines.replaceChildren(...rows.map((_, i) => make("span", i + 1 === wrongLine ? "wrong" : "", `${i + 1}\n`)));
  const text = document.createTextNode(`${area.value}\n`);
  painted.replaceChildren(text);
  colour(text);
  if (wrongLine !== null && wrongLine <= rows.length) {
    const mark = make("span", "wrong-line");
    mark.style.top = `calc(${wrongLine - 1} * var(--line-height) + var(--pad))`;
    painted.append(mark);
  }
  area.setAttribute("aria-invalid", String(wrongLine !== null && hasError));
  follow();
}

// Browsers without custom highlights show the text in one colour.
function colour(text) {
  if (!CSS.highlights) return;
  for (const kind of KINDS) CSS.highlights.delete(kind);
  for (const match of area.value.matchAll(TOKENS)) {
    const kind = KINDS.find((one) => match.groups[one] !== undefined);
    const range = new StaticRange({ startContainer: text, startOffset: match.index,
      endContainer: text, endOffset: match.index + match[0].length });
    if (!CSS.highlights.has(kind)) CSS.highlights.set(kind, new Highlight());
    CSS.highlights.get(kind).add(range);
  }
}

function follow() {
  painted.scrollLeft = area.scrollLeft;
}

// The link downloads the starter. With this script it downloads the code in the editor.
function onDownload(event) {
  event.preventDefault();
  download(fileOf(area.value), event.target.download);
}
