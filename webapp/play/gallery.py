"""Gallery of boards with a story; tests/web/play/test_gallery.py proves its claims."""

from dataclasses import dataclass, field
from functools import cached_property

from flask import Blueprint, render_template

from slidewise import Board, Puzzle, parse_puzzle

from ..board import Cell, cells
from ..http.language import noop
from ..http.routes import cheap, offline, static_page

blueprint = Blueprint("gallery", __name__, url_prefix="/gallery")

_BEST = {"algorithm": "best"}


@dataclass(frozen=True)
class Story:
    """A board and its story in sentences, which are messages.

    `length` is the length of a shortest solution, None if the goal is unreachable. It is a lower
    bound if `exact` is False. `source` names the finder of results from outside this project.
    `watch` lists links to replays: their texts and query strings.
    """

    title: str
    code: str
    text: str
    length: int | None
    exact: bool = True
    source: str = ""
    watch: dict[str, dict[str, str]] = field(
        default_factory=lambda: {noop("Watch solution"): _BEST}
    )

    @cached_property
    def puzzle(self) -> Puzzle:
        return parse_puzzle(self.code)

    @property
    def cells(self) -> list[Cell]:
        return cells(self.puzzle.start, self.puzzle.goal)


TWO_BY_THREE = (
    Story(
        noop("Rows exchanged"),
        "4.5.0-1.2.3",
        noop(
            "The hardest 2 × 3 board. Of the 360 that can be solved, it is the only one that takes "
            "21 moves."
        ),
        21,
    ),
    Story(
        noop("Rows exchanged, blank first"),
        "3.4.5-0.1.2_0.1.2-3.4.5",
        noop("The same with the blank first: the only board that takes 21 moves to this goal."),
        21,
    ),
    Story(
        noop("From the course notebooks: a first search"),
        "1.0.3-4.2.5",
        noop(
            "Small enough to draw the whole search on paper. Five searches are tried on it in the "
            "notebook: breadth-first, depth-first, uniform-cost, greedy best-first and A*."
        ),
        2,
    ),
)

THREE_BY_THREE = (
    Story(
        noop("The hardest 8-puzzle"),
        "8.6.7-2.5.4-3.0.1",
        noop(
            "Of the 181,440 boards that can reach the usual goal, only two take 31 moves. This is "
            "one of them."
        ),
        31,
    ),
    Story(
        noop("The other hardest 8-puzzle"),
        "6.4.7-8.5.0-3.2.1",
        noop(
            "The second of the two. Turn one of them over along its main diagonal, number the "
            "tiles to match, and you get the other."
        ),
        31,
    ),
    Story(
        noop("The hardest with the blank first"),
        "8.7.6-0.4.1-2.5.3_0.1.2-3.4.5-6.7.8",
        noop(
            "The goal 0 to 8, blank first, has two hardest boards of its own. Each is one of the "
            "boards above, turned half round and numbered backwards."
        ),
        31,
    ),
    Story(
        noop("The other with the blank first"),
        "8.0.6-5.4.7-2.3.1_0.1.2-3.4.5-6.7.8",
        noop("Its partner: no other board takes 31 moves to this goal."),
        31,
    ),
    Story(
        noop("A greedy trap"),
        "4.3.6-2.5.1-7.0.8",
        noop(
            "Greedy best-first search always takes the board that looks nearest to the goal, by "
            "Manhattan distance. Here that leads it astray: it takes 53 moves where 11 are enough."
        ),
        11,
        watch={
            noop("Watch the shortest"): _BEST,
            noop("Watch greedy"): {"algorithm": "greedy", "heuristic": "manhattan"},
        },
    ),
    Story(
        noop("A depth-first disaster"),
        "1.2.3-4.5.6-0.7.8",
        noop(
            "Two moves from the goal. Depth-first search heads off in the wrong direction, never "
            "turns back, and arrives after 64,328 moves."
        ),
        2,
        watch={noop("Watch the shortest"): _BEST, noop("Watch depth-first"): {"algorithm": "dfs"}},
    ),
    Story(
        noop("A textbook board"),
        "2.8.3-1.6.4-7.0.5_1.2.3-8.0.4-7.6.5",
        noop(
            "With the spiral goal of the early papers on search. Nils Nilsson drew the search "
            "trees of his textbook (Principles of Artificial Intelligence, 1980) for this board."
        ),
        5,
    ),
    Story(
        noop("From the course notebooks: breadth first"),
        "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8",
        noop(
            "The start and goal of a breadth-first search, and of Russell and Norvig’s textbook "
            "too. It needs more moves than most boards: the average is 22."
        ),
        26,
    ),
    Story(
        noop("From the course notebooks: a typed start"),
        "7.5.4-0.3.2-8.1.6",
        noop(
            "The start that a notebook suggests typing in. Solvable, and easy: 90 %% of all "
            "boards need more moves."
        ),
        17,
    ),
    Story(
        noop("From the course notebooks: deepening"),
        "1.2.3-0.4.5-6.7.8_1.2.3-4.5.0-6.7.8",
        noop("For iterative deepening, which looks one move ahead, then two. That is enough here."),
        2,
    ),
    Story(
        noop("From the course notebooks: one move"),
        "1.2.3-0.4.5-6.7.8_1.2.3-6.4.5-0.7.8",
        noop(
            "The same start with another goal, a single move away. It shows at a glance which way "
            "a program names its moves: by the tile, or by the blank."
        ),
        1,
    ),
    Story(
        noop("From the course notebooks: recursive best-first"),
        "2.3.0-1.4.6-7.5.8",
        noop(
            "For once the estimate is exact: the Manhattan distance is 6, and 6 moves do it. A "
            "good search walks straight to the goal."
        ),
        6,
    ),
    Story(
        noop("From the course notebooks: never"),
        "1.2.3-8.0.4-7.6.5",
        noop(
            "Looks tidy, and cannot be solved: half of all boards never reach the usual goal. "
            "It is itself the goal of other books, the spiral."
        ),
        None,
        watch={},
    ),
)

