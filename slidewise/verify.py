"""Checker for certificates of `slidewise prove`: `python -m slidewise.verify FILE`.

A certificate claims that a board has a solution of some length, and that no solution has fewer
moves than a lower bound. This program shares no code with the solver and checks

1. that the moves are legal, lead to the goal and have the claimed length;
2. up to 16 cells that no solution has fewer moves than the lower bound. It builds its own pattern
   tables and searches depth-first, with rising limits, for a shorter solution.

The file only suggests groups of tiles for the tables, which cannot change the answer. With numba
the search is compiled. Without it the same loop runs in Python, some 30 times slower.

Exit code: 0 if everything was checked, 3 if part of it is unverified, 1 if a claim is false, 2 if
the certificate is unreadable.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

CHECKED, REFUTED, UNREADABLE, ON_TRUST, INTERRUPTED = 0, 1, 2, 3, 130
"""The exit codes."""

MAX_BYTES = 2**20
"""Maximum size of a certificate, which is untrusted input."""

SEARCHED_CELLS = 16
"""Cells of the largest board whose lower bound is checked."""

MAX_TILES = 6
"""Maximum tiles of a table: building one on 16 cells takes 0.5 GB of memory."""

UNREACHABLE = 255
"""Table entry for impossible cells of the tiles."""

PLAIN_NODES = 30_000
"""Nodes to search before compiling, which takes seconds, pays off."""

FORECAST_NODES = 1_000
"""Minimum nodes of a search for an estimate of later growth."""

PLAIN_SLICE, COMPILED_SLICE = 5_000, 1_000_000
"""Nodes of a slice, about 0.1 s, between checks of the deadline."""

TABLE_STATES = 2_000_000
"""Table entries built per second."""

ANNOUNCED_SECONDS = 3
"""Shortest wait that is announced."""

REPORT_SECONDS = 60.0
"""Interval of reports in a long search."""

OUT_OF_BUDGET, NOTHING_FOUND, FOUND = 0, 1, 2
"""Outcomes of a slice of the search."""

Report = Callable[[str], None]
Table = NDArray[np.uint8]


class RefutedError(Exception):
    """A claim is false."""


class UnreadableError(Exception):
    """A file is not a readable certificate."""


class OutOfTimeError(Exception):
    """The time of `--hours` is over."""


class Finding(NamedTuple):
    """A claim of the certificate, and whether it was checked."""

    claim: str
    value: int
    checked: bool
    text: str

    def __str__(self) -> str:
        """Return a line of the answer."""
        return f"{'checked' if self.checked else 'on trust'}: {self.text}"


class Answer(NamedTuple):
    """The findings and the exit code, with an error if the certificate is not accepted."""

    code: int
    findings: list[Finding]
    error: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the answer as `--json` prints it."""
        words = {CHECKED: "checked", ON_TRUST: "on trust", REFUTED: "refuted"}
        return {
            "result": words.get(self.code, "unreadable"),
            "claims": [finding._asdict() for finding in self.findings],
            "error": self.error or None,
        }


def main(arguments: list[str] | None = None) -> int:
    """Check the certificate named on the command line, and return the exit code."""
    parser = argparse.ArgumentParser("python -m slidewise.verify", description="Check a proof.")
    parser.add_argument("file", type=Path, help="the certificate")
    parser.add_argument("--hours", type=hours, help="stop after this many hours (exit code 3)")
    parser.add_argument("--strict", action="store_true", help="exit with 1, not 3, on trust")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    try:
        answer = verify(options.file, options.hours, lambda text: print(text, file=sys.stderr))
    except KeyboardInterrupt:
        print("stopped before everything was checked", file=sys.stderr)
        return INTERRUPTED
    if options.json:
        print(json.dumps(answer.as_json()))
    else:
        print(*answer.findings, sep="\n", end="\n" if answer.findings else "")
        if answer.error:
            word = "refuted" if answer.code == REFUTED else "cannot be checked"
            print(f"{word}: {answer.error}", file=sys.stderr)
    return REFUTED if options.strict and answer.code == ON_TRUST else answer.code


