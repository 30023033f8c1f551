"""Recognition of searches with uninformative names, by nearby words and by their order."""

import ast
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Final, NamedTuple

from slidewise.course.judge.answers import printed_boards
from slidewise.course.judge.find import CLAIMS, VALUES, any_case, claim
from slidewise.course.judge.order import (
    A_STAR,
    BREADTH_FIRST,
    DEPTH_FIRST,
    ITERATIVE,
    MOST,
    begins_again,
    follows_paths,
    goes_deep,
    order_of,
    rounds_of,
)
from slidewise.course.judge.symptoms import RIGHT, follows
from slidewise.course.judge.tried import Tried
from slidewise.course.programs.boards import Cells, manhattan, misplaced
from slidewise.course.programs.calls import SCRIPT, Literal

_PROFUNDITY: Final = r"profundi(?:dad|dade)|profondeur"
WORDS: Final = {
    key: any_case(pattern)
    for key, pattern in {
        "iddfs": r"iddfs|\bids\b|iterativ\w*[ -]*(?:deepening|\w*tief|depth|dfs|"
        rf"(?:em |en )?(?:{_PROFUNDITY}))|(?:{_PROFUNDITY}|aprofundamento|approfondissement)"
        r" (?:de )?iterati\w+",
        "idastar": r"\bida ?(?:\*|star)|\bida\b",
        "rbfs": r"\brbfs\b|recursiv\w*[ -]best[ -]first",
        "astar": r"\ba ?\*|\ba[ -]?star\b|\bastar|\ba[ -]stern\b|\ba[ -]estrel+a\b|\ba etoile\b",
        "greedy": r"greedy|\bgbfs\b|gierig|bestensuche|voraz|gulosa|codicios|avara|glouton|"
        r"best[ -]first",
        "ucs": r"\bucs\b|uniform[ -]cost|dijkstra|cost[oe] uniforme|cout uniforme|"
        r"uniforme kostensuche",
        "bfs": r"bfs\b|\bbfs|breadth[ -]first|breitensuche|"
        r"(?:busca|busqueda|recorrido|parcours|recherche|primero)\w*(?: en| em| por)? "
        r"(?:anchura|amplitud\w*|largura|largeur)",
        "dfs": r"dfs\b|\bdfs|\bdls\b|depth[ -]first|depth[ -]limited|tiefensuche|"
        r"(?:busca|busqueda|recorrido|parcours|recherche|primero)\w*(?: en| em| por)? "
        rf"(?:{_PROFUNDITY})",
    }.items()
}
"""Names of searches in several languages, without accents. Each match is removed from the text, so
that "IDA*" does not also count as A*."""

ESTIMATES: Final = {
    "manhattan": any_case(r"manhattan|city.?block|taxicab"),
    "misplaced": any_case(r"misplaced|out of place|hamming|fuera de lugar|fora do lugar"),
    "linear_conflict": any_case(r"conflict|conflito|konflikt"),
}
OWN_TEXTS: Final = 4
"""Texts about a function that may name its estimate: its name, docstring and comments."""

INCOMPLETE: Final = any_case(
    r"hill|anneal|beam|genetic|climb|tabu|subida|montee|bergsteig|descent|escalada|colina"
)
"""Names of searches that may find nothing although there is a path."""

_COMMENT: Final = re.compile(r"#.*")
PARITY: Final = any_case(
    r"invers|solv(?:e?able|ivel|ible)|parit|impossible|l(?:ö|oe)sbar|solub|soluble"
)
"""Words of programs that test whether a board is solvable."""

RANDOM: Final = frozenset({"random", "shuffle", "randint", "randrange", "choice", "sample"})
"""Names in functions that generate random boards."""

FEWEST_ORDERS: Final = 2
FEWEST_ROUNDS: Final = 2
"""Minimum calls that show an order, and complete rounds of a deepening search."""


def searches_in(text: str) -> frozenset[str]:
    """Return the searches that a text names.

    >>> sorted(searches_in("Búsqueda en anchura, unlike IDA* or A*"))
    ['astar', 'bfs', 'idastar']
    """
    # NFD splits an accent off its letter, so that it can be removed.
    decomposed = unicodedata.normalize("NFD", text)
    text = "".join(one for one in decomposed if not unicodedata.combining(one)).replace("_", " ")
    found = set()
    for key, words in WORDS.items():
        text, number = words.subn(" ", text)
        if number:
            found.add(key)
    return frozenset(found)


class _Function(NamedTuple):
    """A function of a file: its class, if it is a method, and the names that it uses."""

    node: ast.FunctionDef | ast.Module
    owner: ast.ClassDef | None
    names: frozenset[str]


@lru_cache(maxsize=8)
def _parsed(code: str) -> ast.Module:
    """Return the tree of a program, an empty tree if it cannot be parsed."""
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


