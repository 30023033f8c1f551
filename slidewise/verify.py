"""Checker for certificates of `slidewise prove`: `python -m slidewise.verify FILE`.

A certificate claims that a board has a solution of some length, and that no solution has fewer
moves than a lower bound. This program shares no code with the solver and checks

1. that the moves are legal, lead to the goal and have the claimed length;
2. that no solution has fewer moves than the lower bound. If the file has the subtrees of the
   proof, it recomputes all of them, or a random sample. Without subtrees, up to 16 cells, it
   searches depth-first, with rising limits, for a shorter solution.

It builds its own pattern tables. The file only chooses the groups of tiles for them. With numba
the search is compiled. Without it the same loop runs in Python, some 30 times slower.

The definition of a subtree stands in docs/certificates.md and in `SearchTree`.

Exit code: 0 if everything was checked, 3 if part of it is unverified, 1 if a claim is false, 2 if
the certificate is unreadable.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import itertools
import json
import math
import os
import random
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

CHECKED, REFUTED, UNREADABLE, ON_TRUST, INTERRUPTED = 0, 1, 2, 3, 130
"""The exit codes."""

MAX_BYTES = 2**25
"""Maximum size of a certificate, which is untrusted input."""

MAX_SUBTREES = 1_000_000
"""Maximum subtrees of a certificate, as many as fit into `MAX_BYTES`."""

MAX_COUNT = 2**62
"""Maximum count of a subtree, in 64 bits."""

MAX_BOUND = 1_000
"""Maximum lower bound to check, several times the distance of any board."""

SEARCHED_CELLS = 16
"""Cells of the largest board whose lower bound is checked without subtrees."""

MAX_TILES = 6
"""Maximum tiles of a table for a search without subtrees."""

MAX_ENTRIES = 2**28
"""Maximum entries of a table: 6 tiles on 5x5, 7 on 4x4."""

MAX_WALK = 12
"""Maximum moves of a forbidden walk: they take seconds to find."""

UNREACHABLE = 255
"""Table entry for cells that the tiles cannot have."""

PLAIN_NODES = 30_000
"""Nodes from which compiling, which takes seconds, pays off."""

FORECAST_NODES = 1_000
"""Minimum nodes of a search for an estimate of later growth."""

PLAIN_SLICE, COMPILED_SLICE = 5_000, 1_000_000
"""Nodes of a slice, about 0.1 s, between checks of the deadline."""

TABLE_STATES = 5_000_000
"""Table entries built per second."""

CHUNK_BYTES = 2**22
"""Bytes of the tables in work at a time, to fit the processor's cache."""

ANNOUNCED_SECONDS = 3
"""Shortest wait that is announced."""

REPORT_SECONDS = 60.0
"""Interval of reports in a long search."""

SAVE_SECONDS = 20.0
"""Interval of saving the progress."""

CHANCE = 0.02
"""Highest probability that a false file passes, for the stated share of false subtrees."""

OUT_OF_BUDGET, NOTHING_FOUND, FOUND, AT_LEVEL = range(4)
"""Outcomes of a slice of the search."""

Report = Callable[[str], None]
CheckTime = Callable[[], None]
Table = NDArray[np.uint8]
Integers = NDArray[np.int64]


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


class Options(NamedTuple):
    """How to check: the size of the sample (None for all subtrees), limits and a folder."""

    sample: int | None = None
    cores: int = 1
    hours: float | None = None
    state: Path | None = None


WHOLE = Options()


def main(arguments: list[str] | None = None) -> int:
    """Check the certificate named on the command line, and return the exit code."""
    parser = argparse.ArgumentParser("python -m slidewise.verify", description="Check a proof.")
    parser.add_argument("file", type=Path, help="the certificate")
    parser.add_argument(
        "--sample",
        metavar="N",
        type=positive,
        help="recompute N subtrees, drawn at random, instead of all (exit code 3)",
    )
    parser.add_argument(
        "--cores", metavar="N", type=positive, default=1, help="use N cores, which needs numba"
    )
    parser.add_argument("--hours", type=hours, help="stop after this many hours (exit code 3)")
    parser.add_argument(
        "--state",
        metavar="DIR",
        type=Path,
        help="a folder for the tables and the progress; the same command goes on from there",
    )
    parser.add_argument("--strict", action="store_true", help="exit with 1, not 3, on trust")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args(arguments)
    options = Options(given.sample, given.cores, given.hours, given.state)
    try:
        answer = verify(given.file, options, lambda text: print(text, file=sys.stderr))
    except KeyboardInterrupt:
        print("stopped before everything was checked", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        parser.error(f"cannot use {given.state}: {error.strerror or error}")
    if given.json:
        print(json.dumps(answer.as_json()))
    else:
        print(*answer.findings, sep="\n", end="\n" if answer.findings else "")
        if answer.error:
            word = "refuted" if answer.code == REFUTED else "cannot be checked"
            print(f"{word}: {answer.error}", file=sys.stderr)
    return REFUTED if given.strict and answer.code == ON_TRUST else answer.code


def hours(text: str) -> float:
    """Read the option `--hours`."""
    value = float(text)
    if not value >= 0:
        raise ValueError
    return value


def positive(text: str) -> int:
    """Read an option that is a number from 1."""
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def verify(file: Path, options: Options = WHOLE, report: Report = lambda text: None) -> Answer:
    """Check a certificate. `report` receives time estimates."""
    findings: list[Finding] = []
    deadline = Deadline(options.hours)
    try:
        data = read(file)
        certificate = Certificate(parse(data, file))
        findings.append(certificate.check_path())
        folder = Folder(options.state, hashlib.sha256(data).hexdigest())
        findings.append(check_bound(certificate, options, folder, deadline, report))
    except RefutedError as error:
        return Answer(REFUTED, findings, str(error))
    except UnreadableError as error:
        return Answer(UNREADABLE, findings, str(error))
    checked = all(finding.checked for finding in findings)
    return Answer(CHECKED if checked else ON_TRUST, findings)


def read(file: Path) -> bytes:
    """Return the bytes of a file."""
    try:
        if file.exists() and not file.is_file():
            raise UnreadableError(f"{file} is not a file")
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableError(f"{file} cannot be read: {error.strerror or error}") from None
    if len(data) > MAX_BYTES:
        raise UnreadableError(f"{file} is too large for a certificate")
    return data


def parse(data: bytes, file: Path) -> object:
    """Parse JSON of any kind."""
    try:
        return json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"{file} is not readable JSON: {error}") from None


