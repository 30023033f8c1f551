"""Finds the functions of a program that may solve an exercise, and the ways to call them.

Names show which exercise a function claims to solve, and the roles of its parameters. The judge
then tries the ways, first with the forms of boards in the program's own literals.
"""

import re
from collections.abc import Iterator
from itertools import product
from typing import Final, NamedTuple

from slidewise.course.judge.exercise import Exercise, exercises
from slidewise.course.programs.boards import ATTRIBUTES, FLAT, FORMS, Cells, Form, goal_of, shape_of
from slidewise.course.programs.calls import SCRIPT, TYPED, Loaded, Roles, Signature, Way


def any_case(pattern: str) -> re.Pattern[str]:
    """Compile an expression for letters of either case."""
    return re.compile(pattern, re.IGNORECASE)


_CLAIMS: Final = {
    "iddfs": r"iddfs|\bids\b|^ids|itera.*(?:deep|depth|prof)|prof.*itera|idfs|"
    r"iterative_?deep|iterativ.*tief|aprofundamento|approfondissement",
    "idastar": r"\bida\b|^ida|ida_?star|ida\*",
    "astar": r"a_?star|a_?stern|a\*|^a_search|a_?estrella|a_?estrela|asterisco",
    "rbfs": r"rbfs|recursive_?best|rekursive_?best|recursiva_?(?:melhor|mejor|primero_el_mejor)",
    "greedy": r"greedy|gbfs|gierig|bestensuche|voraz|gulosa|^best_?first|codicios|avara",
    "ucs": r"\bucs\b|^ucs|uniform|dijkstra|costo_uniforme|custo_uniforme",
    "bfs": r"bfs|breadth|breiten|largura|anchura|amplitud|(?<!un)breite",
    "dfs": r"dfs|dls|depth_?(?:first|limit)|profund|tiefen",
    "linear_conflict": r"linear_?conf|conflict",
    "manhattan": r"manhat",
    "misplaced": r"misplaced|hamming|out_of_place|fuera|fora_do|colocad|wrong_tiles",
    "is_solvable": r"solv(?:e)?able|l(?:ö|oe)sbar|solu[bvc]\w*el|soluble|solucionable"
    r"|resolv(?:ible|ivel)|can_(?:be_)?solve|geloest_werden|(?:tem|tiene|has|hat)_?(?:solu|sol|loes)",
    "neighbors": r"neighbo|suc+es+or|^succs?$|vizinh|vecin|nachbar|^get_moves|^expand|"
    r"possible_moves|legal_moves|get_children|sucesor|nachfolger|voisin|successeur|hijos|filhos|"
    r"next_states|generate_states|make_moves|possible_boards|naechste",
    "find_zero": r"(?:find|locate|get|index|pos|where|buscar|encontrar|achar|localizar|cherche).*"
    r"(?:zero|blank|empty|vaci|vazi|cero|leer|null|vide|hueco|luecke|gap|hole|buraco)"
    r"|(?:blank|zero|empty|hole|gap)_?pos|leeres_?feld|donde_esta",
    "path": r"(?:reconstruct|rebuild|trace|build|get|extract|recover).*path|camin(?:o|ho)",
    "pattern_table": r"pattern",
}
CLAIMS: Final = {key: any_case(names) for key, names in _CLAIMS.items()}
"""Function names of the exercises, in several languages; the first match counts."""

VALUES: Final = (
    *("find_zero", "neighbors", "is_solvable", "misplaced", "manhattan", "linear_conflict"),
)
"""The exercises about functions of a board that return values."""

MAX_NAME: Final = 100
"""Maximum characters of a name that are matched, to limit the time."""

