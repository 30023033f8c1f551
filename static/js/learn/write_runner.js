// Runs programs in workers, each in one of its own. `main` has the URLs of the worker's files.
const SECONDS = 20; // time limit of a run
const { dataset } = document.querySelector("main");
let files; // a promise of the worker's files
let next; // a promise of a worker that is ready

async function fetchBytes(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} for ${url}`);
  return response.arrayBuffer();
}

async function fetchFiles() {
  const names = ["machine", "library", "sources"];
  const bytes = await Promise.all(names.map((name) => fetchBytes(dataset[name])));
  return Object.fromEntries(names.map((name, i) => [name, bytes[i]]));
}

// A worker runs one program, so the next one starts without traces of it.
async function startWorker() {
  files ??= fetchFiles();
  const worker = new Worker(dataset.worker, { type: "module" });
  worker.postMessage({ files: await files });
  return new Promise((resolve, reject) => {
    worker.onerror = ({ message }) => reject(new Error(message || "Python could not be loaded"));
    worker.onmessage = async ({ data }) => {
      if (data.machine instanceof WebAssembly.Module) files = Promise.resolve({ ...await files, machine: data.machine });
      if (data.ready) resolve(worker);
      if (data.ended) reject(new Error(data.ended));
    };
  });
}

// A worker that is ready. The error if Python cannot be loaded, which the next call tries again.
export function prepare() {
  next ??= startWorker();
  next.catch(() => {
    next = undefined;
    files = undefined;
  });
  return next;
}

// Returns { report, seconds }, or { why } without a report. `stopped` is a promise of that, from the caller.
export async function runTask(task, { stopped, onStart, onPrint, onCase }) {
  const worker = await Promise.race([prepare(), stopped]);
  if (!(worker instanceof Worker)) return worker;
  next = undefined;
  onStart?.();
  const result = await Promise.race([stopped, finished(worker, task, onPrint, onCase)]);
  worker.terminate();
  return result;
}

// Messages are data that a program may forge.
function finished(worker, task, onPrint, onCase) {
  const started = performance.now();
  return new Promise((resolve) => {
    let place = "";
    const timer = setTimeout(() => resolve({ why: `Stopped after ${SECONDS} seconds${place}. A loop may have no end.` }),
      SECONDS * 1000);
    const over = (result) => {
      clearTimeout(timer);
      resolve({ ...result, seconds: (performance.now() - started) / 1000 });
    };
    worker.onerror = ({ message }) => over({ why: `Python ended. ${message ?? ""}` });
    worker.onmessage = ({ data }) => {
      if (data.printed !== undefined) onPrint?.(String(data.printed), data.full);
      else if (data.case) {
        place = `, in call ${Number(data.case)} of ${Number(data.of)}`;
        onCase?.(data);
      } else if (data.report) over({ report: JSON.parse(data.report) });
      else if (data.ended) over({ why: `Python ended. ${String(data.ended).split("\n").at(-1)}` });
    };
    worker.postMessage({ task });
  });
}