class Deadline:
    """The time limit of a check, and the flag that stops its threads."""

    def __init__(self, max_hours: float | None) -> None:
        self.end = math.inf if max_hours is None else monotonic() + 3600 * max_hours

    def check(self) -> None:
        """Raise `OutOfTimeError` if the time is over."""
        if monotonic() >= self.end:
            raise OutOfTimeError


class Subtree(NamedTuple):
    """A subtree of the proof: its root, as moves from the start, and its counts."""

    root: str
    expanded: int
    generated: int


class Certificate:
    """The claims of a certificate. Boards are lists of tiles in reading order, 0 for the blank."""

    def __init__(self, claims: object) -> None:
        version = field(claims, "format")
        if version not in [f"slidewise certificate {number}" for number in (1, 2, 3)]:
            raise UnreadableError("it is not a certificate of version 1 to 3")
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
        self.groups = [[self.goal.index(tile) for tile in group] for group in groups]
        self.subtrees: list[Subtree] | None = None
        # Versions 1 and 2 have no subtrees; their bound is checked by a search.
        if version == "slidewise certificate 3" and "subtrees" in claims:  # type: ignore[operator]  # an object, as it has a format
            self._read_subtrees(claims)
        elif any(len(group) > MAX_TILES for group in groups) and self.cells <= SEARCHED_CELLS:
            raise UnreadableError(f"a group of 'groups' must have at most {MAX_TILES} tiles")

    def _read_subtrees(self, claims: object) -> None:
        """Read the subtrees, and the rules that they follow."""
        if sum(map(len, self.groups)) < self.cells - 1:
            raise UnreadableError("'groups' must have all tiles")
        if any(self.cells ** len(group) > MAX_ENTRIES for group in self.groups):
            raise UnreadableError("a group of 'groups' has too many tiles")
        self.views = integers(claims, "views", 2)
        known = views(self.rows, self.cols, self.goal.index(0))
        if not 1 <= len(self.views) <= len(known) or any(v not in known for v in self.views):
            raise UnreadableError("'views' must be symmetries that leave the blank's home in place")
        self.walk = integers(claims, "walk")
        if not 2 <= self.walk <= MAX_WALK:
            raise UnreadableError(f"'walk' must be from 2 to {MAX_WALK} moves")
        self.level, listed = integers(claims, "level"), field(claims, "subtrees")
        if self.level >= max(1, self.bound):
            raise UnreadableError("'level' must be below the lower bound")
        if not isinstance(listed, list) or len(listed) > MAX_SUBTREES:
            raise UnreadableError(f"'subtrees' must be a list of at most {MAX_SUBTREES:,}")
        for number, subtree in enumerate(listed, 1):
            if not is_subtree(subtree):
                raise UnreadableError(f"subtree {number} must be its moves and two counts")
            if len(subtree[0]) != self.level:
                raise RefutedError(
                    f"subtree {number}, {subtree[0]:.40}, is not {self.level} moves from the start"
                )
        self.subtrees = [Subtree(*subtree) for subtree in listed]

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

    def manhattan(self) -> int:
        """Return the sum of the distances of the tiles from their homes."""
        distances = (
            abs(row - home_row) + abs(col - home_col)
            for tile in range(1, self.cells)
            for row, col in [divmod(self.start.index(tile), self.cols)]
            for home_row, home_col in [divmod(self.goal.index(tile), self.cols)]
        )
        return sum(distances)


def check_bound(
    certificate: Certificate, options: Options, folder: Folder, deadline: Deadline, report: Report
) -> Finding:
    """Check that no solution has fewer moves than the lower bound."""
    bound, checked = certificate.bound, certificate.manhattan()
    text = f"no solution has fewer than {bound} moves"
    if bound <= checked:
        return Finding("lower_bound", bound, True, f"{text}, by Manhattan distance")
    if bound > MAX_BOUND:
        why = f"bounds are checked up to {MAX_BOUND:,} moves"
    elif certificate.subtrees is not None:
        proof = SubtreeCheck(certificate, options, folder, deadline, report)
        try:
            proof.check()
        except OutOfTimeError:
            why = f"the time is over; {proof.recomputed()}"
        except MemoryError:
            why = f"out of memory; {proof.recomputed()}"
        else:
            if proof.is_complete:
                return Finding("lower_bound", bound, True, f"{text}: {proof.recomputed()}")
            why = f"{proof.recomputed()}, drawn at random: {proof.chance()}"
    elif certificate.cells > SEARCHED_CELLS:
        why = f"without subtrees bounds are checked up to {SEARCHED_CELLS} cells"
    else:
        try:
            for proved in proved_bounds(certificate, folder, deadline, report):
                checked = proved
            return Finding("lower_bound", bound, True, f"{text}, by a search of its own")
        except (OutOfTimeError, MemoryError) as error:
            why = "the time is over" if isinstance(error, OutOfTimeError) else "out of memory"
            why = f"{why}; that none has fewer than {checked} is checked"
    return Finding("lower_bound", bound, False, f"{text} ({why})")