OTHER_SEARCHES: Final = any_case(
    r"hill|anneal|bidirect|beam|genetic|random|climb|best_?first|weighted|subida|bergsteig|descent"
    r"|kletter|escalada|colina|ascent|abstieg"
)
NO_OTHER: Final = any_case("recursive|greedy(?!_?(?:des|as)cent)|gbfs")
_ROLES: Final = (
    ("goal", r"goal|target|^end|final|dest|ziel|meta|objetivo|^fin$|objective|lakshya"),
    ("h", r"^h$|heur|estimate|h_?func|^hf$|distance_f"),
    ("limit", r"limit|depth|bound|tiefe|max|prof|cutoff|thresh|grenze|tope|^had$|gehrai|^[ld]$"),
    (
        "visited",
        r"visited|explored|closed|^path$|seen|besucht|trail|moves$|visitad|chemin|camin|pfad|^weg$|rasta",
    ),
    ("size", r"^n$|size|width|^w$|cols|rows|dimen|^k$|groesse|tamanho|taman"),
    ("none", r"parent|action|operator|^prev|previous|^move$|padre|pai$"),
    ("zero", r"cost|^g$|level|^f$|^nivel"),
)
ROLES: Final = tuple((role, any_case(names)) for role, names in _ROLES)
"""Names of parameters by role; the first match counts."""

OPTIONAL: Final = any_case(rf"{_ROLES[0][1]}|size|width|cols|rows|dimen")
OPTIONAL_LIMIT: Final = any_case(rf"{_ROLES[0][1]}|limit|bound|max|cutoff|grenze|tope|^had$")
"""Names of parameters with a default that are given all the same; limits only for `dfs`."""

BOARD: Final = any_case(
    r"board|brd|state|puzzle|grid|matri|tablero|estado|tabuleiro|brett|zustand|^node$|nodo|knoten|takhta"
)
"""Names of parameters that are certainly boards."""

START: Final = any_case(r"^start|initial|inici|^source$|^src$|anfang|depart|root|^s$")
"""Names of parameters that are boards in programs without classes."""

RARE: Final = [
    *(form for form in FORMS if form.blank in (-1, None, "")),
    *(Form(kind, "0") for kind in ("list of strings", "lists of strings")),
]
"""Forms that are tried only for programs without literal boards."""

MOST_WAYS: Final = 400
GOALS: Final[tuple[Cells, ...]] = (
    goal_of((3, 3)),
    (0, 1, 2, 3, 4, 5, 6, 7, 8),
    (1, 2, 3, 8, 0, 4, 7, 6, 5),
    (1, 2, 3, 4, 0, 5, 6, 7, 8),
)
"""Usual goals of nine cells: the blank last, first, in a ring of tiles, in the middle."""


class KnownForm(NamedTuple):
    """Function, kind of boards and goal of a program, as far as the user names them."""

    function: str = ""
    kind: str = ""
    goal: Cells = ()


def claim(name: str) -> str | None:
    """Return the exercise that a function's name claims to solve, or None.

    >>> claim("solve_bfs"), claim("busqueda_anchura"), claim("AStar"), claim("main")
    ('bfs', 'bfs', 'astar', None)
    """
    name = name[:MAX_NAME]
    if OTHER_SEARCHES.search(name) and not NO_OTHER.search(name):
        return None
    # The patterns expect `snake_case`.
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    found = (key for key, names in CLAIMS.items() if names.search(name))
    return next(found, None)


def goals_of(loaded: Loaded, exercise: Exercise, cells: int) -> list[Cells]:
    """Return the goals to try: the program's named goals, the usual goals, its other boards.

    For `is_solvable` other goals need a literal board, because either answer is right for some
    goal.
    """
    own = [one for one in loaded.boards if len(one.board) == cells]
    standard = goal_of(shape_of(cells))
    if exercise.key == "is_solvable" and not own:
        return [standard]
    usual = GOALS if cells == 9 else (standard, tuple(range(cells)))
    named = named_goals(loaded, cells)
    return list(dict.fromkeys([*named, *usual, *(one.board for one in own)]))[:9]


def named_goals(loaded: Loaded, cells: int, *scopes: str) -> list[Cells]:
    """Return the goals in a program's global variables, functions and classes named `scopes`."""
    own = [one for one in loaded.boards if len(one.board) == cells and one.scope in ("", *scopes)]
    return [one.board for one in own if ROLES[0][1].search(one.name)]


def _is_only_goal(loaded: Loaded, goal: Cells, *scopes: str) -> bool:
    """Return whether a goal is named in a function's scope, or is the only goal of a program."""
    return goal in named_goals(loaded, len(goal), *scopes) or only_goal(loaded, len(goal)) == goal


