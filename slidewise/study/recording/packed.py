"""A recording as plain values, mostly numbers in rows, to hand to another process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slidewise.puzzle import Board
from slidewise.solver.events import Fate
from slidewise.solver.find import find_algorithm
from slidewise.study.recording.node import Node, State
from slidewise.study.recording.recording import (
    Expansion,
    RecordedSuccessor,
    Recording,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_WHOLE = (
    "puzzle",
    "formula",
    "order",
    "memory_label",
    "limit_name",
    "solution",
    "result",
    "convention",
    "gap",
)
"""The fields that are few enough to be written as they are."""


def pack(recording: Recording) -> dict[str, Any]:
    """Return a recording as what `unpack` reads.

    >>> from slidewise import SearchSpec, parse_puzzle
    >>> from slidewise.study.recording import record
    >>> spec = SearchSpec(parse_puzzle("1.0.3-4.2.5"), "bfs", trace=9)
    >>> recording = record(spec.puzzle, find_algorithm("bfs"), spec.events())
    >>> unpack(pack(recording)) == recording
    True
    """
    return {
        **{name: getattr(recording, name) for name in _WHOLE},
        "algorithm": recording.algorithm.key,
        "boards": b"".join(bytes(node.board.cells) for node in recording.nodes),
        "nodes": [_node_row(node) for node in recording.nodes],
        "steps": [_step_row(step) for step in recording.steps],
        "iterations": [*recording.iterations],
    }


def unpack(packed: dict[str, Any]) -> Recording:
    """Return the recording that was packed."""
    puzzle = packed["puzzle"]
    cells = _in_groups(packed["boards"], puzzle.rows * puzzle.cols)
    boards = (Board(puzzle.rows, puzzle.cols, tuple(one)) for one in cells)
    return Recording(
        **{name: packed[name] for name in _WHOLE},
        algorithm=find_algorithm(packed["algorithm"]),
        nodes=[_node(board, row) for board, row in zip(boards, packed["nodes"], strict=True)],
        steps=[_step(*row) for row in packed["steps"]],
        iterations=packed["iterations"],
    )


def _node_row(node: Node) -> list[Any]:
    fate = node.fate.value if node.fate else None
    changes, ranks = _flat(node.changes), _flat(node.ranks)
    return [node.parent, node.g, node.h, fate, changes, ranks, node.other]


def _node(board: Board, row: list[Any]) -> Node:
    parent, g, h, fate, changes, ranks, other = row
    states = [(at, State(state)) for at, state in _in_groups(changes, 2)]
    fs = [(at, f) for at, f in _in_groups(ranks, 2)]
    return Node(parent, board, g, h, Fate(fate) if fate else None, states, fs, other)


def _step_row(step: Expansion) -> list[Any]:
    made = [part for one in step.successors for part in (one.node, one.f, one.fate.value)]
    return [step.node, step.why, made, step.frontier, step.in_memory, step.generated, step.limit]


def _step(node: int, why: str, made: list[Any], *counts: Any) -> Expansion:
    successors = (RecordedSuccessor(of, f, Fate(fate)) for of, f, fate in _in_groups(made, 3))
    return Expansion(node, why, tuple(successors), *counts)


def _flat(pairs: Iterable[tuple[int, int]]) -> list[int]:
    return [int(number) for pair in pairs for number in pair]


def _in_groups(values: Any, size: int) -> Iterator[Any]:
    """Yield the values, so many at a time."""
    return (values[first : first + size] for first in range(0, len(values), size))
