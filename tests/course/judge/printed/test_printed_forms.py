"""Printed output of programs in other languages and forms, made from solved puzzles."""

import contextlib
import json

import pytest

from slidewise import UnreadableWorkError, check, parse_puzzle, search, solve
from slidewise.course.judge.printed import read_given
from slidewise.course.judge.printed.counts import counts_in
from slidewise.solver.events import Expanded
from tests.boards import SIX_MOVES, TWO_MOVES
from tests.each import each, some

PUZZLE = parse_puzzle(SIX_MOVES)
RESULT = solve(PUZZLE, "bfs")
MOVES = RESULT.moves
BOARDS = [PUZZLE.start, *(step.board for step in RESULT.steps())]
UNSOLVABLE = parse_puzzle("2.1.3-4.5.6-7.8.0")
LONG = parse_puzzle("8.1.3-4.0.2-7.6.5")

WORDS = {
    "en": "up down left right",
    "de": "oben unten links rechts",
    "es": "arriba abajo izquierda derecha",
    "pt": "cima baixo esquerda direita",
    "fr": "haut bas gauche droite",
}
STEPS = {
    "en": "Step {n}: move tile {way}",
    "de": "Schritt {n}: Stein nach {way}",
    "es": "Paso {n}: mover la ficha hacia {way}",
    "pt": "Passo {n}: mover para {way}",
    "fr": "Étape {n} : déplacer la case vers {way}",
}
NAMES = {"en": "Path", "de": "Lösungsweg", "es": "Camino", "pt": "Caminho", "fr": "Chemin"}
SENTENCES = {
    "en": "Solution found in {length} moves, expanded {expanded} nodes and generated {generated}",
    "de": "Lösung gefunden: {length} Züge, {expanded} Knoten expandiert, {generated} erzeugt",
    "es": "Solución en {length} movimientos, nodos expandidos: {expanded}, generados: {generated}",
    "pt": "Solução em {length} passos; nós expandidos = {expanded}; nós gerados = {generated}",
    "fr": "Solution en {length} coups, {expanded} nœuds développés, {generated} nœuds générés",
}
COUNTS = {"length": RESULT.length, "expanded": RESULT.expanded, "generated": RESULT.generated}


def ways(language, moves=MOVES):
    words = dict(zip("UDLR", WORDS[language].split(), strict=True))
    return [words[move] for move in moves]


def expansions(algorithm, puzzle=LONG, convention="slidewise"):
    events = search(puzzle, algorithm, "manhattan", trace=10_000, convention=convention)
    return [event for event in events if isinstance(event, Expanded)]


def rows(board, blank="0"):
    return "\n".join(" ".join(str(tile) if tile else blank for tile in row) for row in board.grid)


def row_of(boards, mark, line):
    return mark.join(" ".join(map(str, board.grid[line])) for board in boards)


@each("language", list(WORDS))
def test_moves_after_a_name_or_a_step_are_the_path(language):
    steps = [STEPS[language].format(n=n, way=way) for n, way in enumerate(ways(language), 1)]
    for text in "\n".join(steps), f"{NAMES[language]}: {', '.join(ways(language))}":
        given = read_given(text, PUZZLE)
        assert (given.moves, given.rows, given.skipped) == (MOVES, (), ())
    of_the_blank = " ".join(ways(language, "DR"))
    assert read_given(of_the_blank, parse_puzzle(TWO_MOVES)).moves == "UL"


@each("language", list(WORDS))
def test_counts_of_a_sentence_are_read_in_each_language(language):
    given = read_given(SENTENCES[language].format(**COUNTS), PUZZLE)
    assert given.counts == COUNTS


def test_counts_of_a_sentence_are_checked():
    assert check(PUZZLE, "bfs", given=SENTENCES["en"].format(**COUNTS)).right
    wrong = SENTENCES["en"].format(**COUNTS | {"length": 7})
    assert check(PUZZLE, "bfs", given=wrong).wrong


@each(
    "text",
    [
        *("Time: 14 s", "Step 3 of 14", "Expanding node 7", "depth = 3", "3 moves left", "h = 4"),
        *("Iteration 5: threshold 12", "Frontier size: 20", "Laufzeit: 3", "Memory: 14 MB"),
        *(
            "Max moves: 50",
            "Tiempo: 0,3 segundos",
            "Seed: 14",
            "(1, 2, 3)",
            "took 0.14 seconds for moves",
        ),
    ],
)
def test_numbers_that_count_nothing_are_no_counts(text):
    assert list(counts_in(text)) == []