class SubtreeCheck:
    """The subtrees of a proof, some or all of which are recomputed.

    They are the boards at some level of a `SearchTree`, each with the boards below it. If the goal
    is not in the tree, no solution is shorter than the bound.
    """

    def __init__(
        self,
        certificate: Certificate,
        options: Options,
        folder: Folder,
        deadline: Deadline,
        report: Report,
    ) -> None:
        self.certificate, self.subtrees = certificate, certificate.subtrees or []
        self.options, self.folder, self.deadline = options, folder, deadline
        self.report = report
        self.limit = certificate.bound - 1
        self.order: list[int] = []  # of the subtrees to recompute
        self.done: set[int] = set()
        self.boards = 0
        self.lock = threading.Lock()

    @property
    def is_complete(self) -> bool:
        """Whether all subtrees are recomputed."""
        return len(self.done) == len(self.subtrees)

    def recomputed(self) -> str:
        """Return how many subtrees and boards are recomputed."""
        boards = sum(self.subtrees[number].expanded for number in self.done)
        total = len(self.subtrees)
        number = f"all {total:,}" if self.is_complete else f"{len(self.done):,} of {total:,}"
        if total == 1 and self.is_complete:
            return f"its whole search recomputed, {boards:,} boards"
        return f"{number} subtrees recomputed, {boards:,} boards"

    def chance(self) -> str:
        """Return the meaning of the sample."""
        return (
            f"a file with more than {100 * false_share(len(self.done)):g} % false subtrees passes "
            f"with probability below {100 * CHANCE:g} %"
        )

    def check(self) -> None:
        """Check that the roots are exactly the frontier, and recompute subtrees.

        Raises `RefutedError`, and `OutOfTimeError`.
        """
        one = self.certificate
        if one.start == one.goal:
            raise RefutedError("there is a solution of 0 moves")
        # The sample is drawn when the file has been read, so no file can be made for it.
        self.order = self.folder.drawn(len(self.subtrees), self.options.sample)
        self.done = self.folder.done & set(self.order)
        tables = Tables.build(one, one.groups, one.views, self.folder, self.deadline, self.report)
        self.tree = SearchTree(one, tables, one.walk)
        self.check_frontier()
        todo = [number for number in self.order if number not in self.done]
        self.expected = sum(self.subtrees[number].expanded for number in todo)
        if self.expected > PLAIN_NODES:
            self.tree.compile()
        self.started = self.reported = monotonic()
        self.recompute(todo)

    def check_frontier(self) -> None:
        """Check that no subtree is missing or wrong, by splitting the tree again."""
        search, number = Search(self.tree, "", self.limit), 0
        reported = monotonic()
        if self.certificate.level == 0:
            if [subtree.root for subtree in self.subtrees] != [""]:
                raise RefutedError("at level 0 the start must be the only subtree")
            return
        while True:
            self.deadline.check()
            outcome = search.advance(self.limit, self.certificate.level)
            if monotonic() - reported >= REPORT_SECONDS:
                reported = monotonic()
                self.report(f"looking for the roots: {search.expanded:,} boards, {number:,} roots")
            if outcome == FOUND:
                raise RefutedError(f"there is a solution of {search.depth} moves")
            # The listed roots must match in order and in number, so a missing subtree shows too.
            if outcome == NOTHING_FOUND:
                break
            if outcome == AT_LEVEL:
                root = search.moves()
                listed = self.subtrees[number].root if number < len(self.subtrees) else "missing"
                if listed != root:
                    raise RefutedError(f"subtree {number + 1} must be {root}, and it is {listed}")
                number += 1
        if number < len(self.subtrees):
            root = self.subtrees[number].root
            raise RefutedError(f"subtree {number + 1}, {root}, is not in the search tree")

    def recompute(self, numbers: list[int]) -> None:
        """Recompute subtrees, on several cores if compiled."""
        left, stop = iter(numbers), threading.Event()

        def work() -> None:
            try:
                while not stop.is_set():
                    with self.lock:
                        number = next(left, None)
                    if number is None:
                        return
                    if self.recompute_one(self.subtrees[number], stop):
                        with self.lock:
                            self.done.add(number)
                            self.folder.save(self.done)
            # A refuted subtree refutes the file, so the other threads must stop.
            except BaseException:
                stop.set()
                raise

        cores = self.options.cores if self.tree.compiled else 1
        try:
            with ThreadPoolExecutor(cores) as pool:
                workers = [pool.submit(work) for _ in range(cores)]
                try:
                    for worker in workers:
                        worker.result()
                finally:
                    stop.set()
        finally:
            self.folder.save(self.done, now=True)

    def recompute_one(self, subtree: Subtree, stop: threading.Event) -> bool:
        """Recompute a subtree; return False if stopped by another thread."""
        root, expanded, generated = subtree
        search = Search(self.tree, root, self.limit)
        while not stop.is_set():
            self.deadline.check()
            # A single board above the claim refutes the count, so the slice ends there.
            before = search.expanded
            outcome = search.advance(self.limit, MAX_BOUND, expanded + 1 - before)
            self.count(search.expanded - before)
            if outcome == FOUND:
                raise RefutedError(f"there is a solution of {search.depth} moves")
            if search.expanded > expanded:
                raise RefutedError(f"the subtree {root} has more than {expanded} boards")
            if outcome == NOTHING_FOUND:
                if (search.expanded, search.generated) != (expanded, generated):
                    raise RefutedError(
                        f"the subtree {root} has {search.expanded} boards with "
                        f"{search.generated} successors, not {expanded} with {generated}"
                    )
                return True
        return False

    def count(self, boards: int) -> None:
        """Count boards, and report from time to time."""
        with self.lock:
            self.boards += boards
            now = monotonic()
            since = REPORT_SECONDS if self.reported > self.started else ANNOUNCED_SECONDS
            if now - self.reported >= since:
                self.reported = now
                speed = max(1.0, self.boards / (now - self.started))
                left = duration(max(0, self.expected - self.boards) / speed)
                self.report(f"{self.recomputed()}; about {left} left")


