"""Races that teach: a board, some searches, and what to look for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slidewise.solver.compare import parse_runs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slidewise.solver.compare import Choice


@dataclass(frozen=True, slots=True)
class Preset:
    """A race, and in a sentence or two what to look for in its table."""

    title: str
    code: str
    runs: str
    look: str


PRESETS = (
    Preset(
        "Informed against uninformed",
        "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8",
        "bfs,ucs,iddfs,bidirectional,astar:manhattan,idastar:manhattan,rbfs:manhattan",
        "All find 26 moves. Breadth-first and uniform-cost search expand nearly all of the 181,440 "
        "boards there are; iterative deepening keeps no list of them, meets the same ones again "
        "and again, and expands 8 million nodes. Manhattan distance saves A* 97 of every 100 "
        "boards. Searching from both ends does well too.",
    ),
    Preset(
        "A heuristic’s worth",
        "8.6.7-2.5.4-3.0.1",
        "astar:zero,astar:misplaced,astar:manhattan,astar:linear-conflict,astar:pdb,astar:exact",
        "One algorithm, one of the two hardest boards, six heuristics, each closer to the true "
        "distance than the one before: the answer is always 31, but the bars shrink.",
    ),
    Preset(
        "Where greedy fails",
        "0.6.3-2.1.8-4.7.5",
        "greedy:misplaced,greedy:manhattan,wastar:manhattan,astar:manhattan",
        "12 moves are enough. Greedy best-first follows h alone, goes wrong early, and here even "
        "expands more than A*, which proves its path shortest.",
    ),
    Preset(
        "Memory against time",
        "8.6.7-2.5.4-3.0.1",
        "astar:misplaced,idastar:misplaced,rbfs:misplaced,"
        "astar:manhattan,idastar:manhattan,rbfs:manhattan",
        "31 moves. With misplaced tiles A* keeps 162,463 boards; IDA* and RBFS keep 60 nodes at "
        "most, but pay with time: they meet the same boards again and again, and expand about "
        "19 times as many nodes. With Manhattan distance, which leaves few boards to meet again, "
        "they pay nothing. There they even expand fewer, as A* first takes the boards that were "
        "made before the goal and have the same f.",
    ),
    Preset(
        "An estimate too high",
        "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8",
        "astar:manhattan,astar:=2 * manhattan,astar:=manhattan + misplaced,"
        "astar:=manhattan + 3 * sequence_score",
        "A* with a heuristic that is not admissible is quick. Two of the three find 28 and 30 "
        "moves where 26 are enough; one finds 26, but nothing proves that it is the shortest.",
    ),
)


def preset_of(code: str, runs: Iterable[Choice]) -> Preset | None:
    """Return the preset that has this board and these searches, None if none has."""
    wanted = code, {str(run) for run in runs}
    return next((one for one in PRESETS if (one.code, set(_split(one.runs))) == wanted), None)


def _split(runs: str) -> list[str]:
    return [str(run) for run in parse_runs(runs)]