@each(
    "case",
    [
        ("To solve this problem the search algorithm expanded a total of 76 nodes.", "expanded"),
        ("The maximum number of nodes in the queue at any one time: 76.", "peak_frontier"),
        ("The depth of the goal node was 76.", "length"),
        ("Max. Größe der Warteschlange: 76", "peak_frontier"),
        ("profondeur maximale : 76", "deepest"),
        ("Nodos visitados: 76", "peak_stored"),
        ("Solution cost is 76", "length"),
    ],
)
def test_count_is_named_by_the_words_of_its_sentence(case):
    text, key = case
    assert list(counts_in(text)) == [(key, 76)]


@each(
    "table",
    [
        "Algorithm   Moves   Nodes Expanded   Time (s)\n{}   {}   {}   0.01\n{}   {}   {}   0.02",
        "| Algoritmo | Pasos | Nodos expandidos |\n|--|--|--|\n| {} | {} | {} |\n| {} | {} | {} |",
        "Algorithm,Path Length,Nodes Expanded\n{},{},{}\n{},{},{}",
        "{}: moves {}, expanded {}\n{}: moves {}, expanded {}",
    ],
)
def test_of_several_algorithms_the_checked_one_is_read(table):
    mine, other = ("BFS", RESULT.length, RESULT.expanded), ("A*", 99, 3)
    for text in table.format(*mine, *other), table.format(*other, *mine):
        given = read_given(text, PUZZLE, "bfs")
        assert given.counts == {"length": RESULT.length, "expanded": RESULT.expanded}


PATHS = {
    "Python tuples": str([board.cells for board in BOARDS]),
    "C++ initializers": "\n".join(
        str([list(row) for row in board.grid]).replace("[", "{").replace("]", "}")
        for board in BOARDS
    ),
    "Haskell": f"Just [{','.join(way.title() for way in ways('en'))}]",
    "Haskell boards": str([[list(row) for row in board.grid] for board in BOARDS]),
    "Prolog": f"Moves = [{', '.join(ways('en'))}].",
    "Prolog boards": f"Path = {[list(board.cells) for board in BOARDS]}\ntrue.",
    "Prolog facts": "\n".join(f"state({','.join(map(str, board.cells))})." for board in BOARDS),
    "a pair": f"({len(MOVES)}, {ways('en')})",
    "actions and states": "\n".join(
        f"Action: {way}, State: {board.cells}"
        for way, board in zip(["None", *ways("en")], BOARDS, strict=True)
    ),
    "numbered digits": "\n".join(
        f"{n}. {''.join(map(str, board.cells))}" for n, board in enumerate(BOARDS)
    ),
    "OCaml": "\n".join(f"[|{'; '.join(map(str, board.cells))}|]" for board in BOARDS),
    "Java": "\n".join(
        f"Node[board={[list(row) for row in board.grid]}, depth={n}]"
        for n, board in enumerate(BOARDS)
    ),
    "words with arrows": f"States explored: 87\nPath: {' → '.join(ways('en'))}",
    "length beside the name": f"Solution path ({len(MOVES)} moves): {' '.join(ways('en'))}",
    "length behind the path": f"La solución es: {' -> '.join(ways('es'))} ({len(MOVES)} pasos)",
    "tiles": f"Tiles moved: {', '.join(str(step.tile) for step in RESULT.steps())}",
    "swaps": "\n".join(
        f"Move {n}: Blank swapped with {step.tile}" for n, step in enumerate(RESULT.steps(), 1)
    ),
    "boxes": "\n".join(
        "┌───┬───┬───┐\n"
        + "\n├───┼───┼───┤\n".join(f"│ {' │ '.join(row.split())} │" for row in rows(b).splitlines())
        + "\n└───┴───┴───┘"
        for b in BOARDS
    ),
}


@each("name", list(PATHS))
def test_path_is_read_in_the_forms_of_other_languages(name):
    given = read_given(PATHS[name], PUZZLE)
    assert (given.moves, given.rows) == (MOVES, ())


@each("name", list(PATHS))
def test_path_of_another_board_is_never_right(name):
    for code in "1.2.3-4.0.6-7.5.8", "8.1.3-4.0.2-7.6.5":
        with contextlib.suppress(UnreadableWorkError):
            assert not check(parse_puzzle(code), "bfs", given=PATHS[name], expansions=1000).right


