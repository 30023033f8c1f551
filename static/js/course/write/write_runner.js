// Runs programs, each in its own worker, and judges their results in another worker, where no
// program runs. `main` has the URLs of the workers' files.
import { _ } from "../../language.js";

const SECONDS = 20; // time limit of a program
const JUDGE_SECONDS = 60; // of the judge, for results that are made to keep it busy
const MAX_RESULTS = 4_000_000; // characters for a request
const TOO_LONG = `stopped after ${SECONDS} seconds`;
const TOO_MUCH = "stopped: it returns too much";
const LOST = "ended: ";
const MAINS = { judge: "in_browser", program: "slidewise.course.programs.child" };
const { dataset } = document.querySelector("main");
let files; // a promise of the workers' files, with the machine that the first worker compiles and its snapshot
let next; // a promise of a worker that is ready for a program
let judge; // a promise of the judge's worker

async function fetchBytes(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} for ${url}`);
  return response.arrayBuffer();
}

async function fetchFiles() {
  const names = ["machine", "library", ...Object.keys(MAINS)];
  const bytes = await Promise.all(names.map((name) => fetchBytes(dataset[name])));
  return Object.fromEntries(names.map((name, i) => [name, bytes[i]]));
}

// The first worker compiles the machine. In Firefox the page cannot receive it, as its policy does
// not allow `wasm-unsafe-eval`: there each worker compiles the machine. The first worker's
// snapshot, Python's memory after the start, spares later workers a third of their CPU time. It is
// not stored for other pages, as unpacking 31 MB costs that third.
function startWorker(kind) {
  const worker = new Worker(dataset.worker, { type: "module" });
  const given = files ?? fetchFiles();
  let isReady = false;
  let share;
  files ??= new Promise((resolve) => { share = async (machine) => resolve({ ...await given, ...machine }); });
  return new Promise((resolve, reject) => {
    const fail = (reason) => {
      worker.terminate();
      reject(new Error(reason || _("The worker gave no reason.")));
    };
    worker.onerror = ({ message }) => fail(message);
    worker.addEventListener("messageerror", () => (isReady ? worker.onerror({}) : share?.()));
    worker.onmessage = ({ data: { machine, snapshot, ready, ended } }) => {
      if (machine) share?.({ machine });
      if (snapshot) files = files.then((all) => ({ ...all, snapshot }));
      if (ready) resolve(worker);
      isReady ||= ready;
      if (ended) fail(ended);
    };
    given.then(({ machine, library, snapshot, [kind]: sources }) => worker.postMessage({
      files: { machine, library, sources, main: MAINS[kind], snapshot, makeSnapshot: kind === "program" && !snapshot },
    }), ({ message }) => fail(message));
  });
}

// A worker that is ready for a program; the judge's starts after it. If Python cannot be loaded,
// the error, and the next call tries again.
export function prepare() {
  next ??= startWorker("program");
  next.then(() => { prepareJudge(); }, () => { files = next = judge = undefined; });
  return next;
}

function prepareJudge() {
  judge ??= startWorker("judge");
  judge.catch(() => { judge = undefined; });
  return judge;
}

function endJudge() {
  judge?.then((worker) => worker.terminate(), () => {});
  judge = undefined;
}

// Returns { report, why, seconds, findLine }. `why` is the reason for a program that ended too early; it has
// no report if `stopped`, a promise of the reason from the caller, comes first. `findLine` is null or a
// function that finds a line to try; it ends at a second promise.
export async function runTask(task, { stopped, onStart, onPrint, onCase }) {
  const ready = await Promise.race([Promise.all([prepare(), prepareJudge()]), stopped]);
  if (!Array.isArray(ready)) return ready;
  const [worker, judging] = ready;
  next = undefined; // a worker runs a single program, so the next starts without its traces
  onStart?.();
  const program = new Program(worker, { onPrint, onCase });
  const cut = stopped.then((reason) => {
    worker.terminate();
    return { ...reason, cut: true };
  });
  const result = await Promise.race([cut, judged(judging, task, program)]);
  const goesOn = result.report?.passed === false && !program.why;
  if (!goesOn) worker.terminate();
  if (result.cut || result.lost) endJudge(); // it may be at work
  const findLine = goesOn ? (end) => lineToTry(judging, program, end) : null;
  return { ...result, why: result.why ?? (program.why || undefined), seconds: program.milliseconds / 1000, findLine };
}

// The judge requests calls until it has a report.
async function judged(worker, task, program) {
  let step = await askJudge(worker, { task });
  while (step.request) step = await askJudge(worker, await program.answer(step));
  return step.unreadable ? { report: step } : step;
}

// A changed line with which all checks pass; null if none is found, or if `end` comes first
async function lineToTry(judge, program, end) {
  program.onPrint = program.onCase = null;
  let isEnded = false;
  const ended = end.then(() => { isEnded = true; });
  let step = await askJudge(judge, { line: true });
  while (step.request && !isEnded) {
    const reply = await Promise.race([program.answer(step), ended]);
    if (reply) step = await askJudge(judge, reply);
  }
  program.worker.terminate();
  if (step.lost) endJudge();
  return step.line ?? null;
}

/** Ask the judge about a class, while no program runs. Resolves to its answer, or { why } if there is none. */
export async function askAboutClass(question) {
  try {
    await prepare();
    const answer = await askJudge(await prepareJudge(), question);
    if (answer.lost) endJudge();
    return answer;
  } catch (error) {
    return { why: _("Python could not be loaded. %(reason)s", { reason: error.message.split("\n").at(-1) }) };
  }
}

function askJudge(worker, question) {
  return new Promise((resolve) => {
    const fail = () => resolve({ why: _("The results could not be judged."), lost: true });
    const timer = setTimeout(fail, JUDGE_SECONDS * 1000);
    worker.onerror = fail;
    worker.onmessage = ({ data: { answer, ended } }) => {
      clearTimeout(timer);
      if (ended === undefined) resolve(JSON.parse(answer));
      else fail();
    };
    worker.postMessage({ ask: JSON.stringify(question) });
  });
}

// The judge gets the reasons in English.
function whyWords(ended, call, calls) {
  if (ended.startsWith(LOST)) return _("Python ended. %(reason)s", { reason: ended.slice(LOST.length) });
  if (ended === TOO_MUCH) {
    return calls < 2 ? _("Stopped: it returns too much. A loop may have no end.")
      : _("Stopped: it returns too much.");
  }
  return calls < 2 ? _("Stopped after %(seconds)s seconds. A loop may have no end.", { seconds: SECONDS })
    : _("Stopped after %(seconds)s seconds, in call %(call)s of %(calls)s. A loop may have no end.",
      { seconds: SECONDS, call, calls });
}

// Reason that a call has no result, for a note of the judge, in the language of the page
export function endedWords(ended) {
  if (ended === TOO_MUCH) return _("stopped: it returns too much");
  if (ended === TOO_LONG) return _("stopped after %(seconds)s seconds", { seconds: SECONDS });
  return ended;
}

// The worker of a program. Its messages are data that a program may forge: only the judge reads them.
class Program {
  milliseconds = 0;
  why = ""; // why it ended, "" while it runs

  constructor(worker, { onPrint, onCase }) {
    this.worker = worker;
    this.onPrint = onPrint;
    this.onCase = onCase;
  }

  // The results of a request, as far as they come, and why some are missing
  async answer({ request, calls }) {
    const started = performance.now();
    const lines = [];
    let size = 0;
    const ended = this.why || await new Promise((resolve) => {
      const timer = setTimeout(() => resolve(TOO_LONG), SECONDS * 1000 - this.milliseconds);
      const end = (reason) => {
        clearTimeout(timer);
        resolve(reason);
      };
      this.worker.onerror = ({ message }) => end(`${LOST}${message ?? ""}`);
      this.worker.onmessage = ({ data: { printed, full, line, answer, ended: reason } }) => {
        if (printed !== undefined) this.onPrint?.(String(printed), full);
        else if (line !== undefined) {
          lines.push(String(line));
          size += lines.at(-1).length;
          if (size > MAX_RESULTS) end(TOO_MUCH);
          this.onCase?.({ case: lines.length, of: calls });
        } else if (reason !== undefined) end(`${LOST}${String(reason).split("\n").at(-1)}`);
        else if (answer !== undefined) end("");
      };
      this.worker.postMessage({ ask: request });
    });
    this.milliseconds += performance.now() - started;
    if (ended) {
      this.worker.terminate();
      this.why ||= whyWords(ended, lines.length + 1, calls);
    }
    return { lines, ended };
  }
}