def hours(text: str) -> float:
    """Read the option `--hours`."""
    value = float(text)
    if not value >= 0:
        raise ValueError
    return value


def verify(
    file: Path, max_hours: float | None = None, report: Report = lambda text: None
) -> Answer:
    """Check a certificate. `report` receives time estimates."""
    findings: list[Finding] = []
    deadline = None if max_hours is None else monotonic() + 3600 * max_hours
    try:
        certificate = Certificate(read(file))
        findings.append(certificate.check_path())
        findings.append(certificate.check_bound(deadline, report))
    except RefutedError as error:
        return Answer(REFUTED, findings, str(error))
    except UnreadableError as error:
        return Answer(UNREADABLE, findings, str(error))
    checked = all(finding.checked for finding in findings)
    return Answer(CHECKED if checked else ON_TRUST, findings)


def read(file: Path) -> object:
    """Read a file as JSON of any kind."""
    try:
        if file.exists() and not file.is_file():
            raise UnreadableError(f"{file} is not a file")
        with file.open("rb") as opened:
            text = opened.read(MAX_BYTES + 1)
        if len(text) > MAX_BYTES:
            raise UnreadableError(f"{file} is too large for a certificate")
        return json.loads(text.decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UnreadableError(f"{file} is no JSON that can be read: {error}") from None


class Certificate:
    """The claims of a certificate. Boards are lists of tiles in reading order, 0 for the blank."""

    def __init__(self, claims: object) -> None:
        version = field(claims, "format")
        if version not in ("slidewise certificate 1", "slidewise certificate 2"):
            raise UnreadableError("it is not a certificate of version 1 or 2")
        self.rows, self.cols = integers(claims, "rows"), integers(claims, "cols")
        self.cells = self.rows * self.cols
        if not (2 <= self.rows <= 8 and 2 <= self.cols <= 8 and self.cells <= 25):
            raise UnreadableError("boards have at least 2 rows and columns and at most 25 cells")
        self.start, self.goal = integers(claims, "start", 1), integers(claims, "goal", 1)
        if not sorted(self.start) == sorted(self.goal) == list(range(self.cells)):
            raise UnreadableError("'start' and 'goal' must have each tile and the blank once")
        self.moves = field(claims, "moves")
        if not isinstance(self.moves, str):
            raise UnreadableError("'moves' must be a string of U, D, L and R")
        self.length, self.bound = integers(claims, "length"), integers(claims, "lower_bound")
        groups = [] if version == "slidewise certificate 1" else integers(claims, "groups", 2)
        tiles = [tile for group in groups for tile in group]
        if len({0, *tiles}) <= len(tiles) or max(tiles, default=0) >= self.cells:
            raise UnreadableError("'groups' must have each tile at most once, and no blank")
        if any(len(group) > MAX_TILES for group in groups) and self.cells <= SEARCHED_CELLS:
            raise UnreadableError(f"a group of 'groups' must have at most {MAX_TILES} tiles")
        self.groups = [[self.goal.index(tile) for tile in group] for group in groups]

    def check_path(self) -> Finding:
        """Check the moves, which are directions of tiles."""
        board, blank = list(self.start), self.start.index(0)
        for number, letter in enumerate(self.moves, 1):
            down, right = {"U": (1, 0), "D": (-1, 0), "L": (0, 1), "R": (0, -1)}.get(letter, (9, 9))
            row, col = blank // self.cols + down, blank % self.cols + right
            if not (0 <= row < self.rows and 0 <= col < self.cols):
                raise RefutedError(f"move {number}, {letter!a}, is not possible")
            cell = row * self.cols + col
            board[blank], board[cell], blank = board[cell], 0, cell
        if board != self.goal:
            raise RefutedError("the moves do not lead to the goal")
        if len(self.moves) != self.length:
            raise RefutedError(f"there are {len(self.moves)} moves, not {self.length}")
        if self.length < self.bound:
            raise RefutedError(f"{self.length} moves are fewer than the bound of {self.bound}")
        text = f"the {self.length} moves lead from the start to the goal"
        return Finding("length", self.length, True, text)

    def check_bound(self, deadline: float | None, report: Report) -> Finding:
        """Check that no solution has fewer moves than the lower bound."""
        text = f"no solution has fewer than {self.bound} moves"
        if self.bound <= self.manhattan():
            return Finding("lower_bound", self.bound, True, f"{text}, by Manhattan distance")
        if self.cells > SEARCHED_CELLS:
            why = f"bounds are checked up to {SEARCHED_CELLS} cells"
            return Finding("lower_bound", self.bound, False, f"{text} ({why})")
        checked = self.manhattan()
        try:
            search = Search(self, deadline, report)
            for proved in search.proved_bounds(self.bound):
                checked = proved
        except (OutOfTimeError, MemoryError) as error:
            why = "the time is over" if isinstance(error, OutOfTimeError) else "out of memory"
            why = f"{why}; that none has fewer than {checked} is checked"
            return Finding("lower_bound", self.bound, False, f"{text} ({why})")
        return Finding("lower_bound", self.bound, True, f"{text}, by a search of its own")

    def manhattan(self) -> int:
        """Return the sum of the distances of the tiles from their homes."""
        distances = (
            abs(row - home_row) + abs(col - home_col)
            for tile in range(1, self.cells)
            for row, col in [divmod(self.start.index(tile), self.cols)]
            for home_row, home_col in [divmod(self.goal.index(tile), self.cols)]
        )
        return sum(distances)


class Search:
    """A depth-first search for a solution that is shorter than the lower bound.

    A board is pruned if its estimate puts the goal beyond the limit. The estimate is the sum over
    the groups of tiles, maximised over all views of the board. A view is a symmetry of the grid
    that fixes the blank's home. It maps the tile with the home cell h to the tile with the home
    cell view[h].
    """

    def __init__(
        self, certificate: Certificate, deadline: float | None, report: Report = lambda text: None
    ) -> None:
        self.goal, self.start = certificate.goal, certificate.start
        self.rows, self.cols = certificate.rows, certificate.cols
        self.deadline, self.report = deadline, report
        self.compiled = False
        self.nodes, self.speed = 0, 1.0
        blank, cells = self.goal.index(0), certificate.cells
        groups = full_groups(certificate.groups, [c for c in range(cells) if c != blank])
        self.views = views(self.rows, self.cols, blank)
        tables = self._tables(groups, blank)
        self.first = [0] * (len(groups) * len(self.views))  # the first place of each look-up
        self.lookup, self.weight = ([0] * (cells * len(self.views)) for _ in range(2))
        for number, view in enumerate(self.views):
            offset = 0
            for group, homes in enumerate(groups):
                self.first[number * len(groups) + group] = offset
                offset += len(tables[group])
                for slot, home in enumerate(homes):
                    at = number * cells + self.goal[view.index(home)]
                    self.lookup[at] = number * len(groups) + group
                    self.weight[at] = cells ** (len(homes) - 1 - slot)
        self.where = [cell for view in self.views for cell in view]
        self.tables: Any = np.concatenate(tables).tobytes()
        self.near = [-1] * (4 * cells)
        for cell, other in neighbours(self.rows, self.cols):
            side = 2 * int(other - cell == 1)
            self.near[4 * cell + side], self.near[4 * other + side + 1] = int(other), int(cell)

    def _tables(self, groups: list[list[int]], blank: int) -> list[Table]:
        """Build the table of each group."""
        states = sum((self.rows * self.cols) ** len(group) for group in groups)
        if (seconds := states / TABLE_STATES) >= ANNOUNCED_SECONDS:
            self.report(f"building pattern tables: about {duration(seconds)}")
        return [
            fewest_moves(self.rows, self.cols, group, blank, self.check_time) for group in groups
        ]

    def proved_bounds(self, bound: int) -> Iterator[int]:
        """Yield proved lower bounds, up to `bound` or more.

        Raises `RefutedError` for a solution with fewer moves, and `OutOfTimeError`.
        """
        if self.start == self.goal:
            raise RefutedError("there is a solution of 0 moves")
        # Solutions have the parity of the estimate: a tile's moves have that of its distance.
        limit = max(self.place_board())
        yield limit
        counts: list[int] = []
        while limit < bound:
            expected = expected_nodes(counts, len(range(limit, bound, 2)))
            if self._search(limit, f"searching up to {limit} of {bound - 1} moves", expected):
                raise RefutedError(f"there is a solution of {limit} moves")
            counts.append(self.nodes)
            limit += 2
            yield limit

    def _search(self, limit: int, title: str, expected: int) -> bool:
        """Return whether a solution has at most `limit` moves, with progress reports."""
        self.place_board(limit)
        self.nodes, reported = 0, None if expected else monotonic()
        if expected > PLAIN_NODES:
            self._compile()
        while True:
            self.check_time()
            outcome = self.advance(limit)
            if outcome != OUT_OF_BUDGET:
                return outcome == FOUND
            if reported is None or monotonic() - reported >= REPORT_SECONDS:
                seconds = max(0, expected - self.nodes) / self.speed
                if reported is not None or seconds >= ANNOUNCED_SECONDS:
                    left = f", about {duration(seconds)} left in all" if seconds else ""
                    self.report(f"{title}: {self.nodes:,} boards{left}")
                reported = monotonic()

    def place_board(self, limit: int = 0) -> list[int]:
        """Reset the search to the start, and return the estimate of each view."""
        cells, groups = len(self.start), len(self.first) // len(self.views)
        at = list(self.first)
        for view in range(len(self.views)):
            for cell, tile in enumerate(self.start):
                if tile:
                    place = view * cells + tile
                    at[self.lookup[place]] += self.where[view * cells + cell] * self.weight[place]
        values = [int(self.tables[place]) for place in at]
        sums = [sum(values[i : i + groups]) for i in range(0, len(values), groups)]
        self.state: list[Any] = [
            list(self.start),
            [self.start.index(0), *[0] * (limit + 1)],
            [0] * (limit + 2),
            sums + [0] * ((limit + 1) * len(self.views)),
            at,
            [0, 0],
        ]
        self.facts: list[Any] = [self.near, self.lookup, self.weight, self.where]
        if self.compiled:
            self._as_arrays()
        return sums

    def advance(self, limit: int) -> int:
        """Search one slice and return its outcome."""
        if self.nodes >= PLAIN_NODES:
            self._compile()
        started, before = monotonic(), self.nodes
        outcome = self._slice(limit, COMPILED_SLICE if self.compiled else PLAIN_SLICE)
        self.nodes = int(self.state[-1][1])
        self.speed = max(1.0, (self.nodes - before) / (monotonic() - started + 1e-6))
        if outcome == FOUND and list(self.state[0]) != self.goal:
            raise AssertionError("the search has ended at another board than the goal")
        return outcome

    def _compile(self) -> None:
        """Switch to compiled code, if numba is installed."""
        if not self.compiled and compiler() is not None:
            self.compiled = True
            self.tables = np.frombuffer(self.tables, dtype=np.uint8)
            self._as_arrays()
            self._slice(0, 0)  # numba compiles a function when it is called

    def _slice(self, limit: int, budget: int) -> int:
        function: Any = compiler() if self.compiled else search
        return int(function(*self.state, *self.facts, self.tables, limit, budget))

    def _as_arrays(self) -> None:
        self.state = [np.array(values, dtype=np.int64) for values in self.state]
        self.facts = [np.array(values, dtype=np.int64) for values in self.facts]

    def check_time(self) -> None:
        """Raise `OutOfTimeError` if the time is over."""
        if self.deadline is not None and monotonic() >= self.deadline:
            raise OutOfTimeError


def search(
    board: Any,
    path: Any,
    sides: Any,
    sums: Any,
    at: Any,
    counts: Any,
    near: Any,
    lookup: Any,
    weight: Any,
    where: Any,
    tables: Any,
    limit: int,
    budget: int,
) -> int:
    """Continue a search for a solution of at most `limit` moves, for `budget` nodes.

    For each depth, `path` has the blank's cell and `sides` the next of its four neighbours. `sums`
    has the estimate of each view. `at` has the index of each look-up in `tables`, and `counts` the
    depth and the nodes. All are lists or arrays of integers, so that numba can compile the loop.
    """
    cells, views = len(board), len(where) // len(board)
    depth, nodes = counts[0], counts[1]
    last, outcome = nodes + budget, 0
    while nodes < last and outcome == 0:
        blank = path[depth]
        if sides[depth] == 4:  # no moves left: backtrack
            depth -= 1
            if depth < 0:
                outcome = 1
                break
            cell, blank = blank, path[depth]
            tile = board[blank]
            board[cell], board[blank] = tile, 0
            for view in range(views):
                place = view * cells + tile
                step = where[view * cells + cell] - where[view * cells + blank]
                at[lookup[place]] += step * weight[place]
            continue
        cell = near[4 * blank + sides[depth]]
        sides[depth] += 1
        if cell < 0 or (depth > 0 and cell == path[depth - 1]):
            continue
        tile, highest = board[cell], 0
        for view in range(views):
            place = view * cells + tile
            before = at[lookup[place]]
            step = where[view * cells + blank] - where[view * cells + cell]
            change = int(tables[before + step * weight[place]]) - int(tables[before])
            sums[(depth + 1) * views + view] = sums[depth * views + view] + change
            highest = max(highest, sums[(depth + 1) * views + view])
        if depth + 1 + highest > limit:
            continue
        board[blank], board[cell] = tile, 0
        for view in range(views):
            place = view * cells + tile
            step = where[view * cells + blank] - where[view * cells + cell]
            at[lookup[place]] += step * weight[place]
        depth += 1
        path[depth], sides[depth] = cell, 0
        nodes += 1
        if highest == 0:
            outcome = 2
    counts[0], counts[1] = depth, nodes
    return outcome


def expected_nodes(counts: list[int], rounds: int) -> int:
    """Estimate the nodes of the next `rounds` searches, 0 if there is too little data.

    `counts` are the nodes of the searches so far, which grow by a factor each time.
    """
    if len(counts) < 2 or counts[-2] < FORECAST_NODES:
        return 0
    growth = min(max(counts[-1] / counts[-2], 2), 12)
    return int(sum(counts[-1] * growth**number for number in range(1, rounds + 1)))


_compiled: list[Any] = []


def compiler() -> Any:
    """Return `search` compiled, or None without numba."""
    if not _compiled:
        try:
            from numba import njit
        except ImportError:
            _compiled.append(None)
        else:
            _compiled.append(njit(search))
    return _compiled[0]


def full_groups(groups: list[list[int]], homes: list[int]) -> list[list[int]]:
    """Return groups that cover all home cells, merged up to `MAX_TILES` each.

    Larger groups need at least as many moves, so a file cannot weaken the estimates.
    """
    known = {home for group in groups for home in group}
    parts = [*groups, *([home] for home in homes if home not in known)]
    merged: list[list[int]] = []
    for part in sorted(parts, key=len, reverse=True):
        for group in merged:
            if len(group) + len(part) <= MAX_TILES:
                group += part
                break
        else:
            merged.append(list(part))
    return merged


def views(rows: int, cols: int, blank: int) -> list[list[int]]:
    """Return the symmetries of the grid that fix the cell `blank`."""
    grid = np.arange(rows * cols).reshape(rows, cols)
    symmetries = [grid, grid[::-1], grid[:, ::-1], grid[::-1, ::-1]]
    if rows == cols:
        symmetries += [symmetry.T for symmetry in symmetries]
    maps = [[int(cell) for cell in symmetry.ravel()] for symmetry in symmetries]
    return [view for view in maps if view[blank] == blank]


def neighbours(rows: int, cols: int) -> NDArray[np.int64]:
    """Return the pairs of adjacent cells, the lower one first."""
    at = np.arange(rows * cols).reshape(rows, cols)
    ends = (at[:, :-1], at[:, 1:]), (at[:-1], at[1:])
    return np.concatenate([np.stack(pair, axis=-1).reshape(-1, 2) for pair in ends])


def fewest_moves(
    rows: int, cols: int, group: list[int], blank: int, check_time: Callable[[], None]
) -> Table:
    """Return the fewest moves of the tiles with homes in `group`, for all their cells.

    Moves of other tiles are free. So the blank can be anywhere in its region, the cells it can
    reach without moving the group's tiles. A state is the tiles' cells, as digits, and the
    region's lowest cell. The search runs from the goal outwards, layer by layer.
    """
    cells, tiles = rows * cols, len(group)
    lowest, reached = regions(rows, cols)
    steps = np.tile(
        np.arange(cells, dtype=np.int32)[:, None], 4
    )  # a missing neighbour is the cell itself, which is taken
    for cell, other in neighbours(rows, cols):
        side = 2 * (other - cell == 1)
        steps[cell, side], steps[other, side + 1] = other, cell
    moves = np.full(cells**tiles * cells, UNREACHABLE, dtype=np.uint8)
    weights = [cells ** (tiles - slot) for slot in range(tiles)]  # times cells, for the region
    home = np.dot(group, weights) + lowest[sum(1 << cell for cell in group), blank]
    layer = np.array([home], dtype=np.int32)
    moves[layer] = count = 0
    while len(layer):
        check_time()
        count += 1
        taken, new_layer = sum(1 << layer // weight % cells for weight in weights), []
        region = reached[taken, layer % cells]
        for weight in weights:
            at = layer // weight % cells
            for side in range(4):
                can = np.flatnonzero(region >> steps[at, side] & 1)
                old, new = at[can], steps[at[can], side]
                after = taken[can] ^ (1 << old | 1 << new)
                places = layer[can] // cells * cells + (new - old) * weight
                places += lowest[after, old]  # unique: only one region of a board has the new cell
                new_layer.append(places[moves[places] == UNREACHABLE])
                moves[new_layer[-1]] = count
        layer = np.concatenate(new_layer)
    fewest: Table = moves.reshape(-1, cells).min(axis=1)
    return fewest


def regions(rows: int, cols: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the lowest cell of each region, and the region as bits.

    Both arrays have the shape (2**cells, cells): the set of taken cells, and a cell of the region.
    """
    cells, taken = rows * cols, np.arange(2 ** (rows * cols), dtype=np.int32)
    reached = np.stack([(1 << cell) & ~taken for cell in range(cells)], axis=1)
    for _ in range(cells):
        for cell, other in neighbours(rows, cols):
            free = taken & (1 << cell | 1 << other) == 0
            union = (reached[:, cell] | reached[:, other])[free]
            reached[free, cell] = reached[free, other] = union
    return np.log2(np.maximum(reached & -reached, 1)).astype(np.int32), reached


def field(claims: object, name: str) -> Any:
    """Return the value of a claim."""
    if not isinstance(claims, dict) or name not in claims:
        raise UnreadableError(f"it has no {name!r}")
    return claims[name]


def integers(claims: object, name: str, depth: int = 0) -> Any:
    """Return a claim of integers, in lists nested `depth` deep."""
    return _integers(field(claims, name), name, depth)


def _integers(value: object, name: str, depth: int) -> Any:
    if depth and isinstance(value, list):
        return [_integers(item, name, depth - 1) for item in value]
    if depth or type(value) is not int or not 0 <= value < 2**31:
        got = type(value).__name__ if isinstance(value, list | dict) else ascii(value)
        raise UnreadableError(f"{name!r} must be of integers below 2**31, got {got:.40}")
    return value


def duration(seconds: float) -> str:
    """Format a time."""
    for unit, length in (("days", 86_400), ("hours", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"


if __name__ == "__main__":
    sys.exit(main())