def false_share(sample: int) -> float:
    """Return the share of false subtrees that a sample detects with probability `1 - CHANCE`.

    Each subtree drawn is true with a probability of at most 1 - share. The share is rounded up to
    one digit.
    """
    share: float = 1 - CHANCE ** (1 / max(1, sample))
    digit: float = 10.0 ** math.floor(math.log10(share))
    return float(min(1.0, math.ceil(share / digit) * digit))


def proved_bounds(
    certificate: Certificate, folder: Folder, deadline: Deadline, report: Report
) -> Iterator[int]:
    """Yield proved lower bounds, up to the claim or above, by a search without subtrees.

    Raises `RefutedError` for a solution with fewer moves, and `OutOfTimeError`.
    """
    one, bound = certificate, certificate.bound
    if one.start == one.goal:
        raise RefutedError("there is a solution of 0 moves")
    blank = one.goal.index(0)
    groups = full_groups(one.groups, [cell for cell in range(one.cells) if cell != blank])
    symmetries = views(one.rows, one.cols, blank)
    tree = SearchTree(one, Tables.build(one, groups, symmetries, folder, deadline, report), 2)
    # A tile's moves and its distance have the same parity, so solutions and the estimate do too.
    limit = tree.estimate(one.start)
    yield limit
    counts: list[int] = []
    while limit < bound:
        expected = expected_nodes(counts, len(range(limit, bound, 2)))
        title = f"searching up to {limit} of {bound - 1} moves"
        counts.append(search_whole(tree, limit, title, expected, deadline, report))
        limit += 2
        yield limit


def search_whole(
    tree: SearchTree, limit: int, title: str, expected: int, deadline: Deadline, report: Report
) -> int:
    """Return the boards of a search that finds no solution of at most `limit` moves."""
    search, reported = Search(tree, "", limit), None if expected else monotonic()
    if expected > PLAIN_NODES:
        tree.compile()
    while True:
        deadline.check()
        started, before = monotonic(), search.expanded
        outcome = search.advance(limit)
        if outcome == FOUND:
            raise RefutedError(f"there is a solution of {limit} moves")
        if outcome == NOTHING_FOUND:
            return search.expanded
        speed = max(1.0, (search.expanded - before) / (monotonic() - started + 1e-6))
        if reported is None or monotonic() - reported >= REPORT_SECONDS:
            seconds = max(0, expected - search.expanded) / speed
            if reported is not None or seconds >= ANNOUNCED_SECONDS:
                left = f", about {duration(seconds)} left in all" if seconds else ""
                report(f"{title}: {search.expanded:,} boards{left}")
            reported = monotonic()


class Tables:
    """Pattern tables, and where they have the groups of each view of a board.

    A view is a symmetry of the grid that fixes the blank's home. It maps the tile with the home
    cell h to the tile with the home cell view[h]. A view's estimate is the sum over the groups.
    """

    def __init__(
        self, values: Table, goal: list[int], groups: list[list[int]], views: list[list[int]]
    ) -> None:
        cells, self.values, self.views = len(goal), values, views
        self.first = [0] * (len(groups) * len(views))  # the first place of each look-up
        self.lookup, self.weight = ([0] * (cells * len(views)) for _ in range(2))
        for number, view in enumerate(views):
            offset = 0
            for group, homes in enumerate(groups):
                self.first[number * len(groups) + group] = offset
                offset += cells ** len(homes)
                for slot, home in enumerate(homes):
                    at = number * cells + goal[view.index(home)]
                    self.lookup[at] = number * len(groups) + group
                    self.weight[at] = cells ** (len(homes) - 1 - slot)
        self.where = [cell for view in views for cell in view]

    @classmethod
    def build(
        cls,
        certificate: Certificate,
        groups: list[list[int]],
        views: list[list[int]],
        folder: Folder,
        deadline: Deadline,
        report: Report,
    ) -> Tables:
        """Build the table of each group, or take it from the folder of `--state`."""
        one, blank = certificate, certificate.goal.index(0)
        ends = list(itertools.accumulate(one.cells ** len(group) for group in groups))
        values, missing = np.empty(ends[-1], dtype=np.uint8), []
        for end, group in zip(ends, groups, strict=True):
            name = "-".join(map(str, (one.rows, one.cols, blank, *group)))
            if (table := folder.table(name)) is None:
                missing.append((end, group, name))
            else:
                values[end - len(table) : end] = table
        entries = sum(one.cells ** len(group) for _, group, _ in missing)
        if (seconds := entries / TABLE_STATES) >= ANNOUNCED_SECONDS:
            report(f"building pattern tables: about {duration(seconds)}")
        for end, group, name in missing:
            table = fewest_moves(one.rows, one.cols, group, blank, deadline.check)
            folder.save_table(name, table)
            values[end - len(table) : end] = table
        return cls(values, one.goal, groups, views)

    def places(self, board: list[int]) -> list[int]:
        """Return the place of each look-up of a board."""
        at = list(self.first)
        for view in range(len(self.views)):
            for cell, tile in enumerate(board):
                if tile:
                    place = view * len(board) + tile
                    at[self.lookup[place]] += (
                        self.where[view * len(board) + cell] * self.weight[place]
                    )
        return at