@lru_cache(maxsize=8)
def _functions(code: str) -> dict[str, _Function]:
    """Return the functions and methods of a file by their full names."""
    found: dict[str, _Function] = {}
    body = _parsed(code).body
    for node in body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = _Function(node, None, _names(node))
        elif isinstance(node, ast.ClassDef):
            for one in node.body:
                if isinstance(one, ast.FunctionDef):
                    found[f"{node.name}.{one.name}"] = _Function(one, node, _names(one))
    rest = [one for one in body if not isinstance(one, (ast.FunctionDef, ast.ClassDef))]
    script = ast.Module(rest, [])
    found[SCRIPT] = _Function(script, None, _names(script))
    return found


def _names(node: ast.AST) -> frozenset[str]:
    return frozenset(
        one.id if isinstance(one, ast.Name) else one.attr
        for one in ast.walk(node)
        if isinstance(one, (ast.Name, ast.Attribute))
    )


def searching(code: str) -> dict[str, frozenset[str]]:
    """Return the functions that may search, each with the functions that it calls.

    They have a `while` loop or recursion, or call a function that does, and use no random numbers.

    >>> code = "def go(s):\\n    while s: s = f(s)\\ndef f(s): return s\\ndef main(s): go(s)"
    >>> {name: sorted(called) for name, called in searching(code).items()}
    {'go': ['f'], 'main': ['f', 'go']}
    """
    functions = _functions(code)
    calls = {name: _called(one, functions) for name, one in functions.items()}
    # The transitive closure: after n rounds it contains all chains of calls.
    for _ in functions:
        calls = {
            name: called.union(*(calls[one] for one in called)) for name, called in calls.items()
        }
    loops = {name for name, one in functions.items() if _loops(one.node)}
    return {
        name: called - {name}
        for name, called in calls.items()
        if loops & {name, *called} and not functions[name].names & RANDOM
    }


def callers(code: str, function: str) -> list[str]:
    """Return the functions of a file that call the search `function`, direct callers first.

    >>> callers("def go(s):\\n    while s: s = f(s)\\ndef main(s): go(s)", "go")
    ['main']
    """
    functions = _functions(code)
    found = [name for name, called in searching(code).items() if function in called - {name}]
    last = function.rpartition(".")[2]
    found.sort(key=lambda name: last not in functions[name].names)
    return [name for name in found if name != SCRIPT]


def _called(one: _Function, functions: dict[str, _Function]) -> frozenset[str]:
    return frozenset(name for name in functions if name.rpartition(".")[2] in one.names)


def _loops(node: ast.AST) -> bool:
    """Return whether a function has a `while` loop or recursion, also in inner functions."""
    return any(
        isinstance(one, ast.While) or (isinstance(one, ast.FunctionDef) and _calls_itself(one))
        for one in ast.walk(node)
    )


def _calls_itself(node: ast.FunctionDef) -> bool:
    calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
    return node.name in {getattr(one, "id", getattr(one, "attr", "")) for one in calls}


def named_searches(code: str, function: str, file: str = "") -> frozenset[str]:
    """Return the searches that are named in the nearest text to a function, possibly none.

    >>> code = "# A* by hand\\ndef solve(s):\\n    '''Breadth-first search.'''"
    >>> sorted(named_searches(code, "solve")), sorted(named_searches(code, "other", "dfs.py"))
    (['bfs'], ['dfs'])
    """
    return next(
        (found for text in _texts(code, function, file) if (found := searches_in(text))),
        frozenset(),
    )


def named_values(code: str) -> dict[str, str]:
    """Return the exercises about values that the texts of functions without a usual name name.

    >>> named_values("def dist(s):\\n    'Sum of Manhattan distances.'\\ndef main(): ...")
    {'dist': 'manhattan'}
    """
    found = {}
    for name in _functions(code):
        texts = islice(_texts(code, name), OWN_TEXTS) if name != SCRIPT else ()
        words = "\n".join(texts).replace(" ", "_")
        keys = (key for key in reversed(VALUES) if CLAIMS[key].search(words))
        if not claim(name.rpartition(".")[2]) and (key := next(keys, "")):
            found[name] = key
    return found


def search_of_parts(code: str, function: str) -> frozenset[str]:
    """Return the search that is named by the functions which a function calls.

    A function that calls a depth-first search in a loop is iterative deepening.

    >>> code = "def go(s):\\n    for n in range(9):\\n        if dls(s, n): return n"
    >>> sorted(search_of_parts(f"{code}\\ndef dls(s, n): return dls(s, n - 1)", "go"))
    ['iddfs']
    """
    functions = _functions(code)
    one = functions.get(function)
    parts = _called(one, functions) - {function} if one else frozenset()
    claims = {part: key for part in parts if (key := claim(part)) in WORDS}
    found = set(claims.values())
    if not one or found != {"dfs"}:
        return frozenset(found) if len(found) == 1 else frozenset()
    names = {part.rpartition(".")[2] for part in claims}
    loops = (node for node in ast.walk(one.node) if isinstance(node, (ast.For, ast.While)))
    return frozenset({"iddfs"} if any(names & _names(loop) for loop in loops) else found)