def only_goal(loaded: Loaded, cells: int) -> Cells:
    """Return the only named goal of a program, () for none or several."""
    boards = [one for one in loaded.boards if len(one.board) == cells]
    found = {one.board for one in boards if ROLES[0][1].search(one.name)}
    return found.pop() if len(found) == 1 else ()


def forms_of(loaded: Loaded) -> list[Form]:
    """Return the forms of boards to try: the forms in the program, then the usual forms.

    A program with literal boards shows its blank, so rare blanks are not tried for it.
    """
    own = [one.form for one in loaded.boards]
    own.sort(key=own.count, reverse=True)
    usual = [form for form in FORMS if "array" not in form.kind or loaded.numpy]
    # A text may be read into another form.
    if any(form.kind != "string" for form in own):
        usual = [form for form in usual if form not in RARE]
    return list(dict.fromkeys([*own, *usual]))


def own_way(exercise: Exercise, function: str) -> Way:
    """Return the way of the task: its parameters in order, boards as tuples."""
    return Way(function, tuple(("", one) for one in exercise.parameters))


def roles_of(
    signature: Signature, exercise: Exercise, optional: re.Pattern[str] | None = None
) -> list[Roles]:
    """Return possible roles of a function's parameters, the likeliest first.

    Included are the required parameters, and parameters with a default that match `optional`.
    """
    names = [*signature.required]
    if optional:
        names += [name for name in signature.optional if optional.search(name)]
    roles: dict[str, str] = {}
    boards, unknown = 0, False
    start = next(filter(START.search, names), "")
    for name in names:
        role = next((role for role, words in ROLES if words.search(name)), None)
        if name in ("tiles", "came_from") and name in exercise.parameters:
            role = name
        if role is None and start and not boards and name != start:
            role = "unknown"  # such as a graph, before a name that is certainly the start
        if role is None:
            # Unknown names are boards first: the start, then the goal.
            role = ("start", "goal", "unknown")[min(boards, 2)]
            unknown = unknown or role == "unknown"
        # After a goal that comes first, an unknown name is still the start.
        boards += role == "start" or (role == "goal" and boards > 0)
        roles[name] = role
    # By position, like the task's parameters, in case the names mislead.
    found = [roles]
    if len(names) == len(exercise.parameters):
        usual = ["start" if one == "board" else one for one in exercise.parameters]
        usual = ["limit" if one == "depth" else one for one in usual]
        found.insert(0 if unknown else 1, dict(zip(names, usual, strict=True)))
    if names and "start" not in roles.values():
        found.insert(0, {**roles, names[0]: "start"})
    # The first name may only look like a goal.
    if len(names) == 2 and list(roles.values()) == ["goal", "start"]:
        found.append({names[0]: "start", names[1]: "goal"})
    if "goal" in roles.values() and {"none", "unknown"} & {*roles.values()}:
        sizes = {"none": "size", "unknown": "size"}
        found.append({name: sizes.get(role, role) for name, role in roles.items()})
    return list(dict.fromkeys(tuple(one.items()) for one in found))


def ways_of(loaded: Loaded, exercise: Exercise, function: Signature, known: KnownForm) -> list[Way]:
    """Return the ways to call a function, the likeliest first."""
    found = dict.fromkeys(_ways(loaded, exercise, function))
    return [way for way in found if known.kind in ("", way.form.kind)][:MOST_WAYS]


def _ways(loaded: Loaded, exercise: Exercise, function: Signature) -> Iterator[Way]:
    if not function.required and not function.owner:
        yield from _without_arguments(loaded, function)
    forms = forms_of(loaded)
    if function.name == SCRIPT:
        return
    if function.owner:
        yield from _methods(loaded, exercise, function, forms)
        return
    for roles, form in product(_all_roles(function, exercise), forms):
        for sets in _globals(loaded, exercise, function, roles):
            # A goal in another form than the boards may be a mistake, so its form stays.
            named = {one.name: one.form for one in loaded.boards if one.name and not one.scope}
            own = tuple(named.get(name) if role == "goal" else None for name, role in sets)
            yield Way(function.name, roles, form, sets=sets, set_forms=own)
    # Objects of each class come last, with fewer forms, because they multiply the ways.
    for node, form in product(loaded.classes, forms[:6]):
        node_roles = _node_roles(node)
        for roles in _all_roles(function, exercise)[:2]:
            if "start" in dict(roles).values() and node_roles:
                way = Way(function.name, roles, form, node=node.name, node_roles=node_roles)
                yield way
                if any(role == "goal" for _, role in roles):
                    target = {name: "target" if role == "goal" else role for name, role in roles}
                    yield way._replace(roles=tuple(target.items()))