class SearchTree:
    """The search tree of a board: which moves are tried, and the estimates.

    The blank's moves are tried in the order up, down, left, right. A walk of the blank is not
    continued if its last moves, up to `walk` of them, are a forbidden walk (`forbidden_walks`). If
    the start is its own image in a view, a first move whose board is the image of an earlier first
    move's board is not tried. A board belongs to the tree if its moves plus its estimate are within
    the limit, and the same holds for all boards before it. The estimate is the maximum over the
    views.
    """

    def __init__(self, certificate: Certificate, tables: Tables, walk: int) -> None:
        self.start, self.goal, self.tables = certificate.start, certificate.goal, tables
        self.near = near_cells(certificate.rows, certificate.cols)
        self.onward = list(automaton(certificate.rows, certificate.cols, walk))
        self.first_row = self._without_images()
        self.compiled = False
        self.facts: list[Any] = [
            self.near,
            self.onward,
            tables.lookup,
            tables.weight,
            tables.where,
            tables.values.data,
        ]
        self._lock = threading.RLock()

    def _without_images(self) -> int:
        """Return the row of the automaton for the start, without first moves that are images."""
        blank, board = self.start.index(0), self.start
        symmetries = [view for view in self.tables.views if self._image(board, view) == board]
        first, tried = self.onward[4 * blank : 4 * blank + 4], []
        for side, cell in enumerate(self.near[4 * blank : 4 * blank + 4]):
            if cell >= 0:
                after = list(board)
                after[blank], after[cell] = after[cell], 0
                if any(self._image(after, view) in tried for view in symmetries):
                    first[side] = -1
                tried.append(after)
        self.onward += first
        return len(self.onward) // 4 - 1

    def _image(self, board: list[int], view: list[int]) -> list[int]:
        """Return the board as the view shows it."""
        image = [0] * len(board)
        for cell, tile in enumerate(board):
            image[view[cell]] = self.goal[view[self.goal.index(tile)]]
        return image

    def estimates(self, board: list[int]) -> list[int]:
        """Return the estimate of each view."""
        values = [int(self.tables.values[place]) for place in self.tables.places(board)]
        groups = len(values) // len(self.tables.views)
        return [sum(values[i : i + groups]) for i in range(0, len(values), groups)]

    def estimate(self, board: list[int]) -> int:
        """Return the highest estimate."""
        return max(self.estimates(board))

    def compile(self) -> None:
        """Switch to compiled code, if numba is installed."""
        with self._lock:
            if not self.compiled and compiler() is not None:
                facts = [np.array(values, dtype=np.int64) for values in self.facts[:-1]]
                self.facts = [*facts, self.tables.values]
                self.compiled = True
                Search(self, "", 0).advance(0, 0, 0)  # numba compiles when it is called


class Search:
    """A depth-first search of the subtree of a board, in slices."""

    def __init__(self, tree: SearchTree, root: str, limit: int) -> None:
        self.tree, self.root, self.compiled = tree, root, False
        board, row = list(tree.start), tree.first_row
        blank = board.index(0)
        for letter in root:
            side = TILES_GO.index(letter)
            row, cell = tree.onward[4 * row + side], tree.near[4 * blank + side]
            board[blank], board[cell], blank = board[cell], 0, cell
        depths, sums = max(0, limit - len(root)) + 2, tree.estimates(board)
        self.state: list[Any] = [
            board,
            [blank, *[0] * depths],
            [row, *[0] * depths],
            [0] * (depths + 1),
            sums + [0] * (depths * len(sums)),
            tree.tables.places(board),
            [0, 1, 0],
        ]

    @property
    def depth(self) -> int:
        """Moves from the start to the current board."""
        return len(self.root) + int(self.state[-1][0])

    @property
    def expanded(self) -> int:
        """Boards of the subtree so far."""
        return int(self.state[-1][1])

    @property
    def generated(self) -> int:
        """Moves from these boards that were tried."""
        return int(self.state[-1][2])

    def moves(self) -> str:
        """Return the moves of tiles from the start to the current board."""
        path = [int(cell) for cell in self.state[1][: int(self.state[-1][0]) + 1]]
        near = self.tree.near
        sides = (near[4 * cell : 4 * cell + 4].index(to) for cell, to in itertools.pairwise(path))
        return self.root + "".join(TILES_GO[side] for side in sides)

    def advance(self, limit: int, level: int = MAX_BOUND, boards: int = MAX_COUNT) -> int:
        """Search a slice of up to `boards` boards; return its outcome."""
        if self.expanded >= PLAIN_NODES:
            self.tree.compile()
        # The state moves into arrays in mid-search; the depth and counters are part of it.
        if self.tree.compiled and not self.compiled:
            self.compiled = True
            self.state = [np.array(values, dtype=np.int64) for values in self.state]
        function: Any = compiler() if self.compiled else search
        slice_boards = min(boards, COMPILED_SLICE if self.compiled else PLAIN_SLICE)
        depths = limit - len(self.root), level - len(self.root)
        outcome = int(function(*self.state, *self.tree.facts, *depths, slice_boards))
        if outcome == FOUND and list(self.state[0]) != self.tree.goal:
            raise AssertionError("the search has ended at another board than the goal")
        return outcome