def names_estimate(code: str, function: str, exercise: str) -> bool:
    """Return whether the texts of a function name this estimate, and no other.

    >>> code = "def heuristic(s):\\n    'Sum of Manhattan distances.'"
    >>> names_estimate(code, "heuristic", "manhattan")
    True
    """
    texts = list(islice(_texts(code, function), OWN_TEXTS))
    found = {key for key, words in ESTIMATES.items() if any(map(words.search, texts))}
    return found == {exercise}


def _texts(code: str, function: str, file: str = "") -> Iterator[str]:
    """Yield the texts about a function, the nearest first: its name, its docstring, and so on."""
    lines = code.splitlines()
    yield function.rpartition(".")[2]
    one = _functions(code).get(function)
    if one and isinstance(one.node, ast.FunctionDef):
        yield ast.get_docstring(one.node) or ""
        first = one.node.lineno - 1
        above = first
        while above > 0 and lines[above - 1].strip().startswith("#"):
            above -= 1
        yield "\n".join(lines[above:first])
        yield _spoken("\n".join(lines[first : one.node.end_lineno]))
        if one.owner:
            yield f"{one.owner.name} {ast.get_docstring(one.owner) or ''}"
    yield file.rpartition("/")[2]
    head = re.split(r"(?m)^(?:def|class|import|from)\b", code, maxsplit=1)[0]
    yield head
    yield _spoken(code)