@each("mark", ["   ", " | ", "  ->  ", "\t"])
@each("a_line", [2, 3, 7])
def test_boards_beside_each_other_are_read_in_their_order(mark, a_line):
    lines = [BOARDS[at : at + a_line] for at in range(0, len(BOARDS), a_line)]
    text = "\n\n".join("\n".join(row_of(some, mark, n) for n in range(3)) for some in lines)
    assert read_given(text, PUZZLE).moves == MOVES


def narrated(event, style):
    values = f"g(n) = {event.g} and h(n) = {event.h}"
    board = rows(event.board, "b")
    return {
        "before": f"The best state to expand with {values} is...\n{board}    Expanding this node",
        "after": f"{board}\n{values.replace(' and', ',')}",
        "behind": f"{board}    g={event.g} h={event.h}",
    }[style]


@pytest.mark.parametrize("style", ["before", "after", "behind"])
def test_values_beside_the_rows_of_a_board_are_its_own(style):
    events = expansions("astar")
    given = read_given("\n\n".join(narrated(event, style) for event in events), LONG)
    assert [row.cells for row in given.rows] == [bytes(event.board.cells) for event in events]
    assert [row.values for row in given.rows] == [{"g": one.g, "h": one.h} for one in events]


def test_narrated_trace_may_end_early_and_a_list_may_not():
    events = expansions("astar")[:12]
    report = check(LONG, "astar", given="\n\n".join(narrated(event, "before") for event in events))
    assert (report.right, "ends before the goal" in " ".join(report.notes)) == (True, True)
    assert check(LONG, "astar", given="\n".join(str(event.board) for event in events)).wrong


@pytest.mark.parametrize("algorithm", ["bfs", "ucs", "greedy", "astar"])
def test_expansions_without_the_start_are_right(algorithm):
    boards = [str(event.board) for event in expansions(algorithm)]
    report = check(LONG, algorithm, given="\n".join(boards[1:]))
    assert (report.right, report.exact) == (True, True)
    assert "leaves out the start" in " ".join(report.notes)


@pytest.mark.parametrize(
    ("algorithm", "order"), some([("bfs", "udlr"), ("greedy", "rldu"), ("astar", "rldu")], 1, 2)
)
def test_boards_in_the_order_of_generation_are_not_accused(algorithm, order):
    events = expansions(algorithm, convention=f"slidewise,order={order}")
    made = [str(one.board) for event in events for one in event.successors]
    report = check(LONG, algorithm, given="\n".join(made), expansions=20_000)
    assert (report.right, report.wrong) == (False, False)
    assert "order in which they are made" in " ".join(report.notes)


@each("skipped", [0, 1])
def test_reversed_path_is_named_without_a_word_on_borders(skipped):
    boards = BOARDS[skipped:]
    report = check(PUZZLE, "bfs", given="\n\n".join(map(rows, reversed(boards))))
    assert (report.wrong, report.explanation.key) == (True, "path-reversed")
    assert "border" not in str(report)


def test_board_after_moves_is_not_called_yours():
    report = check(PUZZLE, "bfs", given="path: R")
    after = str(report.divergence.your_board)
    assert f"Yours: {after}" not in str(report)
    assert f"the moves lead to {after}" in str(report)


@each(
    "case",
    [
        *(("unsolvable", True), ("This puzzle is not solvable.", True), ("No solution.", True)),
        *(("unlösbar", True), ("Keine Lösung gefunden", True), ("No tiene solución", True)),
        *(("Sem solução", True), ("Pas de solution", True), ("Nothing", True), ("false.", True)),
        *(("True", False), ("Solved in 14 moves", False), ("path: UL", False), ("cost: 4", False)),
    ],
)
def test_no_path_is_the_right_answer_to_an_unsolvable_board(case):
    text, is_right = case
    report = check(UNSOLVABLE, "bfs", given=text)
    assert (report.right, report.wrong) == (is_right, not is_right)
    assert json.dumps(report.as_json())


@each("text", ["nodes_expanded: 181440", str(UNSOLVABLE.start)])
def test_search_of_an_unsolvable_board_is_not_judged(text):
    report = check(UNSOLVABLE, "bfs", given=text)
    assert (report.right, report.wrong) == (False, False)


@each("text", ["No errors. Path found\n{}", "{}\nNo warnings, solved"])
def test_another_no_does_not_deny_the_solution(text):
    assert check(PUZZLE, "bfs", given=text.format(" ".join(ways("en")))).right