def _without_arguments(loaded: Loaded, function: Signature) -> Iterator[Way]:
    """Yield the ways to call a function without arguments, or a script.

    Its boards are assigned to its variables, or typed.
    """
    goal = ROLES[0][1]
    own = [one for one in loaded.boards if one.scope == function.name]
    goals = tuple((one.name, "goal") for one in own if goal.search(one.name))
    for one in own:
        if not goal.search(one.name):
            for sets in ((one.name, "start"), *goals), ((one.name, "start"),):
                yield Way(function.name, (), one.form, sets=sets)
    blanks = [one.form for one in loaded.boards if isinstance(one.form.blank, str)]
    for typed in TYPED if loaded.typed and not _unset(loaded, function) else ():
        for form in dict.fromkeys([FLAT, *blanks[:1]]):
            yield Way(function.name, (), form, typed=typed)


def _all_roles(function: Signature, exercise: Exercise) -> list[Roles]:
    found = roles_of(function, exercise)
    if function.optional:
        found = [*roles_of(function, exercise, OPTIONAL), *found]
        if exercise.key == "dfs":
            found += roles_of(function, exercise, OPTIONAL_LIMIT)
    return list(dict.fromkeys(found))


def _globals(loaded: Loaded, exercise: Exercise, function: Signature, roles: Roles) -> list[Roles]:
    """Return the global variables to set for the boards that are not parameters of a function.

    It may read the goal at each call, or only when it is loaded, so both are tried.
    """
    goal = ROLES[0][1]
    names = [one.name for one in loaded.boards if one.name and not one.scope]
    taken = dict(roles).values()
    goals = [name for name in names if goal.search(name)]
    starts: Roles = ()
    if "start" not in taken:
        read = [name for name in names if name in function.reads]
        unset = _unset(loaded, function) if not taken else []
        used = [*read, *unset] or names
        starts = tuple((name, "start") for name in used if name not in goals)[:1]
        if not starts:
            return []
    if "goal" in taken or not goals or "goal" not in exercise.parameters:
        return [starts]
    return [(*starts, *((name, "goal") for name in goals)), starts]


def with_trail(way: Way) -> Way | None:
    """Return a way with the start in the list of visited boards, None without this list."""
    roles = tuple((name, "trail" if role == "visited" else role) for name, role in way.roles)
    return way._replace(roles=roles) if roles != way.roles else None


def _unset(loaded: Loaded, function: Signature) -> list[str]:
    """Return the global variables that a function reads and that have no value after loading."""
    names = {one.name for one in loaded.boards}
    return [name for name in dict.fromkeys(function.reads) if name not in names]


def _node_roles(node: Signature) -> Roles:
    """Return the roles of the constructor's parameters of a class of nodes."""
    names = list(node.required)
    if not names:
        return ()
    found = [next((role for role, words in ROLES if words.search(name)), "") for name in names]
    roles = dict(zip(names, found, strict=True))
    unknown = [name for name, role in roles.items() if not role] or names
    # A name of a board, otherwise the first, before numbers of nodes and the like.
    roles[next((name for name in unknown if name in ATTRIBUTES), unknown[0])] = "start"
    roles = {name: role or "none" for name, role in roles.items()}
    return tuple(roles.items())