def _spoken(code: str) -> str:
    """Return the comments and strings of a program."""
    found = _COMMENT.findall(code)
    try:
        tree = ast.parse(_unindented(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "\n".join(found)
    texts = (one.value for one in ast.walk(tree) if isinstance(one, ast.Constant))
    return "\n".join([*found, *(one for one in texts if isinstance(one, str))])


def _unindented(code: str) -> str:
    return f"if 1:\n{code}" if code[:1].isspace() else code


def shown_search(tried: Sequence[Tried], *, informed: bool) -> str:
    """Return the exercise that the expansions of several calls show, "" for none.

    `informed` is true for a program with an estimate.
    """
    calls = [one for one in tried if one.outcome.witness]
    orders = [order for one in calls if (order := order_of(one.start, one.goal, one.expanded))]
    shown = set(orders)
    if len(orders) < FEWEST_ORDERS:
        return ""
    if shown == {BREADTH_FIRST}:
        return "bfs"
    if ITERATIVE in shown and all(_is_deepening(one, informed=informed) for one in calls):
        return "idastar" if informed else "iddfs"
    # The exact priority is a stronger sign than the shape of the order.
    for key, right in RIGHT.items() if informed and ITERATIVE not in shown else ():
        if any(all(follows(one, h, right) for one in calls) for h in (manhattan, misplaced)):
            return key
    if shown <= {DEPTH_FIRST, ITERATIVE} and all(goes_deep(one.expanded[:MOST]) for one in calls):
        return "dfs"
    return "astar" if A_STAR in shown <= {A_STAR, DEPTH_FIRST} else ""


def _is_deepening(one: Tried, *, informed: bool) -> bool:
    """Return whether a search starts again, each time with more boards along paths.

    With an estimate the first limit may be enough. A search that returns to the previous board
    expands the start within its rounds too.
    """
    if not informed and begins_again(one.start, one.expanded):
        return follows_paths(one.expanded)
    rounds = rounds_of(one.expanded)
    sizes = [len(one) for one in rounds[:-1]]
    grows = informed or (len(sizes) >= FEWEST_ROUNDS and sizes == sorted(sizes))
    return grows and all(map(follows_paths, rounds))


def measures_rows(code: str, function: str) -> bool:
    """Return whether a function measures rows and columns apart, or names the width of 6 cells.

    >>> measures_rows("def f(board):\\n    rows, cols = len(board), len(board[0])", "f")
    True
    """
    text = "\n".join(ast.unparse(part.node) for part in _parts(code, function))
    columns = re.findall(r"len\((\w+)\[0\]\)", text)
    return bool(re.search(r"\b6: ?3\b", code)) or any(f"len({one})" in text for one in columns)


def computes_width(code: str, function: str) -> bool:
    """Return whether a function, or a function that it calls, takes the root of a length.

    A function that decides by an even or odd width is for several sizes too.

    >>> computes_width("def f(board):\\n    width = int(len(board) ** 0.5)", "f")
    True
    """
    nodes = [part.node for part in _parts(code, function)]
    text = "\n".join(map(ast.unparse, nodes))
    widths = re.findall(r"(?m)\b(\w+) = (?:\{.{0,200}\}\[)?len\(\w+\)\]?$", text)
    decides = any(f"{one} % 2" in text for one in widths)
    return decides or any(_is_root_of_length(one) for node in nodes for one in ast.walk(node))


def _parts(code: str, function: str) -> list[_Function]:
    """Return a function and the functions that it calls."""
    functions = _functions(code)
    one = functions.get(function)
    return [one, *(functions[name] for name in _called(one, functions))] if one else []


def _is_root_of_length(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        half = isinstance(node.right, ast.Constant) and node.right.value == 0.5
        return half and "len" in _names(node.left)
    if isinstance(node, ast.Call) and {"sqrt", "isqrt"} & _names(node.func):
        return any("len" in _names(one) for one in node.args)
    return False


def goal_in_comments(code: str) -> Cells:
    """Return the first board of 9 cells after the word goal in the comments of a program, or ().

    >>> goal_in_comments("# 1 2 3 4 5 6 8 7 0 cannot reach the\\n# goal 1 2 3 / 8 0 4 / 7 6 5")
    (1, 2, 3, 8, 0, 4, 7, 6, 5)
    """
    comments = "\n".join(_COMMENT.findall(code))
    goal = re.search(r"(?i)\b(?:goal|target|ziel|meta|objetivo)", comments)
    return next(printed_boards(comments[goal.end() :], 9), ()) if goal else ()


def is_of_16_cells(code: str, boards: Sequence[Literal] = ()) -> bool:
    """Return whether a program is only for 16 cells, by its boards, otherwise by its numbers.

    >>> is_of_16_cells("goal = [*range(1, 16), 0]")
    True
    >>> is_of_16_cells("goal = [*range(1, 9), 0]")
    False
    """
    if boards:
        return {len(one.board) for one in boards} == {16}
    numbers = _numbers(code)
    return bool({15, 16} & numbers) and not {6, 8, 9} & numbers


def may_be_of_16_cells(code: str) -> bool:
    """Return whether the numbers of a program can be the width or the cells of a 4x4 board."""
    return bool({4, 15, 16} & _numbers(code))


def _numbers(code: str) -> set[Any]:
    return {one.value for one in ast.walk(_parsed(code)) if isinstance(one, ast.Constant)}


def column_first(code: str, function: str) -> bool:
    """Return whether the texts of a function name the column before the row, or (x, y).

    >>> column_first(
    ...     "def find_zero(b):\\n    'Returns x, the column, and y, the row.'", "find_zero"
    ... )
    True
    """
    texts = "\n".join(islice(_texts(code, function), 1, OWN_TEXTS)).lower()
    column = re.search(r"\bcol|\bspalte", texts)
    row = re.search(r"\brow\b|zeile|linha|fila", texts)
    in_order = column and row and column.start() < row.start()
    return bool(in_order) or "(x, y)" in texts


def has_other_blank(code: str) -> bool:
    """Return whether a program looks for its blank as another number than 0, such as 8.

    >>> has_other_blank("blank = board.index(8)"), has_other_blank("blank = board.index(0)")
    (True, False)
    """
    sought = set(re.findall(r"\.index\((\d+)\)", code))
    return bool(sought) and "0" not in sought and not re.search(r"[=!]= ?['\"]?[0_]", code)


def uses_result(code: str, function: str) -> bool:
    """Return whether a program uses the result of a function outside the function.

    >>> uses_result("def go(s): ...\\npath = go(1)", "go"), uses_result("go(1)", "go")
    (True, False)
    """
    todo: list[ast.AST] = [_parsed(code)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Call) and function in _names(node.func):
            return True
        # The result of a call that is a statement is lost; its arguments may contain other calls.
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            node = node.value
        if not isinstance(node, ast.FunctionDef) or node.name != function:
            todo += ast.iter_child_nodes(node)
    return False


def binds(code: str, name: str) -> bool:
    """Return whether a program defines a name anywhere, or may import it.

    >>> binds("if __name__ == '__main__': goal = 1", "goal"), binds("print(goal)", "goal")
    (True, False)
    """
    for node in ast.walk(_parsed(code)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == name:
            return True
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            return True
        if isinstance(node, ast.alias) and (node.asname or node.name) in (name, "*"):
            return True
    return False


def is_incomplete(code: str, function: str) -> bool:
    """Return whether the texts of a function name a search that may find nothing.

    >>> is_incomplete("def hill_climbing(s): pass", "hill_climbing")
    True
    """
    one = _functions(code).get(function)
    words = ast.get_docstring(one.node) if one and one.node.body else ""
    return bool(INCOMPLETE.search(f"{function} {words}"))
