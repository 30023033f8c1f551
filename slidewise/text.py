"""A result in words, for a terminal and for a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from slidewise.puzzle import format_moves
from slidewise.solver.registry import algorithms, find_heuristic
from slidewise.solver.result import Status
from slidewise.solver.verdict import Proof, count_moves

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slidewise.solver.result import Result

SHOWN_MOVES = 200
"""The longest solution that a notebook shows, in characters."""


def method(result: Result) -> str:
    """Return the titles of the algorithm, with its weight, and of the heuristic it used, if any."""
    title = algorithms()[result.algorithm].title
    if result.weight is not None:
        title = f"{title} (w = {result.weight:g})"
    if result.heuristic is None:
        return title
    return f"{title} with {find_heuristic(result.heuristic).title}"


def outcome(result: Result) -> str:
    """Return what is known of the solution, in a few words.

    >>> from slidewise.puzzle import parse_puzzle
    >>> from slidewise.solver import Limits, solve
    >>> outcome(solve(parse_puzzle("1.0.3-4.2.5")))
    'optimal'
    >>> outcome(solve(parse_puzzle("1.0.3-4.2.5"), "astar", limits=Limits(expansions=1)))
    'cutoff, at least 2 moves'
    """
    status, kind, bound = result.status, result.verdict.kind, result.lower_bound
    if status is Status.SOLVED:
        if kind is Proof.BOUNDED and result.length is not None and bound is not None:
            return f"{kind}, at most {result.length - bound:,} above the shortest"
        return str(kind)
    return str(status) if bound is None else f"{status}, at least {count_moves(bound)}"


def duration(seconds: float) -> str:
    """Return a time with its unit.

    >>> duration(0.0123), duration(12.34)
    ('12.3 ms', '12.3 s')
    """
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"


def as_text(result: Result) -> str:
    """Return the method, what it found, why that holds, and the cost: four lines."""
    found = "no solution found" if result.length is None else count_moves(result.length)
    return (
        f"{method(result)}: {found}, {outcome(result)}\n"
        f"because: {result.verdict.reason}\n"
        f"puzzle {result.puzzle}\n"
        f"expanded {result.expanded:,}, generated {result.generated:,}, "
        f"peak stored {result.peak_stored:,}, {duration(result.seconds)}"
    )


def as_html(result: Result) -> str:
    """Return what `as_text` says, and the moves, as a small HTML table."""
    moves = format_moves(result.moves)
    facts = {
        "puzzle": str(result.puzzle),
        "method": method(result),
        "moves": "none found" if result.length is None else f"{result.length:,}",
        "verdict": f"{outcome(result)}: {result.verdict.reason}",
        "solution": moves if len(moves) <= SHOWN_MOVES else f"{moves[:SHOWN_MOVES]} ...",
        "expanded": f"{result.expanded:,}",
        "generated": f"{result.generated:,}",
        "peak stored": f"{result.peak_stored:,}",
        "time": duration(result.seconds),
    }
    rows = (
        f"<tr><th>{escape(name)}</th><td>{escape(fact)}</td></tr>"
        for name, fact in facts.items()
        if fact
    )
    return f"<table>{''.join(rows)}</table>"


def html_table(caption: str, titles: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return an HTML table of texts under the titles of its columns.

    >>> html_table("<1>", ["a"], [["b"]])
    '<table><caption>&lt;1&gt;</caption><tr><th>a</th></tr><tr><td>b</td></tr></table>'
    """
    lines = [_html_row("th", titles), *(_html_row("td", row) for row in rows)]
    return f"<table><caption>{escape(caption)}</caption>{''.join(lines)}</table>"


def text_table(titles: Iterable[str], rows: Iterable[Iterable[str]], right: frozenset[int]) -> str:
    """Return a table of texts in lines; the columns `right`, numbered from 0, end at the right.

    >>> print(text_table(["name", "moves"], [["astar", "26"]], frozenset({1})))
    name   moves
    -----  -----
    astar     26
    """
    table = [list(titles), *(list(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    table.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    )


def _html_row(tag: str, cells: Iterable[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"
