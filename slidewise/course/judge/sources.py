"""Reads Python from files: programs, notebooks, and texts that contain code."""

import ast
import json
import re
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from slidewise.course.programs.calls import Failure
from slidewise.puzzle import PuzzleError
from slidewise.text import message

MAX_BYTES = 5_000_000
MAX_LINES = 400
"""Maximum lines of a cell in a text, because its end is found by parsing line by line."""

_FENCE = re.compile(r"^([ \t]*)```[^\n]*\n(.*?)^[ \t]*```", re.MULTILINE | re.DOTALL)
_PROMPT = re.compile(r"^In \[[ \d]*\]:[ \t]*\n?", re.MULTILINE)
_MAGIC = re.compile(
    r"(?P<indent>[ \t]*)(?:[%!?]|[\w.]+\?{1,2}[ \t]*$|(?P<target>[\w.][\w., \t]*=[ \t]*)[%!])"
    r"(?:\\\n|[^\n])*",
    re.MULTILINE,
)
"""IPython syntax at the start of a statement: a magic, shell command or help, or an assignment of
its result."""

_TOKEN = re.compile(
    r"\"{3}(?:\\.|[^\\])*?\"{3}|'{3}(?:\\.|[^\\])*?'{3}|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|#[^\n]*|\\\n|[^\"'#\\\n()\[\]{}]+|.",
    re.DOTALL,
)
"""A string, a comment, a line continuation, or other text."""

_DEFINED = re.compile(r"^\s*def (\w+)", re.MULTILINE)
_SUSPICIOUS = re.compile(
    r"\b(slidewise|inspect|gc|ctypes|_getframe|f_back|modules|atexit|"
    r"__(?:builtins|globals|subclasses|closure|code)__)\b"
)
_COMMENT = re.compile("#.*")
_PARSING = threading.Lock()
"""Lock for parsing: Python 3.11 counts the depth of all threads' trees together
(python/cpython#106905)."""


class UnreadableFileError(PuzzleError):
    """A file contains no readable Python."""


class CodeBlock(NamedTuple):
    """Code of a cell or file, and its place, such as `cell 3`; "" for a whole file."""

    place: str
    code: str


class Source(NamedTuple):
    """The Python of a file.

    `lines` has the place and line number of each line of `code`. `broken` has the error of each
    function in unreadable code. `functions` are the names of the functions, and of the methods with
    their classes.
    """

    code: str
    lines: list[tuple[str, int]]
    broken: dict[str, Failure]
    functions: list[str]

    @property
    def unread_functions(self) -> list[str]:
        """The functions in unreadable code, if no other code has a function."""
        return [] if self.functions else list(self.broken)

    def place_of(self, line: int | None) -> str:
        """Return the place of a line in words, such as `cell 3, line 2`."""
        if line is None or not 1 <= line <= len(self.lines):
            return ""
        place, number = self.lines[line - 1]
        if place:
            return message("%(place)s, line %(number)s", place=place, number=number)
        return message("line %(number)s", number=number)


def read_source(path: Path) -> Source:
    """Read a file. Raises `UnreadableFileError` and `OSError`."""
    return parse_source(path.read_bytes(), path.suffix)


def parse_source(data: bytes, suffix: str) -> Source:
    """Read the content of a file whose name ends with `suffix`. Raises `UnreadableFileError`."""
    if len(data) > MAX_BYTES:
        raise UnreadableFileError(message("the file has more than %(most)s bytes", most=MAX_BYTES))
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise UnreadableFileError(message("the file is not UTF-8 text")) from None
    return join_blocks(list(_blocks(text, suffix)))


def _blocks(text: str, suffix: str) -> Iterator[CodeBlock]:
    if suffix == ".py":
        yield CodeBlock("", text)
    elif suffix == ".ipynb" or text.lstrip().startswith("{"):
        yield from _notebook(text)
    elif _PROMPT.search(text):
        yield from _printed(text)
    elif _FENCE.search(text):
        for number, match in enumerate(_FENCE.finditer(text), 1):
            yield CodeBlock(message("block %(number)s", number=number), textwrap.dedent(match[2]))
    else:
        yield CodeBlock("", text)


def _notebook(text: str) -> Iterator[CodeBlock]:
    try:
        cells = json.loads(text)["cells"]
        for number, cell in enumerate(cells, 1):
            if cell["cell_type"] == "code":
                source = cell["source"]
                code = source if isinstance(source, str) else "".join(source)
                if not code.lstrip().startswith("%%"):
                    yield CodeBlock(message("cell %(number)s", number=number), without_magics(code))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UnreadableFileError(message("the file is no notebook")) from None


