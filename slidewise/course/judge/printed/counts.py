"""Counts in printed text: their names as fields of a program, and their words in sentences."""

import re
from collections.abc import Iterator
from unicodedata import combining, normalize

COUNTS = {
    "length": (
        *("length", "cost", "cost_of_path", "path_cost", "path_length", "moves_made"),
        *("minimum_number_of_moves", "number_of_moves", "number_of_steps", "steps", "total_moves"),
        *("solution_length", "solution_depth", "solution_cost", "total_cost", "moves_count"),
    ),
    "expanded": (
        *("expanded", "nodes_expanded", "expanded_nodes", "complexity_in_time"),
        *("nodes_explored", "explored_nodes", "explored", "states_expanded", "states_explored"),
        "nodes_processed",
    ),
    "generated": ("generated", "nodes_generated", "generated_nodes", "created"),
    "peak_stored": (
        *("peak_stored", "reached", "visited", "stored", "nodes_reached", "nodes_visited"),
        *("states_visited", "complexity_in_size"),
    ),
    "peak_frontier": ("peak_frontier", "max_frontier", "max_fringe_size", "max_queue_size"),
    "deepest": ("deepest", "max_search_depth", "max_depth"),
}
"""Usual names of the checked counts in programs."""

NAMES = {name: key for key, names in COUNTS.items() for name in names}


def _words(text: str) -> re.Pattern[str]:
    """Compile a pattern for any of these words; `-` after a stem stands for any ending."""
    parts = [f"{word[:-1]}[a-z]*" if word.endswith("-") else word for word in text.split()]
    pattern = rf"\b(?:{'|'.join(parts)})\b"
    return re.compile(pattern)


_OTHER = _words(
    "time- zeit laufzeit tiempo tempo temps duration dauer sec- seg- seconds sekunden ms memory mem"
    " ram speicher memoria memoire threshold limit- bound iteration- iterac- iterat- far average"
    " mean branching factor heuristic- heurist- remaining left ratio percent per each bytes size"
    " inversion- puzzle seed board- rows columns manhattan hamming misplaced current-"
)
"""Words next to numbers that are not counts of a search."""

_MOST = _words("max- peak most grosst- hochst- plus mayor maior longest largest")
_WAITING = _words(
    "queue fringe frontier open cola fila frontera fronteira warteschlange file frontiere border"
    " heap stack"
)
_DEPTH = _words("depth deep profund- profond- tiefe suchtiefe losungstiefe level")
_TARGET = (
    "goal target solution sol solucion solucao losung ziel objetivo meta but losungstiefe answer"
)
_GOAL = _words(_TARGET)
_FOUND = _words(
    f"{_TARGET} found reached solved solving optimal- gefunden encontrad- trouve- resuelto"
    " resolvido gelost"
)
_NODES = _words(
    "node- state- position- nodo- estado- knoten zustand- no nos noeud- etat- configuration-"
)
_ONE_NODE = _words(
    "node state position nodo estado zustand no noeud etat board expanding exploring visiting"
    " processing generating expandiendo explorando visitando expandindo"
)
"""Words before the number, or the digits, of a single board."""
_EXPANDED = _words(
    "expan- explor- process- erkundet- entwickel- untersucht- developp- etend- procesad- erforscht-"
)
_GENERATED = _words(
    "generat- generad- gerad- genere- created cread- criad- cree- erzeugt- generier-"
)
_STORED = _words("visit- reached besucht- alcanz- atteint-")
_LENGTH = _words(
    "moves steps movimientos pasos zuge zugen schritte schritten movimentos passos jogadas coups"
    " mouvements etapes deplacements acciones acoes actions aktionen pas cost coste costo custo"
    " cout kosten pfadkosten length longitud comprimento lange losungslange pfadlange longueur"
)
_ONE_MOVE = _words("move step movimiento paso zug schritt movimento passo coup mouvement etape")
_NUMBER = re.compile(
    r"(?<![\w.,/-])(?<![0-9] )([0-9]{1,3}(?:[,'\u00a0\u202f.][0-9]{3}(?![0-9]))+|[0-9]{1,15})"
    r"(?:\.0{1,6})?"
    r"(?![\w%/-]|[.,][0-9]|\s?(?:m?s|secs?|seconds?|segundos?|sekunden|secondes?|[kmg]b)\b)",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"[,;|()\[\]:=0-9]|\.\s|\b(?:and|und|y|e|et|in|with|con|mit|avec|com|dans|en|after|while|using"
    r"|by|nach|tras|apres|apos|despues)\b|$"
)
"""The end of the words after a number."""