def _methods(
    loaded: Loaded, exercise: Exercise, function: Signature, forms: list[Form]
) -> Iterator[Way]:
    owner = next(one for one in loaded.classes if one.name == function.owner)
    made: list[Roles] = [()]
    if not function.static:
        made = [*_all_roles(owner, exercise)[:3]] or [()]
    for constructed, roles in product(made, roles_of(function, exercise)[:2]):
        # The start goes to the constructor or to the method.
        if "start" not in {**dict(roles), **{f"{n}.": r for n, r in constructed}}.values():
            continue
        for form in forms[:8]:
            yield Way(function.name, roles, form, owner=owner.name, made=constructed)
        if "start" in dict(roles).values():
            for node, form in product(loaded.classes, forms[:3]):
                if node.name != owner.name and (node_roles := _node_roles(node)):
                    yield Way(
                        function.name, roles, form, owner.name, constructed, node.name, node_roles
                    )


def candidates(loaded: Loaded, exercise: Exercise) -> list[Signature]:
    """Return the functions whose names, or whose classes' names, claim an exercise."""
    named = [
        one
        for one in loaded.functions
        if one.name in (exercise.key, *exercise.names) or claim(one.name) == exercise.key
    ]
    named.sort(key=lambda one: (one.name != exercise.key, one.name not in exercise.names))
    owned = [
        one
        for one in loaded.functions
        if one.owner and claim(one.owner) == exercise.key and claim(one.name) is None
    ]
    return [*named, *owned]


def find_functions(names: list[str]) -> dict[str, list[str]]:
    """Return for each exercise, in order, the functions that may solve it.

    For a method with a neutral name, the name of its class counts.

    >>> find_functions(["AStar.solve", "heuristic", "main"])
    {'misplaced': ['heuristic'], 'manhattan': ['heuristic'], 'astar': ['AStar.solve']}
    """
    found: dict[str, list[str]] = {key: [] for key in exercises()}
    known = {name for name in names if name in found}
    for full in names:
        owner, _, name = full.rpartition(".")
        keys = [name] if name in found else []
        keys = keys or [key for key, one in exercises().items() if name in one.names]
        other = claim(name) or claim(owner)
        keys = keys or ([other] if other else [])
        for key in keys:
            if name == key or key not in known:
                found[key].append(full)
    return {key: functions for key, functions in found.items() if functions}


def is_weak(function: str, exercise: Exercise) -> bool:
    """Return whether a name is too vague for an exercise, for example `h`."""
    owner, _, name = function.rpartition(".")
    strong = name == exercise.key or exercise.key in (claim(name), claim(owner))
    return not strong


def is_certain(way: Way, loaded: Loaded, exercise: Exercise, goal: Cells) -> bool:
    """Return whether names and boards of a program leave no doubt about how it is called."""
    forms = {one.form for one in loaded.boards} or {way.form}
    names = way.function, way.owner
    found = [one for one in loaded.functions if (one.name, one.owner) == names]
    first = next((name for one in found for name in (*one.required, *one.optional)), "")
    reads = {name for one in found for name in _unset(loaded, one)} & {name for name, _ in way.sets}
    searched = "goal" in exercise.parameters and "goal" not in way.taken
    if exercise.key == "is_solvable" and not loaded.boards:
        searched = False  # only the usual goal is tried
    return (
        not is_weak(way.name, exercise)
        and (bool(way.owner or reads) or _is_board(first, found, loaded))
        and (way.form in forms or bool(way.node))
        and (not searched or _is_only_goal(loaded, goal, way.function, way.owner))
    )


def _is_board(name: str, found: list[Signature], loaded: Loaded) -> bool:
    """Return whether the first parameter is certainly a board, not an object of a node class."""
    alone = all(len(one.required) == 1 for one in found) or bool(START.search(name))
    return bool(BOARD.search(name) or (not loaded.classes and alone))


def guesses(way: Way, exercise: Exercise) -> bool:
    """Return whether a way guesses an argument: an unknown name, or a limit unknown to the task."""
    limited = bool({"limit", "depth"} & {*exercise.parameters})
    return "unknown" in way.taken or ("limit" in way.taken and not limited)


def is_own(way: Way, exercise: Exercise) -> bool:
    """Return whether a way calls the task's own function with its own arguments and boards."""
    return (
        way.form == FLAT
        and not (way.owner or way.node or way.sets)
        and (way.function == exercise.function and len(way.roles) == len(exercise.parameters))
    )