def without_magics(code: str) -> str:
    """Return a notebook's code with `pass` for each statement in IPython's syntax.

    >>> without_magics("%matplotlib inline\\nx = (7\\n  % 2)")
    'pass\\nx = (7\\n  % 2)'
    """
    parts: list[str] = []
    at = depth = 0
    while at < len(code):
        # Within brackets a line can begin with `%`, the operator.
        starts = not depth and (not parts or parts[-1] == "\n")
        if starts and (magic := _MAGIC.match(code, at)):
            target = magic["target"]
            parts.append(magic["indent"] + (f"{target}None" if target else "pass"))
            parts += ["\n"] * magic[0].count("\n")  # the lines keep their numbers
            at = magic.end()
            continue
        token = _TOKEN.match(code, at)
        assert token
        depth = max(0, depth + (token[0] in "([{") - (token[0] in ")]}"))
        parts.append(token[0])
        at = token.end()
    return "".join(parts)


def _printed(text: str) -> Iterator[CodeBlock]:
    """Yield the cells of a notebook that was saved as text, each up to the first prose."""
    for number, part in enumerate(_PROMPT.split(text)[1:], 1):
        lines = part.split("\n")[:MAX_LINES]
        while lines and not _parses("\n".join(lines)):
            lines.pop()
        yield CodeBlock(message("cell %(number)s", number=number), "\n".join(lines))


def _parses(code: str) -> bool:
    return isinstance(parsed_code(code), ast.Module)


def parsed_code(code: str) -> ast.Module | Failure:
    """Return the syntax tree of code, or its error."""
    try:
        with _PARSING:
            return ast.parse(code)
    except SyntaxError as error:
        return Failure(type(error).__name__, error.msg, error.lineno)
    except (ValueError, RecursionError, MemoryError) as error:
        return Failure(type(error).__name__, str(error), None)


def error_text(error: Failure) -> str:
    """Return an error in words, with its line if it is known.

    >>> error_text(Failure("IndexError", "list index out of range", 3))
    'IndexError in line 3: list index out of range'
    """
    if error.line is None:
        return message("%(error)s: %(text)s", error=error.type, text=error.message)
    values = {"error": error.type, "line": error.line, "text": error.message}
    return message("%(error)s in line %(line)s: %(text)s", **values)


def join_blocks(blocks: list[CodeBlock]) -> Source:
    """Join the readable blocks into a single program.

    Raises `UnreadableFileError` if the only block is unreadable.
    """
    parts: list[str] = []
    lines: list[tuple[str, int]] = []
    broken: dict[str, Failure] = {}
    functions: list[str] = []
    for block in blocks:
        tree = parsed_code(block.code)
        if not isinstance(tree, ast.Module):
            broken |= dict.fromkeys(_DEFINED.findall(block.code), _in_block(tree, block))
            if len(blocks) == 1 and not broken:
                raise UnreadableFileError(error_text(tree))
            continue
        functions += _functions(tree)
        code = block.code.split("\n")
        parts += code
        lines += [(block.place, number) for number in range(1, len(code) + 1)]
    # A later cell may define the function again, correctly.
    for name in functions:
        broken.pop(name, None)
    return Source("\n".join(parts), lines, broken, functions)


def _in_block(error: Failure, block: CodeBlock) -> Failure:
    """Return an error with the place of its block in place of a line of the file."""
    if not block.place:
        return error
    place = message("%(place)s, line %(number)s", place=block.place, number=error.line or 1)
    text = message("%(text)s (%(place)s)", text=error.message, place=place)
    return Failure(error.type, text, None)


def _functions(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.ClassDef):
            methods = (one for one in node.body if isinstance(one, ast.FunctionDef))
            yield from (f"{node.name}.{one.name}" for one in methods if one.name[:2] != "__")


_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+\.?(\w+)|import[ \t]+(\w+))", re.MULTILINE)


def imported_modules(path: Path) -> set[str]:
    """Return the first names of the modules that a file imports."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return set()
    return {one or other for one, other in _IMPORT.findall(text[:MAX_BYTES])}


def uses_library(code: str) -> bool:
    """Return whether a program imports Slidewise, which has the searches ready.

    >>> uses_library("from slidewise import solve"), uses_library("import heapq")
    (True, False)
    """
    return any("slidewise" in names for names in _IMPORT.findall(code))


def suspicious_words(code: str) -> list[str]:
    """Return the words in a program that can be used to inspect or change the judge, each once.

    >>> suspicious_words("import gc\\ngc.collect()  # inspect")
    ['gc']
    """
    return list(dict.fromkeys(_SUSPICIOUS.findall(_COMMENT.sub("", code))))
