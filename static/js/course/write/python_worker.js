// The worker of a student's program or of the judge, depending on the posted files. The server puts
// Pyodide's two modules before this one. The policy loads nothing: the page posts all files as
// bytes. Before a program runs, all globals go except the language's and the few that Python needs.
/* global createPyodideModule, loadPyodide */
const MAX_MEMORY = 512 * 2 ** 20; // bytes
const PAGE = 2 ** 16; // bytes of WebAssembly memory
const MAX_PRINTED = 20_000; // characters
const FOLDER = "/library";
const LOCK_FILE = {
  info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2" },
  packages: {},
};
const KEPT = new Set(`Object Function Array Number Boolean String Symbol BigInt Math JSON Date RegExp Promise Proxy
Reflect Map Set WeakMap WeakSet WeakRef FinalizationRegistry Iterator Intl Error AggregateError EvalError RangeError
ReferenceError SyntaxError TypeError URIError SuppressedError DOMException ArrayBuffer DataView Int8Array Uint8Array
Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array Float16Array Float32Array
Float64Array Infinity NaN undefined parseFloat parseInt isFinite isNaN decodeURI decodeURIComponent encodeURI
encodeURIComponent escape unescape globalThis self console performance crypto setTimeout clearTimeout queueMicrotask
TextDecoder TextEncoder WebAssembly MessageChannel Event`.split(/\s+/));

(() => {
  const post = self.postMessage.bind(self);
  let python;
  let printed = 0;

  self.addEventListener("messageerror", () => post({ ended: "unreadable message" }));
  self.addEventListener("message", async ({ data: { files, ask } }) => {
    try {
      if (files) await prepare(files);
      else post({ answer: python.answer(ask, (line) => post({ line })) });
    } catch (error) {
      post({ ended: String(error?.message ?? error).trim().slice(-600) });
    }
  });

  async function prepare({ machine: given, library, sources, main, snapshot, makeSnapshot }) {
    capMemory();
    const machine = given instanceof WebAssembly.Module ? given : await WebAssembly.compile(given);
    if (machine !== given) post({ machine }); // the page passes it to the next worker
    WebAssembly.instantiateStreaming = async (_, imports) =>
      ({ instance: await WebAssembly.instantiate(machine, imports), module: machine });
    self.fetch = async () => new Response(library);
    const machinery = await loadPyodide({
      createPyodideModule,
      indexURL: "https://python.invalid/",
      lockFileContents: LOCK_FILE,
      stdout: print,
      stderr: print,
      stdin: () => undefined,
      _loadSnapshot: snapshot,
      _makeSnapshot: makeSnapshot,
    });
    for (const [name, text] of Object.entries(JSON.parse(new TextDecoder().decode(sources)))) {
      machinery.FS.mkdirTree(`${FOLDER}/${name}`.replace(/\/[^/]*$/, ""));
      machinery.FS.writeFile(`${FOLDER}/${name}`, text);
    }
    machinery.runPython(snapshot ? "import random; random.seed(); sys.path_importer_cache.clear()" // of the snapshot
      : `import sys; sys.path.append("${FOLDER}")`);
    python = machinery.runPython(`import ${main}; ${main}`);
    if (makeSnapshot) post({ snapshot: machinery.makeMemorySnapshot() });
    for (const name of ["debug", "error", "info", "log", "trace", "warn"]) console[name] = () => {};
    removeGlobals();
    python.prepare?.(FOLDER);
    post({ ready: true });
  }

  // An allocation that fails is a MemoryError in Python
  function capMemory() {
    const { grow } = WebAssembly.Memory.prototype;
    WebAssembly.Memory.prototype.grow = function (pages) {
      if (this.buffer.byteLength + pages * PAGE > MAX_MEMORY) throw new RangeError("too much memory");
      return grow.call(this, pages);
    };
  }

  function removeGlobals() {
    for (let owner = self; owner && owner !== Object.prototype; owner = Object.getPrototypeOf(owner))
      for (const name of Reflect.ownKeys(owner)) if (!KEPT.has(name)) remove(owner, name);
  }

  function remove(owner, name) {
    if (Reflect.deleteProperty(owner, name)) return;
    const { configurable, writable } = Reflect.getOwnPropertyDescriptor(owner, name);
    if (configurable || writable) Reflect.defineProperty(owner, name, { value: undefined, writable: false });
  }

  function print(text) {
    if (printed >= MAX_PRINTED) return;
    printed += text.length + 1;
    post({ printed: text.slice(0, MAX_PRINTED), full: printed >= MAX_PRINTED });
  }
})();