FOUR_BY_FOUR = (
    Story(
        noop("14 and 15"),
        "1.2.3.4-5.6.7.8-9.10.11.12-13.15.14.0",
        noop(
            "The puzzle of the craze of 1880: all in place but 14 and 15. W. W. Johnson and "
            "W. E. Story had shown in 1879 that no moves can fix it. The game’s page explains why, "
            "in numbers."
        ),
        None,
        watch={},
    ),
    Story(
        noop("Eighty moves"),
        "0.11.9.13-12.15.10.14-3.7.6.2-4.8.5.1",
        noop(
            "No 4 × 4 board takes more than 80 moves, as A. Brüngger and others showed by computer "
            "in 1999, and few take as many. This is one."
        ),
        80,
        watch={
            noop("Watch solution"): {
                "moves": "U2LULD2RULD2R2U3LDRUL2D2RUL2D2R2URUL3URDLD2R2U2L2D2R3ULUL2DRDRURUL"
                "URD3LU3L2"
            }
        },
    ),
    Story(
        noop("An exercise for programmers"),
        "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2",
        noop(
            "From the site Rosetta Code, where it is solved in many programming languages. About "
            "as hard as the average 15-puzzle."
        ),
        52,
    ),
)

LARGER = (
    Story(
        noop("A 24-puzzle of Korf"),
        "3.17.9.8.24-1.11.12.14.0-5.4.22.13.16-21.15.6.7.10-20.23.2.18.19"
        "_0.1.2.3.4-5.6.7.8.9-10.11.12.13.14-15.16.17.18.19-20.21.22.23.24",
        noop(
            "One of the fifty random boards with which R. Korf and A. Felner showed in 2002 what "
            "pattern databases can do. Its shortest solution is the shortest of them all."
        ),
        81,
        source=noop("R. Korf and A. Felner, 2002"),
        watch={},
    ),
    Story(
        noop("A hundred, half turned"),
        str(Board(10, 10, (0, *range(99, 0, -1)))),
        noop(
            "The solved 10 × 10 board, turned half round. Nobody knows how many moves it takes: "
            "every tile has far to go. Solve finds a solution anyway."
        ),
        982,
        exact=False,
        watch={},
    ),
)

GALLERY = {
    "2 × 3": TWO_BY_THREE,
    "3 × 3": THREE_BY_THREE,
    "4 × 4": FOUR_BY_FOUR,
    noop("Larger"): LARGER,
}
"""Stories by size."""


_CODES = frozenset(str(story.puzzle) for stories in GALLERY.values() for story in stories)


@blueprint.app_template_test("in_gallery")
def is_in_gallery(code: str) -> bool:
    return code in _CODES


@blueprint.get("")
@cheap
@offline
@static_page
def page() -> str:
    """Show all boards with their stories."""
    return render_template("collections/gallery.html", gallery=GALLERY)