def search(
    board: Any,
    path: Any,
    rows: Any,
    sides: Any,
    sums: Any,
    at: Any,
    counts: Any,
    near: Any,
    onward: Any,
    lookup: Any,
    weight: Any,
    where: Any,
    tables: Any,
    limit: int,
    level: int,
    budget: int,
) -> int:
    """Continue a search for a solution of at most `limit` moves, for `budget` boards.

    For each depth, `path` has the blank's cell, `rows` the row of the automaton and `sides` the
    next of its four neighbours. `sums` has the estimate of each view. `at` has the index of each
    look-up in `tables`, and `counts` the depth, the boards and their successors. Boards at `level`
    are not expanded. All are lists or arrays of integers, so that numba can compile the loop.
    """
    cells, views = len(board), len(where) // len(board)
    depth, expanded, generated = counts[0], counts[1], counts[2]
    last, outcome = expanded + budget, 0
    while expanded < last and outcome == 0:
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
        side = sides[depth]
        row, cell = onward[4 * rows[depth] + side], near[4 * blank + side]
        sides[depth] += 1
        if row < 0:
            continue
        generated += 1
        tile, highest = board[cell], 0
        for view in range(views):
            place = view * cells + tile
            before = at[lookup[place]]
            step = where[view * cells + blank] - where[view * cells + cell]
            change = int(tables[before + step * weight[place]]) - int(tables[before])
            sums[(depth + 1) * views + view] = sums[depth * views + view] + change
            highest = max(highest, sums[(depth + 1) * views + view])
        # The board is only changed below, so a pruned move needs no undoing.
        if depth + 1 + highest > limit:
            continue
        board[blank], board[cell] = tile, 0
        for view in range(views):
            place = view * cells + tile
            step = where[view * cells + blank] - where[view * cells + cell]
            at[lookup[place]] += step * weight[place]
        depth += 1
        path[depth], rows[depth], sides[depth] = cell, row, 0
        # Only the goal has an estimate of 0, as the groups hold all tiles.
        if highest == 0:
            outcome = 2
        elif depth == level:
            outcome = 3
            # A root at `level` counts as finished, so the next call backtracks from it.
            sides[depth] = 4
        else:
            expanded += 1
    counts[0], counts[1], counts[2] = max(0, depth), expanded, generated
    return outcome


def expected_nodes(counts: list[int], rounds: int) -> int:
    """Estimate the nodes of the next `rounds` searches, 0 if there is too little data.

    `counts` are the nodes of the searches so far, which grow by a factor each time.
    """
    if len(counts) < 2 or counts[-2] < FORECAST_NODES:
        return 0
    # Bound the growth, as two small rounds say little about the next.
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
            _compiled.append(njit(search, nogil=True))
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


TILES_GO = "DURL"
"""Direction of the tile for each side that the blank goes to: up, down, left, right."""