_STARTS = re.compile(
    r".{0,200}(?:[,;|()\[\]]|(?<!max)\.\s|\b(?:and|und|y|e|et|with|con|mit|avec|com)\b)", re.DOTALL
)
"""Text up to the clause that a number belongs to."""

_IS = re.compile(
    r"(?:[:=]|\b(?:is|was|of|are|were|ist|war|betragt|es|fue|era|son|foi|est|etait|sont|total))\s*$"
)
"""The end of a name before a number, such as the colon in `Moves: 14`."""


def plain_letters(text: str) -> str:
    """Return a text in lower case without accents.

    >>> plain_letters("Nós gerados, Nœuds, Züge")
    'nos gerados, noeuds, zuge'
    """
    text = text.lower().replace("_", " ")
    if text.isascii():
        return text
    text = text.replace("œ", "oe").replace("ß", "ss")
    return "".join(one for one in normalize("NFKD", text) if not combining(one))


def count_named(text: str) -> str | None:
    """Return the key of the count that words name in any of five languages, or None.

    >>> count_named("Número de nodos expandidos"), count_named("Longueur du chemin")
    ('expanded', 'length')
    """
    words = plain_letters(text)
    is_most, is_of_nodes = bool(_MOST.search(words)), bool(_NODES.search(words))
    if _OTHER.search(words) and not is_most:
        return None
    # The depth of the goal is the length of the path.
    if _DEPTH.search(words):
        return "length" if _FOUND.search(words) else "deepest" if is_most else None
    for key, verb in (("expanded", _EXPANDED), ("generated", _GENERATED)):
        if verb.search(words):
            return key
    if _WAITING.search(words):
        return "peak_frontier" if is_most else None
    if _LENGTH.search(words) and not is_of_nodes:
        return None if is_most else "length"
    is_reached = _STORED.search(words) and not _GOAL.search(words)
    return "peak_stored" if is_reached else None


def is_of_search(text: str) -> bool:
    """Return whether words name a fact of a search that is not checked, such as its time."""
    words = plain_letters(text)
    return any(one.search(words) for one in (_OTHER, _WAITING, _EXPANDED, _STORED, _GENERATED))


def counts_in(sentence: str) -> Iterator[tuple[str, int]]:
    """Yield the counts in a sentence, each with the words before or after its number.

    >>> list(counts_in("Solution found in 14 moves, expanded 76 nodes in 0.5 s"))
    [('length', 14), ('expanded', 76)]
    """
    text, end = plain_letters(sentence), 0
    for number in _NUMBER.finditer(text):
        before = _STARTS.sub("", text[end : number.start()])
        rest = text[number.end() :]
        ending = _ENDS.search(rest)
        after = _ONE_MOVE.sub("moves", rest[: ending.start() if ending else None])
        end, is_named = number.end(), bool(_IS.search(before))
        if not (before.strip() or after.strip()):  # a cell of a board
            continue
        if not is_named and not after.strip() and _ONE_NODE.search(before):
            continue
        # A count's name stands before its number (`Moves: 14`) or after it (`14 moves`).
        key = count_named(before)
        if key is None and not (is_named and _OTHER.search(before)):
            key = count_named(after)
            end += len(rest[: ending.start()]) if key and ending else 0
        if key is None and not is_named:
            key = count_named(f"{before} {after}")
        if key is not None:
            yield key, int(re.sub("[^0-9]", "", number[1]))


_ALGORITHMS = {
    name: key
    for key, names in {
        "bfs": "bfs breadthfirst breadthfirstsearch breitensuche",
        "dfs": "dfs depthfirst depthfirstsearch tiefensuche",
        "ucs": "ucs uniformcost uniformcostsearch dijkstra",
        "iddfs": "iddfs ids idfs iterativedeepening iterativedeepeningsearch",
        "greedy": "greedy gbfs greedybestfirst greedybestfirstsearch greedysearch",
        "astar": "a* astar a*search astarsearch",
        "wastar": "wa* wastar weighteda*",
        "idastar": "ida* idastar",
        "rbfs": "rbfs recursivebestfirst recursivebestfirstsearch",
        "bidirectional": "bidirectional bidirectionalsearch bds",
    }.items()
    for name in names.split()
}


def algorithm_named(text: str) -> str | None:
    """Return the key of the algorithm that a cell or the start of a line names, or None.

    >>> algorithm_named("Breadth-First Search"), algorithm_named("A* (Manhattan)")
    ('bfs', 'astar')
    """
    name = re.split(r"[(:,]|->|=>|\bwith\b", text[:60].lower())[0]
    return _ALGORITHMS.get(re.sub(r"[^a-z*]", "", name))
