"""Pyodide's files for `static/vendor/pyodide`, written by `python -m tests.pyodide_files`.

The program downloads the npm package, compiles the standard library with Pyodide itself and
compresses all files with brotli. It needs npm and Node.js, and runs only for a new version of
Pyodide.
"""

import hashlib
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

import brotli

VERSION = "314.0.7"
FOLDER = Path(__file__).parents[1] / "static" / "vendor" / "pyodide"

UNCHANGED = "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"
STDLIB = "python_stdlib.zip"

LEFT_OUT = {
    *("_pyrepl", "_pyio", "_pydatetime", "_phello__", "__phello__", "__hello__", "antigravity"),
    *("bdb", "cProfile", "cmd", "code", "compileall", "configparser", "ctypes", "curses"),
    *("dbm", "doctest", "email", "ensurepip", "ftplib", "getpass", "html", "http", "idlelib"),
    *("imaplib", "mailbox", "mimetypes", "modulefinder", "multiprocessing", "netrc"),
    *("nturl2path", "optparse", "pdb", "pickletools", "plistlib", "poplib", "profile", "pstats"),
    *("pty", "py_compile", "pyclbr", "pydoc", "pydoc_data", "rlcompleter", "shelve", "smtplib"),
    *("socketserver", "sqlite3", "ssl", "_ssl", "tabnanny", "tarfile", "this", "tkinter", "trace"),
    *("tty", "turtle", "turtledemo", "unittest", "uuid", "venv", "wave", "webbrowser", "wsgiref"),
    *("xml", "xmlrpc", "zipapp", "zoneinfo", "colorsys", "fileinput", "filecmp", "getopt"),
    *("gettext", "hmac", "secrets", "sched", "symtable", "tracemalloc", "smtpd"),
    *("_sysconfigdata__emscripten_wasm32-emscripten", "gzip"),
    *("_markupbase", "_aix_support", "_osx_support", "lib2to3", "stringprep"),
}
"""Modules that no search needs: networks, databases, other programs' file formats, debuggers."""

PARTS = {
    "encodings": {
        *("__init__", "aliases", "ascii", "cp437", "latin_1", "raw_unicode_escape"),
        *("unicode_escape", "utf_8", "utf_8_sig"),
    },
    "urllib": {"__init__", "parse"},
}
"""Packages of which only some modules are needed."""

COMPILE = """
import { loadPyodide } from "./pyodide.mjs";
import { readFileSync, writeFileSync } from "node:fs";
const python = await loadPyodide();
python.FS.writeFile("/in.zip", readFileSync("python_stdlib.zip"));
python.FS.writeFile("/names.txt", readFileSync("names.txt"));
python.runPython(`
import importlib.util, marshal, zipfile
names = open("/names.txt").read().split()
flags = (0b01).to_bytes(4, "little")  # hash-based and never compared with a source
with zipfile.ZipFile("/in.zip") as old, zipfile.ZipFile("/out.zip", "w", zipfile.ZIP_STORED) as new:
    for name in names:
        data = old.read(name)
        if name.endswith(".py"):
            code = marshal.dumps(compile(data, name, "exec", dont_inherit=True, optimize=2))
            data = importlib.util.MAGIC_NUMBER + flags + importlib.util.source_hash(data) + code
            name += "c"
        new.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data)
`);
writeFileSync("trimmed.zip", python.FS.readFile("/out.zip"));
"""


def main() -> None:
    """Download, compile, compress, and print the rows of the table of hashes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(["npm", "pack", f"pyodide@{VERSION}"], cwd=folder, check=True)
        with tarfile.open(folder / f"pyodide-{VERSION}.tgz") as package:
            package.extractall(folder, filter="data")
        package_folder = folder / "package"
        _compile_stdlib(package_folder)
        for file in UNCHANGED:
            _write(file, (package_folder / file).read_bytes())
        _write(STDLIB, (package_folder / "trimmed.zip").read_bytes())


def _compile_stdlib(folder: Path) -> None:
    with zipfile.ZipFile(folder / STDLIB) as library:
        names = sorted(name for name in library.namelist() if _is_needed(name))
    (folder / "names.txt").write_text("\n".join(names))
    (folder / "compile.mjs").write_text(COMPILE)
    subprocess.run(["node", "compile.mjs"], cwd=folder, check=True)


def _is_needed(name: str) -> bool:
    first, _, rest = name.partition("/")
    if first in PARTS:
        return rest.removesuffix(".py") in PARTS[first]
    return first.removesuffix(".py") not in LEFT_OUT and not name.endswith("/")


def _write(name: str, data: bytes) -> None:
    path = FOLDER / f"{name}.br"
    path.write_bytes(brotli.compress(data, quality=11, lgwin=24))
    digest = hashlib.sha256(data).hexdigest()
    print(f"| `{name}` | {len(data):,} | {path.stat().st_size:,} | `{digest}` |")


if __name__ == "__main__":
    sys.exit(main())