def near_cells(rows: int, cols: int) -> list[int]:
    """Return four cells for each cell: up, down, left and right of it, -1 beyond the edge."""
    return [
        row * cols + col if 0 <= row < rows and 0 <= col < cols else -1
        for cell in range(rows * cols)
        for row, col in [
            (cell // cols - 1, cell % cols),
            (cell // cols + 1, cell % cols),
            (cell // cols, cell % cols - 1),
            (cell // cols, cell % cols + 1),
        ]
    ]


Walk = tuple[int, str]
"""A walk of the blank: its first cell, and the digits of the sides it goes to."""


def forbidden_walks(near: list[int], longest: int) -> set[Walk]:
    """Return the shortest forbidden walks, of up to `longest` moves.

    A walk is forbidden if a better walk from its cell leads to the same board. Better means fewer
    moves, or as many and earlier in the order of the sides. The first of the shortest solutions in
    that order has no forbidden walk in it, as the better walk could replace it.

    A board is a number with five bits for each cell.
    """
    cells = len(near) // 4
    moves = [
        [
            (str(side), cell, 5 * cell, 2 ** (5 * blank) - 2 ** (5 * cell))
            for side, cell in enumerate(near[4 * blank : 4 * blank + 4])
            if cell >= 0
        ]
        for blank in range(cells)
    ]
    found: set[Walk] = set()
    for start in range(cells):
        board = sum(cell + 1 << 5 * cell for cell in range(cells) if cell != start)
        reached, layer = {board}, [(board, start, "")]
        for _ in range(longest):
            next_layer = []
            for board, blank, sides in layer:
                for side, cell, bits, change in moves[blank]:
                    after = board + (board >> bits & 31) * change
                    if after in reached:
                        found.add((start, sides + side))
                    else:
                        reached.add(after)
                        next_layer.append((after, cell, sides + side))
            layer = next_layer
    # A walk whose ending is forbidden already is never continued, so it is redundant.
    return {walk for walk in found if not any(end in found for end in endings(near, walk))}


def endings(near: list[int], walk: Walk) -> Iterator[Walk]:
    """Yield the walk without its first moves, the longest first."""
    start, sides = walk
    for number, side in enumerate(sides, 1):
        start = near[4 * start + int(side)]
        yield start, sides[number:]


@functools.lru_cache(maxsize=8)
def automaton(rows: int, cols: int, longest: int) -> list[int]:
    """Return the rows after each row for the four sides, -1 for a forbidden side.

    A row stands for the last moves of a walk, as far as they begin a forbidden walk. The first rows
    stand for walks that begin in each cell.
    """
    near = near_cells(rows, cols)
    forbidden = forbidden_walks(near, longest)
    # States of the automaton: the proper beginnings of forbidden walks.
    begun = {(cell, sides[:end]) for cell, sides in forbidden for end in range(1, len(sides))}
    walks = [(cell, "") for cell in range(rows * cols)]
    walks += sorted(begun, key=lambda walk: (len(walk[1]), walk))
    number_of = {walk: number for number, walk in enumerate(walks)}
    onward: list[int] = []
    for walk in walks:
        start, sides = walk
        shorter = list(endings(near, walk))
        # As in Aho and Corasick (1975), a failed walk falls back to its longest known ending.
        known = next((number_of[ending] for ending in shorter if ending in number_of), -1)
        blank = shorter[-1][0] if shorter else start
        for side, cell in enumerate(near[4 * blank : 4 * blank + 4]):
            longer = start, sides + str(side)
            if cell < 0 or longer in forbidden:
                onward.append(-1)
            elif longer in number_of:
                onward.append(number_of[longer])
            else:
                onward.append(onward[4 * known + side] if shorter else cell)
    return onward


def fewest_moves(
    rows: int, cols: int, group: list[int], blank: int, check_time: CheckTime
) -> Table:
    """Return the fewest moves of the tiles with homes in `group`, for all their cells.

    Moves of other tiles are free. So the blank can be anywhere in its region, the cells it can
    reach without moving the group's tiles. A state is the set of the tiles' cells, the region and
    the order of the tiles in the cells. `moves` has a row for each set and region, with a column
    for each order. The rows are made smaller from their neighbours until nothing changes.
    """
    cells, tiles = rows * cols, len(group)
    sets = np.array(list(itertools.combinations(range(cells), tiles)), dtype=np.int64)
    bits = (1 << sets).sum(axis=1)
    sets, bits = sets[np.argsort(bits)], np.sort(bits)
    orders = np.array(list(itertools.permutations(range(tiles))), dtype=np.int64)
    row_of, first_row = region_rows(rows, cols, bits)
    moves = np.full((first_row[-1], len(orders)), UNREACHABLE, dtype=np.uint8)
    home = row_of[np.searchsorted(bits, sum(1 << cell for cell in group)), blank]
    moves[home, np.flatnonzero((orders == np.argsort(np.argsort(group))).all(axis=1))] = 0
    slides = list(tile_slides(near_cells(rows, cols), sets, bits, row_of, orders))
    changed, done = np.full(len(moves), -1), [0] * len(slides)
    changed[home], step, size = 0, 0, max(1, CHUNK_BYTES // len(orders))
    # Only rows that changed since a slide's last turn can improve others.
    while (changed >= min(done)).any():
        for number, (old, new, columns) in enumerate(slides):
            check_time()
            due = np.flatnonzero(changed[old] >= done[number])
            step += 1
            done[number] = step
            for chunk in (due[at : at + size] for at in range(0, len(due), size)):
                before, after = moves[old[chunk]], moves[new[chunk]]
                longer = before + (before < UNREACHABLE)
                smaller = np.minimum(after, np.take(longer, columns, axis=1))
                better = (smaller != after).any(axis=1)
                moves[new[chunk[better]]] = smaller[better]
                changed[new[chunk[better]]] = step
    fewest = np.full(cells**tiles, UNREACHABLE, dtype=np.uint8)
    for at in range(0, len(sets), size):
        starts, some = first_row[at : at + size + 1], sets[at : at + size]
        places = sum(
            cells ** (tiles - 1 - slot) * some[:, orders[:, slot]] for slot in range(tiles)
        )
        fewest[places] = np.minimum.reduceat(
            moves[starts[0] : starts[-1]], starts[:-1] - starts[0], axis=0
        )
    return fewest


def region_rows(rows: int, cols: int, bits: Integers) -> tuple[Integers, Integers]:
    """Return the row of each set and cell, and the first row of each set.

    The cells of a region have the same row. `bits` are the sets of taken cells.
    """
    cells, near = rows * cols, near_cells(rows, cols)
    free = np.stack([bits >> cell & 1 == 0 for cell in range(cells)], axis=1)
    # Label each region by its lowest cell, spread between neighbours until it is stable.
    lowest = np.where(free, np.arange(cells), cells).astype(np.int8)
    before = None
    while before is None or (lowest != before).any():
        before = lowest.copy()
        for cell, other in itertools.product(range(cells), range(cells)):
            if other in near[4 * cell : 4 * cell + 4]:
                joined = np.minimum(lowest[:, cell], lowest[:, other])
                lowest[:, cell] = np.where(free[:, cell] & free[:, other], joined, lowest[:, cell])
    is_first = lowest == np.arange(cells)
    numbers = np.cumsum(is_first.ravel()).reshape(is_first.shape) - 1
    row_of = np.take_along_axis(numbers, np.minimum(lowest, cells - 1).astype(np.int64), axis=1)
    return row_of, np.concatenate([[0], np.cumsum(is_first.sum(axis=1))])


def tile_slides(
    near: list[int], sets: Integers, bits: Integers, row_of: Integers, orders: Integers
) -> Iterator[tuple[Integers, Integers, Integers]]:
    """Yield rows, the rows after a tile's move, and the column before for each column after.

    The rows after are all different: the moves yielded together have the same direction.
    """
    radix = len(orders[0]) ** np.arange(len(orders[0]))[::-1]
    for side in range(4):
        found: dict[tuple[int, int], list[tuple[Integers, Integers]]] = {}
        for tile, blank in enumerate(near[side::4]):
            if blank < 0:
                continue
            can = np.flatnonzero((bits >> tile & 1 == 1) & (bits >> blank & 1 == 0))
            after = np.searchsorted(bits, bits[can] ^ (1 << tile | 1 << blank))
            old, new = (sets[can] < tile).sum(axis=1), (sets[after] < blank).sum(axis=1)
            for i, j in sorted(set(zip(old.tolist(), new.tolist(), strict=True))):
                some = (old == i) & (new == j)
                rows = row_of[can[some], blank], row_of[after[some], tile]
                found.setdefault((i, j), []).append(rows)
        for (i, j), parts in found.items():
            before = np.insert(np.delete(np.arange(len(radix)), i), j, i)  # of each place after
            columns = np.searchsorted(orders @ radix, before[orders] @ radix)
            yield *np.concatenate(parts, axis=1), columns


class Folder:
    """The folder of `--state`, if any, with tables and the progress of a certificate.

    The progress is bound to the digest of the certificate. Digests of all files protect against
    damage, but not against someone who can write there.
    """

    def __init__(self, path: Path | None, digest: str) -> None:
        self.path, self.digest = path, digest
        self.sample: list[int] | None = None
        self.done: set[int] = set()
        self.saved = monotonic()
        if path is not None:
            path.mkdir(parents=True, exist_ok=True)

    def drawn(self, total: int, sample: int | None) -> list[int]:
        """Read the progress, and return the numbers of the subtrees to recompute.

        A sample is drawn once for a certificate and a size.
        """
        facts = self._read(total)
        self.done = set(facts.get("done", ()))
        if sample is None or sample >= total:
            return list(range(total))
        before = facts.get("sample")
        is_same = isinstance(before, list) and len(before) == sample
        self.sample = before if is_same else random.SystemRandom().sample(range(total), sample)
        return list(self.sample or ())

    def _read(self, total: int) -> dict[str, Any]:
        """Return the progress of this certificate, empty if there is none."""
        if self.path is None:
            return {}
        try:
            # The digest stands in the first line, before the JSON that it covers.
            digest, _, data = self._progress().read_bytes().partition(b"\n")
            if digest.decode() != hashlib.sha256(data).hexdigest():
                return {}
            facts: Any = json.loads(data)
            numbers = {*facts["done"], *(facts["sample"] or ())}
            is_known = facts["certificate"] == self.digest and numbers <= set(range(total))
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return {}
        return dict(facts) if is_known else {}

    def save(self, done: set[int], *, now: bool = False) -> None:
        """Write the progress, from time to time or at the end."""
        if self.path is not None and (now or monotonic() - self.saved >= SAVE_SECONDS):
            self.saved = monotonic()
            facts = {"certificate": self.digest, "sample": self.sample}
            facts["done"] = sorted(self.done | done)
            data = json.dumps(facts).encode()
            self._write(self._progress(), hashlib.sha256(data).hexdigest().encode(), b"\n", data)

    def table(self, name: str) -> Table | None:
        """Return a table, None if it is missing or damaged."""
        if self.path is None or not (file := self._table(name)).exists():
            return None
        # The SHA-256 digest stands behind the entries.
        data = np.fromfile(file, dtype=np.uint8)
        table, digest = data[:-32], data[-32:].tobytes()
        return table if self._digest(name, table) == digest else None

    def save_table(self, name: str, table: Table) -> None:
        """Write a table with its digest."""
        if self.path is not None:
            self._write(self._table(name), table.data, self._digest(name, table))

    def _digest(self, name: str, table: Table) -> bytes:
        """Return the digest of a table and its name, so that renamed files are detected."""
        digest = hashlib.sha256(name.encode() + b"\n")
        digest.update(table.data)
        return digest.digest()

    def _progress(self) -> Path:
        return Path(self.path or "", f"{self.digest[:16]}.progress")

    def _table(self, name: str) -> Path:
        return Path(self.path or "", f"{name}.table")

    def _write(self, file: Path, *parts: Any) -> None:
        """Write a file whole and synced, so that a stop or a power cut leaves no torn file."""
        new = file.with_name(f"{file.name}.new")
        with new.open("wb") as opened:
            for part in parts:
                opened.write(part)
            opened.flush()
            os.fsync(opened.fileno())
        new.replace(file)


def is_subtree(value: object) -> bool:
    """Return whether a JSON value is a subtree: moves and two counts."""
    if not (isinstance(value, list) and len(value) == 3 and isinstance(value[0], str)):
        return False
    counts = all(type(count) is int and 0 <= count < MAX_COUNT for count in value[1:])
    return counts and value[0].strip("UDLR") == ""


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
